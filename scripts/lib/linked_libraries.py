#!/usr/bin/env python3
"""Finds the shared libraries that programs load, and copies them.

usage: scripts/lib/linked_libraries.py copy OUT [--without=DIR] PROGRAM ...
       scripts/lib/linked_libraries.py glibc ROOT PROGRAM ...

copy   puts the libraries into the folder OUT, all but those of the C library
       and those that lie below DIR
glibc  puts the C library and its loader below ROOT, at their usual paths
"""

import os
import re
import shutil
import subprocess
import sys

# Every Linux system has these. A program must take all of them from one place.
GLIBC = re.compile(r"(ld-linux|lib(c|m|dl|rt|pthread|resolv|util|mvec|anl|"
                   r"nss_\w+)\.so)")


def closure(programs):
    """{soname: path} of all libraries that the programs load, in turn too."""
    found = {}
    for program in programs:
        result = subprocess.run(["ldd", program], text=True, check=True,
                                capture_output=True)
        for line in result.stdout.splitlines():
            if "not found" in line:
                sys.exit(f"linked_libraries: {program}: {line.strip()}")
            match = re.match(r"\s*(?:(\S+) => )?(/\S+) \(", line)
            if match:
                found[match[1] or os.path.basename(match[2])] = match[2]
    return found


def portable(programs):
    """closure() without the C library, sorted."""
    return {name: path for name, path in sorted(closure(programs).items())
            if not GLIBC.match(name)}


def is_below(path, folder):
    folder = os.path.realpath(folder)
    return os.path.commonpath([os.path.realpath(path), folder]) == folder


def copy(path, to):
    os.makedirs(os.path.dirname(to), exist_ok=True)
    if os.path.realpath(path) != os.path.realpath(to):
        shutil.copyfile(os.path.realpath(path), to)
    os.chmod(to, 0o755)


def main():
    command, out, *programs = sys.argv[1:]
    if command == "copy":
        without = None
        if programs[0].startswith("--without="):
            without = programs.pop(0).removeprefix("--without=")
        for name, path in portable(programs).items():
            if not without or not is_below(path, without):
                copy(path, os.path.join(out, name))
        return
    for name, path in closure(programs).items():
        if GLIBC.match(name):
            copy(path, os.path.join(out, path.lstrip("/")))


if __name__ == "__main__":
    main()
