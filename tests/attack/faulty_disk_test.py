"""A disk that fails at any moment of an import, of an export and of a first
start: the program says so and ends, what was there stays whole, and the next
run without the fault succeeds.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import victim  # noqa: E402,F401  (puts processes on the path)
import processes  # noqa: E402

GRAPH = os.path.join(processes.TOY, "graph")
FAULTS = [(call, error, number)
          for call, errors in (("write", ("EIO", "ENOSPC", "short")),
                               ("sync", ("EIO",)), ("rename", ("EIO",)))
          for error in errors for number in (1, 2, 5, 20)]


def run(*command, fault=None, path=""):
    """The result of a program; a fault hits files below `path`."""
    environment = dict(os.environ)
    if fault:
        environment["LD_PRELOAD"] = processes.FAULTY_DISK
        environment["SLICE_FAULT"] = ",".join([*map(str, fault), path])
    return subprocess.run(
        [os.path.join(processes.BIN, command[0]), *command[1:]],
        capture_output=True, text=True, check=False, env=environment,
        timeout=processes.HANG_SECONDS)


class FaultyDiskTest(unittest.TestCase):

    def check_end(self, result, what):
        """It went well, or the program says why it did not."""
        self.assertGreaterEqual(result.returncode, 0,
                                f"{what}: ended by a signal\n{result.stderr}")
        if result.returncode != 0:
            said = [line for line in result.stderr.splitlines()
                    if not line.startswith("fault: ")]
            self.assertTrue(said, f"{what}: said nothing")

    def test_import(self):
        for fault in FAULTS:
            with tempfile.TemporaryDirectory() as folder, \
                    self.subTest(fault=fault):
                store = os.path.join(folder, "store")
                command = ["slice-graph", "import", "--train",
                           os.path.join(GRAPH, "train.tsv"), "--nodes",
                           os.path.join(GRAPH, "nodes.tsv"), "--data-dir",
                           store]
                self.check_end(run(*command, fault=fault, path=folder), fault)
                verified = run("slice-graph", "verify", "--data-dir", store)
                if verified.returncode != 0:
                    shutil.rmtree(store, ignore_errors=True)
                    self.assertEqual(run(*command).returncode, 0)
                    self.assertEqual(
                        run("slice-graph", "verify", "--data-dir",
                            store).returncode, 0)

    def test_export(self):
        with tempfile.TemporaryDirectory() as store:
            imported = run("slice-graph", "import", "--train",
                           os.path.join(GRAPH, "train.tsv"), "--nodes",
                           os.path.join(GRAPH, "nodes.tsv"), "--data-dir",
                           store)
            self.assertEqual(imported.returncode, 0, imported.stderr)
            for fault in FAULTS:
                with tempfile.TemporaryDirectory() as folder, \
                        self.subTest(fault=fault):
                    out = os.path.join(folder, "out")
                    result = run("slice-graph", "export", "--data-dir", store,
                                 "--out", out, fault=fault, path=folder)
                    self.check_end(result, fault)
                    self.assertEqual(
                        sorted(os.listdir(out)),
                        [] if result.returncode else ["links.tsv",
                                                      "nodes.tsv"])

    def test_first_start(self):
        for fault in FAULTS:
            with tempfile.TemporaryDirectory() as folder, \
                    self.subTest(fault=fault):
                result = self.start_and_stop(folder, fault)
                self.check_end(result, fault)
                with processes.Server(data_dir=folder) as server:
                    self.assertEqual(server.client("info").returncode, 0)

    def start_and_stop(self, folder, fault):
        """A server that a SIGTERM ends once it serves."""
        environment = dict(
            os.environ, LD_PRELOAD=processes.FAULTY_DISK,
            SLICE_FAULT=",".join([*map(str, fault), folder]))
        process = subprocess.Popen(
            [os.path.join(processes.BIN, "slice-server"), "--bundle",
             processes.BUNDLE, "--data-dir", folder, "--listen",
             "127.0.0.1:0", "--lame-duck", "0s"], env=environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        for line in process.stdout:
            if line.startswith("listening on"):
                process.terminate()
        with process.stdout, process.stderr:
            errors = process.stderr.read()
        return subprocess.CompletedProcess(
            [], process.wait(processes.HANG_SECONDS), "", errors)


if __name__ == "__main__":
    unittest.main()
