"""Every source has its home, and no two files depend on each other."""

import os
import unittest

import homes
import made_up_tree

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))


def check(files):
    return made_up_tree.check(files, homes.check_tree)


class HomesTest(unittest.TestCase):

    def test_files_do_not_include_each_other_in_a_circle(self):
        self.assertEqual(
            check({"common/a.h": [], "common/a.cc": ['"common/b.h"'],
                   "common/b.h": ['"common/c.h"'],
                   "common/c.h": ['"common/a.h"']}),
            ["common/a, common/b, common/c include each other in a circle"])

    def test_a_source_implements_a_header_of_its_name(self):
        self.assertEqual(check({"common/a.cc": [], "client/main.cc": []}),
                         ["common/a.cc: implements no header of its own name"])

    def test_a_name_exists_once(self):
        self.assertEqual(
            check({"client/a.h": [], "server/a.h": []}),
            ["server/a.h: client/a.h has the same name"])

    def test_a_tree_by_the_rules_is_clean(self):
        self.assertEqual(check({
            "common/a.h": [], "common/a.cc": ['"common/a.h"'],
            "client/main.cc": ['"common/a.h"'], "server/main.cc": []}), [])


class RepositoryTest(unittest.TestCase):

    def test_the_sources_keep_the_rules(self):
        problems = homes.check_tree(ROOT)
        self.assertFalse(problems, "\n" + "\n".join(problems))


if __name__ == "__main__":
    unittest.main()
