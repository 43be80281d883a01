"""Computes past results of condition functions, such as `get_state`, from recorded states."""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from homeassistant.core import State

from ...home.values import NOT_KNOWN, value_of
from ..interfaces import CallArguments
from ..sandbox.sandbox_types import FunctionResult


class ReplayProblem(StrEnum):
    """The reason why a dry run is not possible.

    A dry run evaluates the condition of a routine with recorded states.
    """

    NO_CONDITION = "no_condition"
    """The routine has no condition; it fires at a set time."""
    HAS_END = "has_end"
    """The routine has a second condition (`Routine.end`), which a dry run does not support."""
    NO_RECORDER = "no_recorder"
    NOT_RECORDED = "not_recorded"
    """The recorder excludes an entity or attribute that the code reads."""
    READS_MORE = "reads_more"
    """The code reads data that the recorder lacks, such as calendars or SmartThings values."""
    TOO_MANY_CHANGES = "too_many_changes"
    WITHHELD = "withheld"
    """A device that the code uses was removed, or the routine's owner may not read it."""
    FAILS = "fails"
    """The condition code fails."""
    NO_SANDBOX = "no_sandbox"


class ReplayError(Exception):
    """A dry run (evaluation of a condition with recorded states) is not possible."""

    def __init__(self, reason: ReplayProblem) -> None:
        """`reason`: shown to the owner of the routine."""
        super().__init__(reason.value)
        self.reason = reason


class Timeline:
    """The recorded states of one entity, in order of time."""

    def __init__(self, states: Sequence[State]) -> None:
        """`states`: the recorded states, oldest first."""
        self._states = states
        self._times = [each.last_updated for each in states]

    def state(self, at: datetime) -> State | None:
        """Return the entity's state at a time (UTC); None before the first recorded state."""
        place = bisect_right(self._times, at)
        return self._states[place - 1] if place else None

    def held_since(self, at: datetime) -> datetime | None:
        """Return the start of the state that the entity had at the time `at` (both UTC).

        Ignores interruptions: "on, unavailable, on" is one state. None if the state at `at` is
        unavailable, unknown or missing.
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
        """Return the times of the recorded changes after `start`, up to and including `end`."""
        return [each for each in self._times if start < each <= end]

    def has(self, attribute: str) -> bool:
        """Return whether at least one recorded state has the attribute."""
        return any(attribute in each.attributes for each in self._states)


@dataclass(frozen=True, slots=True)
class Past:
    """A time in the past, with the recorded states of entities."""

    at: datetime
    """The past time for which the condition is evaluated, UTC."""

    timelines: Mapping[str, Timeline]
    """Entity id -> its recorded states."""

    def state(self, entity_id: str) -> State | None:
        """Return the state of an entity at the time `at`; None before its first recorded state."""
        return self.timelines[entity_id].state(self.at)

    def value(self, entity_id: str, attribute: str) -> FunctionResult:
        """Return the value of an attribute at the time `at`.

        The result is marked as unknown if the entity was unavailable, unknown or not yet recorded.
        """
        state = self.state(entity_id)
        if state is None or state.state in NOT_KNOWN:
            return FunctionResult(is_unknown=True)
        return FunctionResult(value=value_of(state, attribute))


def _never(_start: datetime, _end: datetime) -> Iterable[datetime]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """Computes the past results of a function call in condition code, e.g. `get_state("lamp")`."""

    answer: Callable[[Past], FunctionResult]
    """Returns the result that the function call would have had at a past time."""
    entities: frozenset[str] = frozenset()
    """Ids of the entities that the function call reads."""
    attribute: str | None = None
    """Name of the attribute that the function call reads; None if it reads only states."""

    looks_back: bool = False
    """Whether the result also depends on states from before the examined period."""

    depends_on_clock: bool = False
    """Whether the result may change at any time, as that of `now()` does."""

    moments: Callable[[datetime, datetime], Iterable[datetime]] = field(default=_never)
    """Returns the times in a period at which the result may change by itself, e.g. sunsets."""


class Replayable(ABC):
    """A condition function, such as `get_state`, that can also compute its past results."""

    @abstractmethod
    async def async_replay(self, call: CallArguments) -> Replay:
        """Return a `Replay`, which computes the results of this call at past times.

        Raises these errors:

        - ReplayError: past results cannot be computed;
        - FunctionCallError, HomeError: the call is invalid;
        - WithheldError: a device was removed, or the condition's owner may not read it;
        - NotNowError: the values of a device are not loaded yet.
        """
