"""The weather tool (SAGE paper, Table I): current weather and forecast for home and elsewhere."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any, Final

import probatio
from homeassistant.util import dt as dt_util

from ...agent.decision import Call
from ...external.external_error import ExternalError
from ...external.iso_times import time_span
from ...external.place_weather import (
    Place,
    PlaceForecast,
    PlaceWeather,
    WeatherDay,
    WeatherHour,
    WeatherUnits,
)
from ...home.entities.forecasts import ForecastEntry, HomeWeather, begins
from ...home.home_types import HomeError
from ...home.safety.authority import Confirmation
from ...home.values import STATE
from ..sage_tool import Situation
from .external_tool import END, START, ExternalText, ExternalTool

_HOURS: Final = timedelta(hours=12)
"""Length of the hourly forecast if the arguments contain neither start nor end."""

_MOST_HOURS: Final = 24
_MOST_PLACES: Final = 8

_CLEAR: Final = (
    "Several places have this name. If the request or `personalization` shows which one is meant, "
    "call again with region and country, such as “Springfield, Illinois, United States”. Otherwise "
    "ask the person."
)
_NO_PLACE: Final = (
    "No place of this name was found. Try its usual name or another spelling, with the country; "
    "otherwise ask the person."
)
_ONLY_HOME: Final = (
    "Only the weather of the home is set up. Leave out the place, or say that the weather of other "
    "places can be added in the settings of SAGE."
)
_UNKNOWN: Final = "The weather of the home is not known now. Say so; do not guess."


def weather_report(situation: Situation) -> tuple[WeatherReport, ...]:
    """Return the tool if at least one weather source is available; otherwise empty.

    Sources: weather entities that the person may read, and the weather service.
    """
    is_offered = situation.external.place_weather is not None or situation.home.has_weather
    return (WeatherReport(situation),) if is_offered else ()


class WeatherReport(ExternalTool):
    """Reports the weather at home (preferably from a weather entity) and at other places."""

    name = "sage__weather"
    title = "Weather"
    description = (
        "The weather, now and forecast, at home or at any place in the world. Ask "
        '`personalization` first for a place such as "my mother\'s".'
    )
    details = "details_weather"
    parameters = probatio.Schema(
        {
            probatio.Optional(
                "place",
                description="city, with region and country if known; leave out for the home",
            ): str,
            probatio.Optional("start", description=f"{START}; leave out for now"): str,
            probatio.Optional("end", description=END): str,
        }
    )

    async def async_look(self, given: Mapping[str, Any]) -> ExternalText:
        """Return the current weather, and the hourly and daily forecast for the given period.

        Raises ExternalError if the weather cannot be read.
        """
        span = time_span(given.get("start", ""), given.get("end", ""))
        named = " ".join(given.get("place", "").split())
        places = self.situation.external.place_weather
        if named:
            if places is None:
                raise ExternalError(_ONLY_HOME)
            await self._async_may_send(named)
            return await self._async_at_place(places, named, span)
        if self.situation.home.has_weather:
            return await self._async_at_home(span)
        config = self.situation.hass.config
        home = Place(
            name=config.location_name, latitude=config.latitude, longitude=config.longitude
        )
        assert places is not None  # else the tool is not offered
        report = _report(home.name, await places.async_weather(home), places.units, span)
        # The household chose the name. All other content is numbers and SAGE's words for
        # conditions.
        return replace(report, is_checked=True)

    async def _async_may_send(self, named: str) -> None:
        """Ask before a name that untrusted text may have chosen is sent to the weather service.

        The name could contain private words. Raises ExternalError without a yes.
        """
        run, say = self.situation.run, self.situation.sentences.say
        if await run.async_asked_for(lambda call: _place_in(call) == named):
            return
        question = f"{say('outside_read')} {say('weather_place_ask', place=named)}"
        if await self.situation.authority.async_agree(question) is not Confirmation.GIVEN:
            raise ExternalError("The person did not agree: no weather was looked up. Do not retry.")

    async def _async_at_place(
        self, places: PlaceWeather, named: str, span: tuple[datetime, datetime] | None
    ) -> ExternalText:
        found = await places.async_places(named, self.situation.run.utterance.language)
        if not found:
            return ExternalText(note=_NO_PLACE)
        if len(found) > 1:
            labels = [f"- {each.label}" for each in found[:_MOST_PLACES]]
            return ExternalText(text="\n".join(labels), note=_CLEAR)
        return _report(found[0].label, await places.async_weather(found[0]), places.units, span)

    async def _async_at_home(self, span: tuple[datetime, datetime] | None) -> ExternalText:
        try:
            weather = await self.situation.home.async_read_weather()
        except HomeError as err:
            raise ExternalError(str(err)) from err
        if weather is None:
            raise ExternalError(_UNKNOWN)
        return ExternalText(text="\n".join(_home_lines(weather, span)))


def _place_in(call: Call) -> str:
    """Return the place in a call of the weather tool; empty for another call."""
    place = call.arguments.get("place") if call.tool == "weather" else ""
    return " ".join(str(place or "").split())


def _report(
    label: str,
    forecast: PlaceForecast,
    units: WeatherUnits,
    span: tuple[datetime, datetime] | None,
) -> ExternalText:
    """Return the weather of a place as text, with times in the time zone of the place."""
    start, end = span or _soon()
    lines = [f"Weather in {label}, local times there:"]
    if span is None and forecast.now is not None:
        lines.append(f"now: {_values(forecast.now, units)}")
    hours = [each for each in forecast.hours if _overlaps(each.at, timedelta(hours=1), start, end)]
    if len(hours) <= _MOST_HOURS:
        lines += [f"{each.at:%a %Y-%m-%d %H:%M}: {_values(each, units)}" for each in hours]
    days = [each for each in forecast.days if span is None or _is_in(each.day, start, end)]
    lines += [f"{each.day:%a %Y-%m-%d}: {_values(each, units)}" for each in days]
    if not hours and not days:
        return ExternalText(text=lines[0], note=_NOT_SO_FAR)
    return ExternalText(text="\n".join(lines))


_NOT_SO_FAR: Final = "There is no forecast for that time: it is past, or too far in the future."


def _values(weather: WeatherHour | WeatherDay, units: WeatherUnits) -> str:
    values = (
        (weather.condition, ""),
        (weather.temperature, f" {units.temperature}"),
        (getattr(weather, "templow", None), f" {units.temperature} at least"),
        (weather.precipitation_probability, " % chance of rain or snow"),
        (weather.precipitation, f" {units.precipitation} rain or snow"),
        (weather.wind_speed, f" {units.wind_speed} wind"),
    )
    return ", ".join(f"{_number(value)}{unit}" for value, unit in values if value is not None)


def _number(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _soon() -> tuple[datetime, datetime]:
    now = dt_util.now()
    return now, now + _HOURS


def _overlaps(at: datetime, length: timedelta, start: datetime, end: datetime) -> bool:
    return at <= end and start < at + length


def _is_in(day: date, start: datetime, end: datetime) -> bool:
    # A period that ends with a whole day ends at the start of the next day.
    return start.date() <= day <= (end - timedelta(seconds=1)).date()


def _home_lines(weather: HomeWeather, span: tuple[datetime, datetime] | None) -> Iterator[str]:
    start, end = span or _soon()
    reading = weather.reading
    yield "Weather at home:"
    if span is None:
        units = reading.units
        now = (
            f"{'condition' if name == STATE else name} {value}{_unit(units.get(name))}"
            for name, value in reading.values.items()
        )
        yield f"now: {', '.join(now)}"
    for kind, entries in weather.forecasts.items():
        is_fine = kind.length < timedelta(hours=24)
        chosen = [
            each
            for each in entries
            if (span is None and not is_fine) or _overlaps(begins(each), kind.length, start, end)
        ]
        if chosen and (not is_fine or len(chosen) <= _MOST_HOURS):
            yield f"{kind.name}:"
            yield from _entry_lines(chosen)


def _entry_lines(entries: Sequence[ForecastEntry]) -> Iterator[str]:
    for each in entries:
        values = (f"{name} {value}" for name, value in each.items() if name != "at")
        yield f"{dt_util.as_local(begins(each)):%a %Y-%m-%d %H:%M}: {', '.join(values)}"


def _unit(unit: str | None) -> str:
    return f" {unit}" if unit else ""
