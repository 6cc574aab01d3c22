"""Tests of scripts/results against the real slice-trainer."""

import json
import os
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
TRAINER = os.path.join(os.environ["SLICE_BIN_DIR"], "slice-trainer")


def write_ring(folder):
    """Sixteen nodes in a ring with chords, of which some are held out."""
    os.makedirs(folder)
    train, held_out = [], []
    for i in range(16):
        train.append(f"near n{i} n{(i + 1) % 16}\n")
        chord = f"near n{i} n{(i + 2) % 16}"
        if i % 4:
            train.append(f"{chord}\n")
        else:
            held_out.append(f"{chord} 1\n")
            held_out.append(f"near n{i} n{(i + 8) % 16} 0\n")
    for name, lines in (("train", train), ("valid", held_out),
                        ("test", held_out)):
        with open(os.path.join(folder, f"{name}.txt"), "w",
                  encoding="utf-8") as file:
            file.writelines(lines)


class ResultsTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        write_ring(os.path.join(self.folder, "sets", "ring"))

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def run_script(self, *arguments, runs="runs"):
        return subprocess.run(
            [os.path.join(ROOT, "scripts", "results"), "--methods",
             "popularity,common-neighbors", "--data-dir", self.path("sets"),
             "--runs", self.path(runs), "--out", self.path("results.md"),
             *arguments],
            text=True, capture_output=True, check=False,
            env={**os.environ, "SLICE_TRAINER": TRAINER})

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def test_the_page_tells_machine_commit_and_command(self):
        result = self.run_script("--seeds", "2")
        self.assertEqual(result.returncode, 0, result.stderr)
        page = self.read("results.md")
        self.assertIn("compare --methods popularity,common-neighbors "
                      "--seeds 2 --budget 30m", page)
        self.assertIn("\n- machine: ", page)
        self.assertIn("\n- commit: ", page)
        self.assertIn("| common neighbours | ", page)
        runs = json.loads(self.read("results.json"))["sets"]["ring"]
        self.assertEqual(len(runs["popularity"]["runs"]), 1)

    def test_runs_of_a_committed_table_are_taken_over(self):
        self.assertEqual(self.run_script().returncode, 0)
        os.rename(self.path("results.json"), self.path("before.json"))
        again = self.run_script("--from", self.path("before.json"),
                                runs="other")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(json.loads(self.read("results.json"))["sets"],
                         json.loads(self.read("before.json"))["sets"])
        self.assertFalse(os.path.exists(self.path("other", "ring")))

    def test_the_part_on_trust_stays(self):
        with open(self.path("results.md"), "w", encoding="utf-8") as file:
            file.write("# Old\n\n<!-- trust -->\n\nTrusted.\n")
        self.assertEqual(self.run_script().returncode, 0)
        page = self.read("results.md")
        self.assertNotIn("# Old", page)
        self.assertTrue(page.endswith("\n\n<!-- trust -->\n\nTrusted.\n"), page)

    def test_a_folder_that_is_not_there_is_named(self):
        result = self.run_script("--data-dir", self.path("nowhere"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("nowhere", result.stderr)
        self.assertFalse(os.path.exists(self.path("results.md")))


if __name__ == "__main__":
    unittest.main()
