"""Times that tools take: ISO 8601, by the clocks of the home."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from homeassistant.core import HomeAssistant

from custom_components.sage.routines.routine_types import Daily, Moment
from custom_components.sage.tools.routines.routine_words import expiry, moment, resumption, timing

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 22, 10, tzinfo=BERLIN)  # a Sunday
LATER = Daily(at=time(23, 59))


@pytest.fixture(autouse=True)
async def berlin(hass: HomeAssistant) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")


def in_berlin(at: datetime | None) -> str:
    assert at is not None
    assert at.tzinfo is UTC
    return f"{at.astimezone(BERLIN):%Y-%m-%d %H:%M}"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("10:01", "2026-11-22 10:01"),
        ("10:00", "2026-11-23 10:00"),
        (" 9:00 ", "2026-11-23 09:00"),
        ("21:30:59", "2026-11-22 21:30"),
        ("00:00", "2026-11-23 00:00"),
        ("24:00", "2026-11-23 00:00"),
        ("2026-12-24T18:00", "2026-12-24 18:00"),
        ("2026-12-24 18:00:00", "2026-12-24 18:00"),
        ("2026-12-31T24:00", "2027-01-01 00:00"),
        ("2026-11-23T06:00Z", "2026-11-23 07:00"),
        ("2026-11-23T06:00:00-05:00", "2026-11-23 12:00"),
    ],
)
def test_moment(text: str, meant: str) -> None:
    assert in_berlin(moment(text, NOW)) == meant


@pytest.mark.parametrize(
    ("text", "days", "meant"),
    [
        ("09:00", {4}, "2026-11-27 09:00"),
        ("09:00", {6}, "2026-11-29 09:00"),
        ("11:00", {6}, "2026-11-22 11:00"),
        ("24:00", {4}, "2026-11-28 00:00"),
        ("24:00", {6}, "2026-11-23 00:00"),
        ("2026-11-27T09:00", {4}, "2026-11-27 09:00"),
    ],
)
def test_moment_on_some_days(text: str, days: set[int], meant: str) -> None:
    assert in_berlin(moment(text, NOW, frozenset(days))) == meant


@pytest.mark.parametrize("text", ["2026-11-27T09:00", "2026-11-27T09:00Z"])
def test_moment_on_another_day(text: str) -> None:
    with pytest.raises(ValueError, match="none of the `weekdays`"):
        moment(text, NOW, frozenset({0}))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "9",
        "9 pm",
        "noon",
        "tomorrow 8:00",
        "morgen um 9 Uhr",
        "25:00",
        "12:60",
        "24:01",
        "2026-02-30",
        "2026-12-24T25:00",
        "sunday 09:00",
    ],
)
def test_another_form_is_told_the_right_one(text: str) -> None:
    with pytest.raises(ValueError, match="Write HH:MM or YYYY-MM-DDTHH:MM"):
        moment(text, NOW)


def test_a_day_is_no_moment() -> None:
    with pytest.raises(ValueError, match=r"a day without a time. Write it as 2026-12-24T09:00"):
        moment("2026-12-24", NOW)


@pytest.mark.parametrize(
    ("text", "begins", "ends"),
    [
        ("2026-12-24", "2026-12-24 00:00", "2026-12-25 00:00"),
        ("2026-11-27T18:00", "2026-11-27 18:00", "2026-11-27 18:00"),
        ("18:00", "2026-11-22 18:00", "2026-11-22 18:00"),
        ("24:00", "2026-11-23 00:00", "2026-11-23 00:00"),
    ],
)
def test_a_day_begins_and_ends(text: str, begins: str, ends: str) -> None:
    """A pause ends as the day begins, a routine as its last day ends."""
    assert in_berlin(resumption(text, NOW)) == begins
    assert in_berlin(expiry(text, Moment(at=NOW + timedelta(hours=1)), NOW)) == ends


@pytest.mark.parametrize("until", ["2026-11-21", "2026-11-22T10:00", "2020-01-01T09:00Z"])
def test_end_that_is_past(until: str) -> None:
    with pytest.raises(ValueError, match="is past"):
        expiry(until, LATER, NOW)
    with pytest.raises(ValueError, match="is past"):
        resumption(until, NOW)


@pytest.mark.parametrize(
    "text",
    ["9999-12-31", "9999-12-31T23:59", "9999-12-31T23:59-08:00", "0001-01-01", "0001-01-01T00:00Z"],
)
def test_end_of_all_days(text: str) -> None:
    """Models write it for "for ever"."""
    with pytest.raises(ValueError, match="too far ahead"):
        expiry(text, LATER, NOW)


def test_a_clock_time_each_day_or_on_some() -> None:
    assert timing({"daily": "9:30"}, NOW) == Daily(at=time(9, 30))
    some = timing({"daily": "24:00", "weekdays": ["fri", "sun"]}, NOW)
    assert some == Daily(at=time(0), weekdays=frozenset({5, 0}))


def test_clock_changes() -> None:
    """The time on the clock is what counts, also in the night when it is set."""
    before = datetime(2026, 10, 24, 12, tzinfo=BERLIN)
    assert moment("2026-10-25T08:00", before) == datetime(2026, 10, 25, 7, tzinfo=UTC)
    # 02:30 is there twice in autumn: the first time counts.
    assert moment("2026-10-25T02:30", before) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    # 02:30 is not there in spring: it is as much later, as for daily times.
    spring = datetime(2026, 3, 28, 12, tzinfo=BERLIN)
    put_forward = datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    assert moment("2026-03-29T02:30", spring) == put_forward
    assert moment("02:30", spring) == put_forward
    once = timing({"daily": "02:30", "repeat": "once"}, spring)
    assert once == Moment(at=put_forward)
