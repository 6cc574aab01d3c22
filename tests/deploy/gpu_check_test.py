"""Tests of deploy/gpu-kit/gpu_check with stand-ins for its programs: what it
says of a host, and how it judges what was measured."""

import argparse
import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
SOURCE = os.path.join(ROOT, "deploy", "gpu-kit")
sys.path[:0] = [os.path.join(SOURCE, "steps"),
                os.path.join(ROOT, "scripts", "lib")]

import gpu_forward  # noqa: E402
import gpu_host  # noqa: E402
import gpu_loss  # noqa: E402
import gpu_report  # noqa: E402
import gpu_runs  # noqa: E402
import gpu_serving  # noqa: E402
import gpu_tests  # noqa: E402

FACTS = {"version": "0.2.0", "commit": "0123456789", "torch": "2.11.0",
         "cuda": "13.0", "architectures": "80;90", "glibc": "2.17",
         "bundles": ["default", "paper"]}
NO_DEVICE = "no NVIDIA driver is installed (no libcuda.so.1)"


def load(**changes):
    """What slice-client says of a load, as far as gpu_check reads it."""
    return {"failed": 0, "answered": 9, "errors": {}, "link_errors": {},
            "device": "cuda", "links_per_second": 400_000.0,
            "latency_seconds": {"p50": 0.001, "p99": 0.002},
            "options": {"concurrency": 8, "links_per_rpc": 64}, **changes}


