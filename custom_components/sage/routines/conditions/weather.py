"""The functions about time, sun and weather.

They are `now`, `is_dark`, `get_weather` and `get_forecast` (of a weather entity), and
`get_weather_at` (of another place, from a weather service).
"""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import Final, cast

from homeassistant.components.weather.const import DOMAIN
from homeassistant.const import SUN_EVENT_SUNRISE, SUN_EVENT_SUNSET
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.sun import get_astral_event_next
from homeassistant.util import dt as dt_util

from ...external import ExternalError
from ...home.entities.reading import async_forecast, begins, forecast_kinds
from ...home.home_types import HomeError
from ...home.safety.free_text import answer_is_free_text, is_free_text
from ...home.values import STATE, values_of_state
from ..sandbox.sandbox_types import EVERY_CHECK, FunctionResult, Value
from .calls import ConditionCall, NotNowError, condition_function, number
from .names import async_only

_LONGEST_DARK: Final = timedelta(hours=1)
"""Maximum validity of an `is_dark` result, since the home's location or the clock may change."""

_LIFETIME: Final = timedelta(minutes=15)
_MOST_HOURS: Final = 10 * 24
_MOST_PLACES: Final = 8


@condition_function(
    returns="datetime",
    description="The local date and time, with its time zone.",
    is_recorded=True,
)
async def now(call: ConditionCall) -> FunctionResult:
    """Return the local time; the result is valid for one evaluation of the condition only."""
    return FunctionResult(value=dt_util.as_local(call.snapshot.at), fresh_until=EVERY_CHECK)


@condition_function(
    returns="bool", description="Whether the sun is below the horizon.", is_recorded=True
)
async def is_dark(call: ConditionCall) -> FunctionResult:
    """Return whether the sun is down; the result is valid until the next sunrise or sunset."""
    at = call.snapshot.at
    try:
        rising = get_astral_event_next(call.hass, SUN_EVENT_SUNRISE, at)
        setting = get_astral_event_next(call.hass, SUN_EVENT_SUNSET, at)
    except ValueError:
        raise HomeError("The sun does not rise and set where this home is. Use now().") from None
    until = min(rising, setting, at + _LONGEST_DARK)
    return FunctionResult(value=rising < setting, fresh_until=until)


@condition_function(
    returns="dict",
    description=(
        "The weather now: {'condition': 'rainy', 'temperature': 12.5, 'humidity': 80, "
        "'wind_speed': ...}; unknown values are left out, so use .get(). device only where "
        "there are several weather entities."
    ),
)
async def get_weather(call: ConditionCall, device: str = "") -> FunctionResult:
    """Return the current values of the weather entity, e.g. temperature and humidity."""
    state = await call.async_known_state(await async_only(call, DOMAIN, device))
    values = values_of_state(state)
    values["condition"] = values.pop(STATE)
    return FunctionResult(
        value=cast("Value", values),
        is_free_text=any(is_free_text(DOMAIN, *each) for each in values.items()),
    )


@condition_function(
    returns="list[dict]",
    description=(
        "The forecast for the next hours, oldest first: a list of {'at': datetime, "
        "'condition': 'rainy', 'temperature': ..., 'precipitation_probability': ...}; unknown "
        "values are left out, so use .get(). By the hour where that is known, else by the "
        "day (with 'templow')."
    ),
)
async def get_forecast(call: ConditionCall, hours: float, device: str = "") -> FunctionResult:
    """Return the forecast entries for the next `hours`."""
    hours = number("hours", hours, 1, _MOST_HOURS)
    state = await call.async_known_state(await async_only(call, DOMAIN, device))
    if not (kinds := forecast_kinds(state)):
        raise HomeError(f"{state.entity_id} has no forecast. Use get_weather, or another entity.")
    read = partial(async_forecast, call.hass, state.entity_id, kinds[0])
    try:
        entries, until = await call.sources.async_kept((DOMAIN, state.entity_id), _LIFETIME, read)
    except (HomeAssistantError, TimeoutError) as err:
        raise NotNowError from err
    start = dt_util.utcnow()
    end = start + timedelta(hours=hours)
    shown = [
        entry
        for entry in entries
        if begins(entry) < end and start < begins(entry) + kinds[0].length
    ]
    return FunctionResult(
        value=cast("Value", shown),
        fresh_until=until,
        is_free_text=answer_is_free_text(DOMAIN, shown),
    )


@condition_function(
    returns="list[dict]",
    description=(
        "The weather of another place by the hour, for this hour and the next ones: a list of "
        "{'at': datetime, 'condition': 'rainy', 'temperature': 12.5, 'precipitation': 0.4, "
        "'precipitation_probability': 80, 'humidity': 60, 'wind_speed': 10}; unknown "
        "values are left out, so use .get(). place: a city, with region and country if several "
        "have its name, such as 'Springfield, Illinois, US'."
    ),
)
async def get_weather_at(call: ConditionCall, place: str, hours: float = 1) -> FunctionResult:
    """Return the weather of another place, by the hour, starting with the current hour."""
    service = call.sources.external.place_weather
    assert service is not None
    length = timedelta(hours=number("hours", hours, 1, _MOST_HOURS))
    try:
        places = await service.async_places(place, call.hass.config.language)
        if len(places) != 1:
            raise HomeError(_unclear(place, [other.label for other in places]))
        forecast = await service.async_weather(places[0])
    except ExternalError as err:
        raise NotNowError from err
    at = dt_util.utcnow()
    # Only numbers and fixed words, no untrusted text of the service.
    shown = [
        dict(hour) for hour in forecast.hours if at - timedelta(hours=1) < hour["at"] < at + length
    ]
    return FunctionResult(value=cast("Value", shown), fresh_until=at + _LIFETIME)


def _unclear(named: str, labels: Sequence[str]) -> str:
    if not labels:
        return f'There is no place "{named}". Use its usual name, with the country.'
    return f'There are several places "{named}": {"; ".join(labels[:_MOST_PLACES])}. Write one so.'
