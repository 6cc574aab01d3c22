"""Graphs from where they live. Rows are read one by one; nothing but the nodes
of a format that lists them is held."""

from __future__ import annotations

import csv
import os
import pathlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from slice_client.convert.files import Graph, GraphLink, GraphNode

if TYPE_CHECKING:
    import networkx

Path = str | os.PathLike[str]
LINK = "link"  # the relation of links that have none, as in slice-trainer


def _is_null(value: object) -> bool:
    """None, or what stands for it in pandas: NaN, NaT or NA."""
    return value is None or (not isinstance(value, str) and
                             str(value) in ("nan", "NaT", "<NA>"))


def _is_missing(value: object) -> bool:
    return _is_null(value) or value == ""


def _number(value: object) -> float | None:
    return None if _is_missing(value) else float(str(value))


def _text(value: object) -> str | None:
    return None if _is_missing(value) else str(value)


def from_networkx(graph: networkx.Graph, *, relation: str = "relation",
                  type: str = "type", name: str = "name",
                  weight: str = "weight", time: str = "time") -> Graph:
    """A graph of NetworkX, directed or not, with parallel edges or without.
    The arguments are the names of attributes. An edge without a relation gets
    "link", a node without a type "node"."""
    def text(data: Mapping[str, Any], attribute: str, default: object) -> str:
        value = data.get(attribute)
        return str(default if _is_null(value) else value)

    links = (GraphLink(str(source), text(data, relation, LINK), str(target),
                       _number(data.get(weight)), _text(data.get(time)))
             for source, target, data in graph.edges(data=True))
    nodes = (GraphNode(str(node), text(data, type, "node"),
                       text(data, name, node))
             for node, data in graph.nodes(data=True))
    return Graph(links, nodes)


def _from_rows(rows: Iterable[Mapping[str, Any]], where: str, source: str,
               relation: str | None, target: str, weight: str | None,
               time: str | None) -> Iterator[GraphLink]:
    needed = [column for column in (source, relation, target)
              if column is not None]
    wanted = [*needed, *(column for column in (weight, time)
                         if column is not None)]
    for number, row in enumerate(rows, 1):
        for column in wanted:
            if column not in row:
                raise ValueError(f"{where}: there is no column {column!r}, "
                                 f"only {', '.join(map(repr, row))}")
        for column in needed:
            if _is_missing(row[column]):
                raise ValueError(f"{where}: row {number} has no {column!r}")
        yield GraphLink(
            str(row[source]), LINK if relation is None else
            str(row[relation]), str(row[target]),
            _number(row[weight]) if weight else None,
            _text(row[time]) if time else None)


def from_csv(path: Path, *, source: str = "source",
             relation: str | None = "relation", target: str = "target",
             weight: str | None = None, time: str | None = None,
             delimiter: str = ",") -> Graph:
    """A CSV file with a header. The arguments are the names of columns;
    relation None: all links get the relation "link"."""
    def rows() -> Iterator[Mapping[str, Any]]:
        with open(path, encoding="utf-8-sig", newline="") as file:
            yield from csv.DictReader(file, delimiter=delimiter, strict=True)

    return Graph(_from_rows(rows(), str(path), source, relation, target,
                            weight, time))


def from_parquet(path: Path, *, source: str = "source",
                 relation: str | None = "relation", target: str = "target",
                 weight: str | None = None, time: str | None = None) -> Graph:
    """A Parquet file, as from_csv. Needs pyarrow."""
    def rows() -> Iterator[Mapping[str, Any]]:
        from pyarrow import parquet

        for batch in parquet.ParquetFile(path).iter_batches():
            yield from batch.to_pylist()

    return Graph(_from_rows(rows(), str(path), source, relation, target,
                            weight, time))


def from_hetero_data(data: Any, names: Mapping[str, Sequence[str]]
                     | None = None) -> Graph:
    """A HeteroData of PyTorch Geometric. `names` has the keys of the nodes by
    node type; without them, node 7 of type "paper" is called "paper:7"."""
    def key(kind: str, number: int) -> str:
        known = (names or {}).get(kind)
        return known[number] if known is not None else f"{kind}:{number}"

    def links() -> Iterator[GraphLink]:
        for source, relation, target in data.edge_types:
            index = data[source, relation, target].edge_index
            for u, v in zip(index[0].tolist(), index[1].tolist(), strict=True):
                yield GraphLink(key(source, u), relation, key(target, v))

    nodes = (GraphNode(key(kind, number), kind) for kind in data.node_types
             for number in range(data[kind].num_nodes))
    return Graph(links(), nodes)


