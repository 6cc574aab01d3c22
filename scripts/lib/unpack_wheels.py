#!/usr/bin/env python3
"""Unpacks from the LibTorch wheels what a C++ build needs, and nothing else.

usage: unpack_wheels.py --cpu|--cuda DESTINATION WHEEL...
"""

import os
import re
import shutil
import sys
import zipfile

# Headers, the libraries that a CPU build links, and the libraries that those
# load.
CPU_MEMBERS = re.compile(
    r"torch/include/"
    r"|torch/lib/lib(torch_cpu|c10)\.so$"
    r"|torch/lib/lib(gomp|gfortran|arm_compute|nvpl_)[^/]*$"
    r"|nvidia/cu13/lib/lib(cudart|cupti)\.so\.13$"
    r"|[^/]*\.dist-info/(.*/)?(LICENSE|NOTICE|License)[^/]*$")
CUDA_MEMBERS = re.compile(
    r"torch/lib/lib[^/]*\.so(\.\d+)*$"
    r"|nvidia/")


def wanted(name, cuda):
    if name.endswith("/"):
        return False
    if name.startswith("torch/lib/") and "python" in name:
        return False
    return bool(CPU_MEMBERS.match(name) or (cuda and CUDA_MEMBERS.match(name)))


def unpack(wheel, destination, cuda):
    """Copies the wanted members; returns the number of files and bytes."""
    files = size = 0
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            if not wanted(member.filename, cuda):
                continue
            path = os.path.join(destination, member.filename)
            if not os.path.realpath(path).startswith(destination + os.sep):
                raise ValueError(f"{member.filename} leaves the folder")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with archive.open(member) as source, open(path, "wb") as target:
                shutil.copyfileobj(source, target, 1 << 20)
            files += 1
            size += member.file_size
    return files, size


def main(arguments):
    if len(arguments) < 3 or arguments[0] not in ("--cpu", "--cuda"):
        sys.exit(__doc__)
    destination = os.path.realpath(arguments[1])
    for wheel in arguments[2:]:
        try:
            files, size = unpack(wheel, destination, arguments[0] == "--cuda")
        except (OSError, ValueError, zipfile.BadZipFile) as error:
            sys.exit(f"unpack_wheels.py: {wheel}: {error}")
        print(f"    {os.path.basename(wheel).split('-')[0]}: {files} files, "
              f"{size / 1e6:.0f} MB", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
