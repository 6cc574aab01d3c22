"""The server without LibTorch: alone in a folder, it serves bundles by its own
kernels and says what it lacks for TorchScript."""

import os
import shutil
import subprocess
import tempfile
import unittest

import processes
from processes import Server

MISSING = "needs LibTorch, which is not installed (no "


class SlimServerTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.bin = os.path.join(folder.name, "bin")
        os.mkdir(self.bin)
        shutil.copy(os.path.join(processes.BIN, "slice-server"), self.bin)

    def start_alone(self, *flags, bundle=processes.BUNDLE):
        """Runs the copy of the server, which must not start."""
        return subprocess.run(
            [os.path.join(self.bin, "slice-server"), "--bundle", bundle,
             "--data-dir", os.path.join(self.folder, "data"),
             "--listen", "127.0.0.1:0", *flags],
            text=True, capture_output=True, check=False,
            timeout=processes.HANG_SECONDS)

    def old_bundle(self):
        """The toy bundle as slice 0.1 would have written it, but for its
        manifest, which still lists the file that is missing."""
        bundle = os.path.join(self.folder, "old")
        shutil.copytree(processes.BUNDLE, bundle)
        os.remove(os.path.join(bundle, "tensors/network.bin"))
        return bundle

    def test_no_program_but_the_trainer_links_libtorch(self):
        for program in ("slice-server", "slice-client", "slice-graph"):
            linked = subprocess.run(
                ["ldd", os.path.join(processes.BIN, program)], text=True,
                capture_output=True, check=True).stdout
            self.assertNotRegex(linked, "libtorch|libc10", program)

    def test_it_answers_like_the_whole_server(self):
        rows = processes.toy_rows("test.tsv")[:20]
        links = "".join("\t".join(row[:3]) + "\n" for row in rows)
        answers = []
        for folder in (self.bin, processes.BIN):
            forward = "auto" if folder == self.bin else "torchscript"
            with Server("--forward", forward, folder=folder) as server:
                result = server.client("predict", "--links", "-", stdin=links)
                self.assertEqual(result.returncode, 0, result.stderr)
                info = server.client("--json", "info").stdout
            answers.append([float(line.rsplit("\t", 1)[1])
                            for line in result.stdout.splitlines()])
            self.assertIn('"native"' if folder == self.bin else
                          '"torchscript"', info)
        self.assertEqual(len(answers[0]), len(rows))
        for alone, whole in zip(*answers):
            self.assertAlmostEqual(alone, whole, delta=1e-4)

    def test_torchscript_is_refused_in_one_line_that_names_the_way_out(self):
        result = self.start_alone("--forward", "torchscript")
        self.assertEqual(result.returncode, 1)
        lines = [line for line in result.stderr.splitlines()
                 if line.startswith("slice-server: ")]
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertIn(MISSING, lines[0])
        self.assertIn("lib/slice/libslice_torchscript.so", lines[0])
        self.assertIn("slice-trainer", lines[0])

    def test_a_missing_network_is_not_replaced_in_silence(self):
        result = self.start_alone(bundle=self.old_bundle())
        self.assertEqual(result.returncode, 1)
        self.assertIn("tensors/network.bin is missing", result.stderr)


if __name__ == "__main__":
    unittest.main()
