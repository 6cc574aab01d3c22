"""Three slice-servers that follow one NATS JetStream stream, as a user runs
them: changes sent to any of them, a server and nats-server killed."""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

import nats_server
import processes
from processes import Server
from updates_test import many_changes, state, verify

REPLICAS = 3


def metric(server, name):
    found = re.search(rf"^{name}\{{[^}}]*\}} (\S+)$", server.scrape(), re.M)
    return float(found[1])


def wait_until(condition, what):
    deadline = time.monotonic() + processes.HANG_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"it never came: {what}")
        time.sleep(0.05)  # another process works on it


class ReplicasTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        nats = nats_server.NatsCluster(nodes=1)
        self.nats = self.enterContext(nats)
        self.relation, self.source, self.target = \
            processes.toy_rows("test.tsv")[0][:3]

    def enterContext(self, context):  # of Python 3.11; ours may be older
        entered = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return entered

    def data_dir(self, number):
        return os.path.join(self.folder, f"data-{number}")

    def replica(self, number, *flags):
        return Server("--accept-updates", "--feed", self.nats.feed(), *flags,
                      data_dir=self.data_dir(number))

    def replicas(self, *flags):
        return [self.enterContext(self.replica(number, *flags))
                for number in range(REPLICAS)]

    def ok(self, result):
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def refused_start(self, *flags, data_dir):
        result = subprocess.run(
            [os.path.join(processes.BIN, "slice-server"), "--bundle",
             processes.BUNDLE, "--data-dir", data_dir, "--listen",
             "127.0.0.1:0", *flags], text=True, capture_output=True,
            check=False, timeout=processes.HANG_SECONDS)
        self.assertEqual(result.returncode, 1, result.stderr)
        return result.stderr

    def expect_equal(self, servers, version):
        for server in servers:
            wait_until(lambda: state(server)["graph_version"] >= version,
                       f"version {version}")
        states = [state(server) for server in servers]
        for one in states:
            self.assertEqual(one, states[0])
        self.assertEqual(states[0]["graph_version"], version)

    def test_changes_of_any_replica_reach_all(self):
        servers = self.replicas()
        self.assertEqual(
            self.ok(servers[0].client("update", "node", "brand-new")),
            "changed; the graph has version 1\n")
        self.expect_equal(servers, 1)
        self.ok(servers[1].client("update", "add", "brand-new", self.relation,
                                  self.target))
        refused = servers[2].client("update", "add", "nobody", self.relation,
                                    self.target)
        self.assertEqual(refused.returncode, 64 + 5)
        self.expect_equal(servers, 3)  # the refused one is a version too
        for server in servers:
            self.assertIn("brand-new", self.ok(
                server.client("neighbors", self.target, "--relation",
                              self.relation, "--limit", "1000")))
            self.assertEqual(metric(server, "slice_feed_connected"), 1)
            self.assertEqual(metric(server, "slice_feed_entries_behind"), 0)
            self.assertEqual(metric(server, "slice_feed_entries_total"), 3)

    def test_files_sent_to_all_at_once_make_one_graph(self):
        servers = self.replicas()
        paths = []
        for number, _ in enumerate(servers):
            paths.append(os.path.join(self.folder, f"changes-{number}.tsv"))
            with open(paths[-1], "w", encoding="utf-8") as file:
                file.write(many_changes(200, seed=number).replace(
                    "new-", f"new-{number}-"))
        clients = [server.start_client("update", "file", path, "--batch", "5",
                                       "--json")
                   for server, path in zip(servers, paths)]
        sent = []
        for client in clients:
            out, errors = client.communicate(timeout=processes.HANG_SECONDS)
            self.assertEqual(client.returncode, 0, errors)
            sent.append(json.loads(out))
            self.assertEqual(sent[-1]["sent"], 200)
        self.expect_equal(servers, max(one["graph_version"] for one in sent))
        # A file that another replica was sent is known here.
        again = json.loads(self.ok(servers[0].client(
            "update", "file", paths[1], "--batch", "5", "--json")))
        self.assertEqual((again["sent"], again["sent_before"]), (0, 200))

    def test_a_killed_server_catches_up(self):
        servers = self.replicas()
        self.ok(servers[0].client("update", "node", "first"))
        self.expect_equal(servers, 1)
        servers[2].process.kill()
        servers[2].process.wait()
        for number in range(20):
            self.ok(servers[0].client("update", "node", f"node-{number}"))
        again = self.enterContext(self.replica(2))
        # It was in step before it said that it listens.
        self.assertEqual(state(again)["graph_version"], 21)
        self.expect_equal([*servers[:2], again], 21)
        found = verify(self.data_dir(2)) if again.stop() == 0 else {}
        self.assertTrue(found["ok"], found)

    def test_a_new_replica_replays_everything(self):
        with self.replica(0) as server:
            for number in range(5):
                self.ok(server.client("update", "node", f"node-{number}"))
            with self.replica(1, "--max-lag", "30s") as late:
                self.expect_equal([server, late], 5)

    def test_nats_server_killed_and_restarted(self):
        servers = self.replicas()
        self.ok(servers[0].client("update", "node", "first"))
        self.expect_equal(servers, 1)
        self.nats.nodes[0].kill()
        refused = servers[0].client("update", "node", "second", "--retries",
                                    "0")
        self.assertEqual(refused.returncode, 64 + 14, refused.stderr)
        self.assertIn("CHANGES", refused.stderr)
        for server in servers:  # questions go on
            self.ok(server.client("info"))
            self.assertIn("first", self.ok(server.client("find", "first")))
        wait_until(lambda: metric(servers[0], "slice_feed_connected") == 0,
                   "a server without its feed")
        self.assertFalse(state(servers[0])["writable"])
        # A server starts without the feed, too.
        servers[1].process.kill()
        servers[1].process.wait()
        servers[1] = self.enterContext(self.replica(1))
        self.ok(servers[1].client("find", "first"))
        self.nats.nodes[0].start()
        for number, server in enumerate(servers):
            wait_until(lambda: server.client(
                "update", "node", f"after-{number}").returncode == 0,
                "a change after nats-server came back")
        wait_until(lambda: len({json.dumps(state(server), sort_keys=True)
                                for server in servers}) == 1, "equal states")

    def test_a_stream_that_lost_its_entries_is_refused(self):
        with self.replica(0) as server:
            for number in range(3):
                self.ok(server.client("update", "node", f"node-{number}"))
        self.nats.nodes[0].kill()
        with nats_server.NatsCluster(nodes=1) as other:
            # Under this address there is a stream that was made anew.
            text = self.refused_start("--feed", other.feed(),
                                      data_dir=self.data_dir(0))
            self.assertIn("ends with version 0, and the graph here has "
                          "version 3: the feed lost its end", text)

    def admin(self, number):
        return "unix:" + os.path.join(self.folder, f"admin-{number}")

    def checkpoint(self, server, number, name):
        """Copies the graph of a replica that has this admin listener."""
        copy = os.path.join(self.folder, name)
        self.ok(server.client("checkpoint", copy, server=self.admin(number)))
        return copy

    def restore(self, copy, number):
        self.ok(subprocess.run(
            [os.path.join(processes.BIN, "slice-graph"), "restore",
             "--checkpoint", copy, "--data-dir", self.data_dir(number)],
            text=True, capture_output=True, check=False,
            timeout=processes.HANG_SECONDS))

    def test_a_replica_begins_with_a_checkpoint(self):
        path = os.path.join(self.folder, "changes.tsv")
        with open(path, "w", encoding="utf-8") as file:
            file.write(many_changes(100))
        with self.replica(0, "--admin-listen", self.admin(0)) as server:
            self.ok(server.client("update", "file", path, "--batch", "5"))
            copy = self.checkpoint(server, 0, "copy")
            copied = state(server)["graph_version"]
            self.ok(server.client("update", "add", self.target, self.relation,
                                  self.source))
            self.ok(server.client("update", "node", "later"))
            self.restore(copy, 1)
            with self.replica(1) as late:
                self.expect_equal([server, late], copied + 2)
                self.assertEqual(metric(late, "slice_feed_entries_total"), 2)
                again = json.loads(self.ok(late.client(
                    "update", "file", path, "--batch", "5", "--json")))
                self.assertEqual((again["sent"], again["sent_before"]),
                                 (0, 100))

    def test_a_checkpoint_that_is_older_than_the_stream_is_refused(self):
        with self.replica(0, "--admin-listen", self.admin(0)) as server:
            self.ok(server.client("update", "node", "first"))
            old = self.checkpoint(server, 0, "old")
            for number in range(4):
                self.ok(server.client("update", "node", f"node-{number}"))
            purged = self.nats.nodes[0].request(
                "$JS.API.STREAM.PURGE.CHANGES", {"seq": 4})
            self.assertEqual(purged.get("purged"), 3, purged)
            needed = "begins with version 4, and the graph here has version "
            for name, version in (("empty", 0), ("old", 1)):
                data_dir = os.path.join(self.folder, name + "-data")
                if version:
                    self.restore(old, 1)
                    data_dir = self.data_dir(1)
                text = self.refused_start("--feed", self.nats.feed(),
                                          data_dir=data_dir)
                self.assertIn(f"{needed}{version} and needs {version + 1}: "
                              "start from a newer checkpoint", text)
            # The way out.
            self.restore(self.checkpoint(server, 0, "new"), 2)
            with self.replica(2) as late:
                self.ok(late.client("update", "node", "last"))
                self.expect_equal([server, late], 6)

    def test_a_question_waits_for_a_change_of_another_replica(self):
        servers = self.replicas()
        question = ("predict", self.source, self.relation, self.target,
                    "--min-graph-version")
        for number in range(1, 11):
            self.ok(servers[0].client("update", "node", f"node-{number}"))
            self.ok(servers[1].client(*question, str(number)))
        late = servers[1].client(*question, "11", "--max-time", "1")
        self.assertEqual(late.returncode, 64 + 4)

    def test_a_missing_stream_is_named_with_the_way_out(self):
        feed = self.nats.feed("NONE").split("?", maxsplit=1)[0]
        text = self.refused_start("--feed", feed, data_dir=self.data_dir(0))
        self.assertIn("there is no stream 'NONE'", text)
        self.assertIn("?replicas=1", text)

    def test_a_graph_with_other_versions_does_not_follow(self):
        with Server("--accept-updates", data_dir=self.data_dir(0)) as server:
            self.ok(server.client("update", "node", "local"))
        # The feed goes on beyond it, with other changes.
        with self.replica(1) as server:
            for number in range(3):
                self.ok(server.client("update", "node", f"node-{number}"))
        text = self.refused_start("--feed", self.nats.feed(),
                                  data_dir=self.data_dir(0))
        self.assertIn("came from no change feed", text)
        # And the other way around.
        with Server("--accept-updates", data_dir=self.data_dir(1)) as server:
            refused = server.client("update", "node", "local")
            self.assertEqual(refused.returncode, 64 + 9, refused.stderr)
            self.assertIn("--feed", refused.stderr)

    def test_a_reading_replica_takes_no_changes(self):
        with self.replica(0) as server, \
                Server("--feed", self.nats.feed(),
                       data_dir=self.data_dir(1)) as reader:
            self.ok(server.client("update", "node", "brand-new"))
            wait_until(lambda: reader.client(
                "find", "brand-new").returncode == 0, "the new node")
            refused = reader.client("update", "node", "another")
            self.assertEqual(refused.returncode, 64 + 9, refused.stderr)

    def test_readiness_waits_until_the_lag_is_small(self):
        """nats-server stops in its tracks, so that a replica which counts the
        time becomes unready, and ready again when it goes on."""
        with self.replica(0, "--max-lag", "2s") as server:
            node = self.nats.nodes[0].process

            def ready():
                return "\nslice_ready 1\n" in server.scrape()
            self.assertTrue(ready())
            node.send_signal(19)  # SIGSTOP
            try:
                wait_until(lambda: not ready(), "NOT_SERVING")
                self.ok(server.client("find", "curl"))
            finally:
                node.send_signal(18)  # SIGCONT
            wait_until(ready, "SERVING")


if __name__ == "__main__":
    if nats_server.find() is None:
        print("skipped: nats-server is not installed")
        sys.exit(77)
    unittest.main()
