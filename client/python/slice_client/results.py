"""What calls return."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from math import nan
from typing import TYPE_CHECKING, Any

from slice_client import errors
from slice_client.wire.slice.v1 import (
    graph_pb2,
    graph_update_pb2,
    link_prediction_pb2,
)

if TYPE_CHECKING:
    import networkx


@dataclasses.dataclass(frozen=True)
class Node:
    """A node of the served graph. Keys are unique, names may repeat."""

    key: str
    name: str
    type: str

    @classmethod
    def of(cls, message: graph_pb2.Node) -> Node:
        return cls(message.key, message.name, message.type)


def _named(node: graph_pb2.NodeRef) -> Node:
    """What a question says of a node."""
    return Node(node.key, node.name or node.key, node.type)


@dataclasses.dataclass(frozen=True)
class Prediction:
    """The answer about one link. Where `error` is set, the probabilities are
    NaN, and the ends have the names of the question."""

    source: Node
    relation: str
    target: Node
    # Calibrated, in [0, 1]: that the relation links this pair, among all pairs
    # of nodes; and that the target is the right one among its kind.
    probability: float
    probability_among_kind: float
    decision: bool
    # logit = logit_structural + logit_context + logit_knowledge
    logit: float
    logit_structural: float
    logit_context: float
    logit_knowledge: float
    # Sentences on what to know before the score is trusted.
    notes: tuple[str, ...]
    error: errors.SliceError | None

    @classmethod
    def of(cls, message: link_prediction_pb2.LinkResult,
           asked: link_prediction_pb2.LinkRef) -> Prediction:
        if message.status.code != 0:
            return cls(_named(asked.source), asked.relation,
                       _named(asked.target), nan, nan, False, nan, nan, nan,
                       nan, (), errors.from_status(message.status))
        return cls(
            Node.of(message.source), message.relation, Node.of(message.target),
            message.probability, message.probability_among_kind,
            message.decision, message.logit, message.logit_structural,
            message.logit_context, message.logit_knowledge,
            tuple(message.flags.notes), None)


@dataclasses.dataclass(frozen=True)
class PathStep:
    """One step of a path: along the relation, or against it."""

    relation: str
    forward: bool
    node: Node


@dataclasses.dataclass(frozen=True)
class Token:
    """A unit of attention: a node, or all paths that travel the same relations.

    `path` is one of these paths, from the source to the target; `paths` is how
    many there are. `effect` is the logit that is lost without it.
    """

    node: Node | None
    path: tuple[PathStep, ...]
    paths: int
    attention_from_source: float
    attention_from_target: float
    effect: float


@dataclasses.dataclass(frozen=True)
class Reason:
    """One thing that the score may rest on."""

    description: str
    effect: float  # logit of the link minus its logit without this
    probability_without: float
    named: bool  # whether the summary names it


@dataclasses.dataclass(frozen=True)
class Feature:
    """One number that the structural scorer reads."""

    name: str
    value: float
    contribution: float


@dataclasses.dataclass(frozen=True)
class ExplainedContext:
    """One of several contexts of a link, and its score from this one alone.

    Its tokens have no effects: these are known for the link alone.
    """

    tokens: tuple[Token, ...]
    attention: Sequence[Sequence[Sequence[Sequence[float]]]]
    logit: float
    probability: float

    @classmethod
    def of(cls, message: link_prediction_pb2.ExplainedContext
           ) -> ExplainedContext:
        return cls(tuple(_token(one) for one in message.tokens),
                   _matrices(message.attention), message.logit,
                   message.probability)


@dataclasses.dataclass(frozen=True)
class Explanation:
    """Why a link got its score. In a notebook it draws itself."""

    prediction: Prediction
    summary: str
    tokens: tuple[Token, ...]
    reasons: tuple[Reason, ...]
    features: tuple[Feature, ...]
    # [layers][heads][tokens][tokens]: how much a token receives from each.
    attention: Sequence[Sequence[Sequence[Sequence[float]]]]
    truncated: bool
    # [layers + 1][tokens][2]: the cosines of each token's representation with
    # the source and with the target, as embeddings and after each layer. Empty
    # when the server does not say.
    cosines: Sequence[Sequence[Sequence[float]]] = ()
    # One for each context, as drawn, when the link has several; the first is
    # that of `tokens`. The logit of the link is the "mean" or the "max" of
    # theirs.
    contexts: tuple[ExplainedContext, ...] = ()
    context_pooling: str = ""

    @classmethod
    def of(cls, result: link_prediction_pb2.LinkResult,
           asked: link_prediction_pb2.LinkRef) -> Explanation:
        """Raises the error of the link, if it has one."""
        prediction = Prediction.of(result, asked)
        if prediction.error is not None:
            raise prediction.error
        message = result.explanation
        return cls(
            prediction, message.summary,
            tuple(_token(one) for one in message.tokens),
            tuple(Reason(one.description, one.logit_effect,
                         one.probability_without, one.named)
                  for one in message.evidence),
            tuple(Feature(one.name, one.value, one.contribution)
                  for one in message.pair_features),
            _matrices(message.attention), message.truncated,
            _cosines(message),
            tuple(ExplainedContext.of(one) for one in message.contexts),
            message.context_pooling)

    def to_networkx(self) -> networkx.MultiDiGraph:
        """The context as a graph: the two ends, and the paths between them.

        Nodes are keys, with `name` and `type`; edges have `relation`, `token`
        (a position in `tokens`) and `attention` (the mean of both ends').
        """
        import networkx

        graph = networkx.MultiDiGraph()
        link = self.prediction
        for node in (link.source, link.target):
            graph.add_node(node.key, name=node.name, type=node.type)
        for place, token in enumerate(self.tokens):
            attention = (token.attention_from_source +
                         token.attention_from_target) / 2
            here = link.source.key
            for step in token.path:
                graph.add_node(step.node.key, name=step.node.name,
                               type=step.node.type)
                ends = (here, step.node.key)
                graph.add_edge(*(ends if step.forward else ends[::-1]),
                               relation=step.relation, token=place,
                               attention=attention)
                here = step.node.key
        return graph

    def _repr_html_(self) -> str:
        from slice_client import notebook

        return notebook.explanation_html(self)


def _token(message: link_prediction_pb2.ExplanationToken) -> Token:
    steps = tuple(PathStep(step.relation,
                           step.direction == graph_pb2.DIRECTION_OUT,
                           Node.of(step.node)) for step in message.path)
    node = Node.of(message.node) if message.HasField("node") else None
    return Token(node, steps, message.path_count,
                 message.attention_from_source, message.attention_from_target,
                 message.logit_effect)


def _cosines(
        message: link_prediction_pb2.Explanation) -> list[list[list[float]]]:
    values = list(message.token_cosines)
    size = 2 * len(message.tokens)
    return [[values[token:token + 2] for token in range(begin, begin + size, 2)]
            for begin in range(0, len(values), size)]


def _matrices(message: link_prediction_pb2.AttentionMatrix) -> Any:
    values = list(message.weights)
    size = message.tokens

    def rows(begin: int) -> list[list[float]]:
        return [values[begin + i * size:begin + (i + 1) * size]
                for i in range(size)]

    return [[rows((layer * message.heads + head) * size * size)
             for head in range(message.heads)]
            for layer in range(message.layers)]


@dataclasses.dataclass(frozen=True)
class Recommendation:
    """A node that fits the open end of a link, the best first."""

    rank: int
    node: Node
    score: float
    probability: float
    probability_among_kind: float
    decision: bool
    path: tuple[PathStep, ...]
    notes: tuple[str, ...]
    # Time ran out before all of the best were ranked again. Those that were
    # come first; the rest keep the order of the structural scorer. All
    # recommendations of a call have the same value.
    best_so_far: bool = False

    @classmethod
    def of(cls, reply: link_prediction_pb2.RecommendLinksResponse
           ) -> Recommendation:
        message = reply.recommendation
        steps = tuple(PathStep(step.relation,
                               step.direction == graph_pb2.DIRECTION_OUT,
                               Node.of(step.node))
                      for step in message.metapath[1:])
        return cls(message.rank, Node.of(message.node), message.score,
                   message.probability, message.probability_among_kind,
                   message.decision, steps, tuple(message.flags.notes),
                   reply.best_so_far)


@dataclasses.dataclass(frozen=True)
class Neighbor:
    """A neighbour of a node, by one link."""

    node: Node
    relation: str
    outgoing: bool  # the asked node is the source of the link


@dataclasses.dataclass(frozen=True)
class Update:
    """What a change of the graph did."""

    graph_version: int  # the first that has the changes
    without_effect: tuple[int, ...]  # positions of changes that changed nothing
    repeated: bool  # whether the same request had been applied before
    added_types: tuple[str, ...] = ()  # node types that the graph lacked before

    @classmethod
    def of(cls, message: graph_update_pb2.ApplyUpdatesResponse) -> Update:
        return cls(message.graph_version, tuple(message.without_effect),
                   message.repeated, tuple(message.added_types))
