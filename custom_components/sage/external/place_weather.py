"""The weather of places in the world: the provider interface, and a client for Open-Meteo.

Open-Meteo needs no key (https://open-meteo.com/en/docs and .../geocoding-api).
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, tzinfo
from typing import Any, Final, Protocol

from aiohttp import ClientError, ClientSession
from homeassistant.util import dt as dt_util
from homeassistant.util.language import Dialect
from yarl import URL

from ..text.words import key
from .bounded import TooLargeError, async_pieces, async_request
from .external_error import ExternalError


class PlaceWeatherError(ExternalError):
    """The weather of a place is not available now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place in the world."""

    name: str
    latitude: float
    longitude: float
    region: str = ""
    """State or province; empty if unknown."""

    country: str = ""
    country_code: str = ""
    population: int = 0
    parts: tuple[str, ...] = ()
    """Names of areas that contain the place, such as its county; also its postcodes."""

    @property
    def label(self) -> str:
        """Name, region and country, separated by commas; empty parts are omitted."""
        return ", ".join(filter(None, (self.name, self.region, self.country)))


@dataclass(frozen=True, slots=True, kw_only=True)
class WeatherUnits:
    """The units in which the weather is returned."""

    temperature: str = "°C"
    wind_speed: str = "km/h"
    precipitation: str = "mm"


@dataclass(frozen=True, slots=True, kw_only=True)
class WeatherHour:
    """The weather now, or in the hour that starts at `at`; missing values are None."""

    at: datetime
    """An aware time in the time zone of the place."""

    condition: str | None = None
    temperature: float | None = None
    precipitation: float | None = None
    precipitation_probability: float | None = None
    humidity: float | None = None
    wind_speed: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WeatherDay:
    """The weather of one day; missing values are None."""

    day: date
    condition: str | None = None
    temperature: float | None = None
    templow: float | None = None
    precipitation: float | None = None
    precipitation_probability: float | None = None
    wind_speed: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceForecast:
    """The current weather and the forecast of a place."""

    now: WeatherHour | None
    hours: tuple[WeatherHour, ...]
    days: tuple[WeatherDay, ...]


class WeatherProvider(Protocol):
    """A service that finds places by name and returns their weather."""

    async def async_find(self, name: str, language: str) -> tuple[Place, ...]:
        """Return the places with this name, the best match first. Raises PlaceWeatherError."""

    async def async_forecast(self, place: Place, units: WeatherUnits) -> PlaceForecast:
        """Return the weather of a place. Raises PlaceWeatherError."""


_MOST_KEPT: Final = 200
_PLACES_LIFETIME: Final = timedelta(days=30)
_FORECAST_LIFETIME: Final = timedelta(minutes=15)

_DOMINANT: Final = 10
"""Factor by which a place dominates the other places with the same name.

