"""`get_weather` and `get_forecast`: from a weather entity that the person may read."""

import asyncio
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final, cast

from homeassistant.components.weather.const import (
    DOMAIN,
    SERVICE_GET_FORECASTS,
    WeatherEntityFeature,
)
from homeassistant.const import ATTR_ENTITY_ID, ATTR_SUPPORTED_FEATURES
from homeassistant.core import Context, HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.util import dt as dt_util

from ...home.safety.free_text import answer_is_free_text, is_free_text
from ...home.values import STATE, plain, point_in_time, values_of_state
from ..interfaces import WatchedResult
from ..sandbox.sandbox_types import ConditionFunction, FunctionResult, Parameter, Value
from .entity_values import is_known
from .function_calls import CallArguments, FunctionCallError
from .name_resolution import Names
from .states import StateReader, answer_of

_LIFETIME: Final = timedelta(minutes=15)
_AFTER_FAILURE: Final = timedelta(minutes=1)
_TIMEOUT: Final = 15.0
_MOST_HOURS: Final = 10 * 24

_DEVICE: Final = Parameter(name="device", type="str", required=False, default="")

_KINDS: Final = (
    (WeatherEntityFeature.FORECAST_HOURLY, "hourly", timedelta(hours=1)),
    (WeatherEntityFeature.FORECAST_TWICE_DAILY, "twice_daily", timedelta(hours=12)),
    (WeatherEntityFeature.FORECAST_DAILY, "daily", timedelta(hours=24)),
)
"""Forecast features with the length of one entry; the finest one is used."""

type _Entries = list[dict[str, Value]]


class GetWeather:
    """The condition function `get_weather`: the weather now."""

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
        """`names` finds the weather entity; `reader` checks what the person may read."""
        self._names = names
        self._reader = reader

    async def async_answer(self, call: CallArguments) -> WatchedResult:
        """Return the values of the weather entity; unknown while it is unavailable."""
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
    """The condition function `get_forecast`: the weather of the next hours."""

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
        """`names` finds the weather entity; `reader` checks what the person may read."""
        self._hass = hass
        self._names = names
        self._reader = reader
        self._known: dict[str, tuple[datetime, _Entries]] = {}

    async def async_answer(self, call: CallArguments) -> WatchedResult:
        """Return the entries of the forecast; unknown while it cannot be fetched."""
        hours = call.number("hours", 1, _MOST_HOURS)
        bound = await self._names.async_only(call, DOMAIN)
        state = self._reader.state(call.person, bound.place)
        if state is None or not is_known(state):
            return answer_of(bound.place, state, STATE, bound.bindings)
        kind, length = _kind(state)
        keys = frozenset({state.entity_id})
        now = dt_util.utcnow()
        until, entries = self._known.get(state.entity_id, (now, []))
        if until <= now:
            try:
                entries = await self._async_fetch(state.entity_id, kind)
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
        shown = [each for each in entries if _begins(each) < end and now < _begins(each) + length]
        return WatchedResult(
            answer=FunctionResult(value=shown),
            keys=keys,
            fresh_until=until,
            bindings=bound.bindings,
            is_free_text=answer_is_free_text(DOMAIN, shown),
        )

    async def _async_fetch(self, entity_id: str, kind: str) -> _Entries:
        # Home Assistant requires control permission for actions. This one only reads, which the
        # gate has allowed, so it is called without a user.
        async with asyncio.timeout(_TIMEOUT):
            response = await self._hass.services.async_call(
                DOMAIN,
                SERVICE_GET_FORECASTS,
                {ATTR_ENTITY_ID: entity_id, "type": kind},
                blocking=True,
                context=Context(),
                return_response=True,
            )
        told = cast("Mapping[str, Any]", response or {}).get(entity_id) or {}
        found = (_entry(each) for each in told.get("forecast") or ())
        return sorted((each for each in found if each is not None), key=_begins)


def _kind(state: State) -> tuple[str, timedelta]:
    features = int(state.attributes.get(ATTR_SUPPORTED_FEATURES) or 0)
    for feature, kind, length in _KINDS:
        if features & feature:
            return kind, length
    raise FunctionCallError(
        f"{state.entity_id} has no forecast. Use get_weather, or another entity."
    )


def _entry(told: Mapping[str, Any]) -> dict[str, Value] | None:
    at = point_in_time(told.get("datetime"))
    if at is None:
        return None
    rest = {
        str(name): cast("Value", plain(value))
        for name, value in told.items()
        if name != "datetime" and value is not None
    }
    return {"at": at, **rest}


def _begins(entry: Mapping[str, Value]) -> datetime:
    at = entry["at"]
    assert isinstance(at, datetime)
    return at
