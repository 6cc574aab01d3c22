"""Writes the modules of the wire contract into slice_client/wire.

usage: python generate.py      (needs grpcio-tools)

They live below the package, so that they are in nobody's way. The messages of
google.rpc come from googleapis-common-protos.
"""

import os
import pathlib
import re
import sys
from importlib import resources

HERE = pathlib.Path(__file__).resolve().parent
# In the repository; a source distribution has a copy.
ROOTS = (HERE.parent.parent / "proto", HERE / "proto")
OUT = HERE / "slice_client" / "wire"
PACKAGE = "slice_client.wire"


def generate() -> None:
    from grpc_tools import protoc

    root = next(path for path in ROOTS if (path / "slice").is_dir())
    files = sorted(str(path.relative_to(root))
                   for path in (root / "slice").rglob("*.proto"))
    OUT.mkdir(parents=True, exist_ok=True)
    standard = str(resources.files("grpc_tools") / "_proto")
    status = protoc.main(["protoc", f"-I{root}", f"-I{standard}",
                          f"--python_out={OUT}", f"--pyi_out={OUT}",
                          f"--grpc_python_out={OUT}", *files])
    if status != 0:
        sys.exit(f"protoc failed with status {status}")
    for folder, _, names in os.walk(OUT):
        (pathlib.Path(folder) / "__init__.py").touch()
        for name in names:
            if name.endswith((".py", ".pyi")):
                _move_imports(pathlib.Path(folder) / name)


def _move_imports(path: pathlib.Path) -> None:
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"^from slice\.v1 import", f"from {PACKAGE}.slice.v1 import",
                  text, flags=re.M)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    generate()
