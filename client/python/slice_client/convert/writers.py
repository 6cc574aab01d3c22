"""The trainer's files as graphs of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slice_client.convert.files import Folder, read

if TYPE_CHECKING:
    import networkx
    import pandas


def to_networkx(folder: Folder) -> networkx.MultiDiGraph:
    """A graph with the attributes that from_networkx reads."""
    import networkx

    graph, files = networkx.MultiDiGraph(), read(folder)
    for node in files.nodes:
        graph.add_node(node.key, type=node.type, name=node.name)
    for link in files.links:
        more = {name: value for name, value in
                (("weight", link.weight), ("time", link.time))
                if value is not None}
        graph.add_edge(link.source, link.target, relation=link.relation,
                       **more)
    return graph


def to_frame(folder: Folder) -> pandas.DataFrame:
    """The links as a data frame: source, relation, target and, where they are
    known, weight and time."""
    import pandas

    rows = [(link.source, link.relation, link.target, link.weight, link.time)
            for link in read(folder).links]
    frame = pandas.DataFrame(rows, columns=["source", "relation", "target",
                                            "weight", "time"])
    return frame.dropna(axis=1, how="all")
