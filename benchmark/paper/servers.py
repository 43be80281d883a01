"""All servers around the home of a case, on loopback: they outlive a restart of Home Assistant."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import utils
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Final

from aiohttp import web

from ..ical_text import calendar_text, event_text
from ..loopback import Loopback
from ..mail_servers import Dovecot, SmtpServer, letter
from ..open_meteo_server import OpenMeteoServer
from ..radicale_server import RadicaleServer
from ..simulator.cloud import SimulatedCloud
from ..simulator.home import SimulatedHome, load_home
from .case import PaperCase
from .people import PEOPLE
from .world import CALENDARS, INBOXES, NOW, PLACES, Letter, climates, guide

type Clock = Callable[[], datetime]

PAPER_HOME: Final = "paper"
PASSWORDS: Final = {each.key: f"{each.key}-secret" for each in PEOPLE}
"""Of the accounts at the calendar server."""


class WebServer:
    """The TV guide, and the service that passes notifications on to phones."""

    def __init__(self) -> None:
        """Serve nothing yet."""
        self.pushed: list[dict[str, Any]] = []
        """All notifications, in order."""

        self._loopback = Loopback()

    @property
    def url(self) -> str:
        """Its address."""
        return self._loopback.url

    async def async_start(self) -> None:
        """Start to serve."""
        app = web.Application()
        app.router.add_get("/guide.xml", self._async_guide)
        app.router.add_post("/push", self._async_push)
        await self._loopback.async_start(app)

    async def async_stop(self) -> None:
        """Stop to serve."""
        await self._loopback.async_stop()

    async def _async_guide(self, _: web.Request) -> web.Response:
        return web.Response(text=guide(), content_type="application/xml")

    async def _async_push(self, request: web.Request) -> web.Response:
        self.pushed.append(await request.json())
        return web.json_response({}, status=201)


@dataclass(frozen=True, slots=True, kw_only=True)
class Servers:
    """The running servers."""

    cloud: SimulatedCloud
    web: WebServer
    weather: OpenMeteoServer
    imap: Dovecot
    smtp: SmtpServer
    dav: RadicaleServer = field(repr=False)


@contextlib.asynccontextmanager
async def servers(folder: Path, case: PaperCase, now: Clock) -> AsyncGenerator[Servers]:
    """Run all servers with the start state of a case; `now` returns the time of the home."""
    cloud = SimulatedCloud(await asyncio.to_thread(start_home, case, now))
    web_server = WebServer()
    weather = OpenMeteoServer(places=PLACES, climates=climates(case.rains), now=now)
    names = [each.key for each in PEOPLE]
    imap = Dovecot(folder / "imap", names)
    dav = RadicaleServer(folder / "dav", PASSWORDS)
    processes = contextlib.ExitStack()

    def start_processes() -> SmtpServer:
        for name in ("imap", "dav"):
            (folder / name).mkdir(parents=True)
        processes.enter_context(imap)
        _fill_inboxes(imap)
        processes.callback(dav.stop)
        dav.start()
        _fill_calendars(dav)
        return processes.enter_context(SmtpServer(names))

    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(asyncio.to_thread, processes.close)
        smtp = await asyncio.to_thread(start_processes)
        await stack.enter_async_context(cloud)
        for each in (web_server, weather):
            stack.push_async_callback(each.async_stop)
            await each.async_start()
        yield Servers(cloud=cloud, web=web_server, weather=weather, imap=imap, smtp=smtp, dav=dav)


def start_home(case: PaperCase, now: Clock) -> SimulatedHome:
    """Return the devices at the start of a case; as in the paper, their cloud knows no rooms."""
    home = load_home(PAPER_HOME)
    home.rooms.clear()
    for device in home.devices.values():
        device.description.pop("roomId", None)
        device.now = now
    for place, value in case.given.items():
        home.device(place.device).change(place.component, place.capability, place.attribute, value)
    return home


def _fill_inboxes(imap: Dovecot) -> None:
    for person, letters in INBOXES.items():
        imap.put(person, *(_message(person, each) for each in letters))


def _message(person: str, each: Letter) -> EmailMessage:
    at = NOW.astimezone(UTC) - timedelta(hours=each.hours_ago)
    return letter(
        each.sender,
        each.subject,
        each.text,
        to=f"{person}@example.com",
        date=utils.format_datetime(at),
        message_id=f"<{person}-{each.hours_ago}@example.com>",
    )


def _fill_calendars(dav: RadicaleServer) -> None:
    for person in PEOPLE:
        events = {
            f"event{number}": calendar_text([event_text(each.title, each.start, each.end)])
            for number, each in enumerate(CALENDARS[person.key])
        }
        dav.add_calendar(person.key, person.key, events)
