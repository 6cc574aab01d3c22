"""scripts/lib/withhold_packages.py: what training never sees comes in a week,
or is asked about."""

import importlib.util
import os
import tempfile
import unittest

from stand_ins import ROOT

SPEC = importlib.util.spec_from_file_location(
    "withhold_packages", os.path.join(ROOT, "scripts/lib/withhold_packages.py"))
withhold_packages = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(withhold_packages)


class WithholdPackagesTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        graph = os.path.join(folder.name, "graph")
        os.mkdir(graph)
        cls.out = os.path.join(folder.name, "out")
        cls.nodes = [(f"p{i}", "package", f"Package {i}") for i in range(1000)]
        cls.nodes += [(f"t::{i}", "tag", "") for i in range(30)]
        cls.links = sorted({("tagged", f"p{i}", f"t::{(i * i + 3 * j) % 30}")
                            for i in range(1000) for j in range(5)} |
                           {("depends", f"p{i}", f"p{i * 37 % 1000}")
                            for i in range(1000)})
        held_out = cls.links[::50]
        for name, rows in (
                ("nodes.tsv", [("key", "type", "name"), *cls.nodes]),
                ("links.tsv", cls.links),
                ("valid.tsv", [(*link, "1") for link in held_out[::2]]),
                ("test.tsv", [(*link, "1") for link in held_out[1::2]])):
            withhold_packages.write_rows(os.path.join(graph, name), rows)
        withhold_packages.main([graph, cls.out])
        cls.hidden = {row[0] for row in cls.rows("packages.tsv")}

    @classmethod
    def rows(cls, name):
        return withhold_packages.read_rows(os.path.join(cls.out, name))

    def test_a_twentieth_is_withheld(self):
        self.assertGreater(len(self.hidden), 25)
        self.assertLess(len(self.hidden), 80)

    def test_training_sees_nothing_of_it(self):
        for name in ("train.tsv", "valid.tsv", "test.tsv"):
            for row in self.rows(name):
                self.assertFalse({row[1], row[2]} & self.hidden, name)
        self.assertFalse({row[0] for row in self.rows("nodes.tsv")}
                         & self.hidden)

    def test_training_sees_no_link_that_it_holds_out(self):
        held_out = {row[:3] for name in ("valid.tsv", "test.tsv")
                    for row in self.rows(name)}
        self.assertTrue(held_out)
        self.assertFalse(held_out & set(self.rows("train.tsv")))

    def test_each_link_of_theirs_comes_once_or_is_asked_about(self):
        come, known = set(), {row[0] for row in self.rows("nodes.tsv")}
        for day in range(1, withhold_packages.DAYS + 1):
            rows = self.rows(f"day-{day}.tsv")
            known |= {row[1] for row in rows if row[0] == "+node"}
            for row in rows:
                if row[0] == "+":
                    # The ends are there by then.
                    self.assertLessEqual({row[1], row[3]}, known)
                    link = (row[2], row[1], row[3])
                    self.assertNotIn(link, come)
                    come.add(link)
        asked = {row[:3] for row in self.rows("asked.tsv") if row[3] == "1"}
        self.assertFalse(come & asked)
        theirs = {link for link in self.links
                  if {link[1], link[2]} & self.hidden}
        self.assertLessEqual(come | asked, theirs)
        self.assertGreater(len(come), len(theirs) / 3)
        self.assertGreater(len(asked), len(theirs) / 4)

    def test_each_question_is_beside_a_link_that_does_not_exist(self):
        rows = self.rows("asked.tsv")
        links = set(self.links)
        for link, other in zip(rows[::2], rows[1::2]):
            self.assertEqual((link[3], other[3]), ("1", "0"))
            self.assertEqual(link[:2], other[:2])
            self.assertIn(link[:3], links)
            self.assertNotIn(other[:3], links)

    def test_it_is_the_same_on_every_machine(self):
        self.assertAlmostEqual(withhold_packages.fraction("age curl"),
                               0.767236996, 9)


if __name__ == "__main__":
    unittest.main()
