"""`slice-trainer fit` has every flag that the README lists and that scripts/
give it."""

import os
import re
import subprocess
import unittest

import processes

SOURCES = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))


def read(*path):
    with open(os.path.join(SOURCES, *path), encoding="utf-8") as file:
        return file.read()


def fit_flags():
    """Those of `fit --help`."""
    result = subprocess.run(
        [os.path.join(processes.BIN, "slice-trainer"), "fit", "--help"],
        text=True, capture_output=True, check=True, timeout=60)
    return set(re.findall(r"--[a-z][a-z0-9_]*", result.stdout))


def documented_flags():
    """First cells of the README's table."""
    table = read("README.md").split("`slice-trainer fit` (beside ")[1]
    rows = re.findall(r"^\| (`--.*?) \|", table, re.MULTILINE)
    return {flag for row in rows for flag in re.findall(r"--[a-z_]+", row)}


def flags_of_call(text):
    """Of the first call of `slice-trainer fit` in a script."""
    call = re.search(r"trainer}?\" fit .*?[^\\]\n", text, re.DOTALL).group(0)
    return set(re.findall(r"--[a-z_]+", call))


class FlagsTest(unittest.TestCase):

    def test_the_readme_lists_flags_that_exist(self):
        self.assertGreater(len(documented_flags()), 30)
        self.assertEqual(documented_flags() - fit_flags(), set())

    def test_scripts_give_flags_that_exist(self):
        given = (flags_of_call(read("scripts", "demo")) |
                 flags_of_call(read("scripts", "results")) |
                 flags_of_call(read("scripts", "scaling")) | {"--show"})
        self.assertGreater(len(given), 6)
        self.assertEqual(given - fit_flags(), set())


if __name__ == "__main__":
    unittest.main()
