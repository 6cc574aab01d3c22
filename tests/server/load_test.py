"""A running server under closed-loop load: every call is answered or refused,
calls share batches, memory is steady, and a stop in the middle answers all that
was admitted. Nothing here depends on how fast the machine is.

SLICE_LOAD_SECONDS sets how long (default 12).
"""

import json
import os
import re
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))), "integration"))

import processes  # noqa: E402

SECONDS = int(os.environ.get("SLICE_LOAD_SECONDS", "12"))
LINKS_PER_RPC = 16
WARM_LINKS = 2000  # scored: buffers have grown to their sizes
SPANS = 4  # of the rest of the load, each judged for growth
LINKS = os.path.join(processes.TOY, "graph", "test.tsv")


def start_load(server, seconds, *flags):
    return server.start_client(
        "bench", "--json", "--keys", "--links", LINKS, "--concurrency", "64",
        "--connections", "64", "--links-per-rpc", str(LINKS_PER_RPC),
        "--max-time", "30",
        "--warmup", "0s", "--duration", f"{seconds}s", *flags)


def sample(text, name):
    """The sum of a metric over its labels, unless the name has them."""
    found = re.findall(rf"^{re.escape(name)}(?:{{[^}}]*}})? (\S+)$", text, re.M)
    return sum(map(float, found))


def resident_memory(server, spans, seconds):
    """The memory at the ends of spans of time, in bytes. A leak grows in each
    span, a buffer that finds its size late grows in one."""
    bytes_at = [sample(server.scrape(), "process_resident_memory_bytes")]
    for _ in range(spans):
        time.sleep(seconds)
        bytes_at.append(sample(server.scrape(),
                               "process_resident_memory_bytes"))
    return bytes_at


class LoadTest(unittest.TestCase):

    def check_calls(self, report, errors):
        """Answers are whole, and what failed was refused with these codes."""
        self.assertGreater(report["answered"], 0)
        self.assertEqual(report["sent"],
                         report["answered"] + report["failed"], report)
        self.assertEqual(report["links"], LINKS_PER_RPC * report["answered"],
                         report)
        self.assertEqual(report["link_errors"], {}, report)
        self.assertLessEqual(set(report["errors"]), errors, report)

    def test_full_load_loses_nothing_shares_batches_and_keeps_memory(self):
        with processes.Server() as server:
            load = start_load(server, SECONDS)
            time.sleep(SECONDS / 3)
            while server.scored() < WARM_LINKS and load.poll() is None:
                time.sleep(0.05)
            memory = resident_memory(server, SPANS, SECONDS * 0.6 / SPANS)
            output, errors = load.communicate(
                timeout=SECONDS + processes.HANG_SECONDS)
            self.assertEqual(load.returncode, 0, output + errors)
            text = server.scrape()
            report = json.loads(output)
            print(report, file=sys.stderr)
            # A slow machine refuses what it could not answer in time.
            self.check_calls(report, {"RESOURCE_EXHAUSTED"})
            self.assertEqual(sample(text, "slice_shed_total"),
                             LINKS_PER_RPC * report["failed"])
            # The model takes what is there when it is free: how much that is
            # depends on how it and the contexts share the machine.
            self.assertLess(sample(text, 'slice_batch_items_bucket{le="1"}'),
                            sample(text, "slice_batch_items_count"))
            grown = [after / before - 1
                     for before, after in zip(memory, memory[1:])]
            print("resident memory grew by", [f"{g:.2%}" for g in grown],
                  file=sys.stderr)
            self.assertLessEqual(min(grown), 0.005)
            self.assertEqual(sample(text, "slice_expired_on_model_total"), 0)
            self.assertEqual(server.stop(), 0, server.output())

    def test_a_stop_in_the_middle_answers_what_was_admitted(self):
        with processes.Server() as server:
            load = start_load(server, processes.HANG_SECONDS,
                              "--until-unavailable")
            while server.scored() < 1000:
                time.sleep(0.05)
            self.assertEqual(server.stop(), 0, server.output())
            output, errors = load.communicate(timeout=processes.HANG_SECONDS)
            self.assertEqual(load.returncode, 0, output + errors)
            report = json.loads(output)
            self.assertTrue(report["interrupted"])
            # What came too late was refused, nothing was dropped.
            self.check_calls(report, {"UNAVAILABLE", "RESOURCE_EXHAUSTED"})
            self.assertIn("UNAVAILABLE", report["errors"])


if __name__ == "__main__":
    unittest.main()
