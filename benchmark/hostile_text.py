"""Parsers of text from outside, at their own size limits, with hostile input.

    python -m benchmark.hostile_text [--only mail]

Each parser gets 40 shapes that make careless parsers slow or large: one sign or one construct,
repeated until the limit. Prints a table, then one line of JSON; exits with 1 if a bound is missed.

- *Processor* is the time of the processor for one input.
- *Stall* is how late the event loop was meanwhile, but at most the time of the processor that this
  process used in that interval: other programs make the loop late, too. An input that misses a
  bound is tried up to three times, and the best counts.
- *Memory* is what the process held at most, beyond what it held before and beyond the input.

A guide may unpack to 2 GB, so it is measured with 4 MB; its time grows with its size, and it pauses
after each 32 KB.
"""

import argparse
import asyncio
import gzip
import io
import json
import re
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Final

from aiohttp import ClientSession, web
from aiohttp.test_utils import TestServer
from homeassistant.components.calendar import CalendarEvent
from homeassistant.util import dt as dt_util
from homeassistant.util.unit_system import METRIC_SYSTEM
from PIL import Image

from custom_components.sage.external import ExternalError
from custom_components.sage.external.address_book import NoContactsError, read_cards
from custom_components.sage.external.calendars import Calendar, agenda_of
from custom_components.sage.external.mail_account import MailAccount, MailServer, Security
from custom_components.sage.external.mailbox import Mailbox
from custom_components.sage.external.message import body_of, head_of
from custom_components.sage.external.place_weather import Place, PlaceWeather
from custom_components.sage.external.xmltv import GuideError, parse
from custom_components.sage.model.embedding_server import read_reply
from custom_components.sage.model.language_model import ModelError
from custom_components.sage.photos.photo_album import RefusedPictureError, re_encode
from custom_components.sage.text.speech import plain

PROCESSOR_BOUND: Final = 1.0
STALL_BOUND: Final = 0.05
MEMORY_BOUND: Final = 100_000_000

_CLEAR: Final = Path("/proc/self/clear_refs")
_TICK: Final = 0.002
_ATTEMPTS: Final = 3
_KB: Final = 1024
_MB: Final = 1024 * 1024
_REFUSALS: Final = (
    *(ExternalError, GuideError, NoContactsError, RefusedPictureError),
    *(ModelError, ValueError),
)

