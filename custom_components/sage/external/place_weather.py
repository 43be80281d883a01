"""The weather of places in the world, by name, from Open-Meteo, which needs no key.

See https://open-meteo.com/en/docs and https://open-meteo.com/en/docs/geocoding-api.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone, tzinfo
from typing import Any, Final, cast

from aiohttp import ClientError, ClientSession
from homeassistant.core_config import Config
from homeassistant.util import dt as dt_util
from homeassistant.util.language import Dialect
from homeassistant.util.unit_system import UnitSystem
from yarl import URL

from ..text import key
from .bounded import ExternalError, TooLargeError, async_pieces, async_request

type WeatherEntry = Mapping[str, Any]
"""`at` (start, in the time zone of the place) and the known values under Home Assistant's names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place in the world."""

    name: str
    latitude: float
    longitude: float
    region: str = ""  # state or province; empty if unknown
    country: str = ""
    country_code: str = ""
    population: int = 0
    parts: tuple[str, ...] = ()  # names of areas that contain the place, such as its county

    def is_within(self, area: str) -> bool:
        """Return whether the place lies in an area, by the key of its name (`text.key`)."""
        return area in map(key, filter(None, (self.country, self.country_code, *self.parts)))

    @property
    def label(self) -> str:
        """Name, region and country, separated by commas; empty parts are omitted."""
        return ", ".join(filter(None, (self.name, self.region, self.country)))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceForecast:
    """The current weather and the forecast of a place."""

    now: WeatherEntry | None
    hours: tuple[WeatherEntry, ...]
    days: tuple[WeatherEntry, ...]


FORECAST_URL: Final = "https://api.open-meteo.com"
GEOCODING_URL: Final = "https://geocoding-api.open-meteo.com"

TIMEOUT: Final = 10.0
_MOST_KEPT: Final = 200
_PLACES_LIFETIME: Final = timedelta(days=30)
_FORECAST_LIFETIME: Final = timedelta(minutes=15)
_MOST_BYTES: Final = 512 * 1024
_MOST_HOURS: Final = 24 * 16
_MOST_PLACES: Final = 20
_DAYS: Final = 8
_LONGEST_NAME: Final = 80
_LARGEST: Final = 1e10  # numbers from this one on are errors: as a time, it is in the year 2286
_DOMINANT: Final = 10
"""Factor by which a place dominates the other places with the same name.

If the population of a place is more than this factor times that of all the others together, SAGE
assumes that the person means this place.
"""

_NAMES: Final = {"°C": "celsius", "°F": "fahrenheit", "m/s": "ms", "km/h": "kmh", "in": "inch"}
"""Unit of Home Assistant -> its name in a request to Open-Meteo, where the names differ."""

