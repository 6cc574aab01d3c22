"""Each attack for a moment: others go on to be answered, memory, threads and
descriptors stay bounded, and nothing of it is left afterwards.

Counts only. What an attack costs the others in time is measured by
scripts/attack.
"""

import contextlib
import http.client
import json
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from victim import MIB, Victim  # noqa: E402  (before what it finds)
import attacks  # noqa: E402
import http2  # noqa: E402
import processes  # noqa: E402

SECONDS = 2  # of each attack
# What gRPC may hold (--max-transport-bytes), what admission may
# (--max-queue-bytes), and what the allocator keeps of it.
GROWTH = 640 * MIB
THREADS = 100
LINK = processes.toy_rows("test.tsv")[0][:3]


def answer_others(test, victim):
    """However long a busy server has them wait."""
    rows = [row[:3] for row in processes.toy_rows("test.tsv")][:20]
    result = victim.client(
        "predict", "--keys", "--links", "-", "--max-time",
        str(processes.HANG_SECONDS),
        stdin="".join("\t".join(row) + "\n" for row in rows))
    test.assertEqual(result.returncode, 0, result.stderr)
    test.assertEqual(len(result.stdout.splitlines()), len(rows))
    connection = http.client.HTTPConnection(
        victim.http_address, timeout=processes.HANG_SECONDS)
    with contextlib.closing(connection):
        link = {"source": {"key": rows[0][1]}, "relation": rows[0][0],
                "target": {"key": rows[0][2]}}
        connection.request("POST", "/v1/links:predict",
                           json.dumps({"links": [link]}),
                           {"Content-Type": "application/json"})
        reply = connection.getresponse()
        test.assertEqual(reply.status, 200, reply.read())


class AttackTest(unittest.TestCase):

    def endure(self, name):
        with Victim() as victim:
            answer_others(self, victim)
            before = victim.resident()
            descriptors = victim.descriptors()
            with victim.attack(name, SECONDS, LINK) as attack:
                while attack.target.pause():
                    answer_others(self, victim)
                    self.assertLess(victim.resident() - before, GROWTH)
                    self.assertLess(victim.threads(), THREADS)
            self.assertGreater(attack.target.steps, 5)
            answer_others(self, victim)
            victim.wait_until(
                lambda: victim.descriptors() < descriptors + 8,
                "connections of the attack stay open")
            self.assertEqual(victim.stop(), 0, victim.output())


def add_tests():
    for name in attacks.ALL:
        setattr(AttackTest, f"test_{name}",
                lambda self, name=name: self.endure(name))


add_tests()


class DescriptorsTest(unittest.TestCase):
    """CVE-2023-4785: without descriptors gRPC never accepts again."""

    def test_a_server_out_of_descriptors_lives_on(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with contextlib.ExitStack() as running:
            resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
            try:
                victim = running.enter_context(
                    Victim("--max-connections", "100000"))
                resource.prlimit(victim.process.pid, resource.RLIMIT_NOFILE,
                                 (256, 256))
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            with victim.attack("idle_connections", SECONDS, LINK) as attack:
                while attack.target.pause(0.1):
                    pass
            # Until then the server still closes new connections.
            victim.wait_until(lambda: victim.descriptors() < 128,
                              "connections of the attack stay open")
            answer_others(self, victim)
            self.assertEqual(victim.stop(), 0, victim.output())


class LogTest(unittest.TestCase):

    def test_no_client_can_write_a_line_of_the_log(self):
        with Victim() as victim:
            with victim.attack("forged_log_lines", SECONDS, LINK) as attack:
                while attack.target.pause(0.1):
                    pass
            victim.stop()
            log = victim.output()
        self.assertNotIn("\x1b", log)
        for line in log.splitlines():
            self.assertNotIn(" error the disk", line[:40])
        self.assertLess(len(log), MIB)

    def test_a_log_that_nobody_reads_stops_nobody(self):
        folder, address = self.start_with_unread_log()
        self.addCleanup(folder.cleanup)
        connection = http2.Connection(address)
        for _ in range(2000):
            connection.send(connection.call("/x\n/y", b""))
            if not connection.answer_settings():
                connection.close()
                connection = http2.Connection(address)
        connection.close()
        result = subprocess.run(
            [os.path.join(processes.BIN, "slice-client"), "--server", address,
             "info"], capture_output=True, check=False,
            timeout=processes.HANG_SECONDS)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.process.wait(processes.HANG_SECONDS), 0)

    def start_with_unread_log(self):
        folder = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            [os.path.join(processes.BIN, "slice-server"), "--bundle",
             processes.BUNDLE, "--data-dir", folder.name, "--listen",
             "127.0.0.1:0", "--lame-duck", "0s"], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.process.stderr.close)
        self.addCleanup(self.process.stdout.close)
        self.addCleanup(self.process.kill)
        for line in self.process.stdout:
            found = re.search(r"^listening on (\S+)$", line)
            if found:
                return folder, found[1]
        raise AssertionError("the server did not start")


