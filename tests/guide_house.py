"""A TV guide and Open-Meteo on loopback, and a home that uses them.

Import the fixtures `guide_source` and `open_meteo`; `async_add_guide` and `async_add_weather` set
them up in a home with SAGE.
"""

from collections.abc import AsyncGenerator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from aiohttp import web
from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import MockConfigEntry

from benchmark.loopback import Loopback
from benchmark.open_meteo_server import Climate, OpenMeteoServer, place
from benchmark.xmltv_text import Broadcast, channel_text, guide_text
from custom_components.sage.external.tv_guide import TvGuide

CHANNELS: tuple[str, ...] = (
    channel_text("abc.us", "7 ABC", "ABC", "7", number="7"),
    channel_text("bbc1.uk", "BBC One", number="101"),
    channel_text("comedy", "Comedy Central"),
)


class GuideSource:
    """A server with one file."""

    def __init__(self) -> None:
        self.content: bytes = b""
        self.channels = CHANNELS
        self.status = 200
        self.breaks_after: int | None = None
        self.requests = 0
        self._loopback = Loopback()

    @property
    def url(self) -> str:
        return f"{self._loopback.url}/guide.xml"

    def show(self, *broadcasts: Broadcast) -> None:
        self.content = guide_text(self.channels, broadcasts).encode()

    async def async_start(self) -> None:
        app = web.Application()
        app.router.add_get("/guide.xml", self._answer)
        await self._loopback.async_start(app)

    async def async_stop(self) -> None:
        await self._loopback.async_stop()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        self.requests += 1
        response = web.StreamResponse(status=self.status)
        response.content_length = len(self.content)
        await response.prepare(request)
        await response.write(self.content[: self.breaks_after])
        if self.breaks_after is not None and request.transport is not None:
            request.transport.abort()
        return response


def on_air(
    channel: str, title: str, *, begins: int = -10, minutes: int = 60, **more: Any
) -> Broadcast:
    """Return a programme that begins in `begins` minutes, by default on now."""
    start = dt_util.utcnow().replace(second=0, microsecond=0) + timedelta(minutes=begins)
    return Broadcast(channel=channel, title=title, start=start, minutes=minutes, **more)


@pytest.fixture
async def guide_source(socket_enabled: None) -> AsyncGenerator[GuideSource]:
    source = GuideSource()
    await source.async_start()
    yield source
    await source.async_stop()


@pytest.fixture
async def open_meteo(socket_enabled: None) -> AsyncGenerator[OpenMeteoServer]:
    """Serve Open-Meteo on loopback: it rains in Bremen all day, Springfield is several places."""
    us = {"country": "United States", "country_code": "US"}
    server = OpenMeteoServer(
        places={
            "bremen": [
                place(
                    "Bremen",
                    53.07,
                    country="Germany",
                    country_code="DE",
                    admin1="Bremen",
                    population=546_501,
                ),
                place("Bremen", 33.72, **us, admin1="Georgia", population=6_227),
            ],
            "springfield": [
                place("Springfield", 37.21, **us, admin1="Missouri", population=166_810),
                place("Springfield", 42.1, **us, admin1="Massachusetts", population=154_341),
                place("Springfield", 39.8, **us, admin1="Illinois", population=116_565),
            ],
        },
        climates={53: Climate(temperature=9.0, rain=range(24 * 8))},
    )
    await server.async_start()
    yield server
    await server.async_stop()


def make_guide(
    hass: HomeAssistant,
    source: str,
    *,
    reports: list[str] | None = None,
    numbers: Mapping[str, str] = MappingProxyType({}),
) -> TvGuide:
    """Return a guide without SAGE; `reports` collects the results of its refreshes."""
    kept = [] if reports is None else reports
    return TvGuide(
        hass,
        async_get_clientsession(hass),
        Path(hass.config.path("guides/guide.db")),
        title="Guide",
        source=source,
        numbers=numbers,
        report=kept.append,
    )


async def async_add_subentry(
    hass: HomeAssistant, entry: MockConfigEntry, kind: str, data: dict[str, Any]
) -> str:
    """Add a subentry and wait for the reload; return its id."""
    subentry = ConfigSubentry(
        data=MappingProxyType(data), subentry_type=kind, title=kind, unique_id=None
    )
    hass.config_entries.async_add_subentry(entry, subentry)
    await hass.async_block_till_done()
    return subentry.subentry_id


async def async_add_guide(
    hass: HomeAssistant, entry: MockConfigEntry, source: GuideSource, **data: Any
) -> TvGuide:
    """Set up the guide and wait until it is read."""
    subentry_id = await async_add_subentry(hass, entry, "tv_guide", {"source": source.url, **data})
    tv_guides = (key for key, each in entry.subentries.items() if each.subentry_type == "tv_guide")
    guide: TvGuide = entry.runtime_data.external.guides[[*tv_guides].index(subentry_id)]
    await hass.async_block_till_done(wait_background_tasks=True)
    return guide


async def async_add_weather(
    hass: HomeAssistant, entry: MockConfigEntry, server: OpenMeteoServer
) -> None:
    await async_add_subentry(
        hass, entry, "weather", {"base_url": server.url, "geocoding_url": server.url}
    )


def iso(at: datetime) -> str:
    """Return a time as the model writes it: local, without a zone."""
    return dt_util.as_local(at).replace(tzinfo=None).isoformat(timespec="minutes")
