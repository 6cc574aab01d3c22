"""Runs a test with the modules that scripts/test installs below SLICE_DEPS_DIR,
such as PyYAML, and with the programs that it installs. Exits 77 where they are
not to be had.
"""

import importlib
import os
import shutil
import sys

SKIPPED = 77
PRIVATE_PYTHON = os.path.join(os.environ.get("SLICE_DEPS_DIR", ""), "venv",
                              "bin", "python")


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def require_programs(*programs):
    for program in programs:
        if shutil.which(program) is None:
            skip(f"no {program} (scripts/test installs it)")


def require(*modules):
    """Returns when this Python has the modules; else the private one runs the
    test from its start."""
    try:
        for module in modules:
            importlib.import_module(module)
    except ImportError:
        if os.path.exists(PRIVATE_PYTHON) and "SLICE_PRIVATE" not in os.environ:
            os.execve(PRIVATE_PYTHON, [PRIVATE_PYTHON, "-B", *sys.argv],
                      {**os.environ, "SLICE_PRIVATE": "1"})
        skip(f"no {' and '.join(modules)} (scripts/test installs them)")
