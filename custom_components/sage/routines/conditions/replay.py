"""Answers calls of condition functions for times in the past, for the dry run."""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from homeassistant.core import State

from ..sandbox.sandbox_types import FunctionResult
from .entity_values import NOT_KNOWN, value_of
from .function_calls import CallArguments


class Untold(StrEnum):
    """The reason why it is unknown when a routine would have fired."""

    NO_CONDITION = "no_condition"
    """The routine has a time, not a condition."""
    HAS_END = "has_end"
    """The routine has a second condition, its end, so the trigger alone is not enough."""
    NO_RECORDER = "no_recorder"
    NOT_RECORDED = "not_recorded"
    """The recorder excludes an entity or attribute that the code reads."""
    READS_MORE = "reads_more"
    """The code reads more than states: history, weather, calendars, SmartThings."""
    TOO_MANY_CHANGES = "too_many_changes"
    WITHHELD = "withheld"
    """A device that the code reads no longer exists, or may no longer be read."""
    FAILS = "fails"
    """The code fails."""
    NO_SANDBOX = "no_sandbox"


class UntoldError(Exception):
    """Raised if it is unknown when a routine would have fired."""

    def __init__(self, reason: Untold) -> None:
        """`reason`: why the times are unknown."""
        super().__init__(reason.value)
        self.reason = reason


class Timeline:
    """The past states of one entity."""

    def __init__(self, states: Sequence[State]) -> None:
        """`states`: the oldest first."""
        self._states = states
        self._times = [each.last_updated for each in states]

    def state(self, at: datetime) -> State | None:
        """Return the state at a moment; None if unknown."""
        place = bisect_right(self._times, at)
        return self._states[place - 1] if place else None

    def held_since(self, at: datetime) -> datetime | None:
        """Return when the state that the entity had at a moment began; None if it had no value.

        Ignores times without a value in between.
        """
        place = bisect_right(self._times, at)
        if not place or (now := self._states[place - 1].state) in NOT_KNOWN:
            return None
        since = self._times[place - 1]
        for each in reversed(self._states[:place]):
            if each.state == now:
                since = each.last_updated
            elif each.state not in NOT_KNOWN:
                break
        return since

    def changes(self, start: datetime, end: datetime) -> list[datetime]:
        """Return the times of the changes after `start`, until `end`."""
        return [each for each in self._times if start < each <= end]

    def has(self, attribute: str) -> bool:
        """Return whether any state has an attribute."""
        return any(attribute in each.attributes for each in self._states)


@dataclass(frozen=True, slots=True)
class Past:
    """One moment in the past, with the states of entities."""

    at: datetime
    """The moment, UTC."""

    timelines: Mapping[str, Timeline]

    def state(self, entity_id: str) -> State | None:
        """Return the state of an entity at that moment; None if unknown."""
        return self.timelines[entity_id].state(self.at)

    def value(self, entity_id: str, attribute: str) -> FunctionResult:
        """Return an attribute of an entity at that moment; unknown if the entity had no value."""
        state = self.state(entity_id)
        if state is None or state.state in NOT_KNOWN:
            return FunctionResult(is_unknown=True)
        return FunctionResult(value=value_of(state, attribute))


def _never(_start: datetime, _end: datetime) -> Iterable[datetime]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """Answers one call of a condition function for past moments."""

    answer: Callable[[Past], FunctionResult]
    entities: frozenset[str] = frozenset()
    attribute: str | None = None
    """The attribute that `answer` reads; None if it reads only states."""

    looks_back: bool = False
    """`answer` also reads states from before the period of the dry run."""

    depends_on_clock: bool = False
    """The answer may change at any moment."""

    moments: Callable[[datetime, datetime], Iterable[datetime]] = field(default=_never)
    """Returns further moments of a period at which the answer may change."""


class Replayable(ABC):
    """A condition function that can be answered for the past."""

    @abstractmethod
    async def async_replay(self, call: CallArguments) -> Replay:
        """Return a `Replay` that answers this call for past times.

        Checks the present permissions of the person. Raises UntoldError, and the errors of
        `FunctionHandler.async_answer`.
        """