class SmallTest(unittest.TestCase):

    def test_watches_of_one_host_leave_room_for_others(self):
        with Victim() as victim:
            # Each has less than kMaxEarlyStreams of server/limits.h.
            connections = [http2.Connection(victim.address) for _ in range(5)]
            for connection in connections:
                for _ in range(240):
                    connection.send(connection.call(attacks.WATCH))
            def shed():
                return re.search(
                    r'grpc_server_handled_total\{[^}]*"RESOURCE_EXHAUSTED"[^}]*'
                    r'"Watch"[^}]*\} (\d+)|grpc_server_handled_total\{[^}]*'
                    r'"Watch"[^}]*"RESOURCE_EXHAUSTED"[^}]*\} (\d+)',
                    victim.scrape())
            victim.wait_until(lambda: shed() and int(
                shed()[1] or shed()[2]) >= 1000, "no watch was refused")
            for connection in connections:
                connection.close()

    def test_connections_of_answers_that_nobody_read_end(self):
        # All are answered, however slow the machine; so no deadline ends them.
        with Victim(max_deadline=f"{processes.HANG_SECONDS}s") as victim:
            descriptors = victim.descriptors()
            target = victim.attack("unread_answers", SECONDS, LINK).target
            large = target.predict([target.link()] * 64) + \
                attacks.number_field(2, 2)  # FULL: more than 64 KiB
            connections = [http2.Connection(victim.address, window=0)
                           for _ in range(20)]
            for connection in connections:
                connection.send(connection.call(attacks.PREDICT, large))
            victim.wait_until(lambda: victim.scored() >= 64 * 20,
                              "the requests are not answered")
            for connection in connections:
                connection.close()
            victim.wait_until(lambda: victim.descriptors() <= descriptors + 1,
                              "connections stay open")

    def test_signals_that_mean_nothing(self):
        with Victim() as victim:
            for number in (signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2):
                victim.process.send_signal(number)
            self.assertEqual(victim.client("info").returncode, 0)
            self.assertEqual(victim.stop(), 0)

    def test_a_bundle_that_is_written_over_changes_no_answer(self):
        row = "\t".join(LINK) + "\n"
        with tempfile.TemporaryDirectory() as folder:
            bundle = os.path.join(folder, "bundle")
            shutil.copytree(processes.BUNDLE, bundle)
            with Victim(bundle=bundle) as victim:
                def ask():
                    result = victim.client("predict", "--keys", "--json",
                                           "--links", "-", stdin=row)
                    self.assertEqual(result.returncode, 0, result.stderr)
                    return [json.loads(line) for line in
                            result.stdout.splitlines()]
                before = ask()
                path = os.path.join(bundle, "embeddings.bin")
                size = os.path.getsize(path)
                with open(path, "r+b") as file:
                    file.seek(64)
                    file.write(b"\x7f" * (size - 64))
                self.assertEqual(ask(), before)
                os.truncate(path, 64)
                self.assertEqual(ask(), before)
                self.assertEqual(victim.stop(), 0)

    def test_half_scrapes_do_not_keep_prometheus_waiting(self):
        with Victim() as victim:
            host, port = victim.metrics_address.rsplit(":", 1)
            sockets = [socket.create_connection((host, int(port)))
                       for _ in range(4)]
            for one in sockets:
                one.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\n")
            self.assertIn("slice_queue_items", victim.scrape())
            for one in sockets:
                one.close()


if __name__ == "__main__":
    unittest.main()
