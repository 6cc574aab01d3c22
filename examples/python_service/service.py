"""A web service that suggests tags for packages, with the reasons.

    pip install build/packages/slice_graph_client-*.whl fastapi uvicorn
    SLICE_SERVER=localhost:50051 uvicorn service:app

    GET /suggestions/curl?relation=tagged&k=3
    GET /reasons?source=curl&relation=tagged&target=role::program
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from slice_client import AsyncClient, NotFoundError, SliceError

SERVER = os.environ.get("SLICE_SERVER", "localhost:50051")


@asynccontextmanager
async def connected(service: FastAPI) -> AsyncIterator[None]:
    """One client serves all requests; it keeps one connection."""
    async with AsyncClient(SERVER, timeout=5) as client:
        service.state.slice = client
        yield


app = FastAPI(title="Suggestions", lifespan=connected)


@app.exception_handler(NotFoundError)
async def unknown_name(_: Request, error: NotFoundError) -> JSONResponse:
    return JSONResponse({"error": error.message,
                         "did_you_mean": error.near_misses}, 404)


@app.exception_handler(SliceError)
async def failed(_: Request, error: SliceError) -> JSONResponse:
    return JSONResponse({"error": error.message}, 502)


@app.get("/suggestions/{source}")
async def suggestions(request: Request, source: str, relation: str,
                      k: int = 3) -> list[dict[str, object]]:
    found = await request.app.state.slice.recommend(source, relation, k=k)
    return [{"target": one.node.name,
             "probability": one.probability_among_kind} for one in found]


@app.get("/reasons")
async def reasons(request: Request, source: str, relation: str,
                  target: str) -> dict[str, object]:
    why = await request.app.state.slice.explain(source, relation, target)
    return {"probability": why.prediction.probability, "summary": why.summary,
            "reasons": [{"effect": one.effect, "what": one.description}
                        for one in why.reasons if one.named]}
