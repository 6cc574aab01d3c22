"""A running server under closed-loop load: every call is answered or refused,
calls share batches, memory is steady, and a stop in the middle answers all that
was admitted. Nothing here depends on how fast the machine is.
"""

import json
import os
import re
import signal
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))), "integration"))

import processes  # noqa: E402

LINKS_PER_RPC = 16
# Memory is judged over spans of this many scored links.
SPAN_LINKS = 20000
# The most that one span may add: 16 bytes a link. Whoever loses an allocation
# for each link loses at least 32.
MOST_GROWTH = 16 * SPAN_LINKS
# Buffers find their sizes late, at some burst. So a server is steady when
# STEADY_SPANS spans in a row stay below MOST_GROWTH, and must be so in time.
STEADY_SPANS = 3
MOST_SPANS = 40
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


def growth(server, load):
    """By how many bytes the memory grows while the next span is scored."""
    before = sample(server.scrape(), "process_resident_memory_bytes")
    end = server.scored() + SPAN_LINKS
    while server.scored() < end:
        assert load.poll() is None, load.communicate()
        time.sleep(0.05)
    return sample(server.scrape(), "process_resident_memory_bytes") - before


def growth_until_steady(server, load):
    """By how many bytes the memory grows in each span, up to the first
    STEADY_SPANS spans in a row without growth."""
    grown = []
    while len(grown) < MOST_SPANS:
        grown.append(growth(server, load))
        if all(g <= MOST_GROWTH for g in grown[-STEADY_SPANS:]) and \
                len(grown) >= STEADY_SPANS:
            break
    return grown


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
            load = start_load(server, processes.HANG_SECONDS)
            grown = growth_until_steady(server, load)
            load.send_signal(signal.SIGINT)
            output, errors = load.communicate(timeout=processes.HANG_SECONDS)
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
            print("resident memory grew by", grown, file=sys.stderr)
            self.assertLess(len(grown), MOST_SPANS, grown)
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