class KitCase(unittest.TestCase):
    """A folder laid out as the kit, without programs."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.kit = os.path.join(self.folder, "kit")
        shutil.copytree(SOURCE, self.kit)
        for name in ("serving_loads.py", "instruction_sets.py"):
            shutil.copy(os.path.join(ROOT, "scripts", "lib", name),
                        os.path.join(self.kit, "steps"))
        os.makedirs(os.path.join(self.kit, "bin"))
        self.facts()

    def facts(self, **changes):
        with open(os.path.join(self.kit, "kit.json"), "w",
                  encoding="utf-8") as file:
            json.dump({**FACTS, **changes}, file)

    def program(self, name, text):
        path = os.path.join(self.kit, "bin", name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{text}\n")
        os.chmod(path, 0o755)
        return path

    def torch(self, version):
        folder = os.path.join(self.folder, "site", "torch")
        os.makedirs(os.path.join(folder, "lib"), exist_ok=True)
        with open(os.path.join(folder, "lib", "libtorch_cpu.so"), "w",
                  encoding="utf-8"):
            pass
        with open(os.path.join(folder, "version.py"), "w",
                  encoding="utf-8") as file:
            file.write(f"__all__ = []\n__version__ = '{version}'\n")
        return folder

    def run_script(self, *arguments):
        return subprocess.run(
            [sys.executable, os.path.join(self.kit, "gpu_check"), *arguments],
            text=True, check=False, capture_output=True)

    def check(self, problem="", limit=540, quick=False):
        options = argparse.Namespace(out=os.path.join(self.folder, "out"),
                                     limit=limit, quick=quick)
        with contextlib.redirect_stdout(io.StringIO()):
            check = gpu_runs.Check(self.kit, options)
        self.addCleanup(check.close)
        check.say = lambda text: None
        check.host = {
            "device_problem": problem, "cores": 16, "sanitizer": "",
            "device": {"name": "H200", "count": 1, "driver_cuda": "13.0"},
            "driver": "580.1", "processor": "a processor", "system": "Linux",
            "glibc": "2.39", "torch": {"none": "PyTorch 2.11 is needed"}}
        return check


class HostTest(KitCase):

    def test_an_old_c_library_is_told_in_one_line(self):
        self.facts(glibc="99.1")
        ran = self.run_script()
        self.assertEqual(ran.returncode, 2)
        self.assertRegex(ran.stderr, r"^gpu_check: this host has the GNU C "
                         r"library [\d.]+; the kit needs 99\.1 or later: .*\n$")

    def test_versions_are_compared_as_numbers(self):
        with mock.patch.object(gpu_host, "glibc", lambda: "2.36"):
            for needed, can in (("2.4", True), ("2.36", True), ("2.37", False)):
                self.facts(glibc=needed)
                self.assertEqual(
                    not gpu_host.cannot_run(gpu_runs.Kit(self.kit)), can)

    def test_another_c_library_is_told(self):
        with mock.patch.object(gpu_host, "glibc", lambda: ""):
            self.assertIn("another C library",
                          gpu_host.cannot_run(gpu_runs.Kit(self.kit)))

    def find_torch(self, given):
        return gpu_host.find_torch(gpu_runs.Kit(self.kit), given)

    def test_the_pytorch_of_the_kit_is_found(self):
        folder = self.torch("2.11.0+cu130")
        self.assertEqual(self.find_torch(folder),
                         {"folder": folder, "version": "2.11.0+cu130"})

    def test_another_pytorch_is_told_with_its_version_and_place(self):
        folder = self.torch("2.9.1+cu128")
        self.assertIn(f"that in {folder} is 2.9.1+cu128",
                      self.find_torch(folder)["none"])

    def test_a_missing_pytorch_is_told(self):
        with mock.patch.object(gpu_host, "torch_folders", lambda: []):
            self.assertRegex(self.find_torch(None)["none"],
                             "PyTorch 2.11 is needed: none is installed here")

    def test_a_package_of_this_python_is_found_without_importing_it(self):
        folder = self.torch("2.11.0")
        with open(os.path.join(folder, "__init__.py"), "w",
                  encoding="utf-8") as file:
            file.write("raise RuntimeError('imported')\n")
        with mock.patch.dict(os.environ,
                             {"PYTHONPATH": os.path.dirname(folder)}):
            self.assertIn(folder, list(gpu_host.torch_folders()))

    def test_an_old_driver_is_no_device(self):
        kit = gpu_runs.Kit(self.kit)
        self.assertIn("driver is for CUDA 12.8", gpu_host.device_problem(
            {"name": "H200", "count": 1, "driver_cuda": "12.8"}, kit))
        self.assertEqual("", gpu_host.device_problem(
            {"name": "H200", "count": 1, "driver_cuda": "13.1"}, kit))


class RunTest(KitCase):

    def test_a_program_that_does_not_end_is_ended_and_failed(self):
        program = self.program("waits", "exec tail -f /dev/null")
        row = self.check().run("waits", [program], 0.1).row_if_ended("waits")
        self.assertEqual(row.status, gpu_runs.FAILED)

    def test_a_program_that_is_cut_by_the_whole_limit_is_skipped(self):
        program = self.program("waits", "exec tail -f /dev/null")
        check = self.check(limit=gpu_runs.RESERVE_SECONDS + 0.2)
        row = check.run("waits", [program], 60).row_if_ended("waits")
        self.assertEqual(row.status, gpu_runs.SKIPPED)
        self.assertIn("no more time was left for it", row.note)

    def test_no_step_begins_without_time(self):
        check = self.check(limit=1)
        for row in gpu_serving.serving(check):
            self.assertEqual(row.status, gpu_runs.SKIPPED)

    def test_the_output_is_kept(self):
        check = self.check()
        ran = check.run("a b", [self.program("says", "echo $WORD; exit 4")], 9,
                        WORD="hello")
        self.assertEqual((ran.status, ran.last_line()), (4, "hello"))
        with open(check.path("logs", "a_b.log"), encoding="utf-8") as file:
            self.assertTrue(file.read().endswith("hello\n"))


class TestsTest(KitCase):

    def row(self, text, problem=""):
        check = self.check()
        ran = check.run("t", [self.program("t", text)], 9)
        return gpu_tests.test_row("t", ran, True, problem)

    def test_passed_tests_pass(self):
        row = self.row("echo '[  PASSED  ] 7 tests.'")
        self.assertEqual((row.status, row.note[:7]), ("passed", "7 tests"))

    def test_tests_that_are_skipped_beside_a_device_fail(self):
        row = self.row("printf 'a.cc:3: Skipped\\nno such device\\n[  PASSED  ]"
                       " 2 tests.\\n[  SKIPPED ] 5 tests, listed below:\\n'")
        self.assertEqual(row.status, "failed")
        self.assertIn("no such device", row.note)

    def test_without_a_device_they_are_skipped_with_the_reason(self):
        row = self.row("printf '[  PASSED  ] 2 tests.\\n[  SKIPPED ] 5 tests, "
                       "listed below:\\n'", NO_DEVICE)
        self.assertEqual(row.status, "skipped")
        self.assertTrue(row.note.startswith(f"no device: {NO_DEVICE}"))

    def test_a_failed_test_is_named(self):
        row = self.row("printf '[  PASSED  ] 1 test.\\n[  FAILED  ] 1 test, "
                       "listed below:\\n[  FAILED  ] A.B\\n'; exit 1", NO_DEVICE)
        self.assertEqual(row.status, "failed")
        self.assertIn("failed tests: 1, exit status 1: A.B", row.note)

    def test_a_crash_fails(self):
        self.assertEqual(self.row("kill -SEGV $$").status, "failed")

    def judge(self, text):
        check = self.check()
        return gpu_tests.judge_tool("s", check.run(
            "s", [self.program("s", text)], 9))

    def test_a_tool_without_errors_passes(self):
        row = self.judge("echo '[  PASSED  ] 1 test.'; "
                         "echo '========= ERROR SUMMARY: 0 errors'")
        self.assertEqual(row.status, "passed")
        self.assertIn("ERROR SUMMARY: 0 errors", row.note)

    def test_a_tool_that_finds_errors_fails(self):
        row = self.judge("echo '[  PASSED  ] 1 test.'; "
                         "echo '========= ERROR SUMMARY: 3 errors'; exit 9")
        self.assertEqual(row.status, "failed")
        self.assertIn("3 errors", row.note)

    def test_a_tool_under_which_no_test_ran_fails(self):
        row = self.judge("echo '[  SKIPPED ] 1 test, listed below:'; "
                         "echo '========= ERROR SUMMARY: 0 errors'")
        self.assertEqual(row.status, "failed")

    def test_a_missing_tool_is_skipped(self):
        rows = list(gpu_tests.sanitizers(self.check()))
        self.assertEqual([row.status for row in rows], ["skipped"] * 4)
        self.assertIn("compute-sanitizer is neither in PATH", rows[0].note)


class ForwardTest(KitCase):

    def rows(self, rate, parity, problem=""):
        check = self.check(problem)
        check.host["torch"] = {"folder": "/t", "version": "2.11.0"}
        self.program("forward_benchmark", f"""
