"""One odd item does not spoil a list: messages, vCards, programmes, events, hours of weather."""

import json
import sqlite3
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, cast

import pytest
from homeassistant.components.calendar import CalendarEvent
from homeassistant.core import HomeAssistant

from benchmark.mail_servers import Dovecot, letter
from benchmark.open_meteo_server import OpenMeteoServer
from benchmark.xmltv_text import HEAD, TAIL
from custom_components.sage.external.address_book import read_cards
from custom_components.sage.external.guide_building import build
from custom_components.sage.external.mailbox import Folder, Mailbox
from custom_components.sage.external.message import UNREADABLE
from custom_components.sage.external.place_weather import PlaceWeather
from custom_components.sage.external.xmltv import parse
from tests.calendar_house import async_add_events
from tests.external.cards import card
from tests.external.test_calendars import MONDAY, House, house
from tests.external.test_mail_client import mailbox
from tests.external.test_place_weather import weather
from tests.guide_house import open_meteo

__all__ = ["house", "mailbox", "open_meteo", "weather"]

ODD_HEADS = [
    b"From: " + b"(" * 5_000,
    b"From: " + b'"' * 5_000 + b" <a@example.com>",
    b"Date: Fri, 31 Dec 9999 23:59:59 -1200",
    b"Date: Mon, 1 Jan 0001 00:00:00 +1400",
    b"Date: " + b"9" * 5_000,
    b"Message-ID: <\xff\xfe@example.com>\r\nReferences: <\xf0\x9f@example.com> <",
    b"Subject: =?unicode_escape?q?=5Cud800?= lone surrogate",
    b"Subject: \xff\xfe\xed\xa0\x80",
    b"Subject: =?utf-8?b?" + b"=" * 5_000 + b"?=",
    b"Subject: =?punycode?q?" + b"a-b" * 2_000 + b"?=",
    b"To: " + b"a@example.com, " * 5_000,
    b"no header at all " * 500,
]


async def test_odd_heads_are_listed_with_the_others(imap: Dovecot, mailbox: Mailbox) -> None:
    whole = letter("Tom <tom@example.com>", "Lunch", "At one?")
    imap.put("anna", whole, *(head + b"\r\n\r\nHello" for head in ODD_HEADS))

    mails, total, _ = await mailbox.async_search(20)

    assert len(mails) == total == len(ODD_HEADS) + 1
    assert mails[-1].head.subject == "Lunch"
    for mail in mails:
        _, body = await mailbox.async_read(mail.id)
        assert body.text
        assert mail.place in [each.place for each in await mailbox.async_thread(mail.id)]
        str(mail.head).encode()
    assert (await mailbox.async_search(20, folder=Folder.SENT))[1] == 0


ODD_BODIES = [
    b"Content-Type: text/html\r\n\r\nLunch? &#" + b"9" * 5_000 + b";",
    b"Content-Type: text/html\r\n\r\n" + b"<b>" * 20_000 + b"Lunch?" + b"</i>" * 20_000,
    b"Content-Type: text/plain; charset=punycode\r\n\r\nLunch?",
    b"Content-Type: text/plain; charset=\xff\r\n\r\nLunch?",
    b"Content-Type: text/plain" + b"; a=b" * 5_000 + b"\r\n\r\nLunch?",
    b"Content-Type: text/plain; name*9999999999999999999999=x\r\n\r\nLunch?",
    b"Content-Transfer-Encoding: base64\r\n\r\nTHVuY2g/" + b"=" * 5_000,
    b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (depth, depth)
        for depth in range(2_000)
    )
    + b"\r\nLunch?",
    b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nLunch?" + b"\r\n--b\r\n" * 5_000,
]


@pytest.mark.parametrize("number", range(len(ODD_BODIES)))
async def test_odd_bodies_are_read_as_far_as_possible(
    imap: Dovecot, mailbox: Mailbox, number: int
) -> None:
    imap.put("anna", b"Subject: Odd\r\n" + ODD_BODIES[number])

    mail = (await mailbox.async_search(1))[0][0]
    _, body = await mailbox.async_read(mail.id)

    assert "Lunch?" in body.text or body.attachments or body.text == UNREADABLE


ODD_CARDS = [
    "BEGIN:VCARD\r\n",
    "BEGIN:VCARD\r\nFN:Open\r\n",
    "END:VCARD\r\n",
    card("").replace("FN:", "").replace("UID:", ""),
    card("x", "TEL;TYPE=" + "a," * 5_000),
    card("x", "TEL;TYPE=" + '"' * 5_001 + ":1"),
    card("x", "EMAIL;" + ";" * 5_000 + ":a@example.org"),
    card("x", "NOTE;ENCODING=QUOTED-PRINTABLE:=ZZ=\r\n=FF=\r\n"),
    card("x", "N:" + "\\" * 5_001),
    card("x", *["X-ODD:1"] * 5_000),
    card("\x00\udcff\ud800"),
    card("x", "PHOTO;ENCODING=b:" + "\r\n ".join(["A" * 70] * 5_000)),
]


def test_odd_cards_hide_no_other_card() -> None:
    text = card("Tom") + "".join(ODD_CARDS) + card("Eve", "EMAIL:eve@example.org")

    contacts = read_cards(text.encode("utf-8", "replace"))

    assert contacts[0].name == "Tom"
    assert (contacts[-1].name, contacts[-1].emails) == ("Eve", ("eve@example.org",))


def test_lines_of_a_card_with_many_types_are_read() -> None:
    (contact,) = read_cards(card("Tom", "TEL;TYPE=" + "a," * 500 + "b:0301").encode())

    assert contact.phones == ("0301",)


