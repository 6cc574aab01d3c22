"""Tests of scripts/defaults: its halves of valid, its verdict and its page."""

import json
import os
import subprocess
import sys
import tempfile
import types
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
LIB = os.path.join(ROOT, "scripts", "lib")
sys.path.insert(0, LIB)

import defaults_change  # noqa: E402
import defaults_page  # noqa: E402


def report(value, own_pair_links="hide"):
    metrics = {"auroc": value, "f1": value}
    return {"facts": [{"name": "own pair links", "value": own_pair_links}],
            "overall": metrics, "typed": metrics, "degree_matched": metrics,
            "steps": [{"seconds": 60, "peak_mib": 100},
                      {"seconds": 120, "peak_mib": 300}]}


def ranking(first, mrr, gain):
    def row(key):
        return {"key": key, "figures": {
            "mrr": mrr, "mrr_error": 0, "hits_1": mrr, "hits_10": mrr,
            "targets": 2000, "over_structural": gain,
            "over_structural_error": 0.001}}
    keys = dict.fromkeys([first, f"{first}.target", f"{first}.source",
                          "context", "structural"])
    return {"rankings": [{"rows": [row(key) for key in keys]}],
            "ranking_milliseconds": 9}


class ChangeTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_halves_share_no_pair_and_lose_no_row(self):
        valid = os.path.join(self.folder, "valid.txt")
        rows = [f"r{i % 3} n{i % 50} n{i * 7 % 60} {i % 2}\n"
                for i in range(600)]
        rows += [f"r9 n{i * 7 % 60} n{i % 50} 1\n" for i in range(600)]
        with open(valid, "w", encoding="utf-8") as file:
            file.writelines(rows)
        defaults_change.split(types.SimpleNamespace(valid=valid,
                                                    out=self.folder))
        halves = []
        for name in ("choose.txt", "judge.txt"):
            with open(os.path.join(self.folder, name),
                      encoding="utf-8") as file:
                halves.append(file.readlines())
        self.assertEqual(sorted(halves[0] + halves[1]), sorted(rows))
        pairs = [{frozenset(row.split()[1:3]) for row in half}
                 for half in halves]
        self.assertFalse(pairs[0] & pairs[1])
        self.assertGreater(min(len(half) for half in halves), 400)

    def test_seeds_do_not_make_questions_more(self):
        mean, width = defaults_change.combine([(0.02, 0.01)] * 3)
        self.assertAlmostEqual(mean, 0.02)
        self.assertAlmostEqual(width, 0.01)
        _, wider = defaults_change.combine([(0.01, 0.01), (0.03, 0.01)])
        self.assertGreater(wider, 0.02)

    def test_a_change_must_be_better_somewhere_and_worse_nowhere(self):
        better, alike, worse = (0.02, 0.01), (0.001, 0.01), (-0.02, 0.01)
        def allowed(*figures):
            return defaults_change.verdict(
                {(f"set{i}", "mrr"): one
                 for i, one in enumerate(figures)})[1]
        self.assertTrue(allowed(better, alike))
        self.assertFalse(allowed(alike, alike))
        self.assertFalse(allowed(better, worse))


class PageTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.runs = os.path.join(folder.name, "runs")
        self.out = os.path.join(folder.name, "results.md")
        with open(self.out, "w", encoding="utf-8") as file:
            file.write("# Results\n\n<!-- trust -->\n\n## Trust\n")
        os.makedirs(self.runs)
        self.put("about", {"commit": "abc", "machine": "a machine"})

    def put(self, name, value):
        path = os.path.join(self.runs, f"{name}.json")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(value, file)

    def run_of(self, name, seed, value, gain=0.0):
        stem = f"{name}/seed-{seed}"
        self.put(stem, report(value))
        self.put(f"{stem}.own", ranking("structural", value, None))
        self.put(f"{stem}.context", ranking("context", value + gain, gain))

    def write(self):
        defaults_page.write(types.SimpleNamespace(runs=self.runs, out=self.out))
        with open(self.out, encoding="utf-8") as file:
            return file.read()

    def test_the_page_has_means_and_marks(self):
        self.run_of("freebase", 1, 0.39, gain=0.02)
        self.run_of("freebase", 2, 0.41, gain=0.02)
        self.put("freebase/seed-3", report(0.9))  # not finished
        page = self.write()
        self.assertIn("0.400 ± 0.014", page)
        self.assertIn("+0.0200 ± 0.0020", page)
        self.assertIn("| freebase | MRR | 0.4 | 0.4000 | yes |", page)
        self.assertIn("| freebase | Hits@10 | 0.575 | 0.4000 | no |", page)
        self.assertIn("3.0 min", page)
        self.assertLess(page.index("seven graphs"), page.index("## Trust"))
        self.assertEqual(self.write(), page)

    def test_what_is_revealed_is_also_shown_hidden(self):
        self.run_of("umls", 1, 0.9)
        self.assertIn("hidden on umls; revealed on none.", self.write())
        self.run_of("nell995", 1, 0.8)
        self.put("nell995/seed-1", report(0.8, "reveal"))
        self.put("nell995/hide-seed-1", report(0.7))
        self.put("nell995/hide-seed-1.own", ranking("structural", 0.6, None))
        page = self.write()
        self.assertIn("hidden on umls; revealed on nell995.", page)
        self.assertIn("| nell995 | 80.00 / 70.00 |", page)
        self.assertIn("| 0.800 / 0.600 |", page)

    def test_a_run_is_compared_with_the_page(self):
        for seed, value in ((1, 0.90), (2, 0.91), (3, 0.92)):
            self.run_of("umls", seed, value)
        self.write()
        options = types.SimpleNamespace(runs=self.runs, out=self.out,
                                        sets="umls")
        for value, status in ((0.915, 0), (0.8, 1)):
            self.run_of("umls", 1, value)
            with self.assertRaises(SystemExit) as end:
                defaults_page.compare(options)
            self.assertEqual(end.exception.code, status)


class CommandTest(unittest.TestCase):

    def test_a_wrong_seed_is_named(self):
        done = subprocess.run(
            [os.path.join(ROOT, "scripts", "defaults"), "--seeds", "one"],
            text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("--seeds is 'one'", done.stderr)


if __name__ == "__main__":
    unittest.main()
