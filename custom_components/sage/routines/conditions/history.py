"""The functions `get_history` and `held_minutes` for condition code: past values of devices.

Condition code is the Python code of a routine's condition.
"""

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
from ..interfaces import EVERY_CHECK, CallArguments, FunctionCallError, WatchedResult
from ..sandbox.sandbox_types import ConditionFunction, FunctionResult, Parameter, Value
from .name_resolution import Names
from .replay import Past, Replay, Replayable
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

_UNUSED: Final = timedelta(hours=1)
"""A history that `get_history` did not use for this time may be removed from memory."""

_FURTHEST: Final = timedelta(days=7)
_MOST_HELD: Final = 500
"""Maximum number of entities whose state and last change `held_minutes` keeps in memory."""


type _Key = tuple[str, str, float]


@dataclass(slots=True, kw_only=True)
class _Following:
    """Past values of an entity, kept in memory and updated by state change events."""

    stop: Callable[[], None] = lambda: None
    """Unsubscribes from the state change events."""


class _OfThePast[K, F: _Following]:
    """Base class of `get_history` and `held_minutes`, which read past values of a device.

    Old values are read once from the recorder; new ones come from state change events. The recorder
    writes with a delay, so reading it again would miss recent changes.
    """

    def __init__(
        self, hass: HomeAssistant, names: Names, reader: StateReader, recorded: Recorded
    ) -> None:
        """`names` resolves device names in condition code; `reader` checks permissions.

        `recorded` reads states from the recorder.
        """
        self._hass = hass
        self._names = names
        self._reader = reader
        self._recorded = recorded
        self._followed: dict[K, F] = {}

    @callback
    def close(self) -> None:
        """Unsubscribe from all state change events."""
        for followed in self._followed.values():
            followed.stop()
        self._followed.clear()

    def _make_room(self, most: int) -> None:
        """Remove the first items of `_followed` until fewer than `most` are left."""
        while len(self._followed) >= most:
            self._followed.pop(next(iter(self._followed))).stop()


@dataclass(frozen=True, slots=True)
class _Point:
    at: datetime
    value: Value


@dataclass(slots=True, kw_only=True)
class _Followed(_Following):
    """The past values of one attribute of an entity, kept in memory."""

    attribute: str
    asked_at: datetime
    points: list[_Point] = field(default_factory=list)
    is_read: bool = False
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)

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


