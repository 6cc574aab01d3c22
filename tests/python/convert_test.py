"""Graphs in and out of the trainer's files."""

import csv
import os
import random
import sys
import tempfile
import types
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import installed  # noqa: E402, F401  (before what it finds)
import networkx  # noqa: E402
import numpy  # noqa: E402
import pandas  # noqa: E402
from slice_client import convert  # noqa: E402
from slice_client.convert import Graph, GraphLink, GraphNode  # noqa: E402


class ConvertTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name, text=None):
        path = os.path.join(self.folder, name)
        if text is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return path

    def links(self, graph):
        return [(one.source, one.relation, one.target) for one in graph.links]


class FilesTest(ConvertTest):

    def test_random_graphs_come_back(self):
        random.seed(1)
        for seed in range(5):
            graph = networkx.MultiDiGraph()
            for i in range(40):
                graph.add_node(f"n {i} ü", type=f"t{i % 3}", name=f"Name {i}")
            for i in range(200):
                graph.add_edge(*random.sample(list(graph), 2),
                               relation=f"r{i % 4}", weight=random.random())
            written = convert.write(convert.from_networkx(graph),
                                    self.path(f"g{seed}"))
            self.assertEqual((written.links, written.nodes, written.relations),
                             (200, 40, 4))
            back = convert.to_networkx(self.path(f"g{seed}"))
            self.assertEqual(dict(back.nodes(data=True)),
                             dict(graph.nodes(data=True)))
            self.assertEqual(sorted(map(str, back.edges(data=True))),
                             sorted(map(str, graph.edges(data=True))))

    def test_what_no_file_may_hold_is_named_and_nothing_is_left(self):
        good = GraphLink("a", "r", "b")
        for bad, words in ((GraphLink("a\tb", "r", "c"), r"source of link 2 "),
                           (GraphLink("a", "", "c"), "relation of link 2"),
                           (GraphLink("a", "r", "c\n"), "target of link 2"),
                           (GraphLink("a", "r", "x" * 1025), "1024 bytes"),
                           (GraphLink("a", "r", "b", 1.0), "link 2 has a we")):
            with self.assertRaisesRegex(ValueError, words):
                convert.write(Graph([good, bad]), self.path("g"))
            self.assertEqual(os.listdir(self.path("g")), [])
        with self.assertRaisesRegex(ValueError, "no links"):
            convert.write(Graph([]), self.path("g"))
        with self.assertRaisesRegex(ValueError, "'a' comes twice"):
            convert.write(Graph([good], [GraphNode("a"), GraphNode("a")]),
                          self.path("g"))


