"""Changes of a served graph, as a user makes them, and a server that is killed
meanwhile. SLICE_KILLS says how often each test kills it (default 4)."""

import json
import os
import random
import subprocess
import tempfile
import time
import unittest

import processes
from processes import Server

KILLS = int(os.environ.get("SLICE_KILLS", "4"))


def graph_directory(data_dir):
    graphs = os.path.join(data_dir, "graphs")
    return os.path.join(graphs, os.listdir(graphs)[0])


def verify(data_dir):
    result = subprocess.run(
        [os.path.join(processes.BIN, "slice-graph"), "verify", "--data-dir",
         graph_directory(data_dir), "--json"], text=True, capture_output=True,
        check=False, timeout=processes.HANG_SECONDS)
    return json.loads(result.stdout)


def state(server):
    result = server.client("update", "state", "--json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def many_changes(count, seed=1):
    """Lines for `update file`: new nodes, links to them, and removals."""
    relation, _, target = processes.toy_rows("test.tsv")[0][:3]
    rng = random.Random(seed)
    lines, nodes = [], []
    for i in range(count):
        kind = rng.random()
        if kind < .4 or len(nodes) < 3:
            nodes.append(f"new-{i}")
            lines.append(f"+node\t{nodes[-1]}")
        elif kind < .8:
            lines.append(f"+\t{rng.choice(nodes)}\t{relation}\t{target}")
        elif kind < .95:
            lines.append(f"-\t{rng.choice(nodes)}\t{relation}\t{target}")
        else:
            lines.append("-node\t" + nodes.pop(rng.randrange(len(nodes))))
    return "".join(line + "\n" for line in lines)


class UpdatesTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.data_dir = os.path.join(self.folder, "data")
        self.relation, self.source, self.target = \
            processes.toy_rows("test.tsv")[0][:3]

    def server(self, data_dir=None):
        return Server("--accept-updates", data_dir=data_dir or self.data_dir)

    def write(self, text):
        path = os.path.join(self.folder, "changes.tsv")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def graph(self, *arguments):
        return subprocess.run(
            [os.path.join(processes.BIN, "slice-graph"), *arguments],
            text=True, capture_output=True, check=False,
            timeout=processes.HANG_SECONDS)

    def ok(self, result):
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_a_new_node_can_be_asked_about_and_stays(self):
        with self.server() as server:
            self.assertNotEqual(
                server.client("predict", "brand-new", self.relation,
                              self.target).returncode, 0)
            self.assertEqual(
                self.ok(server.client("update", "node", "brand-new")),
                "changed; the graph has version 1\n")
            self.ok(server.client("update", "add", "brand-new", self.relation,
                                  self.target))
            self.assertEqual(
                self.ok(server.client("update", "add", "brand-new",
                                      self.relation, self.target)),
                "nothing to change; the graph has version 3\n")
            self.assertIn("brand-new", self.ok(
                server.client("neighbors", self.target, "--relation",
                              self.relation, "--limit", "1000")))
            explained = self.ok(server.client("explain", "brand-new",
                                              self.relation, self.target))
            self.assertIn("the graph has this link", explained)
            before = state(server)
        self.assertEqual(before["graph_version"], 3)
        found = verify(self.data_dir)
        self.assertTrue(found["ok"], found)
        self.assertEqual(found["graph_version"], 3)
        self.assertEqual(found["state_digest"], before["state_digest"])
        with self.server() as server:
            self.assertEqual(state(server), before)
            self.ok(server.client("predict", "brand-new", self.relation,
                                  self.target))
            self.ok(server.client("update", "remove-node", "brand-new"))
            self.assertNotEqual(
                server.client("predict", "brand-new", self.relation,
                              self.target).returncode, 0)

    def test_a_new_type_is_said_once(self):
        path = self.write("+node\tb\tpackge\t\n+node\tc\tother\t\n")
        with self.server() as server:
            self.assertEqual(
                self.ok(server.client("update", "node", "a", "packge")),
                "changed; the graph has version 1; new node type: packge\n")
            sent = json.loads(self.ok(server.client("update", "file", path,
                                                    "--json")))
            self.assertEqual(sent["added_types"], ["other"])

    def test_a_server_without_the_flag_keeps_the_changes_and_takes_none(self):
        with self.server() as server:
            self.ok(server.client("update", "node", "brand-new"))
        with Server(data_dir=self.data_dir) as server:
            self.assertIn("brand-new", self.ok(server.client("find", "brand")))
            refused = server.client("update", "node", "another")
            self.assertEqual(refused.returncode, 64 + 9)
            self.assertIn("--accept-updates", refused.stderr)
            found = state(server)
            self.assertEqual(found["graph_version"], 1)
            self.assertFalse(found["writable"])
            self.assertIn("--accept-updates", found["not_writable_reason"])

    def test_a_file_is_sent_once(self):
        path = self.write(many_changes(300))
        with self.server() as server:
            first = json.loads(self.ok(server.client(
                "update", "file", path, "--batch", "50", "--json")))
            self.assertEqual(first["sent"], 300)
            again = json.loads(self.ok(server.client(
                "update", "file", path, "--batch", "50", "--json")))
            self.assertEqual((again["sent"], again["sent_before"]), (0, 300))
            self.assertEqual(again["graph_version"], first["graph_version"])

    def test_other_batches_of_a_writer_are_refused(self):
        """The number of batches that are there says where to go on only when
        they are the same ones."""
        lines = [f"+node\tn{i}\n" for i in range(40)]
        part = self.write("".join(lines[:20]))
        with self.server() as server:
            self.ok(server.client("update", "file", part, "--writer", "w",
                                  "--batch", "5"))
            whole = self.write("".join(lines))
            send = ("update", "file", whole, "--writer", "w", "--batch")
            for batch in ("7", "40"):
                refused = server.client(*send, batch)
                self.assertEqual(refused.returncode, 64 + 9, refused.stderr)
                self.assertIn("--batch", refused.stderr)
                self.assertIn("--writer", refused.stderr)
            self.assertIn("20 were sent before",
                          self.ok(server.client(*send, "5")))
            self.assertIn("n39", self.ok(server.client("find", "n39")))
        with Server(data_dir=self.data_dir) as server:  # takes no changes
            refused = server.client(*send, "5")
            self.assertEqual(refused.returncode, 64 + 9)
            self.assertIn("--accept-updates", refused.stderr)
            self.assertNotIn("other batches", refused.stderr)

    def test_a_wrong_line_sends_nothing(self):
        path = self.write("+node\tbrand-new\n* a b\n")
        with self.server() as server:
            refused = server.client("update", "file", path)
            self.assertEqual(refused.returncode, 2)
            self.assertIn("changes.tsv:2:1: ", refused.stderr)
            self.assertEqual(state(server)["graph_version"], 0)

    def test_a_refused_change_is_named(self):
        with self.server() as server:
            refused = server.client("update", "add", "curl", "no-relation",
                                    self.target)
            self.assertEqual(refused.returncode, 64 + 9)
            self.assertIn("no relation is called 'no-relation'", refused.stderr)
            self.assertNotIn("changes[", refused.stderr)
            refused = server.client("update", "add", "nobody", self.relation,
                                    self.target)
            self.assertEqual(refused.returncode, 64 + 5)
            self.assertIn("error: NOT_FOUND: no node has the key 'nobody'; add "
                          "it first: slice-client update node nobody\n",
                          refused.stderr)
            path = self.write("# two lines\n+node\tbrand-new\n"
                              f"+\tnobody\t{self.relation}\t{self.target}\n")
            refused = server.client("update", "file", path)
            self.assertEqual(refused.returncode, 64 + 5)
            self.assertIn("changes.tsv:3: no node has the key 'nobody'; a line "
                          "with +node, a tab and its key adds it; no line is "
                          "applied", refused.stderr)
            self.assertEqual(state(server)["graph_version"], 0)

    def test_a_disk_that_fails_refuses_changes_and_nothing_else(self):
        with self.server() as server:
            self.ok(server.client("update", "node", "first"))
        for call, error, status in (("write", "ENOSPC", 64 + 8),
                                    ("write", "EIO", 64 + 14),
                                    ("sync", "EIO", 64 + 14)):
            with self.subTest(call=call, error=error):
                self.fail_disk(call, error, status)

    def test_a_full_disk_refuses_changes_until_there_is_room(self):
        """The first change after a start finds no room, then one behind many
        others, which RocksDB first moves from its log to a table."""
        full = os.path.join(self.folder, "full")
        fault = {"LD_PRELOAD": processes.FAULTY_DISK,
                 "SLICE_FAULT": f"write,ENOSPC,1,/graphs/,{full}"}
        with self.server():
            pass  # makes the data directory
        many = self.write("".join(f"+node\t{i:0>1000}\n" for i in range(5000)))
        with Server("--accept-updates", data_dir=self.data_dir,
                    variables=fault) as server:
            for time_of_need in ("at once", "later", "behind many"):
                with self.subTest(time_of_need):
                    self.refuse_while(full, server)
                    self.ok(server.client("update", "node", time_of_need))
                if time_of_need == "later":
                    self.ok(server.client("update", "file", many))
            self.assertTrue(state(server)["writable"])
            expected = state(server)
            self.assertEqual(server.stop(), 0, server.output())
        found = verify(self.data_dir)
        self.assertTrue(found["ok"], found)
        with self.server() as server:
            self.assertEqual(state(server), expected)

    def refuse_while(self, full, server):
        with open(full, "w", encoding="utf-8"):
            for _ in range(3):
                refused = server.client("update", "node", "refused",
                                        "--retries", "0")
                self.assertEqual(refused.returncode, 64 + 8, refused.stderr)
            self.assertFalse(state(server)["writable"])
            self.ok(server.client("info"))
        os.remove(full)

    def fail_disk(self, call, error, status):
        fault = {"LD_PRELOAD": processes.FAULTY_DISK,
                 "SLICE_FAULT": f"{call},{error},4,.log"}
        kept = []
        with Server("--accept-updates", data_dir=self.data_dir,
                    variables=fault) as server:
            for i in range(8):
                key = f"{call}-{error}-{i}"
                result = server.client("update", "node", key, "--retries", "0")
                if result.returncode == 0:
                    kept.append(key)
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertFalse(state(server)["writable"])
            self.ok(server.client("info"))
            self.ok(server.client("find", "first"))
        found = verify(self.data_dir)
        self.assertTrue(found["ok"], found)
        with self.server() as server:
            for key in kept:
                self.assertIn(key, self.ok(server.client("find", key)))
            self.ok(server.client("update", "node", f"{call}-{error}-after"))

    def test_what_is_acknowledged_survives_kill_9(self):
        """A file is sent to a server that is killed again and again. In the end
        the state is that of a server that was never disturbed: nothing is lost,
        doubled or torn."""
        path = self.write(many_changes(400 * KILLS))
        send = ("update", "file", path, "--batch", "5", "--json")
        calm = os.path.join(self.folder, "calm")
        with self.server(calm) as server:
            self.ok(server.client(*send))
            expected = state(server)
        rng = random.Random(7)
        for _ in range(KILLS):
            with self.server() as server:
                client = server.start_client(*send, "--retries", "0")
                before = state(server)["graph_version"]
                until = time.monotonic() + rng.uniform(0, .3)
                while time.monotonic() < until:
                    pass
                server.process.kill()
                server.process.wait()
                out, _ = client.communicate(timeout=processes.HANG_SECONDS)
            acknowledged = json.loads(out)["graph_version"] if out else before
            found = verify(self.data_dir)
            self.assertTrue(found["ok"], found)
            self.assertGreaterEqual(found["graph_version"], acknowledged)
        with self.server() as server:
            self.ok(server.client(*send))
            self.assertEqual(state(server), expected)

    def test_what_is_acknowledged_survives_power_loss_in_a_commit(self):
        """As above, but the server ends within the calls that write and flush
        its files, also while it opens them: a write is torn in the middle."""
        path = self.write(many_changes(100 * KILLS))
        send = ("update", "file", path, "--batch", "5", "--json")
        calm = os.path.join(self.folder, "calm")
        with self.server(calm) as server:
            self.ok(server.client(*send))
            expected = state(server)
        with self.server():
            pass  # makes the data directory
        rng = random.Random(11)
        last = 0
        for _ in range(KILLS):
            call = rng.choice(("write", "sync", "rename"))
            number = rng.randint(1, 6 if call == "rename" else 40)
            fault = {"LD_PRELOAD": processes.FAULTY_DISK,
                     "SLICE_FAULT": f"{call},kill,{number},/graphs/"}
            try:
                with Server("--accept-updates", data_dir=self.data_dir,
                            variables=fault) as server:
                    out = server.client(*send, "--retries", "0").stdout
                    if out:
                        last = max(last, json.loads(out)["graph_version"])
                    if server.process.poll() is None:
                        last = max(last, state(server)["graph_version"])
            except AssertionError:
                pass  # it ended while it started
            found = verify(self.data_dir)
            self.assertTrue(found["ok"], (fault, found))
            self.assertGreaterEqual(found["graph_version"], last)
            last = found["graph_version"]
        with self.server() as server:
            self.ok(server.client(*send))
            self.assertEqual(state(server), expected)

    def test_a_copy_can_be_restored(self):
        copy = os.path.join(self.folder, "copy")
        admin = "unix:" + os.path.join(self.folder, "admin")
        with Server("--accept-updates", "--admin-listen", admin,
                    data_dir=self.data_dir) as server:
            self.ok(server.client("update", "node", "brand-new"))
            before = state(server)
            made = json.loads(self.ok(server.client(
                "checkpoint", copy, "--json", server=admin)))
            self.assertEqual(made["graph_version"], 1)
            self.assertEqual(made["state_digest"], before["state_digest"])
            refused = server.client("checkpoint", copy, server=admin)
            self.assertEqual(refused.returncode, 64 + 6)
            self.assertIn("exists", refused.stderr)
            self.ok(server.client("update", "node", "later"))
            restore = ("restore", "--checkpoint", copy, "--data-dir")
            refused = self.graph(*restore, self.data_dir, "--force")
            self.assertEqual(refused.returncode, 2, refused.stderr)
            self.assertIn("stop the server first", refused.stderr)
            refused = self.graph("restore", "--checkpoint",
                                 graph_directory(self.data_dir), "--data-dir",
                                 os.path.join(self.folder, "elsewhere"))
            self.assertEqual(refused.returncode, 2, refused.stderr)
            self.assertIn("stop the server first", refused.stderr)
            self.ok(server.client("update", "node", "latest"))
        with self.server() as server:
            self.assertEqual(state(server)["graph_version"], 3)
        elsewhere = os.path.join(self.folder, "elsewhere")
        self.ok(self.graph(*restore, elsewhere))
        with self.server(elsewhere) as server:
            self.assertEqual(state(server), before)
        refused = self.graph(*restore, self.data_dir)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("--force", refused.stderr)
        self.ok(self.graph(*restore, self.data_dir, "--force"))
        with self.server() as server:
            self.assertEqual(state(server), before)

    def test_an_older_version_can_be_exported(self):
        with self.server() as server:
            self.ok(server.client("update", "node", "brand-new"))
            self.ok(server.client("update", "add", "brand-new", self.relation,
                                  self.target))
            self.ok(server.client("update", "remove-node", "brand-new"))
            served = state(server)
        stats = ("stats", "--data-dir", self.data_dir)
        shown = json.loads(self.ok(self.graph(*stats, "--json")))
        self.assertEqual(shown["state_digest"], served["state_digest"])
        self.assertIn(f"state digest {served['state_digest']}",
                      self.ok(self.graph(*stats)))
        out = os.path.join(self.folder, "out")
        for version, nodes, links in ((1, True, False), (2, True, True),
                                      (3, False, False)):
            self.ok(self.graph("export", "--data-dir", self.data_dir, "--out",
                               out, "--force", "--graph-version",
                               str(version)))
            for name, there in (("nodes.tsv", nodes), ("links.tsv", links)):
                with open(os.path.join(out, name), encoding="utf-8") as file:
                    self.assertEqual("brand-new" in file.read(), there)
        refused = self.graph(*stats, "--graph-version", "4")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("has the versions 0 to 3, not 4", refused.stderr)

    def test_a_question_waits_for_its_version(self):
        question = ("predict", self.source, self.relation, self.target,
                    "--min-graph-version")
        with self.server() as server:
            self.ok(server.client("update", "node", "brand-new"))
            self.ok(server.client(*question, "1"))
            waiting = server.start_client(*question, "2")
            late = server.client(*question, "3", "--max-time", "1")
            self.assertEqual(late.returncode, 64 + 4)
            self.assertIsNone(waiting.poll())
            self.ok(server.client("update", "node", "another"))
            self.assertEqual(waiting.wait(processes.HANG_SECONDS), 0)
            waiting.communicate()


if __name__ == "__main__":
    unittest.main()