class GetHistory(_OfThePast[_Key, _Followed]):
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

    async def async_answer(self, call: CallArguments) -> WatchedResult:
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
        state = self._reader.state(call.person, bound.place)
        if state is None or not is_known(state):
            return answer_of(bound.place, state, bound.attribute, bound.bindings)
        try:
            self._recorded.check(state.entity_id)
        except HomeError as err:
            hint = "Keep what is needed in the dict `state` instead."
            raise FunctionCallError(f"{err} {hint}") from err
        lifetime = min(max(timedelta(minutes=minutes) / 100, _SHORTEST), _LONGEST)
        points = await self._async_points(state, bound.attribute, minutes)
        shown = _shown(points, state, bound.attribute, minutes)
        return WatchedResult(
            answer=FunctionResult(
                value=[{"at": dt_util.as_local(each.at), "value": each.value} for each in shown]
            ),
            keys=frozenset({state.entity_id}),
            fresh_until=dt_util.utcnow() + lifetime,
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
        followed.points = [*earlier, *followed.points]
        del followed.points[:-MOST_POINTS]
        followed.is_read = True

    def _follow(self, state: State, attribute: str, minutes: float) -> _Followed:
        now = dt_util.utcnow()
        key = (state.entity_id, attribute, minutes)
        if (followed := self._followed.pop(key, None)) is None:
            for old in [k for k, each in self._followed.items() if now - each.asked_at > _UNUSED]:
                self._followed.pop(old).stop()
            self._make_room(_MAX_CACHED)
            followed = _Followed(attribute=attribute, asked_at=now)
            followed.add(state)
            followed.stop = async_track_state_change_event(
                self._hass, state.entity_id, followed.changed
            )
        # Keep the most recently used entry last, since the first entry is dropped.
        followed.asked_at = now
        self._followed[key] = followed
        return followed


def _shown(points: list[_Point], state: State, attribute: str, minutes: float) -> list[_Point]:
    """Return the value that applied `minutes` ago, and all later changes."""
    start = dt_util.utcnow() - timedelta(minutes=minutes)
    changed = state.last_changed if attribute == STATE else state.last_updated
    found: list[_Point] = []
    for point in (*points, _Point(changed, value_of(state, attribute))):
        at = max(point.at, start)
        if found and found[-1].at == at:
            found.pop()
        if not found or (found[-1].value != point.value and at > found[-1].at):
            found.append(_Point(at, point.value))
    return found[-MOST_POINTS:]


@dataclass(slots=True, kw_only=True)
class _Held(_Following):
    """The current state of an entity, and the time when this state began."""

    state: str
    since: datetime


class HeldMinutes(_OfThePast[str, _Held], Replayable):
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

    async def async_answer(self, call: CallArguments) -> WatchedResult:
        """Return for how many minutes the device's main entity has had its current state.

        The result is marked as unknown while the device is unavailable.
        """
        bound = await self._names.async_main(call, call.text("device"))
        state = self._reader.state(call.person, bound.place)
        if state is None or not is_known(state):
            return answer_of(bound.place, state, STATE, bound.bindings)
        since = await self._async_since(state)
        minutes = max(0.0, (dt_util.utcnow() - since).total_seconds() / 60)
        return WatchedResult(
            answer=FunctionResult(value=round(minutes, 2)),
            keys=frozenset({bound.place.entity_id}),
            fresh_until=EVERY_CHECK,
            bindings=bound.bindings,
        )

    async def async_replay(self, call: CallArguments) -> Replay:
        """Return a `Replay`, which computes the results of this call at past times."""
        bound = await self._names.async_main(call, call.text("device"))
        self._reader.state(call.person, bound.place)
        entity_id = bound.place.entity_id

        def answer(past: Past) -> FunctionResult:
            since = past.timelines[entity_id].held_since(past.at)
            if since is None:
                return FunctionResult(is_unknown=True)
            return FunctionResult(value=round((past.at - since).total_seconds() / 60, 2))

        return Replay(
            answer=answer, entities=frozenset({entity_id}), looks_back=True, depends_on_clock=True
        )

    async def _async_since(self, state: State) -> datetime:
        entity_id = state.entity_id
        if (held := self._followed.get(entity_id)) is not None and held.state == state.state:
            return held.since
        held = self._follow(state)
        try:
            self._recorded.check(entity_id)
        except HomeError:
            return held.since
        begun = held.since
        # Do not use `State.last_changed`: restarts of Home Assistant and integrations reset it.
        since = await self._recorded.async_held_since(state, dt_util.utcnow() - _FURTHEST)
        if held.state == state.state and held.since == begun:
            held.since = since
        return held.since

    def _follow(self, state: State) -> _Held:
        entity_id = state.entity_id
        if (before := self._followed.pop(entity_id, None)) is not None:
            before.stop()
        self._make_room(_MOST_HELD)
        stop = async_track_state_change_event(self._hass, entity_id, self._changed)
        held = self._followed[entity_id] = _Held(
            state=state.state, since=state.last_changed, stop=stop
        )
        return held

    @callback
    def _changed(self, event: Event[EventStateChangedData]) -> None:
        entity_id, new = event.data["entity_id"], event.data["new_state"]
        if (held := self._followed.get(entity_id)) is None:
            return
        if new is None:
            self._followed.pop(entity_id).stop()
        elif new.state not in NOT_KNOWN and new.state != held.state:
            held.state, held.since = new.state, new.last_changed
