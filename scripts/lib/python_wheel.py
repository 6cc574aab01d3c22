"""Builds the wheel of the Python client.

usage: python_wheel.py OUT [PIP-OPTION...]

The wheel goes into the folder OUT. It is built from a copy, so that the source
tree stays as it is.
"""

import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))


def build(out, *options):
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "client")
        shutil.copytree(
            os.path.join(ROOT, "client", "python"), source,
            ignore=shutil.ignore_patterns("wire", "build", "*.egg-info",
                                          "__pycache__"))
        shutil.copytree(os.path.join(ROOT, "proto"),
                        os.path.join(source, "proto"))
        subprocess.run(
            [sys.executable, "-m", "pip", "--disable-pip-version-check",
             "wheel", "--quiet", "--no-deps", "--wheel-dir", out, *options,
             source], check=True)


if __name__ == "__main__":
    build(*sys.argv[1:])
