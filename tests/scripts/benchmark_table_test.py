"""Tests of scripts/lib/benchmark_table.py."""

import importlib.util
import os
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
SPEC = importlib.util.spec_from_file_location(
    "benchmark_table", os.path.join(ROOT, "scripts", "lib",
                                    "benchmark_table.py"))
benchmark_table = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(benchmark_table)


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


class BenchmarkTableTest(unittest.TestCase):

    def test_rows_are_medians_with_their_deviation_and_counters(self):
        self.assertEqual(benchmark_table.rows(REPORT), [
            ["Walk/a", "1.5 ms", "1.2 %", "340 M steps/s"],
            ["Fit/b", "2.5 s", "", "2.5 µs per link"],
        ])

    def test_document_names_the_command_the_machine_and_the_day(self):
        text = benchmark_table.document({"walk": REPORT}, "scripts/bench -x",
                                        ROOT)
        for part in ("`scripts/bench -x`", "- date: 2024-05-06", "2 × ",
                     "L1d 32 KiB", "- load before: 0.50, 1.25, 0.12",
                     "## Walks and node2vec",
                     "| Walk/a | 1.5 ms | 1.2 % | 340 M steps/s |"):
            self.assertIn(part, text)
        self.assertNotIn("mean", text.split("##")[1])

    def test_times_and_numbers_have_units_that_fit(self):
        self.assertEqual(
            [benchmark_table.seconds_text(s) for s in (2, 0.02, 3e-6, 4e-9)],
            ["2 s", "20 ms", "3 µs", "4 ns"])
        self.assertEqual(
            [benchmark_table.number_text(n) for n in (5, 1234, 2.5e6, 3e9)],
            ["5", "1.23 k", "2.5 M", "3 G"])


if __name__ == "__main__":
    unittest.main()
