"""A running server under closed-loop load: no error, full batches, steady
memory, and a stop in the middle that answers all it admitted.

SLICE_LOAD_SECONDS sets how long (default 12).
"""

import json
import os
import re
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))), "integration"))

import processes  # noqa: E402

SECONDS = int(os.environ.get("SLICE_LOAD_SECONDS", "12"))
LINKS = os.path.join(processes.TOY, "graph", "test.tsv")


def start_load(server, seconds, *flags):
    return subprocess.Popen(
        [os.path.join(processes.BIN, "serving_load"), "--server",
         server.address, "--links", LINKS, "--seconds", str(seconds), *flags],
        text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


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
            self.assertEqual(report["failed_calls"], 0, report)
            self.assertEqual(report["bad_links"], 0, report)
            # The model takes what is there when it is free: how much that is
            # depends on how it and the contexts share the machine.
            batches = sample(text, "slice_batch_items_count")
            self.assertGreaterEqual(
                sample(text, "slice_batch_items_sum") / batches, 2)
            grown = sample(text, "process_resident_memory_bytes") / warm - 1
            print(f"resident memory grew by {grown:.2%}", file=sys.stderr)
            self.assertLessEqual(grown, 0.02)
            self.assertEqual(sample(text, "slice_expired_on_model_total"), 0)
            self.assertEqual(server.stop(), 0, server.output())

    def test_a_stop_in_the_middle_answers_what_was_admitted(self):
        with processes.Server() as server:
            load = start_load(server, 60, "--until_refused")
            while server.scored() < 1000:
                time.sleep(0.05)
            self.assertEqual(server.stop(), 0, server.output())
            output, errors = load.communicate(timeout=60)
            self.assertEqual(load.returncode, 0, output + errors)


if __name__ == "__main__":
    unittest.main()
