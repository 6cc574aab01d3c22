"""The client for asyncio: slice_client.Client, with `await`."""

from __future__ import annotations

import asyncio
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Sequence,
)
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

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


class AsyncClient(questions.Questions):
    """Asks a slice server from one event loop. Close it, or use it in an
    `async with` block. Arguments, calls and errors are those of Client."""

    def _connect(self) -> None:
        address, options = self.connection.address, self.connection.options
        self._channel = (
            grpc.aio.secure_channel(address, self.connection.credentials(),
                                    options=options)
            if self.connection.secure else
            grpc.aio.insecure_channel(address, options=options))
        self._links = link_prediction_pb2_grpc.LinkPredictionServiceStub(
            self._channel)
        self._graph = graph_pb2_grpc.GraphServiceStub(self._channel)
        self._updates = graph_update_pb2_grpc.GraphUpdateServiceStub(
            self._channel)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None,
                        error: BaseException | None,
                        trace: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        await self._channel.close(None)

    async def predict(self, source: NodeLike, relation: str, target: NodeLike,
                      *, add: Sequence[LinkLike] = (),
                      remove: Sequence[LinkLike] = ()) -> Prediction:
        found = (await self.predict_links([(source, relation, target)],
                                          add=add, remove=remove))[0]
        if found.error is not None:
            raise found.error
        return found

    async def predict_links(self, links: Iterable[LinkLike], *,
                            add: Sequence[LinkLike] = (),
                            remove: Sequence[LinkLike] = ()
                            ) -> list[Prediction]:
        return [one async for one in self.predict_iter(links, add=add,
                                                       remove=remove)]

    async def predict_iter(self, links: Iterable[LinkLike], *,
                           add: Sequence[LinkLike] = (),
                           remove: Sequence[LinkLike] = ()
                           ) -> AsyncIterator[Prediction]:
        imagined = requests.what_if(add, remove)
        for chunk in requests.chunks(links):
            request = self.predict_request(chunk, imagined)
            reply = await self._call(self._links.PredictLinks, request)
            requests.warn_of_no_effect(request, reply.what_if)
            for result, asked in zip(reply.results, request.links,
                                     strict=True):
                yield Prediction.of(result, asked)

    async def predict_frame(self, frame: pandas.DataFrame) -> pandas.DataFrame:
        from slice_client import frames

        return frames.with_predictions(
            frame, await self.predict_links(frames.links_of(frame)))

    async def explain(self, source: NodeLike, relation: str, target: NodeLike,
                      *, add: Sequence[LinkLike] = (),
                      remove: Sequence[LinkLike] = ()) -> Explanation:
        request = self.explain_request((source, relation, target), add, remove)
        reply = await self._call(self._links.PredictLinks, request)
        requests.warn_of_no_effect(request, reply.what_if)
        return Explanation.of(reply.results[0], request.links[0])

    async def recommend(self, source: NodeLike | None = None,
                        relation: str = "", *, target: NodeLike | None = None,
                        k: int = 10, type: str = "",
                        include_existing: bool = False,
                        candidates: Sequence[NodeLike] = (),
                        add: Sequence[LinkLike] = (),
                        remove: Sequence[LinkLike] = ()
                        ) -> list[Recommendation]:
        request = self.recommend_request(source, relation, target, k, type,
                                         include_existing, candidates, add,
                                         remove)

        async def ask(
                timeout: float
        ) -> list[link_prediction_pb2.RecommendLinksResponse]:
            call = self._links.RecommendLinks(
                request, timeout=timeout, metadata=self.connection.metadata)
            return [reply async for reply in call]

        replies = await self._retried(ask)
        for reply in replies[:1]:  # all have the same
            requests.warn_of_no_effect(request, reply.what_if)
        return questions.recommendations(replies)

    async def find(self, prefix: str = "", *, type: str = "",
                   limit: int = 20) -> list[Node]:
        found: list[Node] = []
        token = ""
        while len(found) < limit:
            reply = await self._call(self._links.FindNodes, self.find_request(
                prefix, type, limit - len(found), token))
            found += map(Node.of, reply.nodes)
            token = reply.next_page_token
            if not token:
                break
        return found

    async def neighbors(self, node: NodeLike, *, relation: str = "",
                        limit: int = 1000) -> list[Neighbor]:
        found: list[Neighbor] = []
        token = ""
        while len(found) < limit:
            reply = await self._call(
                self._graph.GetNeighbors, self.neighbors_request(
                    node, relation, limit - len(found), token))
            found += questions.neighbors(reply)
            token = reply.next_page_token
            if not token:
                break
        return found

    async def relations(self) -> list[link_prediction_pb2.RelationInfo]:
        reply = await self._call(self._links.ListRelations,
                                 self.relations_request())
        return list(reply.relations)

    async def info(self) -> link_prediction_pb2.GetModelInfoResponse:
        reply: link_prediction_pb2.GetModelInfoResponse = await self._call(
            self._links.GetModelInfo, self.info_request())
        return reply

    async def update(self, *, add: Sequence[LinkLike] = (),
                     remove: Sequence[LinkLike] = (),
                     add_nodes: Sequence[Node] = (),
                     remove_nodes: Sequence[NodeLike] = (), writer: str = "",
                     sequence: int = 0) -> Update:
        return Update.of(await self._call(
            self._updates.ApplyUpdates,
            self.update_request(add, remove, add_nodes, remove_nodes, writer,
                                sequence), repeatable=bool(writer)))

    async def _call(self, method: Callable[..., Any], request: object,
                    repeatable: bool = True) -> Any:
        async def ask(timeout: float) -> Any:
            return await method(request, timeout=timeout,
                                metadata=self.connection.metadata)

        return await self._retried(ask, repeatable)

    async def _retried(self, ask: Callable[[float], Awaitable[T]],
                       repeatable: bool = True) -> T:
        attempts = Attempts(self.retries, self.timeout, repeatable)
        while True:
            try:
                return await ask(attempts.time_left())
            except grpc.RpcError as failed:
                delay = attempts.delay_after(failed)
            await asyncio.sleep(delay)
