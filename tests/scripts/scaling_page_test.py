"""Tests of scripts/lib/scaling_page.py."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from xml.etree import ElementTree

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "scripts", "lib", "scaling_page.py")


def write_run(runs, millions, seconds, statistics, structural, evaluate):
    folder = os.path.join(runs, str(millions))
    os.makedirs(folder)
    report = {"overall": {"auroc": 0.9649, "f1": 0.9239},
              "steps": [{"step": "statistics", "seconds": statistics,
                         "peak_mib": 512},
                        {"step": "structural", "seconds": structural,
                         "peak_mib": 2048},
                        {"step": "evaluate", "seconds": evaluate,
                         "peak_mib": 1024}]}
    with open(os.path.join(folder, "report.json"), "w",
              encoding="utf-8") as file:
        json.dump(report, file)
    with open(os.path.join(folder, "seconds"), "w", encoding="utf-8") as file:
        file.write(f"{seconds}\n")


class ScalingPageTest(unittest.TestCase):

    def test_page_and_curve_show_the_cost_of_a_link(self):
        with tempfile.TemporaryDirectory() as folder:
            write_run(folder, 1, 100, 10, 60, 30)
            write_run(folder, 4, 190, 20, 120, 45)
            out = os.path.join(folder, "scaling.md")
            subprocess.run([sys.executable, PAGE, "--root", ROOT, "--runs",
                            folder, "--sizes", "4,1", "--out", out],
                           check=True)
            with open(out, encoding="utf-8") as file:
                text = file.read()
            root = ElementTree.parse(os.path.join(folder, "scaling.svg"))
        self.assertIn("| 1 M | 100 | 2.0 | 10 | 10.0 | 60 | 30 | 96.49 / 92.39 |",
                      text)
        self.assertIn("| 4 M | 190 | 2.0 | 20 | 5.0 | 120 | 45 |", text)
        self.assertIn("(scaling.svg)", text)
        lines = [line.get("points").split() for line in
                 root.iter("{http://www.w3.org/2000/svg}polyline")]
        heights = [[float(point.split(",")[1]) for point in line]
                   for line in lines]
        # Half the statistics, twice the training, half as much again.
        one = heights[0][0]
        self.assertEqual([line[0] for line in heights], [one] * 3)
        unit = (heights[0][1] - one) / 0.5  # of the axis, downwards
        self.assertAlmostEqual(one - heights[1][1], unit, places=0)
        self.assertAlmostEqual(one - heights[2][1], unit / 2, places=0)

    def test_a_missing_run_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [sys.executable, PAGE, "--root", ROOT, "--runs", folder,
                 "--sizes", "7", "--out", os.path.join(folder, "x.md")],
                text=True, capture_output=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("7/report.json", done.stderr)


if __name__ == "__main__":
    unittest.main()