_SIGNS: Final = (
    *("a", " ", "\n", "\r\n", "\t", "\0", "é", *"()<>[]{}\"'\\,;:=&%#@.-!?*|_~^$+/`09", "\u200b"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The cost of one input, or the highest cost of many."""

    processor: float = 0.0
    stall: float = 0.0
    memory: int = 0

    @property
    def is_good(self) -> bool:
        """Whether all bounds are kept."""
        return (
            self.processor <= PROCESSOR_BOUND
            and self.stall <= STALL_BOUND
            and self.memory <= MEMORY_BOUND
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Parser:
    """A parser and its hostile inputs."""

    size: int
    """The limit of the parser in bytes."""

    async_parse: Callable[[bytes], Awaitable[object]]
    before: str = ""
    units: tuple[str, ...] = ()
    """What is repeated after `before`, in addition to single signs."""

    whole: Callable[[], Mapping[str, bytes]] | None = None
    """Whole inputs instead of repeated ones."""

    def shapes(self) -> Iterator[tuple[str, bytes]]:
        """Yield the name and the content of each of the 40 inputs."""
        if self.whole is not None:
            yield from self.whole().items()
            return
        for unit in tuple(dict.fromkeys((*self.units, *_SIGNS)))[:40]:
            begin = self.before.encode()
            count = (self.size - len(begin)) // len(unit.encode())
            yield repr(unit), begin + unit.encode() * count


def in_thread(read: Callable[[bytes], object]) -> Callable[[bytes], Awaitable[object]]:
    """Return a function that parses in a thread, as SAGE does."""
    return lambda data: asyncio.to_thread(read, data)


def _read_guide(data: bytes) -> None:
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        for item in parse(Path(file.name), "en"):
            if item is None:
                time.sleep(0.001)


async def _async_read_imap(data: bytes) -> None:
    """Receive `data` as the answer to a search."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            writer.write(b"* OK hello\r\n")
            while line := await reader.readline():
                tag, command, *_ = line.split()
                if command == b"CAPABILITY":
                    writer.write(b"* CAPABILITY IMAP4rev1\r\n")
                if command == b"UID":
                    writer.write(data + b"\r\n")
                writer.write(tag + b" OK done\r\n")
                await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    address = MailServer(host="127.0.0.1", port=port, security=Security.NONE)
    account = MailAccount(
        user_id="1",
        address="a@example.com",
        user_name="a",
        password="b",  # noqa: S106 - no password
        imap=address,
        smtp=address,
        keeps_sent=False,
    )
    mailbox = Mailbox([account], lambda: None)
    try:
        await mailbox.async_search(1, unread=True)
    finally:
        await mailbox.async_close()
        server.close()


def _pictures() -> dict[str, bytes]:
    """Return pictures of one colour: a few kilobytes that decode to many pixels."""
    pictures: dict[str, bytes] = {}
    for kind, modes in {
        "PNG": ("1", "L", "P", "LA", "RGB", "RGBA", "I;16"),
        "WEBP": ("RGB", "RGBA"),
        "JPEG": ("L", "RGB", "CMYK"),
    }.items():
        for mode in modes:
            for side in (2_230, 3_150, 6_320):
                for progressive in (False, True) if kind == "JPEG" else (False,):
                    content = io.BytesIO()
                    picture = Image.new(mode, (side, side))
                    picture.save(content, kind, progressive=progressive, quality=50)
                    name = f"{kind} {mode} {side}{' progressive' * progressive}"
                    pictures[name] = content.getvalue()
    return dict(list(pictures.items())[-40:])


def _bombs() -> dict[str, bytes]:
    """Return 40 gzip files that unpack to 150 MB, which is refused."""
    units = ("<a/>", "<!-- -->", "text ", "<a b='c'/>", *_SIGNS)[:40]
    return {
        repr(unit): gzip.compress(b"<tv>" + unit.encode() * (150 * _MB // len(unit.encode())), 6)
        for unit in units
    }


async def _async_read_weather(data: bytes) -> None:
    """Receive `data` as the reply of the weather service."""

    async def answer(_: web.Request) -> web.Response:
        return web.Response(body=data, content_type="application/json")

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    async with TestServer(app) as server, ClientSession() as session:
        url = str(server.make_url("")).rstrip("/")
        weather = PlaceWeather(session, METRIC_SYSTEM, forecast_url=url, geocoding_url=url)
        with suppress(ExternalError):
            await weather.async_weather(Place(name="x", latitude=1, longitude=1))
        await weather.async_places("x", "en")


def _read_events(data: bytes) -> None:
    """Read 20,000 events that have the data as their texts."""
    start = dt_util.utcnow()
    text = data.decode("utf-8", "replace")
    event = CalendarEvent(start, start + timedelta(hours=1), text, text, text)
    calendar = Calendar(entity_id="calendar.x", name="x", is_own=False, is_writable=False)
    agenda_of([(calendar, [event] * 20_000)], start, start + timedelta(days=1))


_HTML: Final = "Content-Type: text/html; charset=utf-8\r\n\r\n"
_TAGS: Final = (
    *("<b>", "<b>x", "<a ", "<a b=", "<a b='", '<a b="c" ', "</a ", "</", "<!--", "<!-- -", "<!x "),
    *("<?x ", "<![CDATA[", "&#9999999;", "&#xffffff;", "&amp", "<p hidden>x", "<script>", "<br>"),
    *("<style>.a{display:none}</style>", "<p style='color:rgb(1,1,1)'>x", "<title></titl"),
)
_HEADS: Final = (
    *("From: (((", "From: a@b\r\n", "From: a\r\n ", "=?a?q?x", "=?utf-8?q?x?= ", "<a@b>, ", "a:b;"),
    *("<@a:", '"a" ', "=?utf-8?b?", "=?punycode?q?a-b", "\\(", "1 Jan ", "[1.", "a@b,"),
)
PARSERS: Final[Mapping[str, Parser]] = {
    "mail: HTML": Parser(size=256 * _KB, async_parse=in_thread(body_of), before=_HTML, units=_TAGS),
    "mail: style sheet": Parser(
        size=256 * _KB,
        async_parse=in_thread(body_of),
        before=f"{_HTML}<style>",
        units=(".a,", "a{", ".a{display:none}", "/*", "@media x{", "a b>c.d#e{"),
    ),
    "mail: attribute style": Parser(
        size=256 * _KB,
        async_parse=in_thread(body_of),
        before=f"{_HTML}<p style='color:",
        units=("rgb(", "rgb(1,1,1);color:", "9", "1,", "font-size:1px;", "!important"),
    ),
    "mail: parts": Parser(
        size=256 * _KB,
        async_parse=in_thread(body_of),
        before="Content-Type: multipart/mixed; boundary=b\r\n\r\n",
        units=(
            *(
                "--b\r\n",
                "--b\r\n\r\nx\r\n",
                "--b ",
                "--b\r\nContent-Type: text/html\r\n\r\n<b>\r\n",
            ),
            "--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n",
        ),
    ),
    "mail: MIME parameters": Parser(
        size=256 * _KB,
        async_parse=in_thread(body_of),
        before="Content-Type: text/plain",
        units=("; a=b", '; a="', "; a*0=b", "; name*=utf-8''%ff", ';"', ';\\"', "\r\n ;a=b", "(a)"),
    ),
    "mail: 30 heads": Parser(
        size=16 * _KB,
        async_parse=in_thread(lambda data: [head_of(data) for _ in range(30)]),
        before="Subject: x\r\nFrom: ",
        units=_HEADS,
    ),
    "IMAP": Parser(
        size=2 * _MB - 4_000,
        async_parse=_async_read_imap,
        before="* SEARCH ",
        units=(
            *("1 ", "12 ", '"a" ', '"\\"', "a[", "()", "(((((((", "NIL ", "{0}\r\n", "* a\r\n"),
            *("{9}\r\n", "* 1 FETCH (UID 1)\r\n", '"\\" {0}\r\n', "{1", "\\"),
        ),
    ),
    "vCards": Parser(
        size=20 * _MB,
        async_parse=in_thread(read_cards),
        before="BEGIN:VCARD\nFN:x\n",
        units=(
            *("BEGIN:VCARD\n", "BEGIN:VCARD\nFN:a\nEND:VCARD\n", "TEL;TYPE=a:1\n", "TEL;TYPE=a,"),
            *("a" * 60 + "\n", " " + "a" * 60 + "\n", 'a;b="' * 12 + "\n", ";" * 60 + "\n"),
            *(
                "NOTE;QUOTED-PRINTABLE:" + "a" * 50 + "=\n",
                "N:" + "\\;" * 30 + "\n",
                ":" * 60 + "\n",
            ),
            "EMAIL:" + "a@" * 30 + "\n",
        ),
    ),
    "TV guide": Parser(
        size=4 * _MB,
        async_parse=in_thread(_read_guide),
        before="<tv>",
        units=(
            *("<a>", "<a/>", "<a b='c'/>", "<!-- -->", "<![CDATA[x]]>", "<?a b?>", "&amp;", "&#9;"),
            "<channel id='a'><display-name>" + "x" * 1_000 + "</display-name></channel>",
            "<programme start='20260302201500' channel='a'><title>" + "x" * 1_000 + "</title>",
            "<programme start='20260302201500' channel='a'><title>x</title></programme>",
            *("<a b='", "<!--", "<![CDATA[", "<programme start='", "<title>", "</a>"),
        ),
    ),
    "TV guide: gzip": Parser(
        size=1_500_000,
        async_parse=in_thread(_read_guide),
        whole=_bombs,
    ),
    "weather": Parser(
        size=512 * _KB,
        async_parse=_async_read_weather,
        before='{"timezone": "UTC", "hourly": {"time": [',
        units=("1,", "[", "[],", '{"a":', '"",', "1e999,", "NaN,", "9", "null,", "1790000000,"),
    ),
    "calendar: 20,000 events": Parser(size=2 * _KB, async_parse=in_thread(_read_events)),
    "embeddings": Parser(
        size=3 * 512 * _KB,
        async_parse=in_thread(lambda data: read_reply(data, 32)),
        before='{"data": [{"embedding": [',
        units=("1,", "[", "[],", '{"a":', '"",', "1e999,", "NaN,", "9", "null,", "-0.123456789,"),
    ),
    "answer": Parser(
        size=64 * _KB,
        async_parse=in_thread(lambda data: plain(data.decode("utf-8", "replace"))),
        units=(
            *(
                "[a](",
                "![a](b",
                "[a]:",
                "[^a]",
                "<a ",
                "<br>",
                "```\n",
                "~~~\n",
                "| a |\n",
                "|---|\n",
            ),
            *(
                "|---|\n",
                "# ",
                "> ",
                "- [ ] ",
                "**a",
                "__a",
                ":a:",
                "<think>",
                "</think>",
                "(((",
                "\u200d",
            ),
        ),
    ),
    "pictures": Parser(size=20 * _MB, async_parse=in_thread(re_encode), whole=_pictures),
}


def _memory(name: str) -> int:
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    found = re.search(rf"{name}:\s+(\d+)", status)
    assert found is not None
    return int(found[1]) * _KB


async def _async_lateness(over: asyncio.Event) -> float:
    """Return how late the event loop was at most until the event."""
    latest = 0.0
    while not over.is_set():
        began, used = time.perf_counter(), time.process_time()
        await asyncio.sleep(_TICK)
        late = min(time.perf_counter() - began - _TICK, time.process_time() - used)
        latest = max(latest, late)
    return latest


async def async_measure(parser: Parser, data: bytes) -> Figures:
    """Parse one input; the parser may refuse it."""
    over = asyncio.Event()
    lateness = asyncio.create_task(_async_lateness(over))
    await asyncio.sleep(2 * _TICK)
    # Sets the highest memory of the process to its current one.
    _CLEAR.write_text("5", encoding="utf-8")
    memory, began = _memory("VmRSS"), time.process_time()
    with suppress(*_REFUSALS):
        await parser.async_parse(data)
    processor = time.process_time() - began
    over.set()
    return Figures(processor=processor, stall=await lateness, memory=_memory("VmHWM") - memory)


async def async_worst(parser: Parser) -> tuple[Figures, list[str]]:
    """Return the highest figures of all inputs, and the names of those that miss a bound."""
    worst = Figures()
    missed: list[str] = []
    for name, data in parser.shapes():
        best = await async_measure(parser, data)
        for _ in range(_ATTEMPTS - 1):
            if best.is_good:
                break
            again = await async_measure(parser, data)
            best = Figures(
                processor=min(best.processor, again.processor),
                stall=min(best.stall, again.stall),
                memory=min(best.memory, again.memory),
            )
        if not best.is_good:
            missed.append(f"{name[:40]} ({best})")
        worst = replace(
            worst,
            processor=max(worst.processor, best.processor),
            stall=max(worst.stall, best.stall),
            memory=max(worst.memory, best.memory),
        )
    return worst, missed


async def async_main(only: str) -> int:
    """Measure all parsers whose names contain `only`; return the exit code."""
    result: dict[str, dict[str, float]] = {}
    is_good = True
    for name, parser in PARSERS.items():
        if only not in name:
            continue
        worst, missed = await async_worst(parser)
        is_good = is_good and not missed
        result[name] = {
            "processor_s": round(worst.processor, 2),
            "stall_ms": round(worst.stall * 1000),
            "memory_mb": round(worst.memory / 1e6),
        }
        print(f"{name:24}", *(f"{key} {value:>6}" for key, value in result[name].items()))
        for line in missed:
            print(f"    missed: {line}")
    print(json.dumps(result))
    return 0 if is_good else 1


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--only", default="", help="a part of the names of parsers")
    sys.exit(asyncio.run(async_main(arguments.parse_args().only)))