for argument; do case $argument in
  --benchmark_out=*) out=${{argument#*=}} ;;
esac; done
[ -n "$out" ] || exit 0
cat >"$out" <<'JSON'
{{"benchmarks": [
  {{"name": "DeviceForward/x/256/real_time", "contexts/s": {rate},
    "parity": {parity}}},
  {{"name": "DeviceCall/x/64x8/real_time", "contexts/s": 5e6,
    "parity": 1e-7}}]}}
JSON""")
        return {row.name: row for row in gpu_forward.forward(check)}

    def test_a_rate_above_its_mark_passes(self):
        rows = self.rows(2e6, 1e-6)
        self.assertEqual({row.status for row in rows.values()}, {"passed"})
        self.assertEqual(rows["forward default"].found, "2,000,000 contexts/s")

    def test_a_rate_below_its_mark_is_missed(self):
        rows = self.rows(3e5, 1e-6)
        self.assertEqual(rows["forward default"].status, "missed")
        self.assertEqual(rows["forward paper"].status, "passed")

    def test_calls_alone_do_not_reach_the_mark(self):
        self.assertEqual(self.rows(1, 1e-6)["forward default"].status, "missed")

    def test_wrong_logits_fail(self):
        for parity in ("2e-4", "Infinity", "NaN"):
            with self.subTest(parity):
                self.assertEqual(
                    self.rows(2e6, parity)["parity default"].status, "failed")

    def test_without_a_device_only_the_reference_runs(self):
        rows = self.rows(3.0, 1e-6, NO_DEVICE)
        self.assertEqual(rows["forward default"].status, "skipped")
        self.assertEqual(rows["forward default"].note,
                         f"no device: {NO_DEVICE}")
        self.assertEqual(
            rows["parity default, CPU reference of the kernel"].status,
            "passed")

    def test_a_benchmark_that_failed_is_told(self):
        path = os.path.join(self.folder, "b.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"benchmarks": [{
                "name": "DeviceForward/x", "error_occurred": True,
                "error_message": "the device was lost"}]}, file)
        with self.assertRaisesRegex(ValueError, "the device was lost"):
            gpu_forward.read_benchmarks(path)


class ServingTest(KitCase):

    def judge(self, loads, bundle="default", **host):
        check = self.check()
        check.host.update(host)
        return gpu_serving.judge(check, "s", bundle, loads)

    def test_the_best_load_counts(self):
        row = self.judge([load(links_per_second=9.0), load()])
        self.assertEqual((row.status, row.found), ("passed", "400,000 links/s"))

    def test_a_rate_below_the_mark_is_missed(self):
        row = self.judge([load(links_per_second=299_999.0)])
        self.assertEqual(row.status, "missed")

    def test_fewer_cores_than_the_mark_is_for_skip_it(self):
        row = self.judge([load(links_per_second=9.0)], cores=8)
        self.assertEqual(row.status, "skipped")
        self.assertIn("this host has 8", row.note)

    def test_the_network_of_the_paper_has_no_mark(self):
        row = self.judge([load(links_per_second=9.0)], "paper")
        self.assertEqual((row.status, row.mark), ("passed", ""))

    def test_calls_that_fail_fail_the_row(self):
        row = self.judge([load(), load(failed=2, errors={"UNAVAILABLE": 2})])
        self.assertEqual(row.status, "failed")
        self.assertIn("UNAVAILABLE", row.note)

    def test_a_server_on_another_device_fails(self):
        row = self.judge([load(device="cpu")])
        self.assertIn("ran on cpu instead of cuda", row.note)

    def test_a_server_that_does_not_start_is_a_failed_row(self):
        self.program("slice-server", "echo at 12:00 >&2; "
                     "echo slice-server: no bundle >&2; exit 1")
        rows = list(gpu_serving.bundle_rows(self.check(), "default"))
        self.assertEqual([row.status for row in rows], ["failed"])
        self.assertEqual(rows[0].note, "slice-server: no bundle")


class LossTest(KitCase):

    def test_the_message_and_the_status_are_wanted(self):
        for text, status in (
                ("echo 'device cuda: no CUDA device is present (x)'; exit 1",
                 "passed"),
                ("echo 'device cuda: no CUDA device is present (x)'; exit 0",
                 "failed"),
                ("echo 'segmentation fault'; exit 1", "failed")):
            with self.subTest(text):
                self.program("slice-server", text)
                self.assertEqual(gpu_loss.absent_row(self.check()).status,
                                 status)

    def test_the_server_of_that_check_sees_no_device(self):
        self.program("slice-server", '[ -z "$CUDA_VISIBLE_DEVICES" ] && '
                     '[ -n "${CUDA_VISIBLE_DEVICES+set}" ] && '
                     'echo no CUDA device is present && exit 1')
        with mock.patch.dict(os.environ, {"CUDA_VISIBLE_DEVICES": "0"}):
            self.assertEqual(gpu_loss.absent_row(self.check()).status, "passed")


class ReportTest(KitCase):

    def test_both_files_hold_every_row_and_figure(self):
        check = self.check()
        rows = [gpu_runs.passed("one", figures={"benchmarks": [
                    {"name": "DeviceForward/x", "contexts_per_second": 5e6,
                     "parity": 1e-7}]}),
                gpu_runs.skipped("two", f"no device: {NO_DEVICE}"),
                gpu_runs.passed("three", figures={"loads": [load()]})]
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            gpu_report.write(check, rows)
        with open(check.path("gpu_check.json"), encoding="utf-8") as file:
            written = json.load(file)
        with open(check.path("gpu_check.txt"), encoding="utf-8") as file:
            table = file.read()
        self.assertEqual([row["name"] for row in written["rows"]],
                         ["one", "two", "three"])
        self.assertEqual(written["kit"]["commit"], FACTS["commit"])
        for text in ("H200", "driver 580.1", "commit 0123456789", NO_DEVICE,
                     "5,000,000", "400,000", "2 passed, 0 missed, 0 failed, "
                     "1 skipped"):
            self.assertIn(text, table)
        self.assertIn(table, printed.getvalue())


class CommandLineTest(KitCase):

    def test_an_unknown_step_is_told_with_all_steps(self):
        ran = self.run_script("--only", "tests,speed")
        self.assertEqual(ran.returncode, 2)
        self.assertIn("no step is called 'speed'; the steps are tests, forward, "
                      "serving, loss, sanitizers", ran.stderr)

    def test_a_step_that_breaks_is_a_failed_row_and_the_others_run(self):
        ran = self.run_script("--only", "loss,sanitizers", "--out",
                              os.path.join(self.folder, "out"))
        self.assertEqual(ran.returncode, 1, ran.stderr)
        with open(os.path.join(self.folder, "out", "gpu_check.json"),
                  encoding="utf-8") as file:
            rows = json.load(file)["rows"]
        self.assertEqual((rows[0]["name"], rows[0]["status"]),
                         ("loss", "failed"))
        self.assertIn("slice-server", rows[0]["note"])
        self.assertEqual([row["name"] for row in rows[1:]],
                         [f"sanitizer {tool}" for tool in gpu_tests.TOOLS])

    def test_help_names_every_step(self):
        ran = self.run_script("--help")
        self.assertEqual(ran.returncode, 0)
        for step in ("tests", "forward", "serving", "loss", "sanitizers"):
            self.assertIn(step, ran.stdout)


if __name__ == "__main__":
    unittest.main()
