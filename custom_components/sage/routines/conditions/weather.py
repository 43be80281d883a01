"""`get_weather` and `get_forecast`: from a weather entity that the person may read."""

from datetime import datetime, timedelta
from typing import Final, cast

from homeassistant.components.weather.const import DOMAIN
from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.util import dt as dt_util

from ...home.entities.forecasts import (
    ForecastEntry,
    ForecastKind,
    async_forecast,
    begins,
    forecast_kinds,
)
from ...home.safety.free_text import answer_is_free_text, is_free_text
from ...home.values import STATE, values_of_state
from ..interfaces import WatchedResult
from ..sandbox.sandbox_types import ConditionFunction, FunctionResult, Parameter, Value
from .entity_values import is_known
from .function_calls import CallArguments, FunctionCallError
from .name_resolution import Names
from .states import StateReader, answer_of

_LIFETIME: Final = timedelta(minutes=15)
_AFTER_FAILURE: Final = timedelta(minutes=1)
_MOST_HOURS: Final = 10 * 24

_DEVICE: Final = Parameter(name="device", type="str", required=False, default="")

type _Entries = list[ForecastEntry]


class GetWeather:
    """The weather now."""

    function = ConditionFunction(
        name="get_weather",
        parameters=(_DEVICE,),
        returns="dict",
        description=(
            "The weather now: {'condition': 'rainy', 'temperature': 12.5, 'humidity': 80, "
            "'wind_speed': ...}; what is not told is not in it, so use .get(). device only where "
            "there are several weather entities."
        ),
    )

    def __init__(self, names: Names, reader: StateReader) -> None:
        """Resolve the entity with `names`, read as the person with `reader`."""
        self._names = names
        self._reader = reader

    async def async_answer(self, call: CallArguments) -> WatchedResult:
        """Return the values of the entity."""
        bound = await self._names.async_only(call, DOMAIN)
        state = self._reader.state(call.person, bound.place)
        if state is None or not is_known(state):
            return answer_of(bound.place, state, STATE, bound.bindings)
        values = values_of_state(state)
        values["condition"] = values.pop(STATE)
        return WatchedResult(
            answer=FunctionResult(value=cast("Value", values)),
            keys=frozenset({state.entity_id}),
            bindings=bound.bindings,
            is_free_text=any(is_free_text(DOMAIN, *each) for each in values.items()),
        )


class GetForecast:
    """The forecast."""

    function = ConditionFunction(
        name="get_forecast",
        parameters=(Parameter(name="hours", type="float"), _DEVICE),
        returns="list[dict]",
        description=(
            "The forecast for the next hours, oldest first: a list of {'at': datetime, "
            "'condition': 'rainy', 'temperature': ..., 'precipitation_probability': ...}; what is "
            "not told is not in it, so use .get(). By the hour where that is known, else by the "
            "day (with 'templow')."
        ),
    )

    def __init__(self, hass: HomeAssistant, names: Names, reader: StateReader) -> None:
        """Resolve the entity with `names`, read as the person with `reader`."""
        self._hass = hass
        self._names = names
        self._reader = reader
        self._known: dict[str, tuple[datetime, _Entries]] = {}

    async def async_answer(self, call: CallArguments) -> WatchedResult:
        """Return the entries; unknown while there is no forecast."""
        hours = call.number("hours", 1, _MOST_HOURS)
        bound = await self._names.async_only(call, DOMAIN)
        state = self._reader.state(call.person, bound.place)
        if state is None or not is_known(state):
            return answer_of(bound.place, state, STATE, bound.bindings)
        kind = _finest(state)
        keys = frozenset({state.entity_id})
        now = dt_util.utcnow()
        until, entries = self._known.get(state.entity_id, (now, []))
        if until <= now:
            try:
                entries = await async_forecast(self._hass, state.entity_id, kind)
            except HomeAssistantError, TimeoutError:
                return WatchedResult(
                    answer=FunctionResult(is_unknown=True),
                    keys=keys,
                    fresh_until=now + _AFTER_FAILURE,
                    bindings=bound.bindings,
                )
            until = now + _LIFETIME
            self._known[state.entity_id] = (until, entries)
        end = now + timedelta(hours=hours)
        shown = [
            each for each in entries if begins(each) < end and now < begins(each) + kind.length
        ]
        return WatchedResult(
            answer=FunctionResult(value=cast("Value", shown)),
            keys=keys,
            fresh_until=until,
            bindings=bound.bindings,
            is_free_text=answer_is_free_text(DOMAIN, shown),
        )


def _finest(state: State) -> ForecastKind:
    if kinds := forecast_kinds(state):
        return kinds[0]
    raise FunctionCallError(
        f"{state.entity_id} has no forecast. Use get_weather, or another entity."
    )
