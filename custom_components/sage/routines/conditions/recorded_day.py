"""Past snapshots of the home, from the recorder."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from homeassistant.core import HomeAssistant, State

from ...home.home_types import HomeError
from ...home.recorded import Recorded
from ...home.values import NOT_KNOWN
from ..interfaces import NotRecordedError
from ..snapshot import Snapshot

LENGTH: Final = timedelta(hours=24)
MOST_CHANGES: Final = 1_200
"""Maximum number of recorded changes of one entity on the day."""

_MOST_STATES: Final = 5_000


class ReplayProblem(StrEnum):
    """The reason why past values of a condition are unknown."""

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


class RecordedDay:
    """The recorded states of entities, read when they are first needed."""

    def __init__(self, hass: HomeAssistant, end: datetime) -> None:
        """`end`: end of the day, UTC."""
        self._hass = hass
        self._recorded = Recorded(hass)
        self.start = end - LENGTH
        self.end = end
        self._states: dict[str, Sequence[State]] = {}

    async def async_states(self, entity_id: str) -> Sequence[State]:
        """Return the states of an entity on this day and the day before, the oldest first.

        Raises NotRecordedError.
        """
        if (known := self._states.get(entity_id)) is not None:
            return known
        if not self._recorded.is_there:
            raise NotRecordedError(ReplayProblem.NO_RECORDER)
        try:
            self._recorded.check(entity_id)
        except HomeError:
            raise NotRecordedError(ReplayProblem.NOT_RECORDED) from None
        if (like := self._hass.states.get(entity_id)) is None:
            raise NotRecordedError(ReplayProblem.WITHHELD)
        if not self._states:
            await self._recorded.async_commit()
        states = await self._recorded.async_newest(
            like, self.start - LENGTH, self.end, _MOST_STATES, attributes=True
        )
        if sum(each.last_updated > self.start for each in states) > MOST_CHANGES:
            raise NotRecordedError(ReplayProblem.TOO_MANY_CHANGES)
        self._states[entity_id] = states
        return states

    def changes(self, keys: frozenset[str], after: datetime) -> Iterator[datetime]:
        """Yield for each of the entities the time of its first recorded change after a time."""
        for key in keys & self._states.keys():
            times = [each.last_updated for each in self._states[key]]
            yield from times[bisect_right(times, after) :][:1]


class RecordedSnapshot(Snapshot):
    """The home at a time in the past."""

    is_past = True

    def __init__(self, day: RecordedDay, at: datetime) -> None:
        """`at`: a time (UTC) on that day."""
        super().__init__()
        self._day = day
        self.at = at

    async def async_state(self, hass: HomeAssistant, entity_id: str) -> State | None:
        """Return the state of an entity; None before its first recorded state.

        Raises NotRecordedError.
        """
        states = await self._async_until_now(entity_id)
        return states[-1] if states else None

    async def async_check_attribute(self, now: State, attribute: str) -> None:
        """Raise NotRecordedError if the recorder leaves out an attribute that the entity has."""
        states = await self._day.async_states(now.entity_id)
        if attribute in now.attributes and not any(attribute in each.attributes for each in states):
            raise NotRecordedError(ReplayProblem.NOT_RECORDED)

    async def async_held_since(self, state: State) -> datetime:
        """Return the time since when an entity has had its `state`; interruptions are ignored."""
        since = state.last_updated
        for each in reversed(await self._async_until_now(state.entity_id)):
            if each.state == state.state:
                since = each.last_updated
            elif each.state not in NOT_KNOWN:
                break
        return since

    async def _async_until_now(self, entity_id: str) -> Sequence[State]:
        states = await self._day.async_states(entity_id)
        return states[: bisect_right(states, self.at, key=lambda each: each.last_updated)]
