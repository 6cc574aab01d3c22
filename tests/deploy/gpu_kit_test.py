"""The GPU kit: what scripts/package makes of a CUDA build, and what gpu_check
finds with real programs. Where there is no device, all that needs one must be
skipped with that reason.

Without a CUDA build, gpu_check runs with the programs of the build at hand, and
the archive is not made.
"""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
BIN = os.environ["SLICE_BIN_DIR"]
BUILD = os.path.dirname(BIN)
TOY = os.path.join(os.environ["SLICE_TOY_DIR"], "bundle")
LIBTORCH = os.path.join(os.environ["SLICE_DEPS_DIR"], "libtorch")
KIT_MB = 60
# What Debian and CUDA provide, and hosts may lack.
LIBRARIES = ("libgrpc++.so.1.51", "libprotobuf.so.32", "librocksdb.so.7.8",
             "libyaml-cpp.so.0.7", "libssl.so.3", "libcares.so.2",
             "libre2.so.9", "libsnappy.so.1", "libz.so.1", "libstdc++.so.6",
             "libgcc_s.so.1", "libcudart.so.13")
PROGRAMS = ("slice-server", "slice-client", "cuda_forward_test",
            "cuda_loss_test", "device_forward_test", "forward_benchmark")


def is_cuda_build():
    with open(os.path.join(BUILD, "CMakeCache.txt"), encoding="utf-8") as file:
        return "SLICE_CUDA:BOOL=ON" in file.read()


def package(*arguments):
    return subprocess.run(
        [os.path.join(ROOT, "scripts", "package"), "--gpu-kit", *arguments],
        text=True, check=False, capture_output=True)


def lay_out_bundles(folder):
    for name in ("default", "paper"):
        os.symlink(TOY, os.path.join(folder, name))


def lay_out_torch(folder):
    """The LibTorch of the build, where an installed PyTorch has it."""
    torch = os.path.join(folder, "torch")
    os.makedirs(torch)
    with open(os.path.join(torch, "version.py"), "w", encoding="utf-8") as file:
        file.write("__version__ = '2.11.0+cu130'\n")
    os.symlink(os.path.join(LIBTORCH, "torch", "lib"),
               os.path.join(torch, "lib"))
    os.symlink(os.path.join(LIBTORCH, "nvidia"),
               os.path.join(folder, "nvidia"))
    return torch


def run_check(kit, folder, *arguments):
    """(exit status, {name of a row: row})."""
    out = os.path.join(folder, "out")
    ran = subprocess.run(
        [os.path.join(kit, "gpu_check"), "--quick", "--out", out, *arguments],
        text=True, check=False, capture_output=True,
        env={key: value for key, value in os.environ.items()
             if key != "LD_LIBRARY_PATH"})
    with open(os.path.join(out, "gpu_check.json"), encoding="utf-8") as file:
        written = json.load(file)
    with open(os.path.join(out, "gpu_check.txt"), encoding="utf-8") as file:
        assert file.read() in ran.stdout
    return ran, written, {row["name"]: row for row in written["rows"]}