def _odd_programmes(now: datetime) -> list[str]:
    start = f'start="{now:%Y%m%d%H%M%S} +0000"'
    late = f"{now + timedelta(days=30):%Y%m%d}"
    title = "<title>Odd</title>"
    return [
        f'<programme start="99991231235959 -1400" channel="a">{title}</programme>',
        f'<programme start="99991231" stop="99991231235959 -1400" channel="a">{title}</programme>',
        f'<programme start="00010101000000 +1400" channel="a">{title}</programme>',
        f'<programme start="{"9" * 5_000}" channel="a">{title}</programme>',
        f'<programme channel="a">{title}</programme>',
        f"<programme {start}>{title}</programme>",
        f'<programme {start} channel="b"/>',
        f'<programme {start} channel="{"c" * 5_000}"><title>{"t" * 50_000}</title></programme>',
        f'<programme {start} channel="d">{title * 5_000}</programme>',
        f'<programme {start} channel="e"><title lang="{"x" * 5_000}">Odd</title></programme>',
        f'<programme {start} stop="{late}" channel="f">{title}</programme>',
        f'<programme {start} channel="g"><desc>{"<b>x</b>" * 5_000}</desc>{title}</programme>',
    ]


def test_odd_programmes_hide_no_other_programme(tmp_path: Path) -> None:
    now = datetime(2026, 11, 30, 20, tzinfo=UTC)
    news = f'<programme start="{now:%Y%m%d%H%M%S}" channel="a"><title>News</title></programme>'
    source = tmp_path / "guide.xml"
    source.write_text(f"{HEAD}{''.join(_odd_programmes(now))}{news}{TAIL}", encoding="utf-8")

    build(parse(source, "en"), tmp_path / "guide.db", now)

    # The times of the guide can be shown in every time zone.
    with sqlite3.connect(tmp_path / "guide.db") as database:
        (until,) = database.execute("SELECT max(stop) FROM programmes").fetchone()
    assert until < (now + timedelta(days=366)).timestamp()
    titles = [getattr(each, "title", "") for each in parse(source, "en")]
    assert titles[-2:] == ["News", ""]
    assert max(map(len, titles)) == 200


def odd_event(start: object, end: object = None, summary: object = "Odd") -> CalendarEvent:
    """Return an event that no check of Home Assistant has seen."""
    event: Any = object.__new__(CalendarEvent)
    event.__dict__ |= {"start": start, "end": end or start, "summary": summary}
    return cast("CalendarEvent", event)


ODD_EVENTS = [
    odd_event(datetime(9999, 12, 31, 23, 59, tzinfo=timezone(-timedelta(hours=12)))),
    odd_event(datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14)))),
    odd_event(date(9999, 12, 31), datetime(9999, 12, 31, 23, 59, tzinfo=UTC)),
    odd_event(MONDAY, datetime(2026, 11, 30, 10, tzinfo=UTC)),
    odd_event(datetime(2026, 11, 30, 10, tzinfo=UTC), MONDAY),
    odd_event("9" * 5_000),
    odd_event(None),
    odd_event(""),
    odd_event("2026-11-30T99:99:99"),
    odd_event({"date": "2026-11-30"}, ["2026-11-30"]),
    odd_event(1_796_000_000),
    object.__new__(CalendarEvent),
]


async def test_odd_events_hide_no_other_event(hass: HomeAssistant, house: House) -> None:
    await hass.config.async_set_time_zone("Pacific/Kiritimati")
    good = CalendarEvent(MONDAY, MONDAY + timedelta(days=1), "Holiday " + "x" * 50_000)
    await async_add_events(hass, "Work", [*ODD_EVENTS, good])

    agenda = await house.async_agenda(MONDAY)

    assert [each.title[:9] for each in agenda.entries] == ["Holiday x"]
    assert len(agenda.entries[0].title) == 1_000
    assert agenda.unread == []


async def test_twenty_thousand_events_are_listed_in_order(
    hass: HomeAssistant, house: House
) -> None:
    events = [
        CalendarEvent(MONDAY + timedelta(days=n % 300), MONDAY + timedelta(days=n % 300 + 1), "x")
        for n in range(20_000)
    ]
    await async_add_events(hass, "Work", events)

    agenda = await house.async_agenda(MONDAY, MONDAY + timedelta(days=300))

    starts = [each.start for each in agenda.entries]
    assert len(starts) == 20_000
    assert starts == sorted(starts)


async def test_odd_numbers_hide_no_other_weather(
    weather: PlaceWeather, open_meteo: OpenMeteoServer
) -> None:
    (bremen, *_) = await weather.async_places("Bremen", "en")
    odd: list[object] = [
        1e300,
        -1e18,
        1e18,
        float("inf"),
        float("nan"),
        10**400,
        None,
        "x",
        True,
        [],
        {},
    ]
    good = 1_790_000_000
    open_meteo.body = json.dumps(
        {
            "timezone": "../../etc/passwd",
            "utc_offset_seconds": 1e300,
            "current": {"time": good, "temperature_2m": 10**400, "weather_code": float("inf")},
            "hourly": {"time": [*odd, good], "temperature_2m": [*odd, 7]},
            "daily": {"time": [*odd, good], "weather_code": [*odd, 0]},
        }
    )

    forecast = await weather.async_weather(bremen)

    assert forecast.now is not None
    assert "temperature" not in forecast.now
    assert [each["temperature"] for each in forecast.hours if len(each) > 1] == [7]
    assert [each["condition"] for each in forecast.days if len(each) > 1] == ["sunny"]