If the population of a place is more than this factor times that of all the others together, SAGE
assumes that the person means this place.
"""


@dataclass(slots=True)
class _Cache[K, V]:
    """A cache whose values expire; if it is full, the oldest value is removed."""

    lifetime: timedelta
    _values: dict[K, tuple[datetime, V]] = field(default_factory=dict)

    def get(self, key_: K) -> V | None:
        until, value = self._values.get(key_, (None, None))
        return value if until is not None and dt_util.utcnow() < until else None

    def put(self, key_: K, value: V) -> None:
        self._values.pop(key_, None)
        while len(self._values) >= _MOST_KEPT:
            del self._values[next(iter(self._values))]
        self._values[key_] = (dt_util.utcnow() + self.lifetime, value)


class PlaceWeather:
    """The weather of places by name; caches the results of the provider."""

    def __init__(self, provider: WeatherProvider, units: WeatherUnits) -> None:
        self.units = units
        self._provider = provider
        self._places = _Cache[tuple[str, str], tuple[Place, ...]](_PLACES_LIFETIME)
        self._forecasts = _Cache[tuple[float, float], PlaceForecast](_FORECAST_LIFETIME)

    async def async_places(self, named: str, language: str) -> tuple[Place, ...]:
        """Return the places that `named` may mean, the largest population first; empty if unknown.

        Areas may follow the name: "Springfield, Illinois". A place that is much larger than all
        others together is the only result. Raises PlaceWeatherError.
        """
        name, *areas = (each.strip() for each in named.split(","))
        if not name:
            return ()
        found = self._places.get((key(name), language))
        if found is None:
            found = await self._provider.async_find(name, language)
            self._places.put((key(name), language), found)
        return _most_likely(found, name, [key(each) for each in areas if each])

    async def async_weather(self, place: Place) -> PlaceForecast:
        """Return the weather of a place. Raises PlaceWeatherError."""
        at = (round(place.latitude, 3), round(place.longitude, 3))
        known = self._forecasts.get(at)
        if known is None:
            known = await self._provider.async_forecast(place, self.units)
            self._forecasts.put(at, known)
        return known


def _most_likely(found: Sequence[Place], name: str, areas: Sequence[str]) -> tuple[Place, ...]:
    """Return the places that lie in all `areas`, the largest population first.

    If any of them have exactly the name `name`, only these are returned. If one place dominates by
    its population (`_DOMINANT`), only this place is returned.
    """
    within = [each for each in found if all(_is_within(each, area) for area in areas)]
    same = [each for each in within if key(each.name) == key(name)] or within
    ordered = sorted(same, key=lambda each: -each.population)
    if len(ordered) > 1:
        first, *others = ordered
        if first.population > _DOMINANT * sum(each.population for each in others):
            return (first,)
    return tuple(ordered)


def _is_within(place: Place, area: str) -> bool:
    areas = (place.region, place.country, place.country_code, *place.parts)
    return any(key(each) == area for each in areas if each)


# ------------------------------------------------------------------------ Open-Meteo

FORECAST_URL: Final = "https://api.open-meteo.com"
GEOCODING_URL: Final = "https://geocoding-api.open-meteo.com"

TIMEOUT: Final = 10.0
_MOST_BYTES: Final = 512 * 1024
_MOST_HOURS: Final = 24 * 16
_MOST_PLACES: Final = 20
_MOST_PARTS: Final = 200
"""Maximum number of postcodes of one place."""

_DAYS: Final = 8
_LONGEST_NAME: Final = 80
_LARGEST: Final = 1e10
"""Numbers from this one on are errors: as a time, this one is in the year 2286."""

_NAMES: Final = {"°C": "celsius", "°F": "fahrenheit", "m/s": "ms", "km/h": "kmh", "in": "inch"}
"""Unit of Home Assistant -> its name in a request to Open-Meteo, where the names differ."""

_HOURLY: Final = (
    "weather_code,is_day,temperature_2m,relative_humidity_2m,precipitation,"
    "precipitation_probability,wind_speed_10m"
)
_CURRENT: Final = (
    "weather_code,is_day,temperature_2m,relative_humidity_2m,precipitation,wind_speed_10m"
)
_DAILY: Final = (
    "weather_code,temperature_2m_max,temperature_2m_min,precipitation_sum,"
    "precipitation_probability_max,wind_speed_10m_max"
)

_CONDITIONS: Final[Mapping[int, str]] = {
    0: "sunny",
    1: "sunny",
    2: "partlycloudy",
    3: "cloudy",
    45: "fog",
    48: "fog",
    **dict.fromkeys((51, 53, 55, 61, 63, 80, 81), "rainy"),
    **dict.fromkeys((65, 82), "pouring"),
    **dict.fromkeys((56, 57, 66, 67), "snowy-rainy"),
    **dict.fromkeys((71, 73, 75, 77, 85, 86), "snowy"),
    95: "lightning-rainy",
    96: "hail",
    99: "hail",
}
"""WMO weather code (table 4677, as Open-Meteo uses it) -> condition of Home Assistant."""

_NIGHT: Final = {"sunny": "clear-night"}


# The library of Home Assistant's integration is not used: it has no rain probability and supports
# no other server.
class OpenMeteo:
    """The weather provider Open-Meteo."""

    def __init__(
        self,
        session: ClientSession,
        *,
        forecast_url: str = FORECAST_URL,
        geocoding_url: str = GEOCODING_URL,
    ) -> None:
        """Store the session and the base URLs; tests and the demo use other URLs."""
        self._session = session
        self._forecast_url = forecast_url
        self._geocoding_url = geocoding_url

    async def async_find(self, name: str, language: str) -> tuple[Place, ...]:
        """Return the places with this name, the best match first. Raises PlaceWeatherError."""
        answer = await self._async_get(
            f"{self._geocoding_url}/v1/search",
            {
                "name": name[:_LONGEST_NAME],
                "count": _MOST_PLACES,
                "language": Dialect.parse(language).language,
                "format": "json",
            },
        )
        results = answer.get("results")
        found = map(_place, results[:_MOST_PLACES] if isinstance(results, list) else ())
        return tuple(each for each in found if each is not None)

    async def async_forecast(self, place: Place, units: WeatherUnits) -> PlaceForecast:
        """Return the weather of a place. Raises PlaceWeatherError."""
        answer = await self._async_get(
            f"{self._forecast_url}/v1/forecast",
            {
                "latitude": place.latitude,
                "longitude": place.longitude,
                "current": _CURRENT,
                "hourly": _HOURLY,
                "daily": _DAILY,
                "timezone": "auto",
                "timeformat": "unixtime",
                "forecast_days": _DAYS,
                "temperature_unit": _NAMES.get(units.temperature, units.temperature),
                "wind_speed_unit": _NAMES.get(units.wind_speed, units.wind_speed),
                "precipitation_unit": _NAMES.get(units.precipitation, units.precipitation),
            },
        )
        zone: tzinfo | None = None
        with suppress(ValueError, OSError):  # no name of a time zone
            zone = await dt_util.async_get_time_zone(_text(answer.get("timezone")))
        seconds = _number(answer.get("utc_offset_seconds")) or 0
        offset = timedelta(seconds=seconds if abs(seconds) < 86_400 else 0)
        zone = zone or dt_util.UTC
        current = _section(answer, "current")
        days = (_day(each, offset) for each in _rows(_section(answer, "daily")))
        hours = (_hour(each, zone) for each in _rows(_section(answer, "hourly")))
        return PlaceForecast(
            now=_hour(current, zone),
            hours=tuple(each for each in hours if each is not None),
            days=tuple(each for each in days if each is not None),
        )

    async def _async_get(self, url: str, query: Mapping[str, str | int | float]) -> dict[str, Any]:
        async def async_is_same(target: URL) -> bool:
            return target.origin() == URL(url).origin()

        try:
            async with (
                asyncio.timeout(TIMEOUT),
                async_request(
                    self._session,
                    "GET",
                    URL(url),
                    async_may_redirect=async_is_same,
                    params=query,
                ) as response,
            ):
                if response.status == 429:
                    raise PlaceWeatherError("Open-Meteo allows no more requests now. Try later.")
                response.raise_for_status()
                content = b"".join([each async for each in async_pieces(response, _MOST_BYTES)])
            answer = await asyncio.to_thread(json.loads, content)
        except TooLargeError as err:
            raise PlaceWeatherError(
                f"The weather is not known: {err}, more than Open-Meteo sends. Say so."
            ) from err
        except (ClientError, TimeoutError) as err:
            raise PlaceWeatherError(_AWAY) from err
        except (ValueError, RecursionError) as err:
            raise PlaceWeatherError(_STRANGE) from err
        if not isinstance(answer, dict):
            raise PlaceWeatherError(_STRANGE)
        return answer


_AWAY: Final = (
    "The weather service Open-Meteo cannot be reached now, so the weather there is not known. "
    "Say so; do not guess."
)
_STRANGE: Final = "The answer of the weather service Open-Meteo could not be read. Say so."


def _place(result: Any) -> Place | None:
    if not isinstance(result, Mapping):
        return None
    latitude, longitude = _number(result.get("latitude")), _number(result.get("longitude"))
    name = _text(result.get("name"))
    if latitude is None or longitude is None or not name:
        return None
    postcodes = result.get("postcodes")
    postcodes = postcodes[:_MOST_PARTS] if isinstance(postcodes, list) else []
    parts = [_text(result.get(f"admin{level}")) for level in range(1, 5)]
    return Place(
        name=name,
        latitude=latitude,
        longitude=longitude,
        region=parts[0],
        country=_text(result.get("country")),
        country_code=_text(result.get("country_code")),
        population=int(_number(result.get("population")) or 0),
        parts=tuple(filter(None, (*parts, *map(_text, postcodes)))),
    )


def _hour(data: Mapping[str, Any], zone: tzinfo) -> WeatherHour | None:
    if (at := _number(data.get("time"))) is None:
        return None
    condition = _condition(data.get("weather_code"))
    if data.get("is_day") == 0 and condition is not None:
        condition = _NIGHT.get(condition, condition)
    return WeatherHour(
        at=dt_util.utc_from_timestamp(at).astimezone(zone),
        condition=condition,
        temperature=_number(data.get("temperature_2m")),
        precipitation=_number(data.get("precipitation")),
        precipitation_probability=_number(data.get("precipitation_probability")),
        humidity=_number(data.get("relative_humidity_2m")),
        wind_speed=_number(data.get("wind_speed_10m")),
    )


def _day(data: Mapping[str, Any], offset: timedelta) -> WeatherDay | None:
    if (at := _number(data.get("time"))) is None:
        return None
    return WeatherDay(
        # Open-Meteo gives a day as the UTC timestamp of its local midnight.
        day=(dt_util.utc_from_timestamp(at) + offset).date(),
        condition=_condition(data.get("weather_code")),
        temperature=_number(data.get("temperature_2m_max")),
        templow=_number(data.get("temperature_2m_min")),
        precipitation=_number(data.get("precipitation_sum")),
        precipitation_probability=_number(data.get("precipitation_probability_max")),
        wind_speed=_number(data.get("wind_speed_10m_max")),
    )


def _section(answer: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    section = answer.get(name)
    return section if isinstance(section, Mapping) else {}


def _rows(columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Convert columns (name -> list of values) to rows."""
    lists = {name: each for name, each in columns.items() if isinstance(each, list)}
    length = min(len(lists.get("time", ())), _MOST_HOURS)
    return [
        {name: each[place] for name, each in lists.items() if place < len(each)}
        for place in range(length)
    ]


def _condition(code: Any) -> str | None:
    number = _number(code)
    return None if number is None else _CONDITIONS.get(int(number))


def _number(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and abs(value) < _LARGEST else None


def _text(value: Any) -> str:
    return " ".join(value.split())[:_LONGEST_NAME] if isinstance(value, str) else ""