class ReadersTest(ConvertTest):

    def test_csv_and_parquet(self):
        rows = [{"from": "a, b", "kind": "r", "to": "c"},
                {"from": "d", "kind": "s", "to": "e"}]
        with open(self.path("x.csv"), "w", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
        pandas.DataFrame(rows).to_parquet(self.path("x.parquet"))
        columns = {"source": "from", "relation": "kind", "target": "to"}
        for graph in (convert.from_csv(self.path("x.csv"), **columns),
                      convert.from_parquet(self.path("x.parquet"), **columns)):
            self.assertEqual(self.links(graph), [("a, b", "r", "c"),
                                                 ("d", "s", "e")])
        with self.assertRaisesRegex(ValueError, "no column 'source', only"):
            self.links(convert.from_csv(self.path("x.csv")))
        self.path("y.csv", "source,target\na,b\n,c\n")
        with self.assertRaisesRegex(ValueError, "row 2 has no 'source'"):
            self.links(convert.from_csv(self.path("y.csv"), relation=None))

    def test_hetero_data(self):
        def store(**values):
            return types.SimpleNamespace(**values)

        class Data(dict):
            edge_types = [("author", "writes", "paper")]
            node_types = ["author", "paper"]

        data = Data({
            ("author", "writes", "paper"): store(
                edge_index=numpy.array([[0, 1], [1, 0]])),
            "author": store(num_nodes=2), "paper": store(num_nodes=3)})
        graph = convert.from_hetero_data(data, {"author": ["Ada", "Bo"]})
        self.assertEqual(self.links(graph), [("Ada", "writes", "paper:1"),
                                             ("Bo", "writes", "paper:0")])
        self.assertEqual(len(list(graph.nodes)), 5)

    def test_ogb(self):
        graph = convert.from_ogb({"head": numpy.array([0, 1]),
                                  "relation": numpy.array([0, 0]),
                                  "tail": numpy.array([1, 2])},
                                 entities=["a", "b", "c"], relations=["r"])
        self.assertEqual(self.links(graph), [("a", "r", "b"), ("b", "r", "c")])
        graph = convert.from_ogb({
            "edge_index_dict": {("a", "r", "b"): numpy.array([[0], [4]])},
            "num_nodes_dict": {"a": 1, "b": 5}})
        self.assertEqual(self.links(graph), [("a:0", "r", "b:4")])
        with self.assertRaisesRegex(ValueError, "neither 'head'"):
            convert.from_ogb({"edges": []})

    def test_rdf(self):
        self.path("x.ttl", """@prefix e: <http://e/> .
            @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
            e:ada a e:Person ; rdfs:label "Ada" ; e:knows e:bo ; e:age 36 .
            """)
        graph = convert.from_rdf(self.path("x.ttl"))
        self.assertEqual(self.links(graph),
                         [("http://e/ada", "http://e/knows", "http://e/bo")])
        self.assertIn(GraphNode("http://e/ada", "http://e/Person", "Ada"),
                      list(graph.nodes))

    def test_neo4j(self):
        nodes = self.path("n.csv", "id:ID(P),name,:LABEL\n1,Ada,Person;X\n"
                          "2,Bo,Person\n")
        relationships = self.path(
            "r.csv", ":START_ID(P),since,:END_ID(P),:TYPE\n1,2020,2,KNOWS\n")
        graph = convert.from_neo4j([nodes], [relationships])
        self.assertEqual(self.links(graph), [("1", "KNOWS", "2")])
        self.assertEqual(list(graph.nodes)[0], GraphNode("1", "Person", "Ada"))
        with self.assertRaisesRegex(ValueError, "no column :START_ID"):
            self.links(convert.from_neo4j([], [nodes]))

    def test_neo4j_ids_of_several_spaces_are_told_apart(self):
        people = self.path("p.csv", ":ID(Person),name,:LABEL\n1,Ada,Person\n")
        films = self.path("f.csv", ":ID(Film),name,:LABEL\n1,Alien,Film\n")
        saw = self.path("s.csv", ":START_ID(Person),:END_ID(Film),:TYPE\n"
                        "1,1,SAW\n")
        graph = convert.from_neo4j([people, films], [saw])
        self.assertEqual(self.links(graph), [("Person:1", "SAW", "Film:1")])
        self.assertEqual([node.key for node in graph.nodes],
                         ["Person:1", "Film:1"])
        self.assertEqual(self.links(convert.from_neo4j([], [saw])),
                         [("Person:1", "SAW", "Film:1")])


class SplitTest(ConvertTest):

    def deal(self, links, **how):
        convert.write(Graph(links), self.path("g"))
        counts = convert.split(self.path("g"), **how)
        parts = {part: list(convert.read(self.path(f"g/{part}")).links)
                 for part in counts}
        self.assertEqual({part: len(one) for part, one in parts.items()},
                         counts)
        self.assertEqual(sorted(map(str, sum(parts.values(), []))),
                         sorted(map(str, links)))
        pairs = [{frozenset((one.source, one.target)) for one in part}
                 for part in parts.values()]
        self.assertFalse(pairs[0] & pairs[1] or pairs[1] & pairs[2] or
                         pairs[0] & pairs[2])
        return parts

    def test_no_pair_is_on_two_sides(self):
        random.seed(2)
        links = [GraphLink(f"n{random.randrange(40)}", f"r{i % 3}",
                           f"n{random.randrange(40)}") for i in range(3000)]
        parts = self.deal(links)
        self.assertGreater(len(parts["test"]), 150)
        self.assertEqual(parts, self.deal(links))

    def test_the_latest_pairs_are_held_out(self):
        links = [GraphLink(f"a{i % 100}", "r", f"b{i % 100}", time=str(i))
                 for i in range(200)]
        parts = self.deal(links, by="time", valid=0.2, test=0.1)
        self.assertEqual({int(one.time) % 100 for one in parts["test"]},
                         set(range(90, 100)))
        dates = [GraphLink(f"a{i}", "r", f"b{i}", time=f"2026-01-{i + 1:02}")
                 for i in range(20)]
        self.assertEqual([one.time for one in self.deal(
            dates, by="time")["test"]], ["2026-01-19", "2026-01-20"])

    def test_a_part_without_a_share_is_not_written(self):
        links = [GraphLink(f"a{i}", "r", f"b{i}", time=str(i))
                 for i in range(200)]
        convert.write(Graph(links), self.path("g"))
        for by in ("random", "time"):
            for none, other in (("test", "valid"), ("valid", "test")):
                folder = self.path(f"{by}-{none}")
                convert.write(Graph(links), folder)
                counts = convert.split(folder, by=by, **{none: 0, other: 0.2})
                self.assertEqual(counts.keys(), {"train", other})
                self.assertEqual(sum(counts.values()), 200)
                self.assertAlmostEqual(counts[other], 40, delta=20)
                self.assertFalse(os.path.exists(os.path.join(folder, none)))
                if by == "time":
                    self.assertEqual(counts[other], 40)

    def test_what_cannot_be_split_is_said(self):
        convert.write(Graph([GraphLink("a", "r", "b")]), self.path("g"))
        for how, words in (({"by": "luck"}, "must be 'random' or 'time'"),
                           ({"valid": 0.6, "test": 0.6}, "below 1"),
                           ({"by": "time"}, "has no time"),
                           ({}, "would be empty")):
            with self.assertRaisesRegex(ValueError, words):
                convert.split(self.path("g"), **how)


if __name__ == "__main__":
    unittest.main()
