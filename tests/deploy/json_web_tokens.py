"""Signs JSON web tokens (RFC 7519, RS256) with openssl."""

import base64
import json
import subprocess
import time


def _openssl(*arguments, data=None):
    return subprocess.run(["openssl", *arguments], input=data, check=True,
                          capture_output=True).stdout


def _base64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Signer:
    """Has a key of its own, in the file `path`."""

    def __init__(self, path):
        self._path = path
        _openssl("genrsa", "-out", path, "2048")

    def key_set(self):
        """The public key as a JSON web key set (RFC 7517)."""
        modulus = _openssl("rsa", "-in", self._path, "-noout", "-modulus")
        digits = modulus.decode().strip().partition("=")[2]
        return {"keys": [{"kty": "RSA", "alg": "RS256", "use": "sig",
                          "kid": "one", "e": "AQAB",
                          "n": _base64(bytes.fromhex(digits))}]}

    def token(self, subject, **changes):
        """A token that deploy/envoy/envoy.yaml accepts, but for `changes` of
        its claims; None leaves a claim out."""
        claims = {"iss": "https://login.example.org", "aud": "slice",
                  "sub": subject, "exp": int(time.time()) + 3600, **changes}
        claims = {name: value for name, value in claims.items()
                  if value is not None}
        head = {"alg": "RS256", "typ": "JWT", "kid": "one"}
        text = ".".join(_base64(json.dumps(part).encode())
                        for part in (head, claims))
        signature = _openssl("dgst", "-sha256", "-sign", self._path,
                             data=text.encode())
        return text + "." + _base64(signature)
