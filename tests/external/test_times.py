"""ISO times of a model become times of the home."""

from datetime import date, datetime, timedelta

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from custom_components.sage.external import ExternalError
from custom_components.sage.external.times import day_or_moment, start_of, time_span


@pytest.fixture(autouse=True)
async def berlin(hass: HomeAssistant) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")


@pytest.mark.parametrize(
    ("text", "local"),
    [
        ("2026-11-30T14:30", "2026-11-30T14:30:00+01:00"),
        ("2026-11-30 14:30:15", "2026-11-30T14:30:15+01:00"),
        ("2026-07-01T08:00", "2026-07-01T08:00:00+02:00"),
        ("2026-11-30T14:30Z", "2026-11-30T15:30:00+01:00"),
        ("2026-11-30T14:30-05:00", "2026-11-30T20:30:00+01:00"),
        # Both times in the hour that comes twice, by their offset.
        ("2026-10-25T02:30+02:00", "2026-10-25T02:30:00+02:00"),
        ("2026-10-25T02:30+01:00", "2026-10-25T02:30:00+01:00"),
    ],
)
def test_a_time_is_in_the_zone_of_the_home(text: str, local: str) -> None:
    at = day_or_moment("start", text)

    assert isinstance(at, datetime)
    assert at.isoformat() == local


def test_a_date_stays_a_date() -> None:
    assert day_or_moment("start", "2026-11-30") == date(2026, 11, 30)
    assert not isinstance(day_or_moment("start", "2026-11-30"), datetime)


@pytest.mark.parametrize("text", ["", "tomorrow", "2026-13-01", "14:30", "2026-11-30T25:00"])
def test_anything_else_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ExternalError, match="start must be an ISO date such as 2026-11-30"):
        day_or_moment("start", text)


def test_a_time_that_is_skipped_is_the_one_after_the_change() -> None:
    at = day_or_moment("start", "2027-03-28T02:30")

    assert isinstance(at, datetime)
    assert at.isoformat() == "2027-03-28T03:30:00+02:00"


async def test_a_day_may_begin_after_midnight(hass: HomeAssistant) -> None:
    """In Beirut, the clocks are put forward at midnight."""
    await hass.config.async_set_time_zone("Asia/Beirut")

    begin = dt_util.as_local(start_of(date(2026, 3, 29)))

    assert begin.isoformat() == "2026-03-29T01:00:00+03:00"


@pytest.mark.parametrize(
    ("day", "hours"), [("2026-03-02", 24), ("2026-03-29", 23), ("2026-10-25", 25)]
)
async def test_a_day_is_whole_whatever_its_length(day: str, hours: int) -> None:
    span = time_span(day, "")
    assert span is not None
    start, end = (dt_util.as_utc(each) for each in span)
    assert end - start == timedelta(hours=hours)
    assert dt_util.as_local(start).hour == dt_util.as_local(end).hour == 0


async def test_several_days_and_an_end_alone(freezer: FrozenDateTimeFactory) -> None:
    freezer.move_to("2026-03-02T12:00:00+00:00")
    weekend = time_span("2026-03-07", "2026-03-08")
    assert weekend is not None
    assert weekend[1] - weekend[0] == timedelta(days=2)
    until = time_span("", "2026-03-02T20:00")
    assert until is not None
    assert until[0] == dt_util.now()
    assert time_span("", "") is None


@pytest.mark.parametrize(
    ("start", "end", "why"),
    [
        ("tonight", "", "must be an ISO date"),
        ("2026-02-30", "", "must be an ISO date"),
        ("20:15", "", "must be an ISO date"),
        ("2026-03-02T20:15", "2026-03-02T19:00", "before"),
    ],
)
async def test_what_is_wrong_is_explained(start: str, end: str, why: str) -> None:
    with pytest.raises(ExternalError, match=why):
        time_span(start, end)
