"""Read the forecasts of a weather entity with the action `weather.get_forecasts`."""

import asyncio
import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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

from ..home_types import Reading
from ..values import plain, point_in_time

_TIMEOUT: Final = 15.0


@dataclass(frozen=True, slots=True)
class ForecastKind:
    """A kind of forecast, such as hourly, and the period that one entry covers."""

    name: str
    length: timedelta


_KINDS: Final = (
    (WeatherEntityFeature.FORECAST_HOURLY, ForecastKind("hourly", timedelta(hours=1))),
    (WeatherEntityFeature.FORECAST_TWICE_DAILY, ForecastKind("twice_daily", timedelta(hours=12))),
    (WeatherEntityFeature.FORECAST_DAILY, ForecastKind("daily", timedelta(hours=24))),
)

type ForecastEntry = Mapping[str, object]
"""`at` (start, an aware datetime) and the values under their Home Assistant names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeWeather:
    """The current weather and the forecasts of a weather entity."""

    reading: Reading
    forecasts: Mapping[ForecastKind, Sequence[ForecastEntry]]
    """The entries of each kind of forecast; a kind that cannot be read now is missing."""


def forecast_kinds(state: State) -> tuple[ForecastKind, ...]:
    """Return the kinds of forecasts that a weather entity has, shortest period first."""
    features = int(state.attributes.get(ATTR_SUPPORTED_FEATURES) or 0)
    return tuple(kind for feature, kind in _KINDS if features & feature)


async def async_home_weather(
    hass: HomeAssistant, readings: Iterable[Reading]
) -> HomeWeather | None:
    """Return the weather of the first available weather entity in `readings`, or None."""
    reading = next((each for each in readings if each.available), None)
    state = None if reading is None else hass.states.get(reading.component_id)
    if reading is None or state is None:
        return None
    forecasts: dict[ForecastKind, Sequence[ForecastEntry]] = {}
    for kind in forecast_kinds(state):
        with contextlib.suppress(HomeAssistantError, TimeoutError):
            forecasts[kind] = await async_forecast(hass, state.entity_id, kind)
    return HomeWeather(reading=reading, forecasts=forecasts)


async def async_forecast(
    hass: HomeAssistant, entity_id: str, kind: ForecastKind
) -> list[ForecastEntry]:
    """Return the entries of one kind of forecast, earliest first.

    The caller must check that the person may read the entity. Raises HomeAssistantError or
    TimeoutError.
    """
    # Home Assistant requires control permission for actions of a user. This action only reads,
    # which the gate has allowed, so the context has no user.
    async with asyncio.timeout(_TIMEOUT):
        response = await hass.services.async_call(
            DOMAIN,
            SERVICE_GET_FORECASTS,
            {ATTR_ENTITY_ID: entity_id, "type": kind.name},
            blocking=True,
            context=Context(),
            return_response=True,
        )
    data = cast("Mapping[str, Any]", response or {}).get(entity_id) or {}
    found = (_entry(each) for each in data.get("forecast") or ())
    return sorted((each for each in found if each is not None), key=begins)


def begins(entry: ForecastEntry) -> datetime:
    """Return the start of a forecast entry."""
    at = entry["at"]
    assert isinstance(at, datetime)
    return at


def _entry(data: Mapping[str, Any]) -> ForecastEntry | None:
    at = point_in_time(data.get("datetime"))
    if at is None:
        return None
    rest = {
        str(name): plain(value)
        for name, value in data.items()
        if name != "datetime" and value is not None
    }
    return {"at": at, **rest}
