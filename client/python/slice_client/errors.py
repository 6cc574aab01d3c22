"""What a call may raise: one class for each code of gRPC."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2

_DETAILS = "grpc-status-details-bin"
_SUGGESTIONS = re.compile(r".*; did you mean '(.+)'\?", re.S)


class SliceError(Exception):
    """A call, or one link of it, failed.

    Attributes:
      code: the name of the gRPC code, such as "NOT_FOUND".
      message: what the server says: what is wrong, and the way out.
      near_misses: names that are similar to an unknown one.
      retry_after: seconds after which the server asks to try again, or None.
      field: the field at fault, such as "links[3].source", or "".
    """

    code = "UNKNOWN"

    def __init__(self, message: str, *, near_misses: Sequence[str] = (),
                 retry_after: float | None = None, field: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.near_misses = tuple(near_misses)
        self.retry_after = retry_after
        self.field = field


class CancelledError(SliceError):
    code = "CANCELLED"


class InvalidArgumentError(SliceError):
    code = "INVALID_ARGUMENT"


class DeadlineExceededError(SliceError):
    code = "DEADLINE_EXCEEDED"


class NotFoundError(SliceError):
    code = "NOT_FOUND"


class AlreadyExistsError(SliceError):
    code = "ALREADY_EXISTS"


class PermissionDeniedError(SliceError):
    code = "PERMISSION_DENIED"


class ResourceExhaustedError(SliceError):
    code = "RESOURCE_EXHAUSTED"


class FailedPreconditionError(SliceError):
    code = "FAILED_PRECONDITION"


class AbortedError(SliceError):
    code = "ABORTED"


class OutOfRangeError(SliceError):
    code = "OUT_OF_RANGE"


class UnimplementedError(SliceError):
    code = "UNIMPLEMENTED"


class InternalError(SliceError):
    code = "INTERNAL"


class UnavailableError(SliceError):
    code = "UNAVAILABLE"


class DataLossError(SliceError):
    code = "DATA_LOSS"


class UnauthenticatedError(SliceError):
    code = "UNAUTHENTICATED"


_BY_CODE: dict[str, type[SliceError]] = {
    one.code: one for one in (
        CancelledError, InvalidArgumentError, DeadlineExceededError,
        NotFoundError, AlreadyExistsError, PermissionDeniedError,
        ResourceExhaustedError, FailedPreconditionError, AbortedError,
        OutOfRangeError, UnimplementedError, InternalError, UnavailableError,
        DataLossError, UnauthenticatedError)}
_NAMES = {code.value[0]: code.name for code in grpc.StatusCode}


def near_misses_of(message: str) -> tuple[str, ...]:
    """The names that a message suggests at its end: "'a' or 'b'?". What they
    contain is not escaped."""
    found = _SUGGESTIONS.fullmatch(message)
    return tuple(found[1].split("' or '")) if found else ()


def from_status(status: status_pb2.Status) -> SliceError:
    """The error of one link of an answer."""
    retry_after, field = None, ""
    for detail in status.details:
        retry = error_details_pb2.RetryInfo()
        if detail.Unpack(retry):
            delay = retry.retry_delay
            retry_after = delay.seconds + delay.nanos / 1e9
        bad = error_details_pb2.BadRequest()
        if detail.Unpack(bad) and bad.field_violations:
            field = bad.field_violations[0].field
    kind = _BY_CODE.get(_NAMES.get(status.code, ""), SliceError)
    return kind(status.message, near_misses=near_misses_of(status.message),
                retry_after=retry_after, field=field)


def from_call(error: grpc.RpcError) -> SliceError:
    """The error of a call that ended with `error`."""
    message = error.details() or ""
    if "connection refused" in message.lower():
        message = f"nothing listens there: is slice-server running? ({message})"
    status = status_pb2.Status(code=error.code().value[0], message=message)
    trailers: Any = error.trailing_metadata() or ()
    for key, value in trailers:
        if key == _DETAILS and isinstance(value, bytes):
            try:
                status = status_pb2.Status.FromString(value)
            except DecodeError:
                continue  # of a proxy; code and message are known
    return from_status(status)
