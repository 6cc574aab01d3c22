"""Runs tests/page/*_test.ts, those of functions that need no browser, in Node."""

import glob
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tools  # noqa: E402  (before what it finds)
import private_python  # noqa: E402

private_python.require_programs("esbuild", "node")


class FunctionsTest(unittest.TestCase):

    def test_all(self):
        sources = sorted(glob.glob(os.path.join(tools.ROOT, "tests", "page",
                                                "*_test.ts")))
        self.assertTrue(sources)
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(
                ["esbuild", *sources, "--bundle", "--platform=node",
                 "--log-level=warning", "--out-extension:.js=.cjs",
                 f"--outdir={folder}"], check=True,
                env={**os.environ, "NODE_PATH": tools.MODULES})
            made = sorted(glob.glob(os.path.join(folder, "*.cjs")))
            self.assertEqual(len(made), len(sources))
            done = subprocess.run(["node", "--test", *made], text=True,
                                  capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
