"""Builds the wheel of the Python client and installs it into an empty folder.

usage: install.py CLIENT OUT

OUT gets dist/, with the wheel, and site/, with what the wheel installs. The
source tree stays as it is.
"""

import glob
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "deploy"))

import private_python  # noqa: E402


def main():
    client, out = sys.argv[1:]
    private_python.require("grpc_tools", "google.rpc", "setuptools", "wheel")
    shutil.rmtree(out, ignore_errors=True)
    source = os.path.join(out, "source")
    shutil.copytree(client, source, ignore=shutil.ignore_patterns(
        "wire", "build", "*.egg-info", "__pycache__"))
    shutil.copytree(os.path.join(ROOT, "proto"), os.path.join(source, "proto"))
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--quiet", "--no-deps", "--no-index",
                    "--no-build-isolation", "--wheel-dir",
                    os.path.join(out, "dist"), source], check=True)
    wheels = glob.glob(os.path.join(out, "dist", "slice_graph_client-*.whl"))
    subprocess.run([*pip, "install", "--quiet", "--no-deps", "--no-index",
                    "--target", os.path.join(out, "site"), *wheels],
                   check=True)
    shutil.rmtree(source)
    print(f"installed {os.path.basename(wheels[0])}")


if __name__ == "__main__":
    main()
