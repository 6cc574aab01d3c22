"""A server that is killed during its first start starts again.

SLICE_KILLS, SLICE_KILL_WINDOW and SLICE_SEED: how often, within how many
seconds of the start, and other moments.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import victim  # noqa: E402,F401  (puts processes on the path)
import processes  # noqa: E402

KILLS = int(os.environ.get("SLICE_KILLS", "20"))
WINDOW = float(os.environ.get("SLICE_KILL_WINDOW", "0.5"))  # seconds


class FirstStartTest(unittest.TestCase):

    def test_a_kill_at_any_moment_is_not_for_ever(self):
        draw = random.Random(int(os.environ.get("SLICE_SEED", "1")))
        for _ in range(KILLS):
            with tempfile.TemporaryDirectory() as folder:
                process = subprocess.Popen(
                    [os.path.join(processes.BIN, "slice-server"), "--bundle",
                     processes.BUNDLE, "--data-dir", folder, "--listen",
                     "127.0.0.1:0"], stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(draw.uniform(0, WINDOW))  # any moment will do
                process.kill()
                process.wait()
                with processes.Server(data_dir=folder) as server:
                    self.assertEqual(server.client("info").returncode, 0)
                left = os.listdir(os.path.join(folder, "graphs"))
                self.assertEqual(len(left), 1, left)


if __name__ == "__main__":
    unittest.main()
