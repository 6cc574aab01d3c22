"""Servers behind Envoy die, stop, are ill, or are all gone; and Envoy itself is
gone. What its clients see of that."""

import os
import shutil
import signal
import time
import unittest

import envoy_load
import envoy_process
import envoy_stand
import faulty_servers
import processes
from certificates import Authority

UNAVAILABLE = 14
SHORT = 1  # seconds that a load lasts which ends by itself


def rows():
    return processes.toy_rows("test.tsv")


class FailuresTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.stand = envoy_stand.Stand()
        cls.enterClassContext(cls.stand)
        cls.envoy = cls.stand.envoy

    def tearDown(self):
        for number, server in enumerate(self.stand.servers):
            if server.process.poll() is not None:
                self.stand.start(number)
        self.stand.name_servers()
        self.stand.wait_for_servers()

    def stat(self, name):
        return self.envoy.stat(f"cluster.slice.{name}")

    def assertNoneFailed(self, seen):
        for client, (calls, failed, errors, _) in seen.items():
            self.assertGreater(calls, 0, client)
            self.assertEqual(failed, 0, f"{client}: {errors} "
                             f"{self.envoy.failures()[-3:]}")

    def wait_for_health(self, address, flag):
        envoy_process.wait_until(
            lambda: self.envoy.servers().get(address, {}).get(flag), flag)

    def test_clients_do_not_see_servers_die(self):
        def kill_two():
            for number in (0, 1):
                self.stand.restart(number, signal.SIGKILL)

        self.assertNoneFailed(
            envoy_load.under_load(self.stand, 5, rows(), kill_two))
        self.assertGreater(
            self.stat("outlier_detection."
                      "ejections_enforced_consecutive_local_origin_failure"), 0)

    def test_clients_do_not_see_servers_stop_and_reload(self):
        """Envoy leaves a server alone before that stops to answer."""
        server = self.stand.servers[0]

        def left_alone():
            self.wait_for_health(server.address, "failed_active_health_check")
            self.assertIsNone(server.process.poll())

        def roll():
            for number in range(3):
                self.stand.reload(number)
            self.stand.restart(0, signal.SIGTERM, left_alone)

        self.assertNoneFailed(
            envoy_load.under_load(self.stand, 7, rows(), roll))

    def test_a_stream_under_way_ends_with_its_server(self):
        """It cannot be tried again. A stream that begins later is answered."""
        links = self.stand.links_file(rows())
        ask = ("--concurrency", "12", "--streams", "6")
        begun = self.stat("upstream_rq_total")
        bench = envoy_load.Bench(self.stand, links, "alice@example.org", 3,
                                 *ask)
        self.addCleanup(bench.kill)
        envoy_process.wait_until(
            lambda: self.stat("upstream_rq_total") >= begun + 7, "streams")
        for server in self.stand.servers[:2]:
            server.process.kill()
        _, failed, errors, _ = bench.wait()
        self.assertGreater(failed, 0)
        self.assertLessEqual(set(errors), {"INTERNAL", "UNAVAILABLE"})
        bench = envoy_load.Bench(self.stand, links, "alice@example.org", SHORT,
                                 *ask)
        self.addCleanup(bench.kill)
        self.assertEqual(bench.wait()[1:3], (0, {}))

    def test_an_ill_server_is_ejected(self):
        with faulty_servers.before(self.stand) as faulty:
            ill = faulty.addresses()["ill2"]
            self.stand.name_servers(self.stand.servers[0].address,
                                    self.stand.servers[1].address, ill)
            envoy_process.wait_until(lambda: ill in self.envoy.well(),
                                   "the ill server says SERVING")
            seen = envoy_load.under_load(
                self.stand, 5, rows(),
                lambda: self.wait_for_health(ill, "failed_outlier_check"))
            self.assertNoneFailed(seen)
            self.assertGreater(
                self.stat("outlier_detection."
                          "ejections_enforced_failure_percentage"), 0)
            self.assertGreater(self.stat("upstream_rq_retry_success"), 0)

    def test_retries_have_a_budget(self):
        """When all servers are ill, most calls fail after fewer than the three
        retries that a single call may have."""
        with faulty_servers.before(self.stand) as faulty:
            ill = faulty.addresses().values()

            def fall_ill():
                self.stand.name_servers(*ill)
                envoy_process.wait_until(
                    lambda: self.stat("upstream_rq_retry_overflow") > 20,
                    "calls without a retry")

            calls, failed, errors, _ = envoy_load.under_load(
                self.stand, 4, rows(), fall_ill)["single links"]
            self.assertGreater(failed, 0)
            self.assertLess(failed, calls)
            self.assertEqual(set(errors), {"UNAVAILABLE"})
            # What the budget allows now, when there are no calls.
            self.assertIn("\nslice::default_priority::max_retries::100\n",
                          self.envoy.admin("/clusters"))
            self.assertTrue(set(ill) & self.envoy.well(),
                            "one server always stays")

    def test_impatient_clients_eject_no_server(self):
        """Neither by errors in a row, nor of servers that others ask too."""
        question = {"links": [
            {"source": {"name": source}, "relation": relation,
             "target": {"name": target}}
            for relation, source, target, *_ in rows()[:64]],
            "explanation_level": "EXPLANATION_LEVEL_FULL"}
        ejected = "outlier_detection.ejections_enforced_total"
        before = self.stat(ejected)

        def hurry(calls, seconds=0):
            until = time.monotonic() + seconds
            late = 0
            while time.monotonic() < until or late < calls:
                status, _, _ = self.stand.post(
                    "/v1/links:predict", question,
                    {"grpc-timeout": "2m"})
                late += status in (408, 504)

        hurry(24)
        self.assertEqual(self.stat(ejected), before)
        self.assertNoneFailed(envoy_load.under_load(
            self.stand, 5, rows(), lambda: hurry(50, 5)))  # two intervals
        self.assertEqual(self.stat(ejected), before)

    def test_a_server_with_another_name_is_not_trusted(self):
        other = self.stand.inside.sign("other", "DNS:other.example.org")
        with faulty_servers.before(self.stand, other) as faulty:
            stranger = faulty.addresses()["ill0"]
            self.stand.name_servers(self.stand.servers[0].address, stranger)
            self.wait_for_health(stranger, "failed_active_health_check")
            envoy_process.wait_until(lambda: self.stat("ssl.fail_verify_san"),
                                   "the name is looked at")
            for _ in range(10):
                self.assertEqual(self.stand.client("info").returncode, 0)

    def test_new_certificates_are_used_without_a_restart(self):
        new = self.stand.path("tls.2")
        shutil.copytree(self.stand.path("tls.1"), new)
        authority = Authority(new, "new-ca")
        authority.sign("public", "IP:127.0.0.1")
        os.symlink("tls.2", self.stand.path("tls.partial"))
        os.rename(self.stand.path("tls.partial"), self.stand.path("tls"))
        self.stand.authority = authority.path
        envoy_process.wait_until(
            lambda: self.stand.client("info").returncode == 0,
            "the new certificate is shown")

    def test_a_server_that_hangs_is_taken_out(self):
        server = self.stand.servers[0]
        server.process.send_signal(signal.SIGSTOP)
        self.addCleanup(server.process.send_signal, signal.SIGCONT)
        self.wait_for_health(server.address, "failed_active_health_check")
        for _ in range(10):
            self.assertEqual(self.stand.client("info").returncode, 0)
        server.process.send_signal(signal.SIGCONT)
        self.stand.wait_for_servers()


class GoneTest(unittest.TestCase):

    def test_first_the_servers_and_then_envoy_are_gone(self):
        stand = envoy_stand.Stand(servers=1)
        self.enterContext(stand)
        stand.servers[0].process.kill()
        result = envoy_process.wait_until(
            lambda: self.asked(stand, "no healthy upstream"),
            "Envoy finds no server well")
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertEqual(
            stand.post("/v1/links:predict", {})[0], 503)

        stand.envoy.kill()
        result = self.asked(stand, "Connection refused")
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)

    def asked(self, stand, words):
        """The result of slice-client when it says the words, else None."""
        result = stand.client("info")
        self.assertEqual(result.returncode, 64 + UNAVAILABLE, result.stderr)
        return result if words in result.stderr else None


if __name__ == "__main__":
    envoy_process.skip_without_envoy()
    unittest.main()
