"""Limits of a run: wall time, tokens, steps, depth."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

from ..const import (
    DEFAULT_MAX_SECONDS,
    DEFAULT_MAX_STEPS,
    DEFAULT_MAX_TOKENS,
    MAX_DEPTH,
)
from ..model.language_model import Usage


class Limit(StrEnum):
    """A limit of a run. The translation `limit_<value>` says that it was reached."""

    STEPS = "steps"
    SECONDS = "seconds"
    TOKENS = "tokens"
    DEPTH = "depth"


class LimitReached(Exception):  # noqa: N818  (an end that is planned for, not an error)
    """A run reached one of its limits."""

    def __init__(self, limit: Limit) -> None:
        super().__init__(limit.value)
        self.limit = limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of one run."""

    max_steps: int = DEFAULT_MAX_STEPS
    """Maximum number of decisions in one call of an agent-tool."""

    max_seconds: float = DEFAULT_MAX_SECONDS
    """Maximum wall time in seconds, without the time spent waiting for the person."""

    max_tokens: int = DEFAULT_MAX_TOKENS
    """Maximum number of prompt and completion tokens together."""

    max_depth: int = MAX_DEPTH
    """Maximum number of levels of agent-tools below the entry agent, which has depth 0."""


class Budget:
    """Usage of a run, compared with its limits."""

    def __init__(self, limits: Limits) -> None:
        """Start the clock."""
        self.limits = limits
        self.tokens = 0
        self._deadline = time.monotonic() + limits.max_seconds
        self._waiting_since: float | None = None
        self._waiters = 0
        self.on_pause: Callable[[], None] | None = None
        """Called at the start of each `paused` block."""

    @property
    def is_paused(self) -> bool:
        """Whether the clock is stopped because the run is waiting."""
        return self._waiters > 0

    def spend(self, usage: Usage) -> None:
        """Add the tokens of a model call to the usage."""
        self.tokens += usage.prompt_tokens + usage.completion_tokens

    def seconds_left(self) -> float:
        """Return the wall time left in seconds, never negative."""
        now = self._waiting_since if self._waiting_since is not None else time.monotonic()
        return max(0.0, self._deadline - now)

    def check(self, *, steps: int, depth: int) -> None:
        """Raise LimitReached if a limit is reached.

        `steps` counts the earlier decisions of the agent-tool; `depth` is its level, 0 for the
        entry agent.
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
        """Stop the clock inside the `with` block, such as while the run waits for the person."""
        if self._waiters == 0:
            self._waiting_since = time.monotonic()
        self._waiters += 1
        if self.on_pause is not None:
            self.on_pause()
        try:
            yield
        finally:
            self._waiters -= 1
            if self._waiters == 0 and self._waiting_since is not None:
                self._deadline += time.monotonic() - self._waiting_since
                self._waiting_since = None
