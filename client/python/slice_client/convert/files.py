"""The trainer's files: links.tsv and nodes.tsv, with headers."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import re
from collections.abc import Iterable, Iterator

from slice_client.convert import rows

LINKS, NODES = "links.tsv", "nodes.tsv"
_LINK_COLUMNS = ("source", "relation", "target")
_NODE_COLUMNS = ("key", "type", "name")
_MOST_BYTES = 1024  # of a text, as the trainer has it
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")
_BREAKS = re.compile("[\0\t\n\r]")

Folder = str | os.PathLike[str]


@dataclasses.dataclass(frozen=True, slots=True)
class GraphLink:
    source: str
    relation: str
    target: str
    weight: float | None = None
    time: str | None = None  # a number or a date


@dataclasses.dataclass(frozen=True, slots=True)
class GraphNode:
    key: str
    type: str = "node"
    name: str = ""  # empty: the key


@dataclasses.dataclass(frozen=True)
class Graph:
    """Links and, where they are known, nodes. Both may be read only once: a
    graph of any size is converted while it is read."""

    links: Iterable[GraphLink]
    nodes: Iterable[GraphNode] = ()


@dataclasses.dataclass(frozen=True)
class Written:
    links: int
    nodes: int
    relations: int


def _text(text: str, what: str, forbidden: re.Pattern[str]) -> str:
    if not text.strip(" "):
        raise ValueError(f"{what} is {text!r}: give it a text, or leave it out")
    if forbidden.search(text):
        raise ValueError(f"{what} {text!r} has a line break, a tab or another "
                         "control character; replace it before the conversion")
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise ValueError(f"{what} {text!r} has half of a character, a lone "
                         "surrogate; replace it") from None
    if size > _MOST_BYTES:
        raise ValueError(f"{what} {text[:40]!r}... has {size} bytes, and at "
                         f"most {_MOST_BYTES} are allowed; shorten it")
    return text


def _identifier(text: str, what: str) -> str:
    """A key, a relation or a type."""
    return _text(text, what, _CONTROLS)


def _name(node: GraphNode) -> str:
    """The trainer replaces the other control characters of a name."""
    return _text(node.name if node.name.strip(" ") else node.key,
                 f"the name of node {node.key!r}", _BREAKS)


def _link_row(link: GraphLink, number: int, weighted: bool,
              timed: bool) -> list[str]:
    row = [_identifier(link.source, f"the source of link {number}"),
           _identifier(link.relation, f"the relation of link {number}"),
           _identifier(link.target, f"the target of link {number}")]
    for wanted, value, name in ((weighted, link.weight, "weight"),
                                (timed, link.time, "time")):
        if wanted != (value is not None):
            raise ValueError(f"link {number} has {'no' if wanted else 'a'} "
                             f"{name}, unlike the first link")
        if value is not None:
            row.append(_identifier(str(value), f"the {name} of link {number}"))
    return row


def write(graph: Graph, folder: Folder) -> Written:
    """Writes links.tsv and, if nodes are known, nodes.tsv into a folder, which
    is made; those of an earlier graph are replaced. ValueError for a text that
    no file of the trainer may hold, naming it; then nothing is left behind."""
    out = pathlib.Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    parts = {out / LINKS: out / f"{LINKS}.part",
             out / NODES: out / f"{NODES}.part"}
    try:
        links, relations = _write_links(graph.links, parts[out / LINKS])
        nodes = _write_nodes(graph.nodes, parts[out / NODES])
        for path, part in parts.items():
            if path.name == NODES and nodes == 0:
                path.unlink(missing_ok=True)
            else:
                part.replace(path)
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)
    return Written(links, nodes, relations)


def _write_links(links: Iterable[GraphLink],
                 path: pathlib.Path) -> tuple[int, int]:
    columns = list(_LINK_COLUMNS)
    relations: set[str] = set()
    with rows.Rows(path.parent) as table:
        for link in links:
            if table.count == 0:
                columns += ["weight"] * (link.weight is not None)
                columns += ["time"] * (link.time is not None)
            table.append(_link_row(link, table.count + 1, "weight" in columns,
                                   "time" in columns))
            relations.add(link.relation)
        if table.count == 0:
            raise ValueError("the graph has no links")
        table.save(path, columns)
        return table.count, len(relations)


def _write_nodes(nodes: Iterable[GraphNode], path: pathlib.Path) -> int:
    seen: set[str] = set()
    with rows.Rows(path.parent) as table:
        for node in nodes:
            if node.key in seen:
                raise ValueError(f"node {node.key!r} comes twice")
            seen.add(node.key)
            table.append([
                _identifier(node.key, "the key of a node"),
                _identifier(node.type, f"the type of node {node.key!r}"),
                _name(node)])
        table.save(path, _NODE_COLUMNS)
    return len(seen)


def read_links(path: Folder) -> Iterator[GraphLink]:
    """The links of a file that write() made."""
    for row in rows.read(pathlib.Path(path)):
        weight = row.get("weight")
        yield GraphLink(row["source"], row["relation"], row["target"],
                        None if weight is None else float(weight),
                        row.get("time"))


def read(folder: Folder) -> Graph:
    """The graph of a folder that write() made."""
    nodes = pathlib.Path(folder) / NODES
    return Graph(
        read_links(pathlib.Path(folder) / LINKS),
        (GraphNode(row["key"], row["type"], row["name"])
         for row in rows.read(nodes)) if nodes.exists() else ())
