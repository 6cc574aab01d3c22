"""Signs JSON web tokens (RFC 7519, RS256) with openssl, for tests and first
tries.

usage: json_web_tokens.py KEY KEY_SET SUBJECT

Prints a token of SUBJECT for an hour, signed with the file KEY, which is made
when it is missing. Writes the public key to KEY_SET.
"""

import base64
import json
import os
import subprocess
import sys
import time


def _openssl(*arguments, data=None):
    return subprocess.run(["openssl", *arguments], input=data, check=True,
                          capture_output=True).stdout


def _base64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Signer:
    """Has the key in the file `path`, which is made when it is missing."""

    def __init__(self, path):
        self._path = path
        if not os.path.exists(path):
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


def main():
    key, key_set, subject = sys.argv[1:]
    signer = Signer(key)
    with open(key_set, "w", encoding="utf-8") as file:
        json.dump(signer.key_set(), file)
    print(signer.token(subject))


if __name__ == "__main__":
    main()
