"""Tests of scripts/lib/neighbours_*.py."""

import json
import os
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts", "lib"))
import benchmark_table  # noqa: E402
from neighbours_conditions import (BusyNeighbours, NoQuota,  # noqa: E402
                                   QuotaGroup, cpu_hierarchy)
from neighbours_page import neighbours_lines  # noqa: E402

RESULTS = {
    "context": {"date": "2024-05-06T07:08:09", "num_cpus": 2,
                "load_avg": [0, 0, 0]},
    "bundle": "a/b", "rounds": 3, "quick": False, "cores": 2,
    "listed_links": 29492, "quota": {"log": "threads for 1 of 2 cores: x"},
    "figures": {
        "beside.bulk.share": [0.2, 0.1, 0.3], "quota.p99": [0.004],
        "quota.bulk.share": [0.5], "beside.listed.status": [0, 0, 0],
        "beside.late": [0.0125]},
}


class PageTest(unittest.TestCase):

    def test_both_tables_show_medians_and_marks(self):
        text = "\n".join(neighbours_lines(RESULTS))
        for part in (
                "## Neighbours, a/b",
                "### Beside a busy neighbour",
                "| beside: bulk, share of the quiet rate | "
                "0.20 (0.10 – 0.30) | ≥ 0.15 |",
                "| beside: its exit status | 0 (0 – 0) | 0 |",
                "| beside: twice the peak, admitted and late | 1.2 % |",
                "### Inside a quota of one core",
                "`threads for 1 of 2 cores: x`",
                "| single links at 20 % of their rate, p99 | 4 ms | ≤ 10 ms |",
                "| bulk, share of the rate without quota | 0.50 | ≥ 0.40 |"):
            self.assertIn(part, text)

    def test_without_a_control_group_the_page_says_why(self):
        results = {**RESULTS, "quota": {"skipped": "cannot make /x: no"}}
        text = "\n".join(neighbours_lines(results))
        self.assertIn("Skipped: cannot make /x: no.", text)
        self.assertNotIn("share of the rate without quota", text)

    def test_they_are_a_part_of_the_page(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "neighbours"))
            with open(os.path.join(folder, "neighbours", "all.json"), "w",
                      encoding="utf-8") as file:
                json.dump(RESULTS, file)
            text = benchmark_table.document(folder)
        self.assertIn("\n## Neighbours, a/b\n", text)


class HierarchyTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def hierarchy(self, mounts):
        path = os.path.join(self.folder, "mounts")
        with open(path, "w", encoding="utf-8") as file:
            file.write(mounts)
        return cpu_hierarchy(path)

    def unified(self, controllers):
        with open(os.path.join(self.folder, "cgroup.subtree_control"), "w",
                  encoding="utf-8") as file:
            file.write(controllers)
        return f"cgroup2 {self.folder} cgroup2 rw 0 0\n"

    def test_version_1_has_the_controller_among_the_options(self):
        self.assertEqual(
            self.hierarchy("cgroup /g/cpuset cgroup rw,cpuset 0 0\n"
                           "cgroup /g/cpu cgroup rw,cpu,cpuacct 0 0\n"),
            ("/g/cpu", 1))

    def test_version_2_must_hand_the_controller_down(self):
        self.assertEqual(self.hierarchy(self.unified("io cpu memory\n")),
                         (self.folder, 2))
        with self.assertRaises(NoQuota):
            self.hierarchy(self.unified("cpuset memory\n"))

    def test_without_the_controller_there_is_no_quota(self):
        with self.assertRaises(NoQuota):
            self.hierarchy("cgroup /g/memory cgroup rw,memory 0 0\n")


class ConditionsTest(unittest.TestCase):

    def test_busy_neighbours_end_with_their_block(self):
        with BusyNeighbours(2) as neighbours:
            programs = list(neighbours.programs)
            self.assertEqual([program.poll() for program in programs],
                             [None, None])
        self.assertNotIn(None, [program.poll() for program in programs])

    def test_a_group_has_its_quota_and_leaves_nothing(self):
        try:
            with QuotaGroup(0.5) as group:
                folder = group.folder
                name = ("cpu.max" if os.path.exists(
                    os.path.join(folder, "cpu.max")) else "cpu.cfs_quota_us")
                with open(os.path.join(folder, name),
                          encoding="utf-8") as file:
                    self.assertEqual(file.read().split()[0], "50000")
                self.assertEqual(group.throttled_share(), 0)
        except NoQuota as reason:
            self.skipTest(str(reason))
        self.assertFalse(os.path.exists(folder))


if __name__ == "__main__":
    unittest.main()
