"""What both clients share: their settings, and the requests made with them."""

from __future__ import annotations

from collections.abc import Sequence

from slice_client import requests
from slice_client.connection import Connection, Pem
from slice_client.requests import LinkLike, NodeLike
from slice_client.results import Neighbor, Node, Recommendation
from slice_client.retries import RetryPolicy
from slice_client.wire.slice.v1 import (
    graph_pb2,
    graph_update_pb2,
    link_prediction_pb2,
)

MOST_OF_A_PAGE = 1000


class Questions:
    """The settings of a client.

    Args:
      address: HOST:PORT or unix:PATH.
      tls, ca, cert, key, server_name, token: see Connection.
      timeout: seconds that a call and its retries may take together.
      model: the model to ask; empty: the server's default.
      scorer: "context", "ends" or "structural"; empty: the bundle's default.
      prior: the share of links among the pairs that are asked about; 0: that
        of the bundle's valid links.
      retries: when a failed call is tried again.
    """

    def __init__(self, address: str, *, tls: bool = False, ca: Pem = None,
                 cert: Pem = None, key: Pem = None, server_name: str = "",
                 token: str = "", timeout: float = 30.0, model: str = "",
                 scorer: str = "", prior: float = 0.0,
                 retries: RetryPolicy | None = None) -> None:
        self.connection = Connection(address, tls, ca, cert, key, server_name,
                                     token)
        self.timeout = timeout
        self.model = model
        self.scorer = scorer
        self.prior = prior
        self.retries = retries or RetryPolicy()
        self._connect()

    def _connect(self) -> None:
        """Makes the channel and the stubs. Sends nothing yet."""
        raise NotImplementedError

    def predict_request(
            self, links: Sequence[LinkLike],
            imagined: graph_pb2.WhatIf | None
    ) -> link_prediction_pb2.PredictLinksRequest:
        return link_prediction_pb2.PredictLinksRequest(
            links=[requests.link_ref(link) for link in links],
            model=self.model, scorer=self.scorer, prior=self.prior,
            what_if=imagined)

    def explain_request(
            self, link: LinkLike, add: Sequence[LinkLike],
            remove: Sequence[LinkLike]
    ) -> link_prediction_pb2.PredictLinksRequest:
        request = self.predict_request([link], requests.what_if(add, remove))
        request.explanation_level = link_prediction_pb2.EXPLANATION_LEVEL_FULL
        return request

    def recommend_request(
            self, source: NodeLike | None, relation: str,
            target: NodeLike | None, k: int, type_: str,
            include_existing: bool, candidates: Sequence[NodeLike],
            add: Sequence[LinkLike], remove: Sequence[LinkLike]
    ) -> link_prediction_pb2.RecommendLinksRequest:
        if (source is None) == (target is None):
            raise TypeError("give either a source or a target: the known end")
        return link_prediction_pb2.RecommendLinksRequest(
            source=None if source is None else requests.node_ref(source),
            target=None if target is None else requests.node_ref(target),
            relation=relation, k=k, type=type_,
            include_existing=include_existing,
            candidates=[requests.node_ref(node) for node in candidates],
            model=self.model, scorer=self.scorer, prior=self.prior,
            what_if=requests.what_if(add, remove))

    def find_request(self, prefix: str, type_: str, size: int,
                     token: str) -> link_prediction_pb2.FindNodesRequest:
        return link_prediction_pb2.FindNodesRequest(
            prefix=prefix, type=type_, page_size=min(MOST_OF_A_PAGE, size),
            page_token=token, model=self.model)

    def neighbors_request(self, node: NodeLike, relation: str, size: int,
                          token: str) -> graph_pb2.GetNeighborsRequest:
        return graph_pb2.GetNeighborsRequest(
            node=requests.node_ref(node), relation=relation,
            page_size=min(MOST_OF_A_PAGE, size), page_token=token,
            model=self.model)

    def update_request(
            self, add: Sequence[LinkLike], remove: Sequence[LinkLike],
            add_nodes: Sequence[Node], remove_nodes: Sequence[NodeLike],
            writer: str, sequence: int
    ) -> graph_update_pb2.ApplyUpdatesRequest:
        return graph_update_pb2.ApplyUpdatesRequest(
            changes=requests.changes(add, remove, add_nodes, remove_nodes,
                                     requests.key_ref),
            model=self.model, writer=writer, sequence=sequence)

    def relations_request(self) -> link_prediction_pb2.ListRelationsRequest:
        return link_prediction_pb2.ListRelationsRequest(model=self.model)

    def info_request(self) -> link_prediction_pb2.GetModelInfoRequest:
        return link_prediction_pb2.GetModelInfoRequest(model=self.model)


def recommendations(
        replies: Sequence[link_prediction_pb2.RecommendLinksResponse]
) -> list[Recommendation]:
    return [Recommendation.of(reply) for reply in replies
            if reply.HasField("recommendation")]


def neighbors(reply: graph_pb2.GetNeighborsResponse) -> list[Neighbor]:
    return [Neighbor(Node.of(one.node), one.relation,
                     one.direction == graph_pb2.DIRECTION_OUT)
            for one in reply.neighbors]
