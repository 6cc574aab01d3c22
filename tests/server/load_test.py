"""A running server under closed-loop load: no error, full batches, steady
memory, and a stop in the middle that answers all it admitted.

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
LINKS = os.path.join(processes.TOY, "graph", "test.tsv")


def start_load(server, seconds, *flags):
    return server.start_client(
        "bench", "--json", "--keys", "--links", LINKS, "--concurrency", "64",
        "--connections", "64", "--links-per-rpc", "16", "--max-time", "5",
        "--warmup", "0s", "--duration", f"{seconds}s", *flags)


def sample(text, name):
    return float(re.search(rf"^{re.escape(name)} (\S+)$", text, re.M)[1])


class LoadTest(unittest.TestCase):

    def test_full_load_has_no_error_shared_batches_and_steady_memory(self):
        with processes.Server() as server:
            load = start_load(server, SECONDS)
            # From the first third on the server is warm.
            time.sleep(SECONDS / 3)
            warm = sample(server.scrape(), "process_resident_memory_bytes")
            output, errors = load.communicate(timeout=SECONDS + 60)
            self.assertEqual(load.returncode, 0, output + errors)
            text = server.scrape()
            report = json.loads(output)
            print(report, file=sys.stderr)
            self.assertEqual(report["failed"], 0, report)
            self.assertEqual(report["links"], 16 * report["answered"], report)
            # The model takes what is there when it is free: how much that is
            # depends on how it and the contexts share the machine.
            self.assertLess(sample(text, 'slice_batch_items_bucket{le="1"}'),
                            sample(text, "slice_batch_items_count"))
            grown = sample(text, "process_resident_memory_bytes") / warm - 1
            print(f"resident memory grew by {grown:.2%}", file=sys.stderr)
            self.assertLessEqual(grown, 0.02)
            self.assertEqual(sample(text, "slice_expired_on_model_total"), 0)
            self.assertEqual(server.stop(), 0, server.output())

    def test_a_stop_in_the_middle_answers_what_was_admitted(self):
        with processes.Server() as server:
            load = start_load(server, 60, "--until-unavailable")
            while server.scored() < 1000:
                time.sleep(0.05)
            self.assertEqual(server.stop(), 0, server.output())
            output, errors = load.communicate(timeout=60)
            self.assertEqual(load.returncode, 0, output + errors)
            report = json.loads(output)
            self.assertTrue(report["interrupted"])
            self.assertGreater(report["answered"], 0)
            self.assertEqual(report["links"], 16 * report["answered"], report)
            # What came too late was refused, nothing was dropped.
            self.assertEqual(set(report["errors"]), {"UNAVAILABLE"}, report)


if __name__ == "__main__":
    unittest.main()
