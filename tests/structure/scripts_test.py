"""Every script of the repository parses; --shellcheck: and passes shellcheck.

Exits 77 when shellcheck is not installed.
"""

import os
import shutil
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
FOLDERS = (".ci", "scripts", "tests", "deploy", "examples")
SKIPPED = 77


def files():
    for folder in FOLDERS:
        for at, _, names in os.walk(os.path.join(ROOT, folder)):
            yield from (os.path.join(at, name) for name in sorted(names))


def is_bash(path):
    if path.endswith((".sh", ".bash")):
        return True
    with open(path, "rb") as file:
        first = file.readline()
    return first.startswith(b"#!") and b"bash" in first


BASH = [path for path in files() if is_bash(path)]
PYTHON = [path for path in files() if path.endswith(".py")]


class ParseTest(unittest.TestCase):

    def test_bash_parses(self):
        self.assertGreater(len(BASH), 5)
        for path in BASH:
            result = subprocess.run(["bash", "-n", path], text=True,
                                    capture_output=True, check=False)
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_entry_scripts_stop_at_the_first_failure(self):
        for path in BASH:
            name = os.path.relpath(path, ROOT)
            if name.startswith("scripts" + os.sep) and not path.endswith(".sh"):
                with open(path, encoding="utf-8") as file:
                    self.assertIn("set -euo pipefail", file.read(), name)

    def test_no_pipe_ends_early(self):
        """Its writer may get SIGPIPE, which pipefail makes a failure."""
        for path in BASH:
            with open(path, encoding="utf-8") as file:
                self.assertNotRegex(file.read(), r"\| *grep -[a-zA-Z]*q",
                                    os.path.relpath(path, ROOT))

    def test_python_compiles(self):
        self.assertGreater(len(PYTHON), 3)
        for path in PYTHON:
            with open(path, encoding="utf-8") as file:
                compile(file.read(), path, "exec")


class ShellcheckTest(unittest.TestCase):

    def test_shellcheck_finds_nothing(self):
        result = subprocess.run(["shellcheck", "--severity=warning", *BASH],
                                text=True, capture_output=True, check=False,
                                cwd=ROOT)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


def main():
    suite, others = ParseTest, sys.argv[1:]
    if others == ["--shellcheck"]:
        if not shutil.which("shellcheck"):
            print("skipped: shellcheck is not installed")
            sys.exit(SKIPPED)
        suite = ShellcheckTest
    tests = unittest.defaultTestLoader.loadTestsFromTestCase(suite)
    result = unittest.TextTestRunner().run(tests)
    sys.exit(not result.wasSuccessful())


if __name__ == "__main__":
    main()
