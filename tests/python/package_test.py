"""The wheel of the Python client says what it runs with, and can be built from
its source distribution."""

import email
import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import installed  # noqa: E402

sys.path.insert(0, os.path.join(installed.ROOT, "scripts", "lib"))

import python_wheel  # noqa: E402
from packaging.requirements import Requirement  # noqa: E402

SITE = os.path.join(installed.CLIENT, "site")


def only(pattern, folder):
    found, = glob.glob(os.path.join(folder, pattern))
    return found


def required():
    """What the installed package requires, by its name."""
    with open(os.path.join(only("*.dist-info", SITE), "METADATA"),
              encoding="utf-8") as file:
        lines = email.message_from_file(file).get_all("Requires-Dist")
    return {one.name: one.specifier for one in map(Requirement, lines)
            if one.marker is None}


def generated(pattern, files):
    """What `pattern` finds in each generated module, as a set."""
    found = set()
    for path in glob.glob(os.path.join(SITE, "slice_client", "wire", "slice",
                                       "v1", files)):
        with open(path, encoding="utf-8") as file:
            found.add(re.search(pattern, file.read())[1])
    return found


class MetadataTest(unittest.TestCase):

    def test_grpc_is_as_new_as_the_generated_code_asks(self):
        version, = generated(r"GRPC_GENERATED_VERSION = '(.*)'",
                             "*_pb2_grpc.py")
        self.assertEqual(str(required()["grpcio"]), f">={version}")

    def test_protobuf_is_one_that_the_generated_code_runs_with(self):
        numbers, = generated(
            r"ValidateProtobufRuntimeVersion\(\s*[\w.]+,((?:\s*\d+,){3})",
            "*_pb2.py")
        major, minor, patch = map(int, re.findall(r"\d+", numbers))
        allowed = required()["protobuf"]
        for version, fits in ((f"{major}.{minor}.{patch}", True),
                              (f"{major}.{minor}.{patch}.dev1", False),
                              (f"{major - 1}.99", False),
                              (f"{major}.{minor + 1}.0", True),
                              (f"{major + 1}.99.0", True),
                              (f"{major + 2}.0.0", False)):
            self.assertEqual(allowed.contains(version, prereleases=True), fits,
                             f"{version} in {allowed}")

    def test_the_other_requirements_are_there(self):
        self.assertEqual(required().keys(), {"grpcio", "protobuf",
                                             "googleapis-common-protos"})


class SourceDistributionTest(unittest.TestCase):

    def test_it_builds_the_same_wheel(self):
        with tempfile.TemporaryDirectory() as folder:
            source = python_wheel.copy_sources(os.path.join(folder, "copy"))
            subprocess.run(
                [sys.executable, "-c", "import sys\n"
                 "from setuptools import build_meta\n"
                 "build_meta.build_sdist(sys.argv[1])", folder],
                cwd=source, check=True, stdout=subprocess.DEVNULL)
            python_wheel.build_wheel(only("slice_graph_client-*.tar.gz", folder),
                                     folder, "--no-index",
                                     "--no-build-isolation")
            wheels = [only("slice_graph_client-*.whl", one) for one in
                      (os.path.join(installed.CLIENT, "dist"), folder)]
            names = []
            for wheel in wheels:
                with zipfile.ZipFile(wheel) as file:
                    names.append(sorted(file.namelist()))
            self.assertIn("slice_client/wire/slice/v1/graph_pb2.py", names[1])
            self.assertEqual(*names)


if __name__ == "__main__":
    unittest.main()
