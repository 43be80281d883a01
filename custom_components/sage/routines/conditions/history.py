"""The functions `get_history` and `held_minutes` for condition code: past values of devices."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from homeassistant.core import Event, EventStateChangedData, HomeAssistant, State, callback
from homeassistant.helpers.event import async_track_state_change_event
from homeassistant.util import dt as dt_util

from ...home.home_types import HomeError
from ...home.recorded import Recorded
from ...home.safety.free_text import is_free_text, options_of
from ...home.values import NOT_KNOWN, STATE, is_known, value_of
from ..interfaces import EVERY_CHECK, CallArguments, FunctionCallError
from ..sandbox.sandbox_types import ConditionFunction, FunctionResult, Parameter, Value
from .name_resolution import Names
from .recorded_day import RecordedSnapshot
from .states import DEVICE, StateReader, answer_of
from .stored_references import RawTarget

MOST_POINTS: Final = 500
MOST_MINUTES: Final = 7 * 24 * 60
_MOST_MINUTES_OF_ATTRIBUTES: Final = 24 * 60

_SHORTEST: Final = timedelta(seconds=10)
_LONGEST: Final = timedelta(minutes=5)
"""Maximum validity of a `get_history` result: its oldest values become too old over time."""

_MAX_CACHED: Final = 200
"""Maximum number of histories in memory: one for each entity, attribute and period."""

_FURTHEST: Final = timedelta(days=7)
_MOST_HELD: Final = 500
"""Maximum number of entities for which `held_minutes` remembers since when they have a state."""


@dataclass(frozen=True, slots=True)
class _Point:
    at: datetime
    value: Value


@dataclass(slots=True, kw_only=True)
class _Followed:
    """The past values of one attribute of an entity, kept in memory.

    Old values are read once from the recorder; new ones come from state change events. The recorder
    writes with a delay, so reading it again would miss recent changes.
    """

    attribute: str
    points: list[_Point] = field(default_factory=list)
    is_read: bool = False
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)
    stop: Callable[[], None] = lambda: None

    @callback
    def changed(self, event: Event[EventStateChangedData]) -> None:
        """Add the new state of a state change event to the past values."""
        if (new := event.data["new_state"]) is not None:
            self.add(new)

    def add(self, state: State) -> None:
        """Add the attribute's value in `state`, unless it is unknown or equals the last value."""
        value = value_of(state, self.attribute)
        if state.state not in NOT_KNOWN and not (self.points and self.points[-1].value == value):
            self.points.append(_Point(state.last_updated, value))
            del self.points[:-MOST_POINTS]


class GetHistory:
    """Implements `get_history` for the Python code of conditions: past values of a device."""

    function = ConditionFunction(
        name="get_history",
        parameters=(
            DEVICE,
            Parameter(name="minutes", type="float"),
            Parameter(name="attribute", type="str", required=False, default=""),
        ),
        returns="list[dict]",
        description=(
            "What a device was in the last minutes: a list of {'at': datetime, 'value': ...}, "
            "oldest first, beginning with the value that it had then; one entry a change, the "
            f"newest {MOST_POINTS}. Up to seven days, attributes up to one. Of entities only."
        ),
    )

    def __init__(
        self, hass: HomeAssistant, names: Names, reader: StateReader, recorded: Recorded
    ) -> None:
        """`names` resolves device names; `reader` checks permissions."""
        self._hass = hass
        self._names = names
        self._reader = reader
        self._recorded = recorded
        self._followed: dict[tuple[str, str, float], _Followed] = {}

    @callback
    def close(self) -> None:
        """Unsubscribe from all state change events."""
        for followed in self._followed.values():
            followed.stop()
        self._followed.clear()

    async def async_answer(self, call: CallArguments) -> FunctionResult:
        """Return the device's values in the last `minutes` (an argument of the call), with times.

        The result is marked as unknown while the device is unavailable.
        """
        name, attribute = call.text("device"), call.text("attribute") or STATE
        most = MOST_MINUTES if attribute == STATE else _MOST_MINUTES_OF_ATTRIBUTES
        minutes = call.number("minutes", 1, most)
        bound = await self._names.async_attribute(call, name, attribute)
        if isinstance(bound.place, RawTarget):
            raise FunctionCallError(
                f"Of {attribute} in SmartThings no history is kept. Read it with get_attribute, "
                "and keep what is needed in the dict `state`."
            )
        state = await self._reader.async_state(call, bound.place)
        if state is None or not is_known(state):
            return answer_of(bound.place, state, bound.attribute, bound.bindings)
        try:
            self._recorded.check(state.entity_id)
        except HomeError as err:
            hint = "Keep what is needed in the dict `state` instead."
            raise FunctionCallError(f"{err} {hint}") from err
        lifetime = min(max(timedelta(minutes=minutes) / 100, _SHORTEST), _LONGEST)
        span = timedelta(minutes=minutes)
        points = await self._async_points(state, bound.attribute, minutes)
        shown = _shown(points, state, bound.attribute, call.snapshot.at - span)
        return FunctionResult(
            value=[{"at": dt_util.as_local(each.at), "value": each.value} for each in shown],
            keys=frozenset({state.entity_id}),
            fresh_until=call.snapshot.at + lifetime,
            bindings=bound.bindings,
            is_free_text=is_free_text(
                state.domain,
                bound.attribute,
                [each.value for each in shown],
                options_of(state.domain, state.attributes),
            ),
        )

    async def _async_points(self, state: State, attribute: str, minutes: float) -> list[_Point]:
        followed = self._follow(state, attribute, minutes)
        async with followed.reading:
            if not followed.is_read:
                await self._async_read(followed, state, minutes)
        return followed.points

    async def _async_read(self, followed: _Followed, state: State, minutes: float) -> None:
        """Insert the recorded values of the last `minutes`, up to the first value from events."""
        await self._recorded.async_commit()
        now = dt_util.utcnow()
        rows = await self._recorded.async_newest(
            state,
            now - timedelta(minutes=minutes),
            now,
            MOST_POINTS,
            attributes=followed.attribute != STATE,
        )
        since = followed.points[0].at
        earlier = [
            _Point(row.last_updated, value_of(row, followed.attribute))
            for row in rows
            if row.state not in NOT_KNOWN and row.last_updated < since
        ]
        followed.points = [*earlier, *followed.points][-MOST_POINTS:]
        followed.is_read = True

    def _follow(self, state: State, attribute: str, minutes: float) -> _Followed:
        key = (state.entity_id, attribute, minutes)
        if (followed := self._followed.pop(key, None)) is None:
            while len(self._followed) >= _MAX_CACHED:
                self._followed.pop(next(iter(self._followed))).stop()
            followed = _Followed(attribute=attribute)
            followed.add(state)
            followed.stop = async_track_state_change_event(
                self._hass, state.entity_id, followed.changed
            )
        # Keep the most recently used entry last, since the first entry is dropped.
        self._followed[key] = followed
        return followed


