"""Trying again when a model server fails for a moment (DESIGN 6)."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from .language_model import ModelError, ModelErrorKind

_LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often and how long a request is tried."""

    attempts: int = 3
    request_seconds: float = 120.0
    """One attempt, from the first byte sent to the last byte received."""

    connect_seconds: float = 5.0
    total_seconds: float = 180.0
    """All attempts with the waits between them."""

    first_wait: float = 0.5
    """Seconds before the second attempt; doubled for each further one."""

    longest_wait: float = 30.0
    """If a server demands a longer wait than this, there is no further attempt."""


class FailedAttemptError(Exception):
    """One attempt failed."""

    def __init__(
        self,
        kind: ModelErrorKind,
        detail: str = "",
        *,
        again: bool = False,
        wait: float | None = None,
    ) -> None:
        """Keep the reason. `again`: another attempt may succeed, after `wait` seconds."""
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.again = again
        self.wait = wait


async def async_try[T](policy: RetryPolicy, attempt: Callable[[], Awaitable[T]]) -> T:
    """Return what `attempt` returns, at the latest after the attempts and time of `policy`.

    Raises `ModelError` with the kind of the last failure.
    """
    clock = asyncio.get_running_loop().time
    deadline = clock() + policy.total_seconds
    tried = 0
    while True:
        tried += 1
        try:
            async with asyncio.timeout_at(min(clock() + policy.request_seconds, deadline)):
                return await attempt()
        except TimeoutError:
            # A second attempt would not be faster.
            raise ModelError(ModelErrorKind.TIMEOUT, "no whole reply in time") from None
        except FailedAttemptError as err:
            wait = _wait(policy, err, tried)
            if wait is None or clock() + wait >= deadline:
                raise ModelError(err.kind, err.detail) from err
            _LOGGER.debug("Attempt %d: %s (%s); again in %.1f s", tried, err.kind, err, wait)
        await asyncio.sleep(wait)


def _wait(policy: RetryPolicy, err: FailedAttemptError, tried: int) -> float | None:
    """Return the seconds until the next attempt; None for no further attempt."""
    if not err.again or tried >= policy.attempts:
        return None
    wait: float = policy.first_wait * 2 ** (tried - 1)
    if err.wait is not None:
        wait = max(err.wait, 0.0)
    return wait if wait <= policy.longest_wait else None
