"""Finds what the tests of the page need; without it they are skipped."""

import os
import shutil
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
for folder in ("deploy", "integration"):
    sys.path.insert(0, os.path.join(ROOT, "tests", folder))

import private_python  # noqa: E402

PAGE = os.path.join(ROOT, "server", "page")
MODULES = "/usr/share/nodejs"  # where Debian puts them


def require(*programs):
    for program in programs:
        if shutil.which(program) is None:
            private_python.skip(f"no {program} (scripts/test installs it)")
