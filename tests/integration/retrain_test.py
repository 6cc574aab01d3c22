"""The loop back to training, with a real server: the graph changes while it is
served, slice-retrain trains on it, and the server takes the new bundle."""

import json
import os
import random
import subprocess
import tempfile
import unittest

import processes
from certificates import Authority
from processes import Server

SCRIPT = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))), "deploy", "retrain", "slice-retrain")
# Lengths of training for a small graph.
BRIEF = ("--preset", "fast", "--threads", "1")


def run(program, *arguments, variables=None):
    environment = {**os.environ,
                   "PATH": processes.BIN + os.pathsep + os.environ["PATH"],
                   **(variables or {})}
    return subprocess.run([program, *arguments], text=True,
                          capture_output=True, check=False, env=environment,
                          timeout=processes.HANG_SECONDS)


def rows(path):
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file
                if not line.startswith("#")]


class RetrainTest(unittest.TestCase):
    """A planted graph. The server's first bundle knows nine tenths of its links
    and all nodes but some; the rest comes while it is served."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.ok("slice-graph", "generate", "--nodes", "400", "--links", "5000",
               "--out", cls.path("planted"))
        links = rows(cls.path("planted", "train.tsv"))
        random.Random(1).shuffle(links)
        cls.late = {row[1] for row in links[:40]}  # nodes that come later
        cls.old = [row for row in links[600:]
                   if not cls.late & {row[1], row[2]}]
        known = {end for row in cls.old for end in row[1:3]}
        cls.nodes = rows(cls.path("planted", "nodes.tsv"))
        header = [row for row in cls.nodes if row[0] == "key"]
        cls.write("old.tsv", cls.old)
        cls.write("nodes.tsv",
                  header + [row for row in cls.nodes if row[0] in known])
        cls.known = known
        cls.new = [row for row in links if row not in cls.old]
        cls.ok("slice-trainer", "fit", "--links", cls.path("old.tsv"),
               "--nodes", cls.path("nodes.tsv"), *BRIEF,
               "--out", cls.path("first"))

    @classmethod
    def path(cls, *parts):
        return os.path.join(cls.folder, *parts)

    @classmethod
    def ok(cls, *command):
        result = run(*command)
        assert result.returncode == 0, result.stderr
        return result.stdout

    @classmethod
    def write(cls, name, lines):
        with open(cls.path(name), "w", encoding="utf-8") as file:
            file.writelines("\t".join(line) + "\n" for line in lines)

    def setUp(self):
        self.work = tempfile.TemporaryDirectory(dir=self.folder)
        self.addCleanup(self.work.cleanup)
        self.models = os.path.join(self.work.name, "models")
        self.data_dir = os.path.join(self.work.name, "data")
        os.mkdir(self.models)
        run("cp", "-R", self.path("first"), os.path.join(self.models, "first"))
        self.current = os.path.join(self.models, "current")
        os.symlink("first", self.current)
        self.admin = "unix:" + os.path.join(self.work.name, "admin")
        self.server = self.enterContext(
            Server("--accept-updates", "--watch-bundle", "--admin-listen",
                   self.admin, bundle=self.current, data_dir=self.data_dir))

    def info(self):
        result = self.server.client("info", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def change_graph(self):
        """What the bundle has not seen: new nodes with their links, one of them
        of a new kind, and links between old ones."""
        types = {row[0]: row[1] for row in self.nodes}
        added = {end for row in self.new for end in row[1:3]} - self.known
        lines = [f"+node\t{key}\t{types[key]}" for key in sorted(added)]
        # First, so that the next training holds none of these links out.
        lines += ["+node\tvisitor\tguest"]
        lines += [f"+\tvisitor\t{row[0]}\t{row[2]}" for row in self.old[40:60]]
        lines += [f"+\t{row[1]}\t{row[0]}\t{row[2]}" for row in self.new]
        lines += [f"-\t{row[1]}\t{row[0]}\t{row[2]}" for row in self.old[:20]]
        path = os.path.join(self.work.name, "changes.tsv")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)
        result = self.server.client("update", "file", "--batch", "50", path)
        self.assertEqual(result.returncode, 0, result.stderr)
        return added

    def type_of(self, key):
        return next(row[1] for row in self.nodes if row[0] == key)

    def kinds_of_sources(self):
        """The types of the sources of any relation."""
        result = self.server.client("relations", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return {kind for relation in json.loads(result.stdout)["relations"]
                for kind in relation["source_types"]}

    def flags_of(self, source, relation, target):
        """What the answer to a question says of it."""
        result = self.server.client("predict", "--flags", source, relation,
                                    target, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def retrain(self, *flags, fit=(), variables=None):
        return run(SCRIPT, "--models", self.models, "--data-dir",
                   self.data_dir, "--server", self.server.address, *flags,
                   "--", "--threads", "1", *fit, variables=variables)

    def test_the_changed_graph_becomes_the_next_bundle(self):
        added = self.change_graph()
        # What files take for comments and quotes. The catalogue keeps it.
        for change in (("node", "#hash", "guest"), ("node", '"quoted', "#type"),
                       ("remove-node", '"quoted')):
            result = self.server.client("update", *change)
            self.assertEqual(result.returncode, 0, result.stderr)
        before = self.info()
        self.assertNotIn("guest", self.kinds_of_sources())
        # So brief a training may lose one relation of four by chance.
        margin = ("--margin", "0.05")
        result = self.retrain(*margin)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("may replace the current bundle", result.stderr)
        after = self.info()
        self.assertNotEqual(after["bundle_id"], before["bundle_id"])
        with open(os.path.join(self.current, "MANIFEST.json"),
                  encoding="utf-8") as file:
            manifest = json.load(file)
        self.assertEqual(manifest["bundle_id"], after["bundle_id"])
        self.assertEqual(manifest["warm_start"], before["bundle_id"])
        # The live graph goes on: nothing is lost, the held-out links included.
        self.assertEqual(after["graph_version"], before["graph_version"])
        self.assertEqual(after["base_graph_version"], before["graph_version"])
        neighbor = next(row for row in self.new if row[1] in added)
        listed = self.server.client("neighbors", neighbor[1], "--json")
        self.assertIn(neighbor[2], listed.stdout)
        # The new bundle knows the new nodes.
        answer = self.server.client("predict", "--flags", neighbor[1],
                                    neighbor[0], neighbor[2], "--json")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertNotIn("unknown_source", answer.stdout)
        self.assertIn("guest", self.kinds_of_sources())
        relation, _, target = self.old[100][:3]
        self.assertNotIn("off_schema",
                         self.flags_of("visitor", relation, target))
        # A second run has nothing to do.
        again = self.retrain(*margin)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("nothing to do", again.stderr)
        self.assertEqual(self.info()["bundle_id"], after["bundle_id"])

    def test_a_bundle_of_version_v_is_served_at_version_v_plus_n(self):
        self.change_graph()
        trained = self.info()["graph_version"]
        store = os.path.join(self.work.name, "copy")
        copied = self.server.client("checkpoint", store, server=self.admin)
        self.assertEqual(copied.returncode, 0, copied.stderr)
        # Changes that the training does not see: a node, and a removed link.
        relation, source, target = self.old[30][:3]
        path = os.path.join(self.work.name, "later.tsv")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"+node\tnewest\t{self.type_of(source)}\n"
                       f"+\tnewest\t{relation}\t{target}\n"
                       f"-\t{source}\t{relation}\t{target}\n")
        for client in (("update", "file", path),
                       ("update", "add", "newest", *self.old[31][:1],
                        self.old[31][2])):
            result = self.server.client(*client)
            self.assertEqual(result.returncode, 0, result.stderr)
        later = self.info()["graph_version"]
        self.assertGreater(int(later), int(trained))

        first = os.path.join(self.models, "first")
        second = os.path.join(self.models, "second")
        self.ok("slice-trainer", "fit", "--from-store", store, "--warm-start",
                first, "--split-by", "newest", *BRIEF, "--out", second)
        with open(os.path.join(second, "MANIFEST.json"),
                  encoding="utf-8") as file:
            manifest = json.load(file)
        origin = manifest["live_graph"]
        self.assertEqual(str(origin["graph_version"]), str(trained))
        self.assertIn(origin["graph_digest"],
                      os.listdir(os.path.join(self.data_dir, "graphs")))
        said = self.ok("slice-trainer", "gate", "--candidate", second,
                       "--current", first, "--same-graph", "--test",
                       second + ".work/split/test.tsv")
        self.assertIn("may replace the current bundle", said)

        loaded = self.server.client("models", "load", "default", second,
                                    server=self.admin)
        self.assertEqual(loaded.returncode, 0, loaded.stderr)
        after = self.info()
        self.assertEqual(after["bundle_id"], manifest["bundle_id"])
        self.assertEqual((after["graph_version"], after["base_graph_version"]),
                         (later, trained))
        # The changes after v are there, and the node is answered about.
        listed = self.server.client("neighbors", "newest", "--json")
        self.assertIn(target, listed.stdout)
        self.assertNotIn("exists", self.flags_of(source, relation, target))
        flags = self.flags_of("newest", relation, target)
        self.assertIn("unknown_source", flags)
        self.assertIn("exists", flags)

    def test_a_worse_bundle_is_refused(self):
        self.change_graph()
        before = self.info()
        result = self.retrain("--fresh", fit=(
            "--structural-epochs", "1", "--structural-positives", "64",
            "--structural-learning-rate", "1e-7"))
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("is worse", result.stderr)
        self.assertEqual(os.readlink(self.current), "first")
        self.assertEqual(self.info()["bundle_id"], before["bundle_id"])
        refused = os.path.join(self.models, "refused")
        [stamp] = os.listdir(refused)
        self.assertEqual(sorted(os.listdir(os.path.join(refused, stamp))),
                         ["gate.txt", "report"])

    def old_bundles(self, *times):
        for time in times:
            os.mkdir(os.path.join(self.models, time))
            with open(os.path.join(self.models, f"{time}.gate.txt"), "w",
                      encoding="utf-8"):
                pass

    def test_a_bundle_that_the_server_does_not_take_is_taken_back(self):
        """The link that the server watches is another one."""
        self.change_graph()
        other = os.path.join(self.work.name, "other")
        os.mkdir(other)
        run("cp", "-R", self.path("first"), os.path.join(other, "first"))
        os.symlink("first", os.path.join(other, "current"))
        self.models = other
        self.old_bundles("20200101T000000Z")
        os.makedirs(os.path.join(other, "refused", "20200101T000000Z"))
        result = self.retrain("--margin", "0.5", "--wait", "1", "--keep", "1")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("did not take", result.stderr)
        self.assertIn("current leads to first again", result.stderr)
        self.assertEqual(os.readlink(os.path.join(other, "current")), "first")
        # Of the refused bundle, the report stays; the older refused one goes.
        # The bundle of an earlier night is there for a rollback.
        self.assertEqual(
            sorted(name for name in os.listdir(other)
                   if not name.startswith(".")),
            ["20200101T000000Z", "20200101T000000Z.gate.txt", "current",
             "first", "refused"])
        [stamp] = os.listdir(os.path.join(other, "refused"))
        self.assertGreater(stamp, "2020")
        self.assertEqual(
            sorted(os.listdir(os.path.join(other, "refused", stamp))),
            ["gate.txt", "report"])

    def test_the_newest_older_bundles_stay(self):
        self.change_graph()
        self.old_bundles("20200101T000000Z", "20200102T000000Z",
                         "20200103T000000Z")
        result = self.retrain("--margin", "0.5", "--keep", "1")
        self.assertEqual(result.returncode, 0, result.stderr)
        now = os.readlink(self.current)
        self.assertEqual(
            sorted(name for name in os.listdir(self.models)
                   if not name.startswith(".")),
            sorted(["20200103T000000Z", "20200103T000000Z.gate.txt", now,
                    f"{now}.gate.txt", "current", "first"]))

    def test_a_link_that_somebody_turned_stays(self):
        """While the training runs, an operator goes back to another bundle."""
        self.change_graph()
        run("cp", "-R", self.path("first"),
            os.path.join(self.models, "rollback"))
        programs = os.path.join(self.work.name, "programs")
        os.mkdir(programs)
        trainer = os.path.join(programs, "slice-trainer")
        with open(trainer, "w", encoding="utf-8") as file:
            file.write("#!/bin/bash\n"
                       f"ln -sfn rollback '{self.current}'\n"
                       f"exec '{processes.BIN}/slice-trainer' \"$@\"\n")
        os.chmod(trainer, 0o755)
        result = self.retrain("--margin", "0.5", variables={
            "PATH": os.pathsep.join((programs, processes.BIN,
                                     os.environ["PATH"]))})
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("current leads to rollback meanwhile", result.stderr)
        self.assertEqual(os.readlink(self.current), "rollback")

    def test_too_few_new_links_have_a_status_of_their_own(self):
        result = self.server.client("update", "remove", self.old[0][1],
                                    self.old[0][0], self.old[0][2])
        self.assertEqual(result.returncode, 0, result.stderr)
        result = self.retrain()
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("too few new links", result.stderr)
        self.assertEqual(os.readlink(self.current), "first")
        # A wrong flag of fit is no quiet night.
        result = self.retrain(fit=("--dimm", "3"))
        self.assertEqual(result.returncode, 2, result.stderr)

    def test_half_of_a_bundle_does_not_stop_later_runs(self):
        self.change_graph()
        os.makedirs(os.path.join(self.models, "candidate", "report"))
        result = self.retrain("--margin", "0.5")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_without_changes_there_is_nothing_to_do(self):
        result = self.retrain()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("nothing to do", result.stderr)

    def test_a_server_with_tls_and_tokens_is_asked_as_slice_client_asks(self):
        folder = os.path.join(self.work.name, "tls")
        os.mkdir(folder)
        authority = Authority(folder)
        cert, key = authority.sign("server", "DNS:slice.example.org")
        self.server.stop()
        with Server("--tls-cert", cert, "--tls-key", key,
                    bundle=self.current, data_dir=self.data_dir) as server:
            without = self.retrain("--server", server.address)
            self.assertEqual(without.returncode, 1, without.stderr)
            result = self.retrain("--server", server.address,
                                  "--cacert", authority.path,
                                  "--server-name=slice.example.org")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("nothing to do", result.stderr)

    def test_a_server_that_does_not_answer_is_a_failure(self):
        self.server.stop()
        result = self.retrain()
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("the server does not say", result.stderr)

    def test_wrong_usage_names_the_way_out(self):
        for flags, words in ((["--models", self.models], "--data-dir"),
                             (["--models", self.data_dir, "--data-dir",
                               self.data_dir], "ln -s BUNDLE current"),
                             (["--modles"], "unknown flag"),
                             (["--models", self.models, "--data-dir",
                               self.models], "no folder graphs"),
                             (["--models", self.models, "--data-dir",
                               self.data_dir, "--margin", "abc"], "'abc'"),
                             (["--models", self.models, "--data-dir",
                               self.data_dir, "--least-changes", "08"],
                              "'08'")):
            result = run(SCRIPT, *flags)
            self.assertEqual(result.returncode, 2)
            self.assertIn(words, result.stderr)


if __name__ == "__main__":
    unittest.main()
