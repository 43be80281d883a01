"""Open-Meteo on loopback: its search for places and its forecast, with the faults of a server."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from aiohttp import web

from .loopback import Loopback

type Json = dict[str, Any]

_HOURS: Final = 24 * 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Climate:
    """The weather of a place: the same in every hour, but for the hours in `rain`."""

    temperature: float = 15.0
    rain: Sequence[int] = ()
    """Hours from the start of today in `timezone` in which it rains."""

    timezone: str = "GMT"


@dataclass(slots=True, kw_only=True)
class OpenMeteoServer:
    """A server with its places, and the requests that it got."""

    places: Mapping[str, Sequence[Json]] = field(default_factory=dict)
    """Name in lower case -> entries of `results`."""

    climates: Mapping[int, Climate] = field(default_factory=dict)
    """Whole degrees of latitude -> weather."""

    requests: list[web.Request] = field(default_factory=list)
    status: int = 200
    body: str | None = None
    """Sent instead of the answer."""

    hangs: bool = False
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    _loopback: Loopback = field(default_factory=Loopback)

    @property
    def url(self) -> str:
        """Address for both services."""
        return self._loopback.url

    async def async_start(self) -> None:
        """Start to serve."""
        app = web.Application()
        app.router.add_get("/v1/search", self._search)
        app.router.add_get("/v1/forecast", self._forecast)
        await self._loopback.async_start(app)

    async def async_stop(self) -> None:
        """Stop to serve."""
        await self._loopback.async_stop()

    async def _fault(self, request: web.Request) -> web.Response | None:
        self.requests.append(request)
        if self.hangs:
            await asyncio.sleep(3600)
        if self.body is not None or self.status != 200:
            return web.Response(
                text=self.body or '{"error": true, "reason": "no"}',
                status=self.status,
                content_type="application/json",
            )
        return None

    async def _search(self, request: web.Request) -> web.Response:
        if fault := await self._fault(request):
            return fault
        found = self.places.get(request.query["name"].casefold(), ())
        answer: Json = {"generationtime_ms": 0.5}
        if found:
            answer["results"] = list(found)
        return web.json_response(answer)

    async def _forecast(self, request: web.Request) -> web.Response:
        if fault := await self._fault(request):
            return fault
        climate = self.climates.get(round(float(request.query["latitude"])), Climate())
        return web.json_response(_forecast(climate, self.now(), request.query))


def place(name: str, latitude: float, **more: Any) -> Json:
    """Return an entry of `results`."""
    return {
        "id": abs(hash((name, latitude))) % 10**7,
        "name": name,
        "latitude": latitude,
        "longitude": 7.1,
        "elevation": 60.0,
        "feature_code": "PPLA",
        "timezone": "Europe/Berlin",
        **more,
    }


def _forecast(climate: Climate, now: datetime, query: Mapping[str, str]) -> Json:
    fahrenheit = query.get("temperature_unit") == "fahrenheit"
    degrees = climate.temperature * 1.8 + 32 if fahrenheit else climate.temperature
    now = now.astimezone(ZoneInfo(climate.timezone))
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    hours = range(_HOURS)
    codes = [61 if each in climate.rain else 1 for each in hours]
    rain = [1.2 if each in climate.rain else 0.0 for each in hours]
    chances = [90 if each in climate.rain else 5 for each in hours]
    current = int((now - midnight) / timedelta(hours=1))
    days = range(0, _HOURS, 24)
    return {
        "latitude": float(query["latitude"]),
        "longitude": float(query["longitude"]),
        "utc_offset_seconds": (now.utcoffset() or timedelta()).total_seconds(),
        "timezone": climate.timezone,
        "current": {
            "time": int(now.timestamp()),
            "weather_code": codes[current],
            "is_day": 1,
            "temperature_2m": degrees,
            "relative_humidity_2m": 60,
            "precipitation": rain[current],
            "wind_speed_10m": 12.0,
        },
        "hourly": {
            "time": [int((midnight + timedelta(hours=each)).timestamp()) for each in hours],
            "weather_code": codes,
            "is_day": [1 for _ in hours],
            "temperature_2m": [degrees for _ in hours],
            "relative_humidity_2m": [60 for _ in hours],
            "precipitation": rain,
            "precipitation_probability": chances,
            "wind_speed_10m": [12.0 for _ in hours],
        },
        "daily": {
            "time": [int((midnight + timedelta(hours=each)).timestamp()) for each in days],
            "weather_code": [max(codes[each : each + 24]) for each in days],
            "temperature_2m_max": [degrees for _ in days],
            "temperature_2m_min": [degrees - 5 for _ in days],
            "precipitation_sum": [sum(rain[each : each + 24]) for each in days],
            "precipitation_probability_max": [max(chances[each : each + 24]) for each in days],
            "wind_speed_10m_max": [12.0 for _ in days],
        },
    }
