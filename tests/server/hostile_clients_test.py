"""Clients that reset, do not read, send half a stream or vanish: the server
stays up, its memory stays bounded, and others go on to be answered. The others
are on another host, because the server bans a host that goes on being hostile.

Counts only; what it costs the others in time is measured by
scripts/attack.
"""

import contextlib
import os
import re
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))), "integration"))

import processes  # noqa: E402
import relay  # noqa: E402

HOSTILE = os.path.join(os.path.dirname(processes.BIN), "tests",
                       "hostile_client")
MIB = 1 << 20
# What the server may hold for hostile clients: 64 streams of 16 requests of
# four explained links with their answers, what gRPC buffers for each stream, and
# what the allocator keeps for each thread. Without bounds it is past this in
# seconds.
GROWTH = 256 * MIB
CALLS = 200  # of the others, while it lasts
OTHER_HOST = "127.0.0.2"  # the hostile clients are on 127.0.0.1


def sample(server, name):
    found = re.findall(rf"^{re.escape(name)}(?:{{[^}}]*}})? (\S+)$",
                       server.scrape(), re.M)
    return sum(map(float, found))


def resident(server):
    return sample(server, "process_resident_memory_bytes")


@contextlib.contextmanager
def hostile(server, mode, seconds=processes.HANG_SECONDS):
    """Such a client, once it has begun; killed at the end."""
    relation, source, target = processes.toy_rows("test.tsv")[0][:3]
    process = subprocess.Popen(
        [HOSTILE, server.address, mode, str(seconds), relation, source,
         target], text=True, stdout=subprocess.PIPE)
    try:
        if not process.stdout.readline():
            raise AssertionError(f"{mode} did not begin")
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


class HostileClientsTest(unittest.TestCase):

    def setUp(self):
        self.server = processes.Server().__enter__()
        self.addCleanup(self.server.__exit__)
        self.others = self.enterContext(
            relay.from_host(self.server.address, OTHER_HOST))
        self.answer_others()  # the server is warm
        self.idle = resident(self.server)

    def answer_others(self):
        """Their links are all answered, however long a busy server has them
        wait: they come again when it says so, as clients do."""
        rows = [row[:3] for row in processes.toy_rows("test.tsv")][:CALLS]
        result = self.server.client(
            "predict", "--keys", "--links", "-", "--max-time",
            str(processes.HANG_SECONDS), "-H", "slice-client: others",
            stdin="".join("\t".join(row) + "\n" for row in rows),
            server=self.others)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(result.stdout.splitlines()), len(rows))
        self.assertNotIn("nan", result.stdout)

    def check_memory(self, what):
        grown = resident(self.server) - self.idle
        print(f"{what}: resident memory grew by {grown / MIB:.1f} MiB",
              file=sys.stderr)
        self.assertLess(grown, GROWTH, what)

    def wait_until_empty(self):
        """All that the hostile client left behind has ended."""
        deadline = time.monotonic() + processes.HANG_SECONDS
        while sample(self.server, "slice_queue_items") > 0:
            self.assertLess(time.monotonic(), deadline, "links are left")
            time.sleep(0.05)

    def endure(self, mode):
        with hostile(self.server, mode):
            for _ in range(5):
                self.answer_others()
                self.check_memory(mode)
        self.wait_until_empty()
        self.answer_others()
        self.assertEqual(sample(self.server, "slice_expired_on_model_total"),
                         0)
        self.assertEqual(self.server.stop(), 0, self.server.output())

    def test_resets_as_fast_as_a_core_can(self):
        self.endure("resets")

    def test_readers_that_do_not_read(self):
        self.endure("slow-reader")

    def test_streams_that_stop_half_way(self):
        self.endure("half-stream")

    def test_clients_that_vanish(self):
        for _ in range(5):
            with hostile(self.server, "vanish"):
                pass  # killed while its calls are under way
            self.answer_others()
            self.wait_until_empty()
        self.check_memory("vanish")
        ended = self.server.scrape()
        self.assertIn('outcome="cancelled"', ended)
        self.assertEqual(self.server.stop(), 0, self.server.output())

    def test_a_stop_while_clients_are_hostile(self):
        with hostile(self.server, "resets"), \
                hostile(self.server, "slow-reader"):
            self.assertEqual(self.server.stop(), 0, self.server.output())


if __name__ == "__main__":
    unittest.main()
