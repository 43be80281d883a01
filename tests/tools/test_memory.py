"""Periods that are to be forgotten: whole days of the home, and what was said in them."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from custom_components.sage.memory.memories import Memory
from custom_components.sage.memory.person_memory import PersonMemory
from custom_components.sage.memory.profile import whole_days

START = datetime(2026, 11, 20, tzinfo=UTC)
END = START + timedelta(days=1)
MOMENT = timedelta(microseconds=1)


@pytest.fixture
def anna(tmp_path: Path) -> Iterator[PersonMemory]:
    memory = PersonMemory.open(tmp_path / "anna.db")
    yield memory
    memory.close()


def said_within(memory: PersonMemory) -> list[str]:
    return sorted(each.text for each in memory.said_within(START, END))


async def test_a_day_is_one_of_the_home(hass: HomeAssistant) -> None:
    await hass.config.async_set_time_zone("America/Toronto")
    toronto = ZoneInfo("America/Toronto")
    # The clocks go back on this night: the day has 25 hours.
    start, end = whole_days("2026-11-01", None)
    assert (start.tzinfo, end.tzinfo) == (UTC, UTC)
    assert start == datetime(2026, 11, 1, tzinfo=toronto)
    assert end - start == timedelta(hours=25)
    assert whole_days("2026-11-01", "2026-11-01") == (start, end)
    start, end = whole_days("2026-03-01", "2026-03-31")
    assert dt_util.as_local(end).isoformat() == "2026-04-01T00:00:00-04:00"


@pytest.mark.parametrize(
    ("first", "last"),
    [
        (None, None),
        ("", "2026-11-20"),
        (None, "2026-11-20"),
        ("today", None),
        ("2026-02-30", None),
        ("2026-11-20", "2026-11-19"),
        ("2026-11-20", "soon"),
        ("2026-11-20", "9999-12-31"),
        ("0001-01-01", None),
    ],
)
async def test_days_that_are_none(hass: HomeAssistant, first, last) -> None:
    await hass.config.async_set_time_zone("Asia/Tokyo")
    with pytest.raises(ValueError, match="2026-11-22"):
        whole_days(first, last)


def test_the_begin_belongs_to_a_period_and_the_end_does_not(anna: PersonMemory) -> None:
    for text, at in (
        ("before", START - MOMENT),
        ("first", START),
        ("last", END - MOMENT),
        ("after", END),
    ):
        anna.add(Memory(text=text, at=at))
    assert said_within(anna) == ["first", "last"]


def test_what_was_said_on_several_days_counts_for_each(anna: PersonMemory) -> None:
    days = {"around": (-1, 3), "amid": (-1, 0, 3), "since": (0, 3), "until": (-3, 0), "later": (1,)}
    for text, places in days.items():
        for place in places:
            anna.add(Memory(text=text, at=START + timedelta(days=place, hours=1)))
    assert said_within(anna) == ["amid", "since", "until"]
