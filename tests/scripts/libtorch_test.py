"""Tests of scripts/lib/libtorch.sh: LibTorch appears whole or not at all.

A copy of scripts/ with small wheels of its own is run; pip is a stand-in that
"downloads" from a folder, or fails as pip does.
"""

import hashlib
import os
import shutil
import subprocess
import tempfile
import textwrap
import unittest
import zipfile

from stand_ins import ROOT, write

WHEELS = {
    "torch-9-py3-none-any.whl": [
        "torch/include/torch/script.h", "torch/lib/libtorch_cpu.so",
        "torch/lib/libtorch_cuda.so", "torch/lib/libgomp.so.1",
        "torch/nn/functional.py", "torch-9.dist-info/licenses/LICENSE"],
    "nvidia_cuda_runtime-9-py3-none-any.whl": [
        "nvidia/cu13/lib/libcudart.so.13", "nvidia/cu13/include/cuda.h"],
}
CPU_FILES = {
    "nvidia/cu13/lib/libcudart.so.13", "pinned_wheels.txt",
    "torch-9.dist-info/licenses/LICENSE", "torch/include/torch/script.h",
    "torch/lib/libgomp.so.1", "torch/lib/libtorch_cpu.so"}

# Answers `-m pip download ... --dest DIR ...`; runs anything else.
PYTHON_STAND_IN = """\
    #!/bin/bash
    case "$*" in
      *" download "*)
        echo "$*" >>"{folder}/calls"
        if [[ -e "{folder}/pip_error" ]]; then
          cat "{folder}/pip_error" >&2
          exit 1
        fi
        while [[ "$1" != --dest ]]; do shift; done
        cp "{folder}"/index/*.whl "$2" ;;
      "-m pip --version") ;;
      *) exec /usr/bin/python3 "$@" ;;
    esac
    """


