"""`held_minutes`: how long a device has had its present state."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from homeassistant.core import Event, EventStateChangedData, HomeAssistant, State, callback
from homeassistant.helpers.event import async_track_state_change_event
from homeassistant.util import dt as dt_util

from ...home.home_types import HomeError
from ...home.recorded import Recorded
from ...home.values import STATE
from ..condition_interface import WatchedResult
from ..sandbox.sandbox_types import ConditionFunction, FunctionResult
from .entity_values import NOT_KNOWN, is_known
from .function_calls import CallArguments
from .name_resolution import Names
from .replay import Past, Replay, Replayable
from .states import DEVICE, Sight, answer_of

_FURTHEST: Final = timedelta(days=7)
_MOST: Final = 500
"""Most entities that are kept up to date; conditions need far fewer."""

_LONG_PAST: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class _Held:
    """A state and when it began."""

    state: str
    since: datetime
    stop: Callable[[], None]


class HeldMinutes(Replayable):
    """The time since the main value changed.

    Home Assistant counts from its start or from the loading of an integration; the recorder has
    the time before. Later changes come from events.
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

    def __init__(self, hass: HomeAssistant, names: Names, sight: Sight, recorded: Recorded) -> None:
        """Resolve names with `names`, read as the person with `sight`."""
        self._hass = hass
        self._names = names
        self._sight = sight
        self._recorded = recorded
        self._held: dict[str, _Held] = {}

    @callback
    def close(self) -> None:
        """Stop listening to changes."""
        for held in self._held.values():
            held.stop()
        self._held.clear()

    async def async_answer(self, call: CallArguments) -> WatchedResult:
        """Return the minutes, which are new at every check."""
        bound = await self._names.async_main(call, call.text("device"))
        state = self._sight.state(call.person, bound.place)
        if state is None or not is_known(state):
            return answer_of(bound.place, state, STATE, bound.bindings)
        since = await self._async_since(state)
        minutes = max(0.0, (dt_util.utcnow() - since).total_seconds() / 60)
        return WatchedResult(
            answer=FunctionResult(value=round(minutes, 2)),
            keys=frozenset({bound.place.entity_id}),
            fresh_until=_LONG_PAST,
            bindings=bound.bindings,
        )

    async def async_replay(self, call: CallArguments) -> Replay:
        """Return the function that gives the minutes at a past moment."""
        bound = await self._names.async_main(call, call.text("device"))
        self._sight.state(call.person, bound.place)
        entity_id = bound.place.entity_id

        def answer(past: Past) -> FunctionResult:
            since = past.timelines[entity_id].held_since(past.at)
            if since is None:
                return FunctionResult(is_unknown=True)
            return FunctionResult(value=round((past.at - since).total_seconds() / 60, 2))

        return Replay(
            answer=answer, entities=frozenset({entity_id}), looks_back=True, goes_by_clock=True
        )

    async def _async_since(self, state: State) -> datetime:
        entity_id = state.entity_id
        if (held := self._held.get(entity_id)) is not None and held.state == state.state:
            return held.since
        held = self._follow(state)
        try:
            self._recorded.check(entity_id)
        except HomeError:
            return held.since
        begun = held.since
        since = await self._recorded.async_held_since(state, dt_util.utcnow() - _FURTHEST)
        if held.state == state.state and held.since == begun:
            held.since = since
        return held.since

    def _follow(self, state: State) -> _Held:
        entity_id = state.entity_id
        if (before := self._held.pop(entity_id, None)) is not None:
            before.stop()
        while len(self._held) >= _MOST:
            self._held.pop(next(iter(self._held))).stop()
        stop = async_track_state_change_event(self._hass, entity_id, self._changed)
        held = self._held[entity_id] = _Held(state.state, state.last_changed, stop)
        return held

    @callback
    def _changed(self, event: Event[EventStateChangedData]) -> None:
        entity_id, new = event.data["entity_id"], event.data["new_state"]
        if (held := self._held.get(entity_id)) is None:
            return
        if new is None:
            self._held.pop(entity_id).stop()
        elif new.state not in NOT_KNOWN and new.state != held.state:
            held.state, held.since = new.state, new.last_changed
