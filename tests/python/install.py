"""Builds the wheel of the Python client and installs it into an empty folder.

usage: install.py OUT

OUT gets dist/, with the wheel, and site/, with what the wheel installs.
"""

import glob
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
for folder in ("tests/deploy", "scripts/lib"):
    sys.path.insert(0, os.path.join(ROOT, folder))

import private_python  # noqa: E402
import python_wheel  # noqa: E402


def project_version():
    with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"project\(slice VERSION ([\d.]+)", file.read())[1]


def main():
    out, = sys.argv[1:]
    private_python.require("grpc_tools", "google.rpc", "setuptools", "wheel")
    shutil.rmtree(out, ignore_errors=True)
    dist = os.path.join(out, "dist")
    python_wheel.build(dist, "--no-index", "--no-build-isolation")
    wheel, = glob.glob(os.path.join(
        dist, f"slice_graph_client-{project_version()}-py3-none-any.whl"))
    subprocess.run([sys.executable, "-m", "pip", "--disable-pip-version-check",
                    "install", "--quiet", "--no-deps", "--no-index",
                    "--target", os.path.join(out, "site"), wheel], check=True)
    print(f"installed {os.path.basename(wheel)}")


if __name__ == "__main__":
    main()
