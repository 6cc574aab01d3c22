"""Requests of the wire contract, from what callers write."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeAlias, TypeVar

from slice_client.results import Node
from slice_client.wire.slice.v1 import graph_pb2, link_prediction_pb2

MOST_LINKS = 1024  # of a request

T = TypeVar("T")


class Key(str):
    """The key of a node, where a text alone could be a name."""

    __slots__ = ()


# A text is a key, a name or "type:name", tried in this order.
NodeLike: TypeAlias = "str | Key | Node | graph_pb2.NodeRef"
# Source, relation, target.
LinkLike: TypeAlias = "tuple[NodeLike, str, NodeLike]"
# A request that may imagine changes.
Asking: TypeAlias = ("link_prediction_pb2.PredictLinksRequest | "
                     "link_prediction_pb2.RecommendLinksRequest")


def node_ref(node: NodeLike) -> graph_pb2.NodeRef:
    if isinstance(node, graph_pb2.NodeRef):
        return node
    if isinstance(node, Node):
        return graph_pb2.NodeRef(key=node.key)
    if isinstance(node, Key):
        return graph_pb2.NodeRef(key=node)
    if isinstance(node, str):
        return graph_pb2.NodeRef(name=node)
    raise TypeError(f"{node!r} is no node: give a name, Key(...) or a Node")


def key_ref(node: NodeLike) -> graph_pb2.NodeRef:
    """Where a text is a key, as in changes of the served graph."""
    return node_ref(Key(node) if isinstance(node, str) else node)


# What a node becomes: node_ref or key_ref.
Naming: TypeAlias = Callable[[NodeLike], graph_pb2.NodeRef]


def link_ref(link: LinkLike,
             ref: Naming = node_ref) -> link_prediction_pb2.LinkRef:
    try:
        source, relation, target = link
    except (TypeError, ValueError):
        raise TypeError(
            f"{link!r} is no link: give (source, relation, target)") from None
    return link_prediction_pb2.LinkRef(
        source=ref(source), relation=relation, target=ref(target))


def change(link: LinkLike, weight: float = 0,
           ref: Naming = node_ref) -> graph_pb2.LinkChange:
    reference = link_ref(link, ref)
    return graph_pb2.LinkChange(source=reference.source,
                                relation=reference.relation,
                                target=reference.target, weight=weight)


def changes(add: Sequence[LinkLike], remove: Sequence[LinkLike],
            add_nodes: Sequence[Node] = (),
            remove_nodes: Sequence[NodeLike] = (), ref: Naming = node_ref
            ) -> list[graph_pb2.GraphChange]:
    return [
        *(graph_pb2.GraphChange(upsert_node=graph_pb2.NodeChange(
            key=node.key, name=node.name, type=node.type))
          for node in add_nodes),
        *(graph_pb2.GraphChange(add_link=change(link, ref=ref))
          for link in add),
        *(graph_pb2.GraphChange(remove_link=change(link, ref=ref))
          for link in remove),
        *(graph_pb2.GraphChange(remove_node=ref(node))
          for node in remove_nodes)]


def what_if(add: Sequence[LinkLike],
            remove: Sequence[LinkLike]) -> graph_pb2.WhatIf | None:
    wanted = changes(add, remove)
    return graph_pb2.WhatIf(changes=wanted) if wanted else None


class NoEffectWarning(UserWarning):
    """A change that a question imagines changes nothing: the graph has the link
    already, or lacks what would be removed."""


def warn_of_no_effect(request: Asking, effect: graph_pb2.WhatIfEffect) -> None:
    for place in effect.without_effect:
        change = request.what_if.changes[place]
        adds = change.HasField("add_link")
        link = change.add_link if adds else change.remove_link
        words = (link.source.key or link.source.name, link.relation,
                 link.target.key or link.target.name)
        warnings.warn(
            f"to {'add' if adds else 'remove'} {words} changes nothing: the "
            f"graph {'has this link already' if adds else 'lacks this link'}",
            NoEffectWarning, stacklevel=3)


def chunks(items: Iterable[T], size: int = MOST_LINKS) -> Iterator[list[T]]:
    """The items in lists of at most `size`, in order."""
    rest = iter(items)
    while chunk := list(islice(rest, size)):
        yield chunk