class TemporaryFolder(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.torch = lay_out_torch(os.path.join(cls.folder, "site"))
        cls.bundles = os.path.join(cls.folder, "bundles")
        os.makedirs(cls.bundles)
        lay_out_bundles(cls.bundles)

    def assert_rows_hold(self, written, rows):
        """Nothing failed; without a device, what needs one says so."""
        for name, row in rows.items():
            self.assertNotEqual(row["status"], "failed", row)
        problem = written["host"]["device_problem"]
        if not problem:
            return
        for name, row in rows.items():
            if "on cuda" in name or name.startswith("forward"):
                self.assertEqual(row["status"], "skipped", row)
                self.assertTrue(row["note"].startswith(
                    f"no device: {problem}"), row)
        for name in ("parity default, CPU reference of the kernel",
                     "parity paper, CPU reference of the kernel",
                     "serving default on cpu", "serving paper on cpu",
                     "serving default by TorchScript on cpu"):
            self.assertEqual(rows[name]["status"], "passed", rows[name])


@unittest.skipIf(is_cuda_build(), "this is a CUDA build; see ArchiveTest")
class OtherBuildTest(TemporaryFolder):

    def test_another_build_is_refused_with_the_way_out(self):
        made = package("--build", BUILD, "--out", self.folder)
        self.assertEqual(made.returncode, 1)
        self.assertIn("is no CUDA build: make one with scripts/build --cuda",
                      made.stderr)

    def test_it_is_made_alone(self):
        made = package("--deb", "--build", BUILD, "--out", self.folder)
        self.assertEqual(made.returncode, 1)
        self.assertIn("--gpu-kit is made alone", made.stderr)

    def test_gpu_check_runs_what_needs_no_device(self):
        kit = os.path.join(self.folder, "kit")
        shutil.copytree(os.path.join(ROOT, "deploy", "gpu-kit"), kit)
        for name in ("serving_loads.py", "instruction_sets.py"):
            shutil.copy(os.path.join(ROOT, "scripts", "lib", name),
                        os.path.join(kit, "steps"))
        os.symlink(BIN, os.path.join(kit, "bin"))
        os.symlink(self.bundles, os.path.join(kit, "bundles"))
        with open(os.path.join(kit, "kit.json"), "w", encoding="utf-8") as file:
            json.dump({"version": "0", "commit": "0", "torch": "2.11.0",
                       "cuda": "13.0", "architectures": "", "glibc": "2.17",
                       "bundles": ["default", "paper"]}, file)
        ran, written, rows = run_check(kit, self.folder, "--torch", self.torch,
                                       "--only", "forward,serving")
        if not written["host"]["device_problem"]:
            self.skipTest("there is a device, but no CUDA build to use it")
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assert_rows_hold(written, rows)


@unittest.skipUnless(is_cuda_build(), "the archive is made of a CUDA build "
                     "alone (scripts/build --cuda)")
class ArchiveTest(TemporaryFolder):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        made = package("--build", BUILD, "--out", cls.folder, "--bundles",
                       cls.bundles)
        if made.returncode:
            raise AssertionError(made.stderr)
        cls.archive, = glob.glob(os.path.join(cls.folder, "*.tar.xz"))
        with tarfile.open(cls.archive) as file:
            file.extractall(cls.folder, filter="data")
        cls.kit = re.sub(r"-linux-x86_64\.tar\.xz$", "", cls.archive)

    def names(self, folder):
        return set(os.listdir(os.path.join(self.kit, folder)))

    def test_it_is_small(self):
        self.assertLess(os.path.getsize(self.archive), KIT_MB * 1e6)

    def test_it_holds_programs_libraries_and_bundles(self):
        self.assertLessEqual(set(PROGRAMS), self.names("bin"))
        self.assertLessEqual(set(LIBRARIES), self.names("lib/slice"))
        self.assertEqual(self.names("bundles"), {"default", "paper"})

    def test_it_holds_neither_the_driver_nor_libtorch_nor_the_c_library(self):
        for name in self.names("lib/slice"):
            self.assertNotRegex(name, r"^lib(cuda\.|torch|c10|gomp|cupti|c\.|m\.)")

    def test_the_programs_find_all_but_libtorch_below_the_kit(self):
        for name in PROGRAMS:
            ran = subprocess.run(["ldd", os.path.join(self.kit, "bin", name)],
                                 text=True, check=True, capture_output=True)
            for line in ran.stdout.splitlines():
                if " => " not in line:
                    continue
                library, path = line.strip().split(" => ")
                if path.startswith("not found"):
                    self.assertRegex(library, r"^lib(torch_cpu|c10)\.so")
                elif not re.match(r"lib(c|m|dl|rt|pthread)\.so", library):
                    self.assertTrue(os.path.realpath(path.split()[0]).startswith(
                        os.path.realpath(self.kit)), line)

    def test_gpu_check_runs_all_steps(self):
        ran, written, rows = run_check(self.kit, self.folder, "--torch",
                                       self.torch)
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assert_rows_hold(written, rows)
        self.assertEqual(rows["test device_forward_test"]["status"], "passed")
        self.assertEqual(rows["loss: no device at the start"]["status"],
                         "passed")

    def test_without_pytorch_the_server_is_still_measured(self):
        empty = os.path.join(self.folder, "empty")
        os.makedirs(empty)
        ran, _, rows = run_check(self.kit, self.folder, "--torch", empty,
                                 "--only", "tests,serving")
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertIn("PyTorch 2.11 is needed",
                      rows["test device_forward_test"]["note"])
        self.assertIn("passed", {row["status"] for name, row in rows.items()
                                 if name.startswith("serving")})


if __name__ == "__main__":
    if not os.path.exists(os.path.join(BIN, "forward_benchmark")):
        print("skipped: the benchmarks are not built")
        sys.exit(77)
    unittest.main()
