"""Times of the model in the zone of the home, also on days when the clock changes."""

from datetime import timedelta

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from custom_components.sage.external.external_error import ExternalError
from custom_components.sage.tools.external.iso_times import time_span


@pytest.fixture(autouse=True)
async def in_berlin(hass: HomeAssistant) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")


@pytest.mark.parametrize(
    ("day", "hours"), [("2026-03-02", 24), ("2026-03-29", 23), ("2026-10-25", 25)]
)
async def test_a_day_is_whole_whatever_its_length(day: str, hours: int) -> None:
    span = time_span(day, "")
    assert span is not None
    start, end = (dt_util.as_utc(each) for each in span)
    assert end - start == timedelta(hours=hours)
    assert dt_util.as_local(start).hour == dt_util.as_local(end).hour == 0


@pytest.mark.parametrize(
    ("start", "utc"),
    [
        ("2026-03-02T20:15", "2026-03-02T19:15:00+00:00"),
        ("2026-07-02 20:15", "2026-07-02T18:15:00+00:00"),
        ("2026-07-02T20:15:00Z", "2026-07-02T20:15:00+00:00"),
        ("2026-07-02T20:15:00-05:00", "2026-07-03T01:15:00+00:00"),
    ],
)
async def test_a_time_without_a_zone_is_that_of_the_home(start: str, utc: str) -> None:
    span = time_span(start, "")
    assert span is not None
    assert [dt_util.as_utc(each).isoformat() for each in span] == [utc, utc]


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
        ("tonight", "", "is no time"),
        ("2026-02-30", "", "is no time"),
        ("20:15", "", "is no time"),
        ("2026-03-02T20:15", "2026-03-02T19:00", "before"),
    ],
)
async def test_what_is_wrong_is_explained(start: str, end: str, why: str) -> None:
    with pytest.raises(ExternalError, match=why):
        time_span(start, end)
