"""Tests of scripts/trust."""

import json
import os
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))


def report(accuracy=.9, called=10, error=.02, named=(.31, .01),
           random=(.1, .04), chance=.03):
    """What the page reads of a report of `fit --json`."""
    change = dict(zip(("without", "only"), named))
    return {
        "overall": {"accuracy": accuracy, "f1": accuracy, "auroc": .97},
        "one_threshold": {"accuracy": .85, "f1": .85},
        "facts": [{"name": "default scorer", "value": "ends, for a reason"}],
        "calibrations": [{
            "key": "plausible", "expected_error": .01,
            "median_relation_error": error, "median_relation_chance": chance,
            "relations": [{"rows": 100}, {"rows": 99}]}],
        "impossible_links": {
            "self": {"pairs": 1000, "called_links": called},
            "off_schema": {"pairs": 1000, "called_links": 0}},
        "fidelity": {"named": change, "attention": change,
                     "random": dict(zip(("without", "only"), random))},
    }


class TrustPageTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.runs = os.path.join(folder.name, "runs")
        self.out = os.path.join(folder.name, "results.md")
        with open(self.out, "w", encoding="utf-8") as file:
            file.write("# Results\n\n<!-- trust -->\n\nold\n")

    def add(self, data, *reports, name="default"):
        folder = os.path.join(self.runs, name, data)
        os.makedirs(folder)
        for seed, one in enumerate(reports, 1):
            with open(os.path.join(folder, f"seed-{seed}.json"), "w",
                      encoding="utf-8") as file:
                json.dump(one, file)

    def run_script(self, *flags):
        return subprocess.run(
            [os.path.join(ROOT, "scripts", "trust"), "--runs", self.runs,
             "--out", self.out, *flags],
            text=True, capture_output=True, check=False)

    def page(self, *flags):
        result = self.run_script(*flags)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.out, encoding="utf-8") as file:
            return file.read()

    def test_bars_that_hold(self):
        self.add("toys", report())
        self.add("toys", report(accuracy=.9), name="old")
        page = self.page("--before", "old")
        self.assertTrue(page.startswith("# Results\n\n<!-- trust -->\n\n## How"))
        self.assertNotIn("old\n", page.split("## How")[0])
        self.assertIn("| toys | 1.0 | 0.0 | yes |", page)
        self.assertIn("| toys | plausible | 0.0100 | 0.0200 | 0.0300 | 1 | yes |", page)
        self.assertIn("| toys | accuracy | 85.00 | 90.00 | yes |", page)
        self.assertIn("| toys | 97.00 | 97.00 |", page)
        self.assertIn("| 3.1 | 4.0 | yes |", page)
        self.assertIn("than without random evidence on 0 of 1 sets.", page)
        self.assertIn("- toys: ends, for a reason", page)

    def test_attention_that_finds_less_than_chance_is_counted(self):
        self.add("toys", report(named=(.09, .01)))
        self.add("games", report())
        self.assertIn("than without random evidence on 1 of 2 sets.",
                      self.page())

    def test_explanations_may_be_measured_later(self):
        self.add("toys", report())
        self.add("toys", report(random=(.12, .03)), name="later")
        page = self.page("--explanations", "later")
        self.assertNotIn("| 3.1 | 4.0 | yes |", page)
        self.assertIn("of the same bundles, commit unknown.", page)

    def test_bars_that_are_missed(self):
        self.add("toys", report(accuracy=.8, called=21, error=.031,
                                random=(.12, .03)))
        page = self.page()
        self.assertIn("| toys | 2.1 | 0.0 | **no** |", page)
        self.assertIn("| 0.0310 | 0.0300 | 1 | **no** |", page)
        self.assertIn("| toys | F1 | 85.00 | 80.00 | **no** |", page)
        self.assertIn("| 2.6 | 3.0 | **no** |", page)

    def test_a_mark_that_chance_misses_is_out_of_reach(self):
        self.add("toys", report(error=.031, chance=.04))
        self.add("games", report(error=.029, chance=.04))
        page = self.page()
        self.assertIn("| 0.0310 | 0.0400 | 1 | out of reach |", page)
        self.assertIn("| 0.0290 | 0.0400 | 1 | yes |", page)

    def test_means_over_seeds(self):
        self.add("toys", report(called=10), report(called=30))
        self.assertIn("| toys | 2.0 | 0.0 | yes |", self.page())

    def test_what_was_not_measured_is_a_dash(self):
        self.add("toys", {"overall": {"accuracy": .5, "f1": .5}})
        page = self.page()
        self.assertIn("| toys | – | – | – |", page)
        self.assertIn("| toys | accuracy | – | 50.00 | – |", page)
        self.assertNotIn("attention the probability", page)

    def test_no_runs_are_named(self):
        result = self.run_script()
        self.assertEqual(result.returncode, 1)
        self.assertIn("scripts/presets --name default", result.stderr)


if __name__ == "__main__":
    unittest.main()
