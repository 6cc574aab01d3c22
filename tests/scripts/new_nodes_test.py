"""Tests of scripts/new_nodes: its split and its page."""

import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
LIB = os.path.join(ROOT, "scripts", "lib")
sys.path.insert(0, LIB)

import new_nodes_page  # noqa: E402


def rows(path):
    with open(path, encoding="utf-8") as file:
        return [tuple(line.rstrip("\n").split("\t")) for line in file]


class SplitTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data = os.path.join(folder.name, "data")
        self.out = os.path.join(folder.name, "out")
        os.makedirs(self.data)
        # A relation of hidden nodes alone is among these, and so are nodes that
        # have links to hidden nodes alone.
        self.train = {(f"r{(a * b) % 3}", f"a{a}", f"b{b}")
                      for a in range(40) for b in range(40)
                      if (7 * a + 3 * b) % 10 < 2}
        self.train |= {(f"only{a}", f"a{a}", f"alone{a}") for a in range(40)}
        self.write("train.txt", self.train)
        held_out = {("r0", f"a{a}", f"b{a}", str(a % 2)) for a in range(40)}
        held_out |= {("only7", f"a{a}", "b1", "1") for a in range(40)}
        self.write("valid.txt", held_out)
        self.write("test.txt", held_out)
        subprocess.run(
            [sys.executable, os.path.join(LIB, "new_nodes_split.py"),
             self.data, self.out, "--share", "0.2"], check=True,
            capture_output=True)

    def write(self, name, lines):
        with open(os.path.join(self.data, name), "w", encoding="utf-8") as file:
            file.writelines("\t".join(row) + "\n" for row in sorted(lines))

    def made(self, name):
        return rows(os.path.join(self.out, name))

    def test_training_does_not_see_what_is_asked(self):
        seen = set(self.made("train.tsv"))
        nodes = {node for row in seen for node in row[1:]}
        asked = self.made("asked.tsv")
        self.assertGreater(len(asked), 20)
        self.assertTrue(seen < self.train)
        for relation, source, target, label in asked:
            self.assertEqual((relation, source, target) in self.train,
                             label == "1")
            self.assertNotEqual(source in nodes, target in nodes)
        for name in ("valid.tsv", "test.tsv"):
            for relation, source, target, _ in self.made(name):
                self.assertIn(relation, {row[0] for row in seen})
                self.assertTrue(nodes.issuperset({source, target}))

    def test_what_comes_live_can_be_applied(self):
        seen = self.made("train.tsv")
        nodes = {node for row in seen for node in row[1:]}
        links = []
        for row in self.made("live.tsv"):
            if row[0] == "+node":
                self.assertNotIn(row[1], nodes)
                nodes.add(row[1])
                continue
            sign, source, relation, target = row
            self.assertEqual(sign, "+")
            self.assertIn(relation, {one[0] for one in seen})
            self.assertTrue(nodes.issuperset({source, target}))
            links.append((relation, source, target))
        self.assertEqual(sorted(self.made("joined/train.tsv")),
                         sorted(seen + links))
        for relation, source, target, label in self.made("asked.tsv"):
            self.assertTrue(nodes.issuperset({source, target}))
            self.assertFalse(label == "1"
                             and (relation, source, target) in links)


class PageTest(unittest.TestCase):

    def test_auroc_counts_pairs_in_order(self):
        labels = [1, 0, 1, 0, 1]
        scores = [.9, .9, .4, .1, .2]
        pairs = [(a, b) for a, x in zip(scores, labels) if x == 1
                 for b, y in zip(scores, labels) if y == 0]
        expected = sum((a > b) + .5 * (a == b) for a, b in pairs) / len(pairs)
        self.assertAlmostEqual(new_nodes_page.auroc(labels, scores), expected)

    def test_the_part_stands_before_the_one_of_trust(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "results.md")
            with open(out, "w", encoding="utf-8") as file:
                file.write("# Results\n\n<!-- trust -->\n\ntrust\n")
            run = os.path.join(folder, "runs", "toy")
            os.makedirs(run)
            with open(os.path.join(run, "asked.tsv"), "w",
                      encoding="utf-8") as file:
                file.write("r\ta\tb\t1\nr\ta\tc\t0\n")
            for name, first in (("nodes", .5), ("links", .8), ("with", .9)):
                with open(os.path.join(run, f"{name}.scores"), "w",
                          encoding="utf-8") as file:
                    file.write(f"r\ta\tb\t1\t{first}\nr\ta\tc\t0\t.5\n")
            for _ in range(2):  # the second time it takes its own place
                result = subprocess.run(
                    [os.path.join(ROOT, "scripts", "new_nodes"), "--table-only",
                     "--runs", os.path.join(folder, "runs"), "--out", out],
                    text=True, capture_output=True, check=False)
                self.assertEqual(result.returncode, 0, result.stderr)
                with open(out, encoding="utf-8") as file:
                    page = file.read()
                self.assertEqual(page.count("## Nodes that came"), 1)
                self.assertIn("| toy | 1 | 50.00 | 100.00 | 100.00 | +50.00 | "
                              "+0.00 |\n\n<!-- trust -->\n\ntrust\n", page)


if __name__ == "__main__":
    unittest.main()