def from_ogb(graph: Mapping[str, Any], entities: Sequence[str] | None = None,
             relations: Sequence[str] | None = None) -> Graph:
    """Arrays of the Open Graph Benchmark: of a knowledge graph (head, relation
    and tail), or of a heterogeneous graph (edge_index_dict, num_nodes_dict).
    `entities` and `relations` name the numbers of a knowledge graph."""
    if "head" in graph:
        def name(known: Sequence[str] | None, kind: str, number: int) -> str:
            return known[number] if known is not None else f"{kind}:{number}"

        return Graph(
            GraphLink(name(entities, "node", int(head)),
                      name(relations, "relation", int(relation)),
                      name(entities, "node", int(tail)))
            for head, relation, tail in zip(graph["head"], graph["relation"],
                                            graph["tail"], strict=True))
    if "edge_index_dict" not in graph:
        raise ValueError("the arrays of OGB have neither 'head' nor "
                         f"'edge_index_dict', only {', '.join(graph)}")
    links = (GraphLink(f"{source}:{int(u)}", relation, f"{target}:{int(v)}")
             for (source, relation, target), index
             in graph["edge_index_dict"].items()
             for u, v in zip(index[0], index[1], strict=True))
    nodes = (GraphNode(f"{kind}:{number}", kind)
             for kind, count in graph.get("num_nodes_dict", {}).items()
             for number in range(int(count)))
    return Graph(links, nodes)


def from_rdf(path: Path, format: str | None = None) -> Graph:
    """An RDF file, such as N-Triples or Turtle. Needs rdflib, which holds the
    graph in memory. rdf:type gives the types, rdfs:label the names; other
    triples with literals are left out."""
    import rdflib

    store = rdflib.Graph()
    store.parse(str(path), format=format)
    types = {str(one): str(kind) for one, kind
             in store.subject_objects(rdflib.RDF.type)}
    names = {str(one): str(label) for one, label
             in store.subject_objects(rdflib.RDFS.label)}
    triples = sorted((str(s), str(p), str(o)) for s, p, o in store
                     if not isinstance(o, rdflib.Literal)
                     and p != rdflib.RDF.type)
    keys = sorted({key for s, _, o in triples for key in (s, o)})
    return Graph((GraphLink(*triple) for triple in triples),
                 (GraphNode(key, types.get(key, "node"), names.get(key, ""))
                  for key in keys))


def from_neo4j(nodes: Iterable[Path], relationships: Iterable[Path],
               name: str = "name") -> Graph:
    """CSV files of neo4j-admin, each with its header: node files with :ID and
    :LABEL, relationship files with :START_ID, :END_ID and :TYPE. Where the ids
    are of several ID spaces, such as :ID(Person), a key is SPACE:ID."""
    nodes, relationships = list(nodes), list(relationships)

    def rows(path: Path) -> Iterator[dict[str, str]]:
        with open(path, encoding="utf-8-sig", newline="") as file:
            yield from csv.DictReader(file, strict=True)

    def column_of(row: Mapping[str, str], kind: str, path: Path) -> str:
        for column in row:
            # "personId:ID(Person)", ":START_ID(Person)"
            if column.partition("(")[0].endswith(f":{kind}"):
                return column
        raise ValueError(f"{pathlib.Path(path).name}: there is no column "
                         f":{kind}, only {', '.join(map(repr, row))}")

    def field(row: Mapping[str, str], kind: str, path: Path) -> str:
        value = row[column_of(row, kind, path)]
        if _is_missing(value):
            raise ValueError(f"{pathlib.Path(path).name}: a row has no "
                             f":{kind}, only {list(row.values())}")
        return value

    def type_of(row: Mapping[str, str], path: Path) -> str:
        return (row[column_of(row, "LABEL", path)] or "node").split(";")[0]

    def space(column: str) -> str:
        return column.partition("(")[2].rstrip(")")

    spaces = {space(column_of(row, kind, path))
              for kinds, paths in ((("ID",), nodes),
                                   (("START_ID", "END_ID"), relationships))
              for path in paths for row in islice(rows(path), 1)
              for kind in kinds}

    def key(row: Mapping[str, str], kind: str, path: Path) -> str:
        value = field(row, kind, path)
        return (f"{space(column_of(row, kind, path))}:{value}"
                if len(spaces) > 1 else value)

    def plain(row: Mapping[str, str], name: str) -> str:
        return next((value or "" for column, value in row.items()
                     if column.partition(":")[0] == name), "")

    return Graph(
        (GraphLink(key(row, "START_ID", path), field(row, "TYPE", path),
                   key(row, "END_ID", path))
         for path in relationships for row in rows(path)),
        (GraphNode(key(row, "ID", path),
                   type_of(row, path), plain(row, name))
         for path in nodes for row in rows(path)))
