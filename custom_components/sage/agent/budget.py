"""Limits of a run: time, tokens, steps, nesting depth."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

from ..const import (
    DEFAULT_MAX_SECONDS,
    DEFAULT_MAX_STEPS,
    DEFAULT_MAX_TOKENS,
    MAX_DEPTH,
)


class Limit(StrEnum):
    """A limit on the processing of one command.

    When it is reached, the person gets the translated sentence `limit_<value>`, e.g.
    `limit_tokens`.
    """

    STEPS = "steps"
    SECONDS = "seconds"
    TOKENS = "tokens"
    DEPTH = "depth"
    STUCK = "stuck"
    """The model repeated a decision with the same result too often."""


class LimitReached(Exception):  # noqa: N818  (an expected end of a run, not an error)
    """Raised when the processing of a command reaches a limit, e.g. of time or tokens."""

    def __init__(self, limit: Limit) -> None:
        super().__init__(limit.value)
        self.limit = limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of one run."""

    max_steps: int = DEFAULT_MAX_STEPS
    """Maximum number of model calls in one execution of an agent."""

    max_seconds: float = DEFAULT_MAX_SECONDS
    """Maximum time in seconds; the time spent waiting for the person does not count."""

    max_tokens: int = DEFAULT_MAX_TOKENS
    """Maximum number of prompt and completion tokens together."""

    max_depth: int = MAX_DEPTH
    """Maximum nesting depth of agents; the agent that answers the person has depth 0."""


class Budget:
    """The limits of one command, and the time and tokens that it has used so far."""

    def __init__(self, limits: Limits) -> None:
        """Start the clock for a command with these limits."""
        self.limits = limits
        self.tokens = 0
        """Tokens of prompts and completions used so far."""

        self._deadline = time.monotonic() + limits.max_seconds
        self._waiting_since: float | None = None
        self._waiters = 0

    def seconds_left(self) -> float:
        """Return the remaining wall time in seconds, at least 0."""
        now = self._waiting_since if self._waiting_since is not None else time.monotonic()
        return max(0.0, self._deadline - now)

    def check(self, *, steps: int, depth: int) -> None:
        """Raise LimitReached if a limit of the budget is reached.

        - `steps`: number of model calls that the agent has made
        - `depth`: nesting depth of the agent; 0 for the agent that answers the person
        """
        if depth > self.limits.max_depth:
            raise LimitReached(Limit.DEPTH)
        if steps >= self.limits.max_steps:
            raise LimitReached(Limit.STEPS)
        if self.tokens >= self.limits.max_tokens:
            raise LimitReached(Limit.TOKENS)
        if self.seconds_left() <= 0:
            raise LimitReached(Limit.SECONDS)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Stop the clock during the `with` block, e.g. while the person has to reply.

        Blocks may overlap; the clock continues when the last one ends.
        """
        if self._waiters == 0:
            self._waiting_since = time.monotonic()
        self._waiters += 1
        try:
            yield
        finally:
            self._waiters -= 1
            if self._waiters == 0 and self._waiting_since is not None:
                self._deadline += time.monotonic() - self._waiting_since
                self._waiting_since = None
