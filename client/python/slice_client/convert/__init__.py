"""Graphs in and out of the trainer's files.

Each reader gives a Graph; write() turns it into links.tsv and nodes.tsv, which
`slice-trainer fit --links links.tsv --nodes nodes.tsv` reads.

    from slice_client import convert

    convert.write(convert.from_networkx(graph), "mine")
    graph = convert.to_networkx("mine")
"""

from slice_client.convert.files import (
    Graph,
    GraphLink,
    GraphNode,
    Written,
    read,
    write,
)
from slice_client.convert.readers import (
    from_csv,
    from_hetero_data,
    from_neo4j,
    from_networkx,
    from_ogb,
    from_parquet,
    from_rdf,
)
from slice_client.convert.writers import to_frame, to_networkx

__all__ = [
    "Graph",
    "GraphLink",
    "GraphNode",
    "Written",
    "from_csv",
    "from_hetero_data",
    "from_neo4j",
    "from_networkx",
    "from_ogb",
    "from_parquet",
    "from_rdf",
    "read",
    "to_frame",
    "to_networkx",
    "write",
]
