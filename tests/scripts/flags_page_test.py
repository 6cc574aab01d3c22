"""docs/flags.md is what the programs' --help says; both spellings of a flag
work in every program."""

import os
import re
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
BIN = os.environ["SLICE_BIN_DIR"]


def make_page(*arguments):
    return subprocess.run(
        [os.path.join(ROOT, "scripts", "flags"), "--bin", BIN, *arguments],
        text=True, capture_output=True, check=False, timeout=300)


def helps():
    """{command line: its help} of the page, such as "slice-graph import"."""
    with open(os.path.join(ROOT, "docs", "flags.md"), encoding="utf-8") as file:
        return dict(re.findall(r"^##+ (slice-[a-z -]+)\n\n```text\n(.*?)```",
                               file.read(), re.MULTILINE | re.DOTALL))


class PageTest(unittest.TestCase):

    def test_the_page_is_up_to_date(self):
        result = make_page("--check")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_page_that_is_out_of_date_says_how_to_make_it(self):
        with tempfile.TemporaryDirectory() as folder:
            page = os.path.join(folder, "flags.md")
            with open(page, "w", encoding="utf-8") as file:
                file.write("old")
            result = make_page("--check", "--out", page)
            self.assertEqual(result.returncode, 1)
            self.assertIn("run scripts/flags", result.stderr)
            self.assertEqual(make_page("--out", page).returncode, 0)
            with open(page, encoding="utf-8") as file:
                self.assertTrue(file.read().startswith("# Flags\n"))

    def test_the_page_has_every_program_and_many_commands(self):
        lines = helps()
        for program in ("server", "trainer", "graph", "client"):
            self.assertIn("slice-" + program, lines)
        self.assertGreater(len(lines), 25)
        self.assertIn("slice-trainer baseline", lines)

    def test_the_page_spells_flags_with_hyphens_and_names_no_machine(self):
        for line, text in helps().items():
            flags = text.split("\nMethods, and their parameters")[0]
            self.assertNotRegex(flags, r"--[a-z-]+_", line)
            self.assertNotIn(ROOT, text, line)


class SpellingTest(unittest.TestCase):

    def test_underscores_are_accepted_where_help_shows_hyphens(self):
        """The first flag of two words, of every command."""
        tried = 0
        for line, text in helps().items():
            program, *command = line.split()
            flag = re.search(r"^  --([a-z0-9]+-[a-z0-9-]+)", text, re.MULTILINE)
            if flag is None:
                continue
            tried += 1
            for spelling in (flag[1], flag[1].replace("-", "_")):
                # The unknown flag makes the line wrong, so that nothing runs.
                result = subprocess.run(
                    [os.path.join(BIN, program), *command, "--no-such-flag",
                     "--" + spelling],
                    text=True, capture_output=True, check=False, timeout=60)
                self.assertEqual(result.returncode, 2, line)
                self.assertNotRegex(result.stderr,
                                    f"not expected.*--{spelling}", line)
                self.assertNotIn("_", result.stderr, line)
        self.assertGreater(tried, 15)


if __name__ == "__main__":
    unittest.main()
