"""The page and its tests have no mistake of types."""

import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tools  # noqa: E402  (before what it finds)
import private_python  # noqa: E402

private_python.require_programs("tsc")


class TypesTest(unittest.TestCase):

    def test_the_compiler_finds_nothing(self):
        for folder in (tools.PAGE, os.path.join(tools.ROOT, "tests", "page")):
            with self.subTest(folder):
                done = subprocess.run(["tsc", "-p", folder], text=True,
                                      capture_output=True, check=False)
                self.assertEqual((done.returncode, done.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main()
