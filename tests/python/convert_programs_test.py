"""The programs read what the Python client converts, key by key."""

import csv
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import installed  # noqa: E402, F401  (before what it finds)
import processes  # noqa: E402
from slice_client import convert  # noqa: E402
from slice_client.convert import Graph, GraphLink, GraphNode  # noqa: E402

# Keys that a reader of text files may take for something else.
KEYS = ("#tag", "#", '"x"', "x", '"open', ' "x"', '""', 'a "b" c', "source",
        "source_", "target", "target__", "Source", "relation", "key", "id",
        "#source", '#"x"', " blanks ", "'x'", "a,b;c", "1", "ü", "\u2028")


def run(program, *arguments):
    done = subprocess.run(
        [os.path.join(processes.BIN, program), *arguments], text=True,
        capture_output=True, check=False, timeout=processes.HANG_SECONDS)
    if done.returncode != 0:
        raise AssertionError(f"{program} {arguments}: {done.stderr}")
    return done.stdout


def table(path):
    """The rows of a file that slice-graph wrote, by the names of its columns."""
    with open(path, encoding="utf-8", newline="") as file:
        lines = list(file)
    quoted = any(line.startswith('"') for line in lines[:2])
    header, *rows = csv.reader(
        lines, delimiter="\t",
        quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE)
    names = [name.lstrip("# ").rstrip("_") for name in header]
    return [dict(zip(names, row, strict=True)) for row in rows]


class ProgramsTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, *names):
        return os.path.join(self.folder, *names)


class ImportTest(ProgramsTest):

    def exported(self, links, nodes=()):
        """What a store has of a graph: its links, and its nodes by key."""
        name = f"g{len(os.listdir(self.folder))}"
        graph = Graph(links, nodes)
        written = convert.write(graph, self.path(name))
        self.assertEqual(list(convert.read(self.path(name)).links), links)
        self.assertEqual(list(convert.read(self.path(name)).nodes), list(nodes))
        store, out = self.path(name, "store"), self.path(name, "out")
        counts = json.loads(run(
            "slice-graph", "import", "--json", "--data-dir", store,
            "--train", self.path(name, "links.tsv"),
            *(["--nodes", self.path(name, "nodes.tsv")] if nodes else [])))
        self.assertEqual(counts["links"], written.links)
        run("slice-graph", "export", "--data-dir", store, "--out", out)
        return ({(row["source"], row["relation"], row["target"])
                 for row in table(os.path.join(out, "links.tsv"))},
                {row["key"]: (row["type"], row["name"])
                 for row in table(os.path.join(out, "nodes.tsv"))})

    def check(self, links, nodes=()):
        found, keys = self.exported(links, nodes)
        self.assertEqual(found, {(one.source, one.relation, one.target)
                                 for one in links})
        if nodes:
            self.assertEqual(keys, {one.key: (one.type, one.name)
                                    for one in nodes})
        else:
            self.assertEqual(set(keys), {key for one in links
                                         for key in (one.source, one.target)})

    def test_each_key_alone(self):
        plain = [GraphLink(f"p{i % 7}", "on", f"q{i}") for i in range(40)]
        for key in KEYS:
            with self.subTest(key=key):
                self.check([GraphLink(key, "on", "q1"), *plain,
                            GraphLink("p1", "on", key)])

    def test_keys_behind_those_that_a_reader_looks_at_first(self):
        plain = [GraphLink(f"p{i % 7}", "on", f"q{i}") for i in range(20_000)]
        self.check([*plain, GraphLink("#tag", "on", '"x"'),
                    GraphLink("source", "on", "x")])

    def test_all_keys_together(self):
        links = [GraphLink(source, relation, target)
                 for source in KEYS for target in KEYS[::3]
                 for relation in ("on", '"by"', "source")]
        self.check(links)
        self.check(links, [GraphNode(key, kind, name) for key, kind, name in
                           zip(KEYS, ("t", '"t"') * len(KEYS), reversed(KEYS),
                               strict=False)])

    def test_random_keys(self):
        random.seed(1)
        for _ in range(8):
            keys = sorted({"".join(random.choices("\"#a' s", k=4)).strip() or "-"
                           for _ in range(30)} | {"source", "target"})
            self.check(sorted({GraphLink(random.choice(keys), "on",
                                         random.choice(keys))
                               for _ in range(60)}, key=str))


class TrainTest(ProgramsTest):

    def split(self, links, *flags):
        convert.write(Graph(links), self.path("g"))
        run("slice-graph", "split", "--links", self.path("g", "links.tsv"),
            "--out", self.path("split"), "--force", *flags)
        return {part: table(self.path("split", f"{part}.tsv"))
                for part in ("train", "valid", "test")}

    def test_the_parts_of_a_split_can_be_trained_on(self):
        random.seed(2)
        links = sorted({GraphLink(random.choice(["#", '"', "p"]) +
                                  str(random.randrange(60)),
                                  random.choice(["on", "by"]),
                                  f"q{random.randrange(60)}")
                        for _ in range(1500)}, key=str)
        parts = self.split(links)
        self.assertEqual({row["label"] for row in parts["test"]}, {"0", "1"})
        run("slice-trainer", "fit", "--preset", "fast", "--out",
            self.path("bundle"), *(
                flag for part in parts for flag in
                (f"--{part}", self.path("split", f"{part}.tsv"))))
        self.assertTrue(os.path.exists(self.path("bundle", "MANIFEST.json")))

    def test_a_split_by_time_knows_dates(self):
        for times in (["2026-1-1", "2026-9-1", "2026-10-1"],
                      ["2026-11-26T01:00:00Z", "2026-11-26T02:00:00Z",
                       "2026-11-25T23:00:00-05:00"]):
            links = [GraphLink(f"a{i}", "on", f"b{i % 4}",
                               time=times[i // 10 if i < 20 else 2])
                     for i in range(30)]
            parts = self.split(links, "--by", "time", "--valid-share", "0.34",
                               "--test-share", "0.34")
            self.assertEqual({row["source"] for row in parts["test"]
                              if row["label"] == "1"},
                             {f"a{i}" for i in range(20, 30)})


if __name__ == "__main__":
    unittest.main()
