"""Client of slice: link prediction in heterogeneous graphs, with reasons.

    from slice_client import Client

    with Client("localhost:50051") as s:
        s.predict("curl", "depends", "libcurl4").probability
        print(s.explain("curl", "depends", "libcurl4").summary)
        s.recommend("firefox-esr", "tagged", k=5)
"""

from slice_client.aio import AsyncClient
from slice_client.client import Client
from slice_client.errors import (
    AbortedError,
    AlreadyExistsError,
    CancelledError,
    DataLossError,
    DeadlineExceededError,
    FailedPreconditionError,
    InternalError,
    InvalidArgumentError,
    NotFoundError,
    OutOfRangeError,
    PermissionDeniedError,
    ResourceExhaustedError,
    SliceError,
    UnauthenticatedError,
    UnavailableError,
    UnimplementedError,
)
from slice_client.requests import Key, NoEffectWarning
from slice_client.results import (
    ExplainedContext,
    Explanation,
    Feature,
    Neighbor,
    Node,
    PathStep,
    Prediction,
    Reason,
    Recommendation,
    Token,
    Update,
)
from slice_client.retries import NO_RETRIES, RetryPolicy

__all__ = [
    "NO_RETRIES",
    "AbortedError",
    "AlreadyExistsError",
    "AsyncClient",
    "CancelledError",
    "Client",
    "DataLossError",
    "DeadlineExceededError",
    "ExplainedContext",
    "Explanation",
    "FailedPreconditionError",
    "Feature",
    "InternalError",
    "InvalidArgumentError",
    "Key",
    "Neighbor",
    "NoEffectWarning",
    "Node",
    "NotFoundError",
    "OutOfRangeError",
    "PathStep",
    "PermissionDeniedError",
    "Prediction",
    "Reason",
    "Recommendation",
    "ResourceExhaustedError",
    "RetryPolicy",
    "SliceError",
    "Token",
    "UnauthenticatedError",
    "UnavailableError",
    "UnimplementedError",
    "Update",
]
