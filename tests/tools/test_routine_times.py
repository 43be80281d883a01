"""Times as models write them."""

from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

import pytest
from homeassistant.core import HomeAssistant

from custom_components.sage.routines.clock_times import next_due
from custom_components.sage.routines.model import Daily
from custom_components.sage.tools.routine_times import (
    beginning,
    clock_time,
    end,
    moment,
    next_daily,
)

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 22, 10, tzinfo=BERLIN)
"""A Sunday."""


def in_berlin(at: datetime) -> str:
    """Return what clock and calendar show then."""
    return f"{at.astimezone(BERLIN):%Y-%m-%d %H:%M}"


@pytest.fixture
async def berlin(hass: HomeAssistant) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("21:30", time(21, 30)),
        ("9", time(9)),
        (" 07:05:00 ", time(7, 5)),
        ("7.45", time(7, 45)),
        ("9 pm", time(21)),
        ("9:30 a.m.", time(9, 30)),
        ("12 am", time(0)),
        ("12 pm", time(12)),
        ("0:00", time(0)),
        ("24:00", time(0)),
        ("midnight", time(0)),
        ("noon", time(12)),
        ("9am", time(9)),
        ("9:30 pm", time(21, 30)),
        ("at 9", time(9)),
        ("9 Uhr", time(9)),
        ("um 21.30 Uhr", time(21, 30)),
        ("9 Uhr 30", time(9, 30)),
        ("9h30", time(9, 30)),
        ("9 h", time(9)),
        ("à midi", time(12)),
        ("8 o'clock", time(8)),
    ],
)
def test_clock(text, meant) -> None:
    assert clock_time(text) == meant


@pytest.mark.parametrize(
    "text", ["", "nine", "24:01", "25:00", "12:60", "9 p", "13 pm x", "-1", "7:5:1:2"]
)
def test_no_clock(text) -> None:
    with pytest.raises(ValueError, match="HH:MM"):
        clock_time(text)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("10:01", datetime(2026, 11, 22, 10, 1, tzinfo=BERLIN)),
        ("10:00", datetime(2026, 11, 23, 10, tzinfo=BERLIN)),
        ("9:00", datetime(2026, 11, 23, 9, tzinfo=BERLIN)),
        ("2026-12-24 18:00", datetime(2026, 12, 24, 18, tzinfo=BERLIN)),
        ("2026-12-24T18:00:00", datetime(2026, 12, 24, 18, tzinfo=BERLIN)),
        ("2026-12-24T18:00:00+01:00", datetime(2026, 12, 24, 18, tzinfo=BERLIN)),
        ("tomorrow 8:00", datetime(2026, 11, 23, 8, tzinfo=BERLIN)),
        ("today at 20:00", datetime(2026, 11, 22, 20, tzinfo=BERLIN)),
        ("sunday 20:00", datetime(2026, 11, 22, 20, tzinfo=BERLIN)),
        ("friday, 09:00", datetime(2026, 11, 27, 9, tzinfo=BERLIN)),
        ("9 pm on Friday", datetime(2026, 11, 27, 21, tzinfo=BERLIN)),
        ("12 am friday", datetime(2026, 11, 27, tzinfo=BERLIN)),
        ("2026-11-23 at 07:00", datetime(2026, 11, 23, 7, tzinfo=BERLIN)),
        ("7:00 tomorrow", datetime(2026, 11, 23, 7, tzinfo=BERLIN)),
        ("tomorrow noon", datetime(2026, 11, 23, 12, tzinfo=BERLIN)),
        ("midnight", datetime(2026, 11, 23, tzinfo=BERLIN)),
        ("24:00", datetime(2026, 11, 23, tzinfo=BERLIN)),
        ("2026-12-31 24:00", datetime(2027, 1, 1, tzinfo=BERLIN)),
        ("morgen um 9 Uhr", datetime(2026, 11, 23, 9, tzinfo=BERLIN)),
        ("am Freitag 9 Uhr", datetime(2026, 11, 27, 9, tzinfo=BERLIN)),
        ("vendredi à 9h30", datetime(2026, 11, 27, 9, 30, tzinfo=BERLIN)),
        ("aujourd’hui 20h", datetime(2026, 11, 22, 20, tzinfo=BERLIN)),
        ("2026-11-23T06:00Z", datetime(2026, 11, 23, 6, tzinfo=UTC)),
        ("2026-11-23 06:00:00-05:00", datetime(2026, 11, 23, 11, tzinfo=UTC)),
        ("sunday 09:00", datetime(2026, 11, 29, 9, tzinfo=BERLIN)),
    ],
)
async def test_moment(berlin: None, text, meant) -> None:
    assert moment(text, NOW) == meant
    assert moment(text, NOW).tzinfo is UTC


