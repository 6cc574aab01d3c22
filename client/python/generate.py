"""Writes the modules of the wire contract into slice_client/wire.

usage: python generate.py      (needs grpcio-tools)

They live below the package, so that they are in nobody's way. The messages of
google.rpc come from googleapis-common-protos.
"""

import os
import pathlib
import re
import shutil
import sys
from importlib import resources

HERE = pathlib.Path(__file__).resolve().parent
CONTRACT = HERE / "proto"  # a copy, which a source distribution carries
OUT = HERE / "slice_client" / "wire"
PACKAGE = "slice_client.wire"


def generate() -> None:
    from grpc_tools import protoc

    _copy_contract()
    files = sorted(str(path.relative_to(CONTRACT))
                   for path in (CONTRACT / "slice").rglob("*.proto"))
    OUT.mkdir(parents=True, exist_ok=True)
    standard = str(resources.files("grpc_tools") / "_proto")
    status = protoc.main(["protoc", f"-I{CONTRACT}", f"-I{standard}",
                          f"--python_out={OUT}", f"--pyi_out={OUT}",
                          f"--grpc_python_out={OUT}", *files])
    if status != 0:
        sys.exit(f"protoc failed with status {status}")
    for folder, _, names in os.walk(OUT):
        (pathlib.Path(folder) / "__init__.py").touch()
        for name in names:
            if name.endswith((".py", ".pyi")):
                _move_imports(pathlib.Path(folder) / name)


def requirements() -> list[str]:
    """What the generated modules run with. gRPC must be at least as new as its
    generator. So must protobuf, which promises to run modules of its own major
    version and of the one before."""
    grpc = _generator_version("*_pb2_grpc.py",
                              r"^GRPC_GENERATED_VERSION = '([\d.]+)'$")
    protobuf = _generator_version("*_pb2.py",
                                  r"^# Protobuf Python Version: ([\d.]+)$")
    major = int(protobuf.partition(".")[0])
    return [f"grpcio>={grpc}", f"protobuf>={protobuf},<{major + 2}"]


def _copy_contract() -> None:
    if (HERE / "PKG-INFO").exists():
        return  # a source distribution
    shutil.rmtree(CONTRACT, ignore_errors=True)
    shutil.copytree(HERE.parent.parent / "proto", CONTRACT)


def _move_imports(path: pathlib.Path) -> None:
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"^from slice\.v1 import", f"from {PACKAGE}.slice.v1 import",
                  text, flags=re.M)
    path.write_text(text, encoding="utf-8")


def _generator_version(files: str, pattern: str) -> str:
    for path in OUT.rglob(files):
        found = re.search(pattern, path.read_text(encoding="utf-8"), re.M)
        if found:
            return found[1]
    sys.exit(f"no {files} in {OUT} says what made it")


if __name__ == "__main__":
    generate()
