"""Tests of scripts/lib/benchmark_table.py."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from xml.etree import ElementTree

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
LIB = os.path.join(ROOT, "scripts", "lib")
sys.path.insert(0, LIB)
import benchmark_table  # noqa: E402
from serving_figures import CURVE, Figures  # noqa: E402
from serving_loads import sum_of_metric  # noqa: E402


def aggregate(name, kind, cpu, real, **more):
    return {"name": f"{name}_{kind}", "run_name": name, "run_type":
            "aggregate", "aggregate_name": kind, "cpu_time": cpu,
            "real_time": real, "time_unit": "us", **more}


REPORT = {
    "context": {"date": "2024-05-06T07:08:09+00:00", "num_cpus": 2,
                "load_avg": [0.5, 1.25, 0.125],
                "caches": [{"level": 1, "type": "Data", "size": 32768}]},
    "benchmarks": [
        aggregate("Walk/a", "mean", 1, 1),
        aggregate("Walk/a", "median", 1500, 9999, **{"steps/s": 3.4e8}),
        aggregate("Walk/a", "cv", 0.0123, 0.5, **{"steps/s": 0.01}),
        aggregate("Fit/b/real_time", "median", 1, 2.5e6, label="2:1 | 0:4",
                  s_per_link=2.5e-6),
    ],
}


def write_results(folder, program, reports, stamp):
    """What scripts/bench leaves of one program: {file name: content}."""
    of_program = os.path.join(folder, program)
    os.makedirs(of_program)
    for name, report in reports.items():
        with open(os.path.join(of_program, f"{name}.json"), "w",
                  encoding="utf-8") as file:
            json.dump(report, file)
    with open(os.path.join(of_program, "stamp"), "w",
              encoding="utf-8") as file:
        file.write("\n".join(stamp) + "\n")


def forward_report(torchscript, native):
    return {"benchmarks": [
        aggregate("Forward/paper/torchscript/64", "median", torchscript, 1),
        aggregate("Forward/paper/native/64", "median", native, 1)]}


class BenchmarkTableTest(unittest.TestCase):

    def test_medians_have_their_deviation_and_counters(self):
        medians = benchmark_table.Medians(REPORT)
        self.assertEqual(medians.time_text("Walk/a"), "1.5 ms ± 1%")
        self.assertEqual(medians.counters_text("Walk/a"), "340 M steps/s")
        self.assertEqual(medians.time_text("Fit/b"), "2.5 s")
        self.assertEqual(medians.counters_text("Fit/b"), "2.5 µs per link")
        self.assertEqual(medians.time_text("Walk/b"), "–")

    def test_instruction_sets_stand_side_by_side_with_their_speed(self):
        slower = {"benchmarks": [aggregate("Walk/a", "median", 3000, 1)]}
        lines = benchmark_table.side_by_side(
            {"avx512": benchmark_table.Medians(REPORT),
             "portable": benchmark_table.Medians(slower)})
        self.assertEqual(lines[0], "| benchmark | AVX-512 | portable | "
                         "portable over AVX-512 | counters, AVX-512 |")
        self.assertEqual(lines[2], "| Walk/a | 1.5 ms ± 1% | 3 ms | 0.50 | "
                         "340 M steps/s |")
        self.assertEqual(lines[3], "| Fit/b | 2.5 s | – | – | "
                         "2.5 µs per link |")

    def test_a_native_pass_slower_than_torchscript_is_called_a_defect(self):
        lines = benchmark_table.native_over_torchscript(
            {"avx512": benchmark_table.Medians(forward_report(500, 100)),
             "avx2": benchmark_table.Medians(forward_report(500, 1000))})
        self.assertIn("| paper/64 | 5.00 | 0.50 **slower: a defect** |", lines)

    def test_the_page_says_once_what_all_parts_share(self):
        machine = "- machine: a box"
        with tempfile.TemporaryDirectory() as folder:
            write_results(folder, "walk", {"avx2": REPORT},
                          [machine, "- commit 1, `scripts/bench -x`"])
            write_results(folder, "forward", {"avx2": forward_report(2, 1)},
                          [machine, "- commit 2, `scripts/bench -y`"])
            text = benchmark_table.document(folder)
        self.assertEqual(text.count("a box"), 1)
        walk, forward = text.split("## ")[1:]
        self.assertTrue(walk.startswith(
            "Walks and node2vec\nMeasured: commit 1, `scripts/bench -x`."))
        self.assertIn("Measured: commit 2, `scripts/bench -y`.", forward)
        self.assertIn("| Walk/a | 1.5 ms ± 1% | 340 M steps/s |", walk)
        self.assertIn("| paper/64 | 2.00 |", forward)

    def test_times_and_numbers_have_units_that_fit(self):
        self.assertEqual(
            [benchmark_table.seconds_text(s) for s in (2, 0.02, 3e-6, 4e-9)],
            ["2 s", "20 ms", "3 µs", "4 ns"])
        self.assertEqual(
            [benchmark_table.number_text(n) for n in (5, 1234, 2.5e6, 3e9)],
            ["5", "1.23 k", "2.5 M", "3 G"])


def serving_report(bundles):
    figures = {"overhead.identity.p50": [3e-4, 1e-4, 2e-4],
               "overhead.links.64": [300000, 310000, 290000],
               "paper.p50": [0.0005], "paper.rpcs": [7100],
               "set.avx2.paper": [6500]}
    for i, share in enumerate(CURVE):
        for name in bundles:
            figures[f"curve.{name}.{share}.rpcs"] = [100 * (i + 1)]
            figures[f"curve.{name}.{share}.p50"] = [0.001 * (i + 1)]
            figures[f"curve.{name}.{share}.p99"] = [0.01 * (i + 1)]
    for name in bundles:
        figures[f"served.{name}.links.64"] = [21000]
        figures[f"set.avx2.{name}.links"] = [29000]
        figures[f"set.portable.{name}.p50"] = [0.0003]
    return {"context": {"date": "2024-05-06T07:08:09", "num_cpus": 2,
                        "load_avg": [0.5, 1.25, 0.125]},
            "bundles": bundles, "rounds": 3, "quick": False,
            "sets": ["avx2", "portable"],
            "figures": figures}


class ServingTest(unittest.TestCase):

    def write(self, report):
        """The page and its curve, None without one."""
        with tempfile.TemporaryDirectory() as folder:
            write_results(folder, "serving", {"all": report}, [])
            out = os.path.join(folder, "page.md")
            subprocess.run(
                [sys.executable, os.path.join(LIB, "benchmark_table.py"),
                 "--results", folder, "--out", out], check=True)
            with open(out, encoding="utf-8") as file:
                page = file.read()
            curve = os.path.join(folder, "page.svg")
            if not os.path.exists(curve):
                return page, None
            return page, ElementTree.parse(curve).getroot()

    def test_the_page_shows_medians_with_their_spread_beside_the_marks(self):
        page, _ = self.write(serving_report(["toy/one", "toy/two"]))
        for part in ("## Serving",
                     "| ours, one caller, p50 | 200 µs (100 µs – 300 µs) |",
                     "300,000 (290,000 – 310,000) | ≥ 300,000 |",
                     "| toy/two | – | – | 21,000 | – | – | – | – |",
                     "| 128 callers, RPC/s | 7,100 | ≥ 7,000 |",
                     "| toy/two, links/s, 64 per RPC | 29,000 | – | "
                     "≥ 28,000 · ≥ 10,000 |",
                     "| toy/two, one link, p50 | – | 300 µs | "
                     "≤ 0.25 ms · ≤ 0.40 ms |",
                     "| the paper's network, 128 callers, RPC/s | 6,500 | – |",
                     "| 490 pairs/s; 2,040 without its metrics and dumps | "
                     "7,100 RPC/s of one link |",
                     "](page.svg)"):
            self.assertIn(part, page)
        self.assertNotIn("quick", page)

    def test_the_curve_has_a_point_for_each_load(self):
        _, curve = self.write(serving_report(["toy/one"]))
        lines = [element.attrib["points"].split() for element in curve.iter()
                 if element.tag.endswith("polyline")]
        self.assertEqual([len(line) for line in lines], [len(CURVE)] * 2)
        for line in lines:
            points = [tuple(map(float, point.split(","))) for point in line]
            self.assertEqual(points, sorted(points))
            self.assertEqual([y for _, y in points],
                             sorted((y for _, y in points), reverse=True))

    def test_without_a_bundle_there_is_no_curve(self):
        page, curve = self.write(serving_report([]))
        self.assertIsNone(curve)
        self.assertNotIn(".svg", page)
        self.assertIn("### Overhead", page)

    def test_a_quick_run_says_so(self):
        page, _ = self.write({**serving_report([]), "quick": True})
        self.assertIn("quick run", page)

    def test_figures_without_a_value_are_a_dash(self):
        figures = Figures()
        figures.add("a", 2)
        figures.add("a", 4)
        self.assertEqual(figures.text("a", str), "3.0 (2 – 4)")
        self.assertEqual(figures.text("b", str), "–")

    def test_a_metric_is_summed_over_its_labels(self):
        text = ('# TYPE x_total counter\nx_total{a="1"} 2\n'
                'x_total{a="2"} 3.5\nx_total_of_others 7\ny_total 4\n')
        self.assertEqual(sum_of_metric(text, "x_total"), 5.5)
        self.assertEqual(sum_of_metric(text, "y_total"), 4)
        with self.assertRaises(KeyError):
            sum_of_metric(text, "z_total")


if __name__ == "__main__":
    unittest.main()
