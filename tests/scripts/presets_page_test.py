"""Tests of scripts/lib/presets_page.py against the real slice-trainer."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "scripts", "lib", "presets_page.py")
TRAINER = os.path.join(os.environ["SLICE_BIN_DIR"], "slice-trainer")


def figures(auroc, f1):
    return {"positives": 10, "negatives": 10, "auroc": auroc,
            "average_precision": auroc, "threshold": 0.5, "f1": f1,
            "accuracy": f1, "precision": f1, "recall": f1}


def report(seed, context, structural, own_pair_links="hide"):
    """A report as `fit --json` writes it, with little in it."""
    rows = [{"key": key, "method": key, "is_model": model,
             "metrics": figures(auroc, 0.9)}
            for key, auroc, model in (("context", context, True),
                                      ("structural", structural, True),
                                      ("three_paths", 0.7, False))]
    return {"title": "slice on toys", "seed": seed,
            "facts": [{"name": "own pair links", "value": own_pair_links}],
            "results": [{"key": "published", "title": "Published negatives",
                         "note": "", "rows": rows}],
            "groups": [{"key": "nodes", "title": "", "rows": [
                {"name": "cold", "published": figures(0.61, 0.5),
                 "typed": figures(0.5, 0.5),
                 "structural": figures(0.5, 0.5)}]}],
            "steps": [{"step": "embed", "seconds": 12, "peak_mib": 345}]}


class CommitTest(unittest.TestCase):

    def test_a_machine_without_git_knows_no_commit(self):
        result = subprocess.run(
            [sys.executable, "-c",
             f"import presets_page; print([presets_page.commit({ROOT!r})])"],
            env={"PATH": "/nonexistent",
                 "PYTHONPATH": os.path.dirname(PAGE)},
            text=True, capture_output=True, check=False)
        self.assertEqual(result.stdout, "['unknown']\n", result.stderr)


class PresetsPageTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.runs = os.path.join(folder.name, "runs")
        self.out = os.path.join(folder.name, "presets.md")

    def describe(self, *flags, name="default"):
        os.makedirs(os.path.join(self.runs, name), exist_ok=True)
        return subprocess.run(
            [sys.executable, PAGE, "describe", "--root", ROOT, "--runs",
             self.runs, "--name", name, "--", *flags],
            text=True, capture_output=True, check=False)

    def add(self, data, *reports, name="default"):
        folder = os.path.join(self.runs, name, data)
        os.makedirs(folder, exist_ok=True)
        for one in reports:
            path = os.path.join(folder, f"seed-{one['seed']}.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(one, file)

    def write(self):
        return subprocess.run(
            [sys.executable, PAGE, "write", "--runs", self.runs, "--trainer",
             TRAINER, "--out", self.out],
            text=True, capture_output=True, check=False)

    def page(self):
        result = self.write()
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.out, encoding="utf-8") as file:
            return file.read()

    def test_means_and_deviations_stand_by_data_set(self):
        self.assertEqual(self.describe("--layers", "2").returncode, 0)
        self.add("toys", report(1, 0.80, 0.79), report(2, 0.90, 0.88))
        self.add("more", report(1, 0.75, 0.74))
        page = self.page()
        self.assertIn("`slice-trainer fit --layers 2`", page)
        self.assertIn("| slice, context | 75.00 / 90.00 | "
                      "85.00 ± 7.07 / 90.00 ± 0.00 |", page)
        self.assertIn("| published | context − structural | auroc | – | "
                      "**+1.500 ± 1.000** |", page)
        self.assertIn("| an end has none | 61.00 | 61.00 ± 0.00 |", page)
        self.assertIn("| toys | 1, 2 | 12 s | 345 MiB |", page)

    def test_says_what_a_question_sees_of_other_links(self):
        self.describe()
        self.add("toys", report(1, 0.8, 0.7))
        self.add("more", report(1, 0.8, 0.7, own_pair_links="reveal"))
        self.assertIn("What else links the ends of a question is hidden on "
                      "toys; revealed on more.", self.page())

    def test_a_network_with_one_scorer_has_one_row(self):
        self.describe("--preset", "fast")
        self.add("toys", report(1, 0.80, 0.80))
        page = self.page()
        self.assertIn("| slice | 80.00 / 90.00 |", page)
        self.assertNotIn("| slice, ", page)

    def test_experiments_are_parts_of_one_page(self):
        for name in ("other", "default"):
            self.describe(name=name)
            self.add("toys", report(1, 0.8, 0.7), name=name)
        page = self.page()
        self.assertLess(page.index("## default"), page.index("## other"))

    def test_runs_with_other_flags_are_not_mixed(self):
        self.assertEqual(self.describe("--layers", "2").returncode, 0)
        self.assertEqual(self.describe("--layers", "2").returncode, 0)
        refused = self.describe("--layers", "3")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("--layers 2", refused.stderr)

    def test_nothing_to_write_is_an_error(self):
        self.describe()
        result = self.write()
        self.assertEqual(result.returncode, 1)
        self.assertIn("no finished run", result.stderr)

    def test_a_broken_report_is_named(self):
        self.describe()
        self.add("toys", {"seed": 1})
        result = self.write()
        self.assertEqual(result.returncode, 1)
        self.assertIn("seed-1.json", result.stderr)


if __name__ == "__main__":
    unittest.main()
