"""Answering a question as of a moment in the past: for the dry run (DESIGN 8)."""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from homeassistant.core import State

from ..routines.sandbox.model import Answer
from .entity_values import NOT_KNOWN, value_of
from .lender import Asked


class Untold(StrEnum):
    """Why it cannot be told when a condition would have fired."""

    NO_CONDITION = "no_condition"
    """It goes by the clock, not by a condition."""
    HAS_END = "has_end"
    """A condition of its own ends it, so the trigger alone does not tell."""
    NO_RECORDER = "no_recorder"
    NOT_RECORDED = "not_recorded"
    """The recorder leaves out something that it reads."""
    READS_MORE = "reads_more"
    """It reads more than states: history, weather, calendars, SmartThings."""
    TOO_MANY_CHANGES = "too_many_changes"
    WITHHELD = "withheld"
    """Something it reads is there no more, or may not be seen any more."""
    FAILS = "fails"
    """The code fails."""
    NO_SANDBOX = "no_sandbox"


class UntoldError(Exception):
    """It cannot be told when a condition would have fired."""

    def __init__(self, reason: Untold) -> None:
        """Keep why."""
        super().__init__(reason.value)
        self.reason = reason


class Timeline:
    """The states of one entity, as they followed on each other."""

    def __init__(self, states: Sequence[State]) -> None:
        """Take them with the oldest first."""
        self._states = states
        self._times = [each.last_updated for each in states]

    def state(self, at: datetime) -> State | None:
        """Return the state at a moment; None where nothing is known of it."""
        place = bisect_right(self._times, at)
        return self._states[place - 1] if place else None

    def held_since(self, at: datetime) -> datetime | None:
        """Return since when it had been in the state of a moment; absence counts as no change."""
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
        """Return when it changed within a time."""
        return [each for each in self._times if start < each <= end]

    def has(self, attribute: str) -> bool:
        """Tell whether any state has an attribute."""
        return any(attribute in each.attributes for each in self._states)


@dataclass(frozen=True, slots=True)
class Past:
    """One moment in the past."""

    at: datetime
    """UTC."""

    timelines: Mapping[str, Timeline]

    def state(self, entity_id: str) -> State | None:
        """Return what an entity was."""
        return self.timelines[entity_id].state(self.at)

    def value(self, entity_id: str, attribute: str) -> Answer:
        """Return the answer that an entity gave."""
        state = self.state(entity_id)
        if state is None or state.state in NOT_KNOWN:
            return Answer(is_unknown=True)
        return Answer(value=value_of(state, attribute))


def _never(_start: datetime, _end: datetime) -> Iterable[datetime]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """How one question is answered as of any moment."""

    answer: Callable[[Past], Answer]
    entities: frozenset[str] = frozenset()
    attribute: str | None = None
    """The attribute that is needed of them; None where the states are enough."""

    looks_back: bool = False
    """It needs what was before the time that is replayed."""

    goes_by_clock: bool = False
    """It may become another one at any moment."""

    moments: Callable[[datetime, datetime], Iterable[datetime]] = field(default=_never)
    """When else it may become another one, within a time."""


class Replayable(ABC):
    """A lender that can tell what it would have answered."""

    @abstractmethod
    async def async_replay(self, asked: Asked) -> Replay:
        """Return how to answer; through the gate as of now.

        Raises what `Lender.async_answer` raises, and UntoldError.
        """
