"""The programs have every flag that the documents name and that scripts/ give
them."""

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


def run(program, *arguments):
    return subprocess.run(
        [os.path.join(processes.BIN, program), *arguments],
        text=True, capture_output=True, check=False, timeout=processes.HANG_SECONDS)


def trainer(*arguments):
    return run("slice-trainer", *arguments)


def flags_in(text):
    """With hyphens: flags may be written with underscores as well."""
    return {flag.replace("_", "-")
            for flag in re.findall(r"--[a-z][a-z0-9_-]*[a-z0-9]|--[a-z]", text)}


def fit_flags():
    """Those of `fit --help`."""
    return flags_in(trainer("fit", "--help").stdout)


def fit_defaults():
    """The default of each flag of `fit --help` that has one."""
    entries = re.split(r"^  --", trainer("fit", "--help").stdout,
                       flags=re.MULTILINE)[1:]
    found = (re.search(r"^([a-z0-9-]+).*\bdefault ([^;\]]+)\]",
                       " ".join(entry.split())) for entry in entries)
    return dict(match.groups() for match in found if match)


def section(path, title):
    """From the line `## title` of a document to the next such line."""
    return read(*path.split("/")).split(f"\n## {title}\n")[1].split("\n## ")[0]


def flags_of_call(text):
    """Of the first call of `slice-trainer fit` in a script."""
    call = re.search(r"trainer}?\" fit .*?[^\\]\n", text, re.DOTALL).group(0)
    return flags_in(call)


class FlagsTest(unittest.TestCase):

    def test_the_page_on_training_names_flags_that_exist(self):
        named = flags_in(section("docs/training.md", "Options"))
        self.assertGreater(len(named), 50)
        self.assertEqual(named - fit_flags(), set())

    def test_the_page_on_operations_names_flags_that_exist(self):
        named = flags_in(section("docs/operations.md", "Flags by theme"))
        self.assertGreater(len(named), 20)
        self.assertEqual(
            named - flags_in(run("slice-server", "--help").stdout), set())

    def test_scripts_give_flags_that_exist(self):
        given = (flags_of_call(read("scripts", "demo")) |
                 flags_of_call(read("scripts", "presets")) |
                 flags_of_call(read("scripts", "scaling")) | {"--show"})
        self.assertGreater(len(given), 6)
        self.assertEqual(given - fit_flags(), set())


class TrainerUsageTest(unittest.TestCase):

    def test_an_unknown_command_is_named(self):
        result = trainer("fot")
        self.assertEqual(result.returncode, 2)
        self.assertIn('there is no command "fot"', result.stderr)
        self.assertIn("did you mean 'fit'?", result.stderr)
        self.assertEqual(result.stdout, "")

    def test_no_command_is_missing_one(self):
        result = trainer()
        self.assertEqual(result.returncode, 2)
        self.assertIn("a command is required", result.stderr)

    def test_more_threads_than_any_machine_has_are_refused(self):
        files = ("--train", "/nowhere/t", "--valid", "/nowhere/v", "--test",
                 "/nowhere/s")
        for threads in ("100000", "-3"):
            for command in (("baseline", "gcn", *files),
                            ("fit", *files, "--out", "/nowhere/o")):
                result = trainer(*command, "--threads", threads)
                self.assertEqual(result.returncode, 2, command)
                self.assertIn("--threads", result.stderr)
                self.assertIn("1024", result.stderr)

    def test_own_pair_links_are_auto_hide_or_reveal(self):
        for value in ("maybe", "show"):
            result = trainer("fit", "--train", "/nowhere/t", "--valid",
                             "/nowhere/v", "--test", "/nowhere/s", "--out",
                             "/nowhere/o", "--own-pair-links", value)
            self.assertEqual(result.returncode, 2)
            self.assertIn(f"--own-pair-links: unknown value '{value}': use "
                          "auto, hide or reveal", result.stderr)

    def test_help_shows_the_defaults(self):
        defaults = fit_defaults()
        for flag, value in {"preset": "default", "seed": "1", "layers": "1",
                            "hidden-dim": "64", "score-head": "pair",
                            "layer-readout": "all_cat", "projection": "linear",
                            "composition": "none", "context-pooling": "mean",
                            "own-pair-links": "auto", "dim": "128",
                            "embeddings": "node2vec", "context": "paths",
                            "pretrain-walk": "chain"}.items():
            self.assertEqual(defaults.get(flag), value, flag)
        # Nearly all have one; those that name files have none.
        self.assertGreater(len(defaults), 45)
        for flag in ("train", "nodes", "show", "metapaths"):
            self.assertNotIn(flag, defaults)

    def test_a_default_given_is_taken(self):
        given = [part for flag, value in fit_defaults().items()
                 for part in ("--" + flag, value)]
        result = trainer("fit", *given, "--train", "/nowhere/t", "--valid",
                         "/nowhere/v", "--test", "/nowhere/s", "--out",
                         os.path.join(processes.TOY, "never"))
        # It gets as far as the files.
        self.assertIn("/nowhere/", result.stderr)


if __name__ == "__main__":
    unittest.main()
