"""The weather functions for condition code: `get_weather`, `get_forecast`, `get_weather_at`.

`get_weather` and `get_forecast` read a weather entity. `get_weather_at` asks a weather service for
the weather of another place.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, cast

from homeassistant.components.weather.const import DOMAIN
from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.util import dt as dt_util

from ...external.external_error import ExternalError
from ...external.place_weather import PlaceWeather
from ...home.entities.forecasts import (
    ForecastEntry,
    ForecastKind,
    async_forecast,
    begins,
    forecast_kinds,
)
from ...home.safety.free_text import answer_is_free_text, is_free_text
from ...home.values import STATE, is_known, values_of_state
from ..interfaces import CallArguments, FunctionCallError, NotNowError
from ..sandbox.sandbox_types import ConditionFunction, FunctionResult, Parameter, Value
from .name_resolution import Names
from .states import StateReader, answer_of

_LIFETIME: Final = timedelta(minutes=15)
_AFTER_FAILURE: Final = timedelta(minutes=1)
_MOST_HOURS: Final = 10 * 24
_MOST_PLACES: Final = 8

_DEVICE: Final = Parameter(name="device", type="str", required=False, default="")

type _Entries = list[ForecastEntry]


class GetWeather:
    """Implements `get_weather` for the Python code of conditions: the current weather at home."""

    function = ConditionFunction(
        name="get_weather",
        parameters=(_DEVICE,),
        returns="dict",
        description=(
            "The weather now: {'condition': 'rainy', 'temperature': 12.5, 'humidity': 80, "
            "'wind_speed': ...}; unknown values are left out, so use .get(). device only where "
            "there are several weather entities."
        ),
    )

    def __init__(self, names: Names, reader: StateReader) -> None:
        """`names` resolves the weather entity's name; `reader` reads it and checks permissions."""
        self._names = names
        self._reader = reader

    async def async_answer(self, call: CallArguments) -> FunctionResult:
        """Return the current values of the weather entity, e.g. temperature and humidity.

        The result is marked as unknown while the entity is unavailable.
        """
        bound = await self._names.async_only(call, DOMAIN)
        state = await self._reader.async_state(call, bound.place)
        if state is None or not is_known(state):
            return answer_of(bound.place, state, STATE, bound.bindings)
        values = values_of_state(state)
        values["condition"] = values.pop(STATE)
        return FunctionResult(
            value=cast("Value", values),
            keys=frozenset({state.entity_id}),
            bindings=bound.bindings,
            is_free_text=any(is_free_text(DOMAIN, *each) for each in values.items()),
        )


class GetForecast:
    """Implements `get_forecast` for the Python code of conditions: the forecast for the home."""

    function = ConditionFunction(
        name="get_forecast",
        parameters=(Parameter(name="hours", type="float"), _DEVICE),
        returns="list[dict]",
        description=(
            "The forecast for the next hours, oldest first: a list of {'at': datetime, "
            "'condition': 'rainy', 'temperature': ..., 'precipitation_probability': ...}; unknown "
            "values are left out, so use .get(). By the hour where that is known, else by the "
            "day (with 'templow')."
        ),
    )

    def __init__(self, hass: HomeAssistant, names: Names, reader: StateReader) -> None:
        """`names` resolves the weather entity's name; `reader` reads it and checks permissions."""
        self._hass = hass
        self._names = names
        self._reader = reader
        self._known: dict[str, tuple[datetime, _Entries]] = {}

    async def async_answer(self, call: CallArguments) -> FunctionResult:
        """Return the forecast entries for the next `hours` (an argument of the call).

        The result is marked as unknown while the forecast cannot be fetched.
        """
        hours = call.number("hours", 1, _MOST_HOURS)
        bound = await self._names.async_only(call, DOMAIN)
        state = await self._reader.async_state(call, bound.place)
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
                return FunctionResult(
                    is_unknown=True,
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
        return FunctionResult(
            value=cast("Value", shown),
            keys=keys,
            fresh_until=until,
            bindings=bound.bindings,
            is_free_text=answer_is_free_text(DOMAIN, shown),
        )


GET_WEATHER_AT: Final = "get_weather_at"


class GetWeatherAt:
    """Implements `get_weather_at` for the Python code of conditions: another place's weather."""

    function = ConditionFunction(
        name=GET_WEATHER_AT,
        parameters=(
            Parameter(name="place", type="str"),
            Parameter(name="hours", type="float", required=False, default=1),
        ),
        returns="list[dict]",
        description=(
            "The weather of another place by the hour, for this hour and the next ones: a list of "
            "{'at': datetime, 'condition': 'rainy', 'temperature': 12.5, 'precipitation': 0.4, "
            "'precipitation_probability': 80, 'humidity': 60, 'wind_speed': 10}; unknown "
            "values are left out, so use .get(). place: a city, with region and country if several "
            "have its name, such as 'Springfield, Illinois, US'."
        ),
    )

    def __init__(self, weather: PlaceWeather, language: str) -> None:
        """`weather`: the weather service.

        `language`: code of the language for the names of places, regions and countries.
        """
        self._weather = weather
        self._language = language

    async def async_answer(self, call: CallArguments) -> FunctionResult:
        """Return the weather of another place, by the hour, starting with the current hour.

        Raises FunctionCallError for an unknown or ambiguous place, NotNowError if the service
        fails.
        """
        named = call.text("place")
        hours = timedelta(hours=call.number("hours", 1, _MOST_HOURS))
        try:
            places = await self._weather.async_places(named, self._language)
            if len(places) != 1:
                raise FunctionCallError(_unclear(named, [each.label for each in places]))
            forecast = await self._weather.async_weather(places[0])
        except ExternalError as err:
            raise NotNowError from err
        now = dt_util.utcnow()
        # Only numbers and fixed words, no untrusted text of the service.
        shown = [
            dict(each)
            for each in forecast.hours
            if now - timedelta(hours=1) < each["at"] < now + hours
        ]
        return FunctionResult(value=cast("Value", shown), fresh_until=now + _LIFETIME)


def _unclear(named: str, labels: Sequence[str]) -> str:
    if not labels:
        return f'There is no place "{named}". Use its usual name, with the country.'
    return f'There are several places "{named}": {"; ".join(labels[:_MOST_PLACES])}. Write one so.'


def _finest(state: State) -> ForecastKind:
    if kinds := forecast_kinds(state):
        return kinds[0]
    raise FunctionCallError(
        f"{state.entity_id} has no forecast. Use get_weather, or another entity."
    )
