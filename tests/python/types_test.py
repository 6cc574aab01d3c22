"""The installed Python client is typed, and written by the rules."""

import os
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import installed  # noqa: E402

SITE = os.path.join(installed.CLIENT, "site")
RULES = os.path.join(installed.ROOT, "client", "python", "pyproject.toml")


class TypesTest(unittest.TestCase):

    def run_tool(self, *command):
        done = subprocess.run([sys.executable, "-m", *command], cwd=SITE,
                              text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_mypy_finds_nothing(self):
        self.run_tool("mypy", "--config-file", RULES, "--cache-dir",
                      os.path.join(installed.CLIENT, "mypy"))

    def test_ruff_finds_nothing(self):
        self.run_tool("ruff", "check", "--config", RULES, "--no-cache",
                      "slice_client", "--exclude", "slice_client/wire")

    def test_callers_see_the_types(self):
        self.assertTrue(os.path.exists(
            os.path.join(SITE, "slice_client", "py.typed")))
        folder = os.path.join(installed.CLIENT, "caller")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        caller = os.path.join(folder, "caller.py")
        with open(caller, "w", encoding="utf-8") as file:
            file.write("from slice_client import Client\n"
                       "with Client('x:1', timout=3) as s:\n"
                       "    y: str = s.predict('a', 'r', 'b').probability\n")
        done = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--cache-dir",
             os.path.join(installed.CLIENT, "mypy"), caller],
            env={**os.environ, "MYPYPATH": SITE}, text=True,
            capture_output=True, check=False)
        self.assertIn("timout", done.stdout)
        self.assertIn('has type "float", variable has type "str"', done.stdout)


if __name__ == "__main__":
    unittest.main()