def _shown(points: list[_Point], state: State, attribute: str, start: datetime) -> list[_Point]:
    """Return the value that applied at `start`, and all changes until `state`."""
    changed = state.last_changed if attribute == STATE else state.last_updated
    earlier = [each for each in points if each.at <= state.last_updated]
    shown: list[_Point] = []
    for point in (*earlier, _Point(changed, value_of(state, attribute))):
        at = max(point.at, start)
        if shown and shown[-1].at == at:
            shown.pop()
        if not shown or (shown[-1].value != point.value and at > shown[-1].at):
            shown.append(_Point(at, point.value))
    return shown[-MOST_POINTS:]


class HeldMinutes:
    """Implements `held_minutes` for condition code: how long a device has had its current state.

    Restarts of Home Assistant do not count as changes.
    """

    function = ConditionFunction(
        name="held_minutes",
        parameters=(DEVICE,),
        returns="float",
        description=(
            "For how many minutes the main value has been what it is now, such as: "
            "get_state(d) == 'on' and held_minutes(d) >= 10. Up to seven days."
        ),
    )

    def __init__(self, names: Names, reader: StateReader, recorded: Recorded) -> None:
        """`names` resolves device names; `reader` checks permissions."""
        self._names = names
        self._reader = reader
        self._recorded = recorded
        self._known: dict[tuple[str, datetime], datetime] = {}

    async def async_answer(self, call: CallArguments) -> FunctionResult:
        """Return for how many minutes the device's main entity has had its current state.

        The result is marked as unknown while the device is unavailable.
        """
        bound = await self._names.async_main(call, call.text("device"))
        state = await self._reader.async_state(call, bound.place)
        if state is None or not is_known(state):
            return answer_of(bound.place, state, STATE, bound.bindings)
        if isinstance(call.snapshot, RecordedSnapshot):
            since = await call.snapshot.async_held_since(state)
        else:
            since = await self._async_since(state)
        minutes = max(0.0, (call.snapshot.at - since).total_seconds() / 60)
        return FunctionResult(
            value=round(minutes, 2),
            keys=frozenset({bound.place.entity_id}),
            fresh_until=EVERY_CHECK,
            bindings=bound.bindings,
        )

    async def _async_since(self, state: State) -> datetime:
        # Restarts of Home Assistant and integrations reset `State.last_changed`.
        key = (state.entity_id, state.last_changed)
        if (known := self._known.get(key)) is not None:
            return known
        try:
            self._recorded.check(state.entity_id)
        except HomeError:
            return state.last_changed
        since = await self._recorded.async_held_since(state, dt_util.utcnow() - _FURTHEST)
        while len(self._known) >= _MOST_HELD:
            del self._known[next(iter(self._known))]
        self._known[key] = since
        return since
