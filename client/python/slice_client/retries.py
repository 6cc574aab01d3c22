"""When a failed call is tried again, and after which delay."""

from __future__ import annotations

import dataclasses
import random
import time

import grpc

from slice_client import errors


@dataclasses.dataclass(frozen=True)
class RetryPolicy:
    """Only UNAVAILABLE and RESOURCE_EXHAUSTED are tried again, with exponential
    backoff. The delay is never shorter than the one that the server names."""

    max_attempts: int = 4  # the first included
    # While the server names a delay, which shows that it is alive.
    max_attempts_with_delay: int = 10
    initial_delay: float = 0.1  # seconds
    max_delay: float = 5.0
    jitter: float = 0.2  # up to this share of a delay is added at random

    def delay_after(self, error: errors.SliceError,
                    attempt: int) -> float | None:
        """Seconds to wait after attempt number `attempt` (from 1); None when no
        attempt follows."""
        if not isinstance(error, (errors.UnavailableError,
                                  errors.ResourceExhaustedError)):
            return None
        named = error.retry_after
        most = (self.max_attempts if named is None
                else self.max_attempts_with_delay)
        if attempt >= most:
            return None
        delay = min(self.max_delay, self.initial_delay * 2.0 ** (attempt - 1))
        spread: float = 1 + self.jitter * random.random()
        return max(delay, named or 0.0) * spread


class Attempts:
    """The attempts of one call, within `timeout` seconds. A call that must not
    be `repeatable` is not tried again where it may have been done."""

    def __init__(self, policy: RetryPolicy, timeout: float,
                 repeatable: bool = True) -> None:
        self._policy = policy
        self._repeatable = repeatable
        self._deadline = time.monotonic() + timeout
        self._ended = 0

    def time_left(self) -> float:
        return max(0.0, self._deadline - time.monotonic())

    def delay_after(self, failed: grpc.RpcError) -> float:
        """Seconds to wait before the next attempt. Raises the error of this
        one if none follows."""
        self._ended += 1
        error = errors.from_call(failed)
        if not self._repeatable and isinstance(error, errors.UnavailableError):
            raise error
        delay = self._policy.delay_after(error, self._ended)
        if delay is None or delay >= self.time_left():
            raise error
        return delay


NO_RETRIES = RetryPolicy(max_attempts=1, max_attempts_with_delay=1)
