"""Times as models write them."""

from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

import pytest
from homeassistant.core import HomeAssistant

from custom_components.sage.tools.routine_times import clock_time, moment, next_daily, weekdays

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 22, 10, tzinfo=BERLIN)
"""A Sunday."""


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
    ],
)
def test_clock(text, meant) -> None:
    assert clock_time(text) == meant


@pytest.mark.parametrize("text", ["", "nine", "24:00", "12:60", "9 p", "13 pm x", "-1", "7:5:1:2"])
def test_no_clock(text) -> None:
    with pytest.raises(ValueError, match="HH:MM"):
        clock_time(text)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("10:01", datetime(2026, 11, 22, 10, 1, tzinfo=BERLIN)),
        ("10:00", datetime(2026, 11, 23, 10, tzinfo=BERLIN)),
        ("9:00", datetime(2026, 11, 23, 9, tzinfo=BERLIN)),
        ("2026-12-24", datetime(2026, 12, 24, tzinfo=BERLIN)),
        ("2026-12-24 18:00", datetime(2026, 12, 24, 18, tzinfo=BERLIN)),
        ("2026-12-24T18:00:00", datetime(2026, 12, 24, 18, tzinfo=BERLIN)),
        ("2026-12-24T18:00:00+01:00", datetime(2026, 12, 24, 18, tzinfo=BERLIN)),
        ("tomorrow", datetime(2026, 11, 23, tzinfo=BERLIN)),
        ("tomorrow 8:00", datetime(2026, 11, 23, 8, tzinfo=BERLIN)),
        ("today at 20:00", datetime(2026, 11, 22, 20, tzinfo=BERLIN)),
        ("Monday", datetime(2026, 11, 23, tzinfo=BERLIN)),
        ("sunday 09:00", datetime(2026, 11, 29, 9, tzinfo=BERLIN)),
    ],
)
async def test_moment(berlin: None, text, meant) -> None:
    assert moment(text, NOW) == meant
    assert moment(text, NOW).tzinfo is UTC


async def test_a_day_ends_when_the_next_begins(berlin: None) -> None:
    next_day = datetime(2026, 12, 25, tzinfo=BERLIN)
    assert moment("2026-12-24", NOW, ends_day=True) == next_day
    assert moment("2026-12-24 18:00", NOW, ends_day=True) == datetime(
        2026, 12, 24, 18, tzinfo=BERLIN
    )


@pytest.mark.parametrize("text", ["", "soon", "2026-02-30", "2026-12-24 25:00", "someday 9:00"])
async def test_no_moment(berlin: None, text) -> None:
    with pytest.raises(ValueError, match=r"HH:MM|calendar"):
        moment(text, NOW)


async def test_clock_changes(berlin: None) -> None:
    """The time on the clock is what counts, also in the night when it is set."""
    before = datetime(2026, 10, 24, 12, tzinfo=BERLIN)
    assert moment("tomorrow 08:00", before) == datetime(2026, 10, 25, 7, tzinfo=UTC)
    # 02:30 is not there in spring: it is when an hour and a half of the day have gone by.
    spring = datetime(2026, 3, 28, 12, tzinfo=BERLIN)
    assert moment("tomorrow 02:30", spring) == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)


async def test_next_daily(berlin: None) -> None:
    every = frozenset(range(7))
    assert next_daily(time(11), every, NOW) == datetime(2026, 11, 22, 11, tzinfo=BERLIN)
    assert next_daily(time(10), every, NOW) == datetime(2026, 11, 23, 10, tzinfo=BERLIN)
    sundays = frozenset({6})
    assert next_daily(time(10), sundays, NOW) == datetime(2026, 11, 29, 10, tzinfo=BERLIN)


def test_weekdays() -> None:
    assert weekdays([]) == frozenset(range(7))
    assert weekdays(["mon", " Tuesday ", "SUN"]) == frozenset({0, 1, 6})
    assert weekdays(["weekdays"]) == frozenset(range(5))
    assert weekdays(["weekend"]) == frozenset({5, 6})
    with pytest.raises(ValueError, match="mon, tue"):
        weekdays(["mon", "someday"])
