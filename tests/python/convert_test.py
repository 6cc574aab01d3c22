"""Graphs in and out of the trainer's files."""

import csv
import math
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
                           (GraphLink("a", "r", "x" * 1025), "1024 are all"),
                           (GraphLink("a\x01", "r", "c"), r"'a\\x01' has a"),
                           (GraphLink("a", "\x1b[31m", "c"), "control char"),
                           (GraphLink("a", "r", "c\x85"), r"replace it before"),
                           (GraphLink("  ", "r", "c"), "source of .* is '  '"),
                           (GraphLink("a", "r", "c\ud800"), "half of a char"),
                           (GraphLink("a", "r", "b", 1.0), "link 2 has a we")):
            with self.assertRaisesRegex(ValueError, words):
                convert.write(Graph([good, bad]), self.path("g"))
            self.assertEqual(os.listdir(self.path("g")), [])
        with self.assertRaisesRegex(ValueError, "no links"):
            convert.write(Graph([]), self.path("g"))
        with self.assertRaisesRegex(ValueError, "'a' comes twice"):
            convert.write(Graph([good], [GraphNode("a"), GraphNode("a")]),
                          self.path("g"))
        with self.assertRaisesRegex(ValueError, r"type of node 'a' 't\\x7f'"):
            convert.write(Graph([good], [GraphNode("a", "t\x7f")]),
                          self.path("g"))

    def test_names_hold_what_the_trainer_replaces(self):
        nodes = [GraphNode("a", name="A \x0b \x1c \x85"), GraphNode("b", name=" ")]
        convert.write(Graph([GraphLink("a", "r", "b")], nodes), self.path("g"))
        self.assertEqual([one.name for one in convert.read(self.path("g")).nodes],
                         ["A \x0b \x1c \x85", "b"])

    def test_an_edited_file_with_a_wrong_quote_is_refused(self):
        os.mkdir(self.path("g"))
        for rows, words in (('"source"\t"relation"\t"target"\n"a\tr\tb\n',
                             "links.tsv:2: unexpected end"),
                            ("source\trelation\ttarget\na\tb\n",
                             "links.tsv:2: 2 columns, the header has 3")):
            self.path("g/links.tsv", rows)
            with self.assertRaisesRegex(ValueError, words):
                self.links(convert.read(self.path("g")))


class ReadersTest(ConvertTest):

    def test_a_row_without_a_relation_is_refused(self):
        self.path("short.csv", "source,target,relation\na,b,r\nc,d\n")
        self.path("empty.csv", "source,target,relation\na,b,r\nc,d,\n")
        pandas.DataFrame({"source": ["a", "c"], "relation": ["r", None],
                          "target": ["b", "d"]}).to_parquet(self.path("x.pq"))
        for graph in (convert.from_csv(self.path("short.csv")),
                      convert.from_csv(self.path("empty.csv")),
                      convert.from_parquet(self.path("x.pq"))):
            with self.assertRaisesRegex(ValueError, "row 2 has no 'relation'"):
                self.links(graph)

    def test_none_is_no_attribute_in_networkx(self):
        graph = networkx.MultiDiGraph()
        graph.add_node("a", type=None, name=None)
        for none in (None, math.nan, pandas.NA, pandas.NaT):
            graph.add_edge("a", "b", relation=none, weight=none, time=none)
        read = convert.from_networkx(graph)
        self.assertEqual(set(read.links), {GraphLink("a", "link", "b")})
        self.assertEqual(list(read.nodes), [GraphNode("a", "node", "a"),
                                            GraphNode("b", "node", "b")])

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

    def test_neo4j_rows_that_end_early(self):
        nodes = self.path("n.csv", ":ID,:LABEL,name\n1,Person\n2\n")
        self.assertEqual(list(convert.from_neo4j([nodes], []).nodes),
                         [GraphNode("1", "Person"), GraphNode("2", "node")])
        for row, kind in (("1,2", "TYPE"), ("1,2,", "TYPE"), ("1,,T", "END_ID")):
            links = self.path("r.csv", f":START_ID,:END_ID,:TYPE\n{row}\n")
            with self.assertRaisesRegex(ValueError, f"r.csv: a row has no :{kind}"):
                self.links(convert.from_neo4j([], [links]))

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


if __name__ == "__main__":
    unittest.main()
