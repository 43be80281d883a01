"""The weather tool (SAGE paper, Table I): current weather and forecast for home and elsewhere."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import probatio
from homeassistant.util import dt as dt_util

from ...agent import Call
from ...external import ExternalError, time_span
from ...home import STATE, Confirmation, ForecastKind, HomeError
from ..sage_tool import Arguments
from .external_tool import END, START, ExternalText, ExternalTool

_HOURS: Final = timedelta(hours=12)  # of the hourly forecast without start and end
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

    async def async_look(self, given: Arguments) -> ExternalText:
        """Return the weather now and the forecast for the period. Raises ExternalError."""
        situation = self.situation
        places = situation.external.place_weather
        span = time_span(given.get("start", ""), given.get("end", ""))
        named = " ".join(given.get("place", "").split())
        if not named and situation.home.entities_of("weather"):
            return await self._async_at_home(span)
        if places is None:
            raise ExternalError(_ONLY_HOME)
        place = places.home(situation.hass.config)
        if named:
            await self._async_may_send(named)
            fitting = await places.async_places(named, situation.run.utterance.language)
            if len(fitting) != 1:
                labels = [f"- {place.label}" for place in fitting[:_MOST_PLACES]]
                return ExternalText(text="\n".join(labels), note=_CLEAR if labels else _NO_PLACE)
            place = fitting[0]
        weather = await places.async_weather(place)
        forecasts = {_HOURLY: weather.hours, _DAILY: weather.days}
        title = f"Weather in {place.label}, local times there:"
        text = "\n".join(_lines(title, weather.now or {}, forecasts, places.units, span))
        # The household chose the name of its home. All other content is numbers and SAGE's words
        # for conditions.
        return ExternalText(text=text, is_checked=not named)

    async def _async_may_send(self, named: str) -> None:
        """Ask before a name that untrusted text may have chosen is sent. Raises ExternalError."""
        run, say = self.situation.run, self.situation.sentences.say
        if await run.async_asked_for(lambda call: _place_in(call) == named):
            return
        question = f"{say('outside_read')} {say('weather_place_ask', place=named)}"
        if await self.situation.authority.async_agree(question) is not Confirmation.GIVEN:
            raise ExternalError("The person did not agree: no weather was looked up. Do not retry.")

    async def _async_at_home(self, span: tuple[datetime, datetime] | None) -> ExternalText:
        try:
            weather = await self.situation.home.async_weather()
        except HomeError as err:
            raise ExternalError(str(err)) from err
        if weather is None:
            raise ExternalError(_UNKNOWN)
        units = {fact.name: fact.unit or "" for fact in weather.reading.attributes}
        values = {
            "condition" if name == STATE else name: value
            for name, value in weather.reading.values.items()
        }
        lines = _lines("Weather at home:", values, weather.forecasts, units, span)
        return ExternalText(text="\n".join(lines))


def _place_in(call: Call) -> str:
    place = call.arguments.get("place") if call.tool == "weather" else ""
    return " ".join(str(place or "").split())


def _lines(
    title: str,
    now: Mapping[str, object],
    forecasts: Mapping[ForecastKind, Sequence[Mapping[str, Any]]],
    units: Mapping[str, str],
    span: tuple[datetime, datetime] | None,
) -> Iterator[str]:
    """Yield the weather now, unless a period is given, and the forecast.

    The forecast has the entries in the period `span`, or in the next 12 hours, and all days.
    Entries shorter than a day are left out if they are too many.
    """
    yield title
    if span is None and now:
        yield f"now: {_values(now, units)}"
    start, end = span or (dt_util.now(), dt_util.now() + _HOURS)
    is_found = False
    for kind, entries in forecasts.items():
        is_day = kind.length >= timedelta(days=1)
        chosen = [
            each
            for each in entries
            if (span is None and is_day) or _overlaps(each["at"], kind.length, start, end)
        ]
        is_found = is_found or bool(chosen)
        if chosen and (is_day or len(chosen) <= _MOST_HOURS):
            yield f"{kind.name}:"
            for each in chosen:
                when = f"{each['at']:%a %Y-%m-%d}{'' if is_day else f'{each["at"]: %H:%M}'}"
                yield f"{when}: {_values(each, units)}"
    if not is_found:
        yield _NOT_SO_FAR


_NOT_SO_FAR: Final = "There is no forecast for that time: it is past, or too far in the future."
_HOURLY: Final = ForecastKind("hourly", timedelta(hours=1))
_DAILY: Final = ForecastKind("daily", timedelta(days=1))


def _values(values: Mapping[str, object], units: Mapping[str, str]) -> str:
    shown = (
        f"{name} {_number(value)} {units.get(name, '')}".rstrip()
        for name, value in values.items()
        if name != "at"
    )
    return ", ".join(shown)


def _number(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _overlaps(at: datetime, length: timedelta, start: datetime, end: datetime) -> bool:
    # A period that ends with a whole day ends at the start of the next day.
    return (at < end or at == start) and start < at + length