_NOW: Final = {
    "temperature_2m": "temperature",
    "precipitation": "precipitation",
    "relative_humidity_2m": "humidity",
    "wind_speed_10m": "wind_speed",
}
_HOURLY: Final = {**_NOW, "precipitation_probability": "precipitation_probability"}
_DAILY: Final = {
    "temperature_2m_max": "temperature",
    "temperature_2m_min": "templow",
    "precipitation_sum": "precipitation",
    "precipitation_probability_max": "precipitation_probability",
    "wind_speed_10m_max": "wind_speed",
}
"""Name of a value at Open-Meteo -> its name in Home Assistant."""

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
class PlaceWeather:
    """The weather of places by name; keeps the replies of the service for a while."""

    def __init__(
        self,
        session: ClientSession,
        units: UnitSystem,
        *,
        forecast_url: str = FORECAST_URL,
        geocoding_url: str = GEOCODING_URL,
    ) -> None:
        self.units: Mapping[str, str] = {
            "temperature": units.temperature_unit,
            "templow": units.temperature_unit,
            "wind_speed": units.wind_speed_unit,
            "precipitation": units.accumulated_precipitation_unit,
            "precipitation_probability": "%",
            "humidity": "%",
        }
        """Name of a value -> its unit in the forecasts."""

        self._session = session
        self._forecast_url = forecast_url
        self._geocoding_url = geocoding_url
        self._kept: dict[Hashable, tuple[datetime, Any]] = {}

    async def async_places(self, named: str, language: str) -> tuple[Place, ...]:
        """Return the places that `named` may mean, the largest population first; empty if unknown.

        Areas may follow the name: "Springfield, Illinois". A place that is much larger than all
        others together is the only result. Raises ExternalError.
        """
        name, *areas = (each.strip() for each in named.split(","))
        if not name:
            return ()

        async def async_find() -> tuple[Place, ...]:
            query: dict[str, str | int | float] = {
                "name": name[:_LONGEST_NAME],
                "count": _MOST_PLACES,
                "language": Dialect.parse(language).language,
                "format": "json",
            }
            answer = await self._async_get(f"{self._geocoding_url}/v1/search", query)
            results = answer.get("results")
            places = map(_place, results[:_MOST_PLACES] if isinstance(results, list) else ())
            return tuple(each for each in places if each is not None)

        found = await self._async_kept((key(name), language), _PLACES_LIFETIME, async_find)
        return _most_likely(found, name, [key(each) for each in areas if each])

    def home(self, config: Config) -> Place:
        """Return the place of the home."""
        return Place(
            name=config.location_name, latitude=config.latitude, longitude=config.longitude
        )

    async def async_weather(self, place: Place) -> PlaceForecast:
        """Return the weather of a place. Raises ExternalError."""
        at = (round(place.latitude, 3), round(place.longitude, 3))
        return await self._async_kept(at, _FORECAST_LIFETIME, lambda: self._async_forecast(place))

    async def _async_kept[T](
        self, kept_as: Hashable, lifetime: timedelta, async_fetch: Callable[[], Awaitable[T]]
    ) -> T:
        """Return the kept value, or fetch and keep it; if too many are kept, the oldest goes."""
        until, kept = self._kept.get(kept_as, (None, None))
        if until is not None and dt_util.utcnow() < until:
            return cast("T", kept)
        value = await async_fetch()
        self._kept.pop(kept_as, None)
        while len(self._kept) >= _MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[kept_as] = (dt_util.utcnow() + lifetime, value)
        return value

    async def _async_forecast(self, place: Place) -> PlaceForecast:
        units = self.units
        answer = await self._async_get(
            f"{self._forecast_url}/v1/forecast",
            {
                "latitude": place.latitude,
                "longitude": place.longitude,
                "current": ",".join(("weather_code", "is_day", *_NOW)),
                "hourly": ",".join(("weather_code", "is_day", *_HOURLY)),
                "daily": ",".join(("weather_code", *_DAILY)),
                "timezone": "auto",
                "timeformat": "unixtime",
                "forecast_days": _DAYS,
                "temperature_unit": _NAMES.get(units["temperature"], units["temperature"]),
                "wind_speed_unit": _NAMES.get(units["wind_speed"], units["wind_speed"]),
                "precipitation_unit": _NAMES.get(units["precipitation"], units["precipitation"]),
            },
        )
        zone: tzinfo | None = None
        with suppress(ValueError, OSError):  # no name of a time zone
            zone = await dt_util.async_get_time_zone(_text(answer.get("timezone")))
        seconds = _number(answer.get("utc_offset_seconds")) or 0
        # Open-Meteo gives a day as the UTC timestamp of its midnight with this offset.
        offset = timezone(timedelta(seconds=seconds if abs(seconds) < 86_400 else 0))
        hours = _rows(_section(answer, "hourly"), _HOURLY, zone or dt_util.UTC)
        days = _rows(_section(answer, "daily"), _DAILY, offset)
        return PlaceForecast(
            now=_entry(_section(answer, "current"), _NOW, zone or dt_util.UTC),
            hours=hours,
            days=days,
        )

    async def _async_get(self, url: str, query: Mapping[str, str | int | float]) -> dict[str, Any]:
        async def async_is_same(target: URL) -> bool:
            return target.origin() == URL(url).origin()

        try:
            async with (
                asyncio.timeout(TIMEOUT),
                async_request(
                    self._session, "GET", URL(url), async_may_redirect=async_is_same, params=query
                ) as response,
            ):
                if response.status == 429:
                    raise ExternalError("Open-Meteo allows no more requests now. Try later.")
                response.raise_for_status()
                content = b"".join([each async for each in async_pieces(response, _MOST_BYTES)])
            answer = await asyncio.to_thread(json.loads, content)
        except TooLargeError as err:
            raise ExternalError(
                f"The weather is not known: {err}, more than Open-Meteo sends. Say so."
            ) from err
        except (ClientError, TimeoutError) as err:
            raise ExternalError(_AWAY) from err
        except (ValueError, RecursionError) as err:
            raise ExternalError(_STRANGE) from err
        if not isinstance(answer, dict):
            raise ExternalError(_STRANGE)
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
    parts = [_text(result.get(f"admin{level}")) for level in range(1, 5)]
    return Place(
        name=name,
        latitude=latitude,
        longitude=longitude,
        region=parts[0],
        country=_text(result.get("country")),
        country_code=_text(result.get("country_code")),
        population=int(_number(result.get("population")) or 0),
        parts=tuple(filter(None, parts)),
    )


def _most_likely(found: Sequence[Place], name: str, areas: Sequence[str]) -> tuple[Place, ...]:
    """Return the places that lie in all `areas`, the largest population first.

    If any of them have exactly the name `name`, only these are returned. If one place dominates by
    its population (`_DOMINANT`), only this place is returned.
    """
    within = [each for each in found if all(each.is_within(area) for area in areas)]
    same = [each for each in within if key(each.name) == key(name)] or within
    ordered = sorted(same, key=lambda each: -each.population)
    if len(ordered) > 1:
        first, *others = ordered
        if first.population > _DOMINANT * sum(each.population for each in others):
            return (first,)
    return tuple(ordered)


def _section(answer: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    section = answer.get(name)
    return section if isinstance(section, Mapping) else {}


def _rows(
    columns: Mapping[str, Any], names: Mapping[str, str], zone: tzinfo
) -> tuple[WeatherEntry, ...]:
    lists = {name: each for name, each in columns.items() if isinstance(each, list)}
    rows = (
        {name: each[row] for name, each in lists.items() if row < len(each)}
        for row in range(min(len(lists.get("time", ())), _MOST_HOURS))
    )
    entries = (_entry(row, names, zone) for row in rows)
    return tuple(each for each in entries if each is not None)


def _entry(data: Mapping[str, Any], names: Mapping[str, str], zone: tzinfo) -> WeatherEntry | None:
    if (at := _number(data.get("time"))) is None:
        return None
    code = _number(data.get("weather_code"))
    condition = None if code is None else _CONDITIONS.get(int(code))
    if data.get("is_day") == 0 and condition is not None:
        condition = _NIGHT.get(condition, condition)
    values = {
        "condition": condition,
        **{own: _number(data.get(name)) for name, own in names.items()},
    }
    known = {name: value for name, value in values.items() if value is not None}
    return {"at": dt_util.utc_from_timestamp(at).astimezone(zone), **known}


def _number(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and abs(value) < _LARGEST else None


def _text(value: Any) -> str:
    return " ".join(value.split())[:_LONGEST_NAME] if isinstance(value, str) else ""
