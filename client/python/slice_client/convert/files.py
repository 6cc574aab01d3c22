"""The trainer's files: links.tsv and nodes.tsv, with headers."""

from __future__ import annotations

import dataclasses
import os
import pathlib
from collections.abc import Iterable, Iterator

LINKS, NODES = "links.tsv", "nodes.tsv"
_LINK_COLUMNS = ("source", "relation", "target")
_NODE_COLUMNS = ("key", "type", "name")
_MOST_BYTES = 1024  # of a text, as the trainer has it

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


def _checked(text: str, what: str) -> str:
    if not text:
        raise ValueError(f"{what} is empty")
    if any(one in text for one in "\t\n\r\0"):
        raise ValueError(f"{what} {text!r} has a tab or a line break; replace "
                         "it before the conversion")
    if len(text.encode()) > _MOST_BYTES:
        raise ValueError(f"{what} {text[:40]!r}... has more than "
                         f"{_MOST_BYTES} bytes")
    return text


def _link_row(link: GraphLink, number: int, weighted: bool,
              timed: bool) -> list[str]:
    row = [_checked(link.source, f"the source of link {number}"),
           _checked(link.relation, f"the relation of link {number}"),
           _checked(link.target, f"the target of link {number}")]
    for wanted, value, name in ((weighted, link.weight, "weight"),
                                (timed, link.time, "time")):
        if wanted != (value is not None):
            raise ValueError(f"link {number} has {'no' if wanted else 'a'} "
                             f"{name}, unlike the first link")
        if value is not None:
            row.append(_checked(str(value), f"the {name} of link {number}"))
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
        if links == 0:
            raise ValueError("the graph has no links")
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
    count, relations = 0, set()
    weighted = timed = False
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for link in links:
            if count == 0:
                weighted = link.weight is not None
                timed = link.time is not None
                header = [*_LINK_COLUMNS, *["weight"] * weighted,
                          *["time"] * timed]
                file.write("\t".join(header) + "\n")
            count += 1
            row = _link_row(link, count, weighted, timed)
            file.write("\t".join(row) + "\n")
            relations.add(link.relation)
    return count, len(relations)


def _write_nodes(nodes: Iterable[GraphNode], path: pathlib.Path) -> int:
    seen: set[str] = set()
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write("\t".join(_NODE_COLUMNS) + "\n")
        for node in nodes:
            if node.key in seen:
                raise ValueError(f"node {node.key!r} comes twice")
            seen.add(node.key)
            row = [_checked(node.key, "the key of a node"),
                   _checked(node.type, f"the type of node {node.key!r}"),
                   _checked(node.name or node.key,
                            f"the name of node {node.key!r}")]
            file.write("\t".join(row) + "\n")
    return len(seen)


def _rows(path: pathlib.Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        header = next(file).rstrip("\n").split("\t")
        for number, line in enumerate(file, 2):
            fields = line.rstrip("\n").split("\t")
            if len(fields) != len(header):
                raise ValueError(f"{path}:{number}: {len(fields)} columns, the "
                                 f"header has {len(header)}")
            yield dict(zip(header, fields, strict=True))


def read_links(path: Folder) -> Iterator[GraphLink]:
    """The links of a file that write() made."""
    for row in _rows(pathlib.Path(path)):
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
         for row in _rows(nodes)) if nodes.exists() else ())
