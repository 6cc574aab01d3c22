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
CLIENT = os.path.join("client", "python")


def copy_sources(folder):
    """Copies what the client is built from, and returns its folder there."""
    source = os.path.join(folder, CLIENT)
    shutil.copytree(
        os.path.join(ROOT, CLIENT), source,
        ignore=shutil.ignore_patterns("wire", "build", "proto", "*.egg-info",
                                      "__pycache__"))
    shutil.copytree(os.path.join(ROOT, "proto"), os.path.join(folder, "proto"))
    return source


def build_wheel(source, out, *options):
    """`source`: a folder or a source distribution."""
    subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel",
         "--quiet", "--no-deps", "--wheel-dir", out, *options, source],
        check=True)


def build(out, *options):
    with tempfile.TemporaryDirectory() as folder:
        build_wheel(copy_sources(folder), out, *options)


if __name__ == "__main__":
    build(*sys.argv[1:])
