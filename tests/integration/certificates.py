"""An authority of certificates, with openssl."""

import os
import subprocess


def _openssl(*arguments):
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)


class Authority:
    """Writes its files into a folder."""

    def __init__(self, folder, name="ca"):
        self.folder = folder
        self.name = name
        self.path = os.path.join(folder, name + ".pem")
        self._key = os.path.join(folder, name + ".key")
        _openssl("req", "-x509", *self._new_key(self._key), "-out", self.path,
                 "-days", "2", "-subj", f"/CN={name}")

    def sign(self, name, alternatives, days=1):
        """Returns the paths of a certificate and its key."""
        base = os.path.join(self.folder, name)
        extensions = base + ".ext"
        with open(extensions, "w", encoding="utf-8") as file:
            file.write(f"subjectAltName={alternatives}\n")
        _openssl("req", *self._new_key(base + ".key"), "-out", base + ".csr",
                 "-subj", f"/CN={name}")
        _openssl("x509", "-req", "-in", base + ".csr", "-CA", self.path,
                 "-CAkey", self._key, "-days", str(days), "-out",
                 base + ".pem", "-extfile", extensions)
        os.chmod(base + ".key", 0o600)
        return base + ".pem", base + ".key"

    @staticmethod
    def _new_key(path):
        return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                "-nodes", "-keyout", path]
