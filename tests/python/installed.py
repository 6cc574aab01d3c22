"""Makes the installed Python client importable. Import this first."""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
for folder in ("deploy", "integration"):
    sys.path.insert(0, os.path.join(ROOT, "tests", folder))
# Where install.py puts it.
CLIENT = os.environ.get("SLICE_PYTHON_CLIENT", "")
sys.path.insert(0, os.path.join(CLIENT, "site"))

import private_python  # noqa: E402

private_python.require("grpc_tools", "google.rpc", "networkx", "pandas",
                       "pyarrow", "rdflib")
if not os.path.isdir(os.path.join(CLIENT, "site", "slice_client")):
    private_python.skip("the test python.install did not run")
