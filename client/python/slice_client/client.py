"""A client of a slice server."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

import grpc

from slice_client import questions, requests
from slice_client.requests import LinkLike, NodeLike
from slice_client.results import (
    Explanation,
    Neighbor,
    Node,
    Prediction,
    Recommendation,
    Update,
)
from slice_client.retries import Attempts
from slice_client.wire.slice.v1 import (
    graph_pb2_grpc,
    graph_update_pb2_grpc,
    link_prediction_pb2,
    link_prediction_pb2_grpc,
)

if TYPE_CHECKING:
    import pandas

T = TypeVar("T")


class Client(questions.Questions):
    """Asks a slice server. Thread-safe; close it, or use it in a `with` block.

    Its arguments are those of Questions: an address, and settings by name.
    Every call may raise SliceError, by one of its classes for each gRPC code.
    """

    def _connect(self) -> None:
        address, options = self.connection.address, self.connection.options
        self._channel = (
            grpc.secure_channel(address, self.connection.credentials(),
                                options=options)
            if self.connection.secure else
            grpc.insecure_channel(address, options=options))
        self._links = link_prediction_pb2_grpc.LinkPredictionServiceStub(
            self._channel)
        self._graph = graph_pb2_grpc.GraphServiceStub(self._channel)
        self._updates = graph_update_pb2_grpc.GraphUpdateServiceStub(
            self._channel)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None,
                 error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._channel.close()

    def predict(self, source: NodeLike, relation: str, target: NodeLike, *,
                add: Sequence[LinkLike] = (),
                remove: Sequence[LinkLike] = ()) -> Prediction:
        """Scores one link. Raises what is wrong with it, such as
        NotFoundError. `add` and `remove` are links that the question imagines.
        """
        found = self.predict_links([(source, relation, target)], add=add,
                                   remove=remove)[0]
        if found.error is not None:
            raise found.error
        return found

    def predict_links(self, links: Iterable[LinkLike], *,
                      add: Sequence[LinkLike] = (),
                      remove: Sequence[LinkLike] = ()) -> list[Prediction]:
        """Scores any number of links, in their order. A link that cannot be
        scored has its error in `Prediction.error`."""
        return list(self.predict_iter(links, add=add, remove=remove))

    def predict_iter(self, links: Iterable[LinkLike], *,
                     add: Sequence[LinkLike] = (),
                     remove: Sequence[LinkLike] = ()) -> Iterator[Prediction]:
        """The same, one after the other, from an iterable of any length."""
        imagined = requests.what_if(add, remove)
        for chunk in requests.chunks(links):
            request = self.predict_request(chunk, imagined)
            reply = self._call(self._links.PredictLinks, request)
            requests.warn_of_no_effect(request, reply.what_if)
            yield from map(Prediction.of, reply.results, request.links)

    def predict_frame(self, frame: pandas.DataFrame) -> pandas.DataFrame:
        """Scores the rows of a data frame with the columns source, relation and
        target. Returns it with the columns probability, probability_among_kind,
        decision and status ("OK", or the code and what is wrong)."""
        from slice_client import frames

        return frames.with_predictions(
            frame, self.predict_iter(frames.links_of(frame)))

    def explain(self, source: NodeLike, relation: str, target: NodeLike, *,
                add: Sequence[LinkLike] = (),
                remove: Sequence[LinkLike] = ()) -> Explanation:
        """Scores one link, and says why. Raises what is wrong with it."""
        request = self.explain_request((source, relation, target), add, remove)
        reply = self._call(self._links.PredictLinks, request)
        requests.warn_of_no_effect(request, reply.what_if)
        return Explanation.of(reply.results[0], request.links[0])

    def recommend(self, source: NodeLike | None = None, relation: str = "", *,
                  target: NodeLike | None = None, k: int = 10, type: str = "",
                  include_existing: bool = False,
                  candidates: Sequence[NodeLike] = (),
                  add: Sequence[LinkLike] = (),
                  remove: Sequence[LinkLike] = ()) -> list[Recommendation]:
        """The k best targets of a source, or sources of a target. When time
        runs out, they are the best so far, and `best_so_far` says so."""
        request = self.recommend_request(source, relation, target, k, type,
                                         include_existing, candidates, add,
                                         remove)

        def ask(
                timeout: float
        ) -> list[link_prediction_pb2.RecommendLinksResponse]:
            return list(self._links.RecommendLinks(
                request, timeout=timeout, metadata=self.connection.metadata))

        replies = self._retried(ask)
        for reply in replies[:1]:  # all have the same
            requests.warn_of_no_effect(request, reply.what_if)
        return questions.recommendations(replies)

    def find(self, prefix: str = "", *, type: str = "",
             limit: int = 20) -> list[Node]:
        """Nodes whose names begin with `prefix`, in upper or lower case."""
        found: list[Node] = []
        token = ""
        while len(found) < limit:
            reply = self._call(self._links.FindNodes, self.find_request(
                prefix, type, limit - len(found), token))
            found += map(Node.of, reply.nodes)
            token = reply.next_page_token
            if not token:
                break
        return found

    def neighbors(self, node: NodeLike, *, relation: str = "",
                  limit: int = 1000) -> list[Neighbor]:
        """The neighbours of a node, by one relation or by all."""
        found: list[Neighbor] = []
        token = ""
        while len(found) < limit:
            reply = self._call(self._graph.GetNeighbors, self.neighbors_request(
                node, relation, limit - len(found), token))
            found += questions.neighbors(reply)
            token = reply.next_page_token
            if not token:
                break
        return found

    def relations(self) -> list[link_prediction_pb2.RelationInfo]:
        """The relations of the graph, with their numbers of links."""
        reply = self._call(self._links.ListRelations, self.relations_request())
        return list(reply.relations)

    def info(self) -> link_prediction_pb2.GetModelInfoResponse:
        """What is served: bundle, graph, metrics of the training."""
        reply: link_prediction_pb2.GetModelInfoResponse = self._call(
            self._links.GetModelInfo, self.info_request())
        return reply

    def update(self, *, add: Sequence[LinkLike] = (),
               remove: Sequence[LinkLike] = (),
               add_nodes: Sequence[Node] = (),
               remove_nodes: Sequence[NodeLike] = (), writer: str = "",
               sequence: int = 0) -> Update:
        """Changes the graph, all at once or not at all. A text names a node by
        its key. With a writer and its sequence number a call can be repeated:
        it is applied once. Without them it is not tried again after
        UnavailableError, since it may have been applied."""
        return Update.of(self._call(
            self._updates.ApplyUpdates,
            self.update_request(add, remove, add_nodes, remove_nodes, writer,
                                sequence), repeatable=bool(writer)))

    def _call(self, method: Callable[..., T], request: object,
              repeatable: bool = True) -> T:
        return self._retried(lambda timeout: method(
            request, timeout=timeout, metadata=self.connection.metadata),
            repeatable)

    def _retried(self, ask: Callable[[float], T],
                 repeatable: bool = True) -> T:
        attempts = Attempts(self.retries, self.timeout, repeatable)
        while True:
            try:
                return ask(attempts.time_left())
            except grpc.RpcError as failed:
                delay = attempts.delay_after(failed)
            time.sleep(delay)