class LibTorchTest(unittest.TestCase):

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name
        self.deps = os.path.join(self.folder, "deps")
        self.libtorch = os.path.join(self.deps, "libtorch")
        shutil.copytree(os.path.join(ROOT, "scripts"), self.path("scripts"))
        write(os.path.join(self.deps, "venv/bin/python"),
              textwrap.dedent(PYTHON_STAND_IN).format(folder=self.folder),
              0o755)
        pins = ""
        os.makedirs(self.path("index"))
        for name, members in WHEELS.items():
            path = self.path("index", name)
            with zipfile.ZipFile(path, "w") as wheel:
                for member in members:
                    wheel.writestr(member, f"content of {member}")
            with open(path, "rb") as file:
                digest = hashlib.sha256(file.read()).hexdigest()
            pins += f"{name.split('-')[0]}==9 --hash=sha256:{digest}\n"
        write(self.path("scripts/lib/libtorch_wheels.txt"), pins)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def install(self, variant="--cpu", function="install_libtorch"):
        script = self.path("install")
        write(script, textwrap.dedent(f"""\
            set -euo pipefail
            source {self.folder}/scripts/lib/common.sh
            source {self.folder}/scripts/lib/libtorch.sh
            {function} {variant}
            """))
        return subprocess.run(
            ["bash", script], text=True, capture_output=True, check=False,
            env={**os.environ, "SLICE_DEPS_DIR": self.deps})

    def downloads(self):
        if not os.path.exists(self.path("calls")):
            return 0
        with open(self.path("calls"), encoding="utf-8") as file:
            return len(file.readlines())

    def files(self, folder=None):
        folder = folder or self.libtorch
        return {os.path.relpath(os.path.join(at, name), folder)
                for at, _, names in os.walk(folder) for name in names}

    def assert_last_line(self, result, text):
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn(text, result.stderr.splitlines()[-1])

    def test_unpacks_what_a_cpu_build_needs(self):
        result = self.install()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.files(), CPU_FILES)
        self.assertFalse(os.path.exists(self.libtorch + ".partial"))

    def test_unpacks_the_cuda_libraries_when_asked(self):
        self.install("--cuda")
        self.assertEqual(self.files() - CPU_FILES,
                         {"torch/lib/libtorch_cuda.so",
                          "nvidia/cu13/include/cuda.h"})

    def test_libtorch_of_aarch64_has_its_own_folder_and_pins(self):
        wheel = self.path("index", "torch-9-py3-none-any.whl")
        with zipfile.ZipFile(wheel, "a") as archive:
            archive.writestr("torch/lib/libnvpl_blas_core.so.0", "algebra")
            archive.writestr("torch/lib/libarm_compute.so", "kernels")
        with open(wheel, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        os.remove(self.path("index", "nvidia_cuda_runtime-9-py3-none-any.whl"))
        write(self.path("scripts/lib/libtorch_wheels_aarch64.txt"),
              f"torch==9 --hash=sha256:{digest}\n")
        result = self.install("", "install_libtorch_aarch64")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(
            self.files(os.path.join(self.deps, "aarch64", "libtorch")),
            CPU_FILES - {"nvidia/cu13/lib/libcudart.so.13"} |
            {"torch/lib/libnvpl_blas_core.so.0", "torch/lib/libarm_compute.so"})
        self.assertFalse(os.path.exists(self.libtorch))
        with open(self.path("calls"), encoding="utf-8") as file:
            call = file.read()
        self.assertIn("--platform manylinux_2_28_aarch64", call)
        self.assertNotIn("x86_64", call)

    def test_the_second_run_does_nothing(self):
        self.install()
        result = self.install()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.downloads(), 1)

    def test_a_cuda_unpacking_serves_a_cpu_build(self):
        self.install("--cuda")
        self.install("--cpu")
        self.assertEqual(self.downloads(), 1)

    def test_other_pins_unpack_again(self):
        self.install()
        stamp = os.path.join(self.libtorch, "pinned_wheels.txt")
        write(stamp, "torch==8\n")
        write(os.path.join(self.libtorch, "torch/lib/old.so"), "old")
        self.install()
        self.assertEqual(self.files(), CPU_FILES)

    def test_no_network_is_told_in_one_line(self):
        write(self.path("pip_error"),
              "WARNING: Retrying\nERROR: No matching distribution found\n")
        result = self.install()
        self.assert_last_line(result, "cannot download LibTorch: is the "
                              "network there?")
        self.assertFalse(os.path.exists(self.libtorch))

    def test_a_wrong_hash_is_told_and_nothing_is_unpacked(self):
        write(self.path("pip_error"), "ERROR: THESE PACKAGES DO NOT MATCH THE "
              "HASHES FROM THE REQUIREMENTS FILE.\n")
        self.assert_last_line(self.install(), "wrong SHA-256")
        self.assertFalse(os.path.exists(self.libtorch))

    def test_a_wrong_wheel_that_pip_let_through_is_refused(self):
        with open(self.path("index", "torch-9-py3-none-any.whl"), "ab") as file:
            file.write(b"one byte more")
        self.assert_last_line(self.install(), "wrong SHA-256")
        self.assertFalse(os.path.exists(self.libtorch))

    def test_a_cut_off_download_is_downloaded_again(self):
        write(os.path.join(self.deps, "wheels", "torch-9-py3-none-any.whl"),
              "PK the first half")
        self.assertEqual(self.install().returncode, 0)
        self.assertEqual(self.files(), CPU_FILES)

    def test_whole_wheels_are_not_downloaded_again(self):
        shutil.copytree(self.path("index"), os.path.join(self.deps, "wheels"))
        self.assertEqual(self.install().returncode, 0)
        self.assertEqual(self.downloads(), 0)

    def test_an_interrupted_unpacking_is_done_again(self):
        write(os.path.join(self.libtorch + ".partial", "torch/half"), "x")
        self.assertEqual(self.install().returncode, 0)
        self.assertEqual(self.files(), CPU_FILES)


if __name__ == "__main__":
    unittest.main()