@pytest.mark.parametrize("text", ["2026-12-24", "tomorrow", "Monday", "today", "Sonntag"])
async def test_a_day_is_no_moment(berlin: None, text) -> None:
    with pytest.raises(ValueError, match="a day without a time"):
        moment(text, NOW)


@pytest.mark.parametrize(
    ("text", "begins", "ends"),
    [
        ("2026-12-24", "2026-12-24 00:00", "2026-12-25 00:00"),
        ("tomorrow", "2026-11-23 00:00", "2026-11-24 00:00"),
        ("Friday", "2026-11-27 00:00", "2026-11-28 00:00"),
        # Said on a Sunday, and meant for the one to come.
        ("sunday", "2026-11-29 00:00", "2026-11-30 00:00"),
        ("friday 18:00", "2026-11-27 18:00", "2026-11-27 18:00"),
        ("2026-11-27T17:00Z", "2026-11-27 18:00", "2026-11-27 18:00"),
        ("18:00", "2026-11-22 18:00", "2026-11-22 18:00"),
    ],
)
async def test_a_day_begins_and_ends(berlin: None, text, begins, ends) -> None:
    assert in_berlin(beginning(text, NOW)) == begins
    assert in_berlin(end(text, NOW)) == ends


@pytest.mark.parametrize(
    ("text", "days", "meant"),
    [
        ("09:00", {4}, "2026-11-27 09:00"),
        ("09:00", {6}, "2026-11-29 09:00"),
        ("11:00", {6}, "2026-11-22 11:00"),
        ("friday 9:00", {3, 4}, "2026-11-27 09:00"),
        ("2026-11-27 9:00", {4}, "2026-11-27 09:00"),
    ],
)
async def test_moment_on_some_days(berlin: None, text, days, meant) -> None:
    assert in_berlin(moment(text, NOW, frozenset(days))) == meant


@pytest.mark.parametrize("text", ["friday 9:00", "2026-11-27 9:00", "2026-11-27T09:00Z"])
async def test_moment_on_another_day(berlin: None, text) -> None:
    with pytest.raises(ValueError, match="none of the `weekdays`"):
        moment(text, NOW, frozenset({0}))


@pytest.mark.parametrize("text", ["9999-12-31", "9999-12-31T23:59-08:00"])
async def test_end_of_all_days(berlin: None, text) -> None:
    """Models write it for "for ever"."""
    with pytest.raises(ValueError, match="too far ahead"):
        end(text, NOW)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "2026-02-30",
        "2026-12-24 25:00",
        "someday 9:00",
        "monkey 9:00",
        "friday midnight",
    ],
)
async def test_no_moment(berlin: None, text) -> None:
    with pytest.raises(ValueError, match=r"HH:MM|calendar"):
        moment(text, NOW)


async def test_clock_changes(berlin: None) -> None:
    """The time on the clock is what counts, also in the night when it is set."""
    before = datetime(2026, 10, 24, 12, tzinfo=BERLIN)
    assert moment("tomorrow 08:00", before) == datetime(2026, 10, 25, 7, tzinfo=UTC)
    # 02:30 is not there in spring: it is when the clocks are put forward, as for daily times.
    spring = datetime(2026, 3, 28, 12, tzinfo=BERLIN)
    daily = Daily(at=time(2, 30))
    put_forward = datetime(2026, 3, 29, 1, tzinfo=UTC)
    assert next_due(daily, spring.astimezone(UTC), BERLIN) == put_forward
    assert moment("tomorrow 02:30", spring) == put_forward
    assert moment("02:30", spring) == put_forward
    assert next_daily(daily.at, daily.weekdays, spring) == put_forward
    # 02:30 is there twice in autumn: the first time counts.
    assert moment("tomorrow 02:30", before) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


async def test_next_daily(berlin: None) -> None:
    every = frozenset(range(7))
    assert next_daily(time(11), every, NOW) == datetime(2026, 11, 22, 11, tzinfo=BERLIN)
    assert next_daily(time(10), every, NOW) == datetime(2026, 11, 23, 10, tzinfo=BERLIN)
    sundays = frozenset({6})
    assert next_daily(time(10), sundays, NOW) == datetime(2026, 11, 29, 10, tzinfo=BERLIN)
