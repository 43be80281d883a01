"""Clock times, also on the two days of the year on which the clocks change."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from custom_components.sage.routines.edge import advance_clock, next_due
from custom_components.sage.routines.routine_types import Daily, EdgeKind, Memo, Moment, Repeat

from .house import routine

BERLIN = ZoneInfo("Europe/Berlin")
HOUR = timedelta(hours=1)


def local(text: str, fold: int = 0, zone: ZoneInfo = BERLIN) -> datetime:
    """A moment by the clock of the home, in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=zone, fold=fold).astimezone(UTC)


def dues(trigger: Daily, after: datetime, number: int, zone: ZoneInfo = BERLIN) -> list[datetime]:
    found = []
    for _ in range(number):
        due = next_due(trigger, after, zone)
        assert due is not None
        found.append(due)
        after = due
    return found


def test_every_day_at_a_time() -> None:
    assert dues(Daily(at=time(7, 30)), local("2026-06-01T07:29"), 2) == [
        local("2026-06-01T07:30"),
        local("2026-06-02T07:30"),
    ]
    assert next_due(Daily(at=time(7, 30)), local("2026-06-01T07:30"), BERLIN) == local(
        "2026-06-02T07:30"
    )


def test_on_some_days_of_the_week() -> None:
    weekend = Daily(at=time(9), weekdays=frozenset({5, 6}))
    assert dues(weekend, local("2026-06-03T12:00"), 3) == [
        local("2026-06-06T09:00"),
        local("2026-06-07T09:00"),
        local("2026-06-13T09:00"),
    ]
    one = Daily(at=time(9), weekdays=frozenset({0}))
    assert next_due(one, local("2026-06-01T09:00"), BERLIN) == local("2026-06-08T09:00")
    assert next_due(Daily(at=time(9), weekdays=frozenset()), local("2026-06-01"), BERLIN) is None


def test_the_time_on_the_clock_stays_across_both_changes() -> None:
    at_seven = Daily(at=time(7))
    spring = dues(at_seven, local("2026-03-28T00:00"), 3)
    assert [due.hour for due in spring] == [6, 5, 5]
    autumn = dues(at_seven, local("2026-10-24T00:00"), 3)
    assert [due.hour for due in autumn] == [5, 6, 6]


def test_a_time_that_the_clocks_are_put_forward_over_is_as_much_later() -> None:
    assert dues(Daily(at=time(2, 30)), local("2026-03-28T12:00"), 2) == [
        local("2026-03-29T03:30"),
        local("2026-03-30T02:30"),
    ]
    assert next_due(Daily(at=time(3)), local("2026-03-28T12:00"), BERLIN) == local(
        "2026-03-29T03:00"
    )


def test_a_time_that_exists_twice_is_due_the_first_time_only() -> None:
    found = dues(Daily(at=time(2, 30)), local("2026-10-24T12:00"), 2)
    assert found == [local("2026-10-25T02:30", fold=0), local("2026-10-26T02:30")]
    between = local("2026-10-25T02:10", fold=1)
    assert next_due(Daily(at=time(2, 30)), between, BERLIN) == local("2026-10-26T02:30")


@pytest.mark.parametrize(
    ("zone", "gap", "expected"),
    [
        ("Australia/Lord_Howe", "2026-10-04T02:10", "2026-10-03T15:40:00+00:00"),
        ("America/St_Johns", "2026-03-08T02:59:59", "2026-03-08T06:29:59+00:00"),
        ("Africa/Cairo", "2026-04-24T00:30", "2026-04-23T22:30:00+00:00"),
    ],
)
def test_gaps_elsewhere_in_the_world(zone: str, gap: str, expected: str) -> None:
    home = ZoneInfo(zone)
    clock = datetime.fromisoformat(gap)
    after = clock.replace(tzinfo=home).astimezone(UTC) - 6 * HOUR
    due = next_due(Daily(at=clock.time()), after, home)
    assert due == datetime.fromisoformat(expected)


@pytest.mark.parametrize("minute", range(0, 24 * 60, 15))
def test_every_time_is_due_once_on_every_day_of_a_year(minute: int) -> None:
    clock = time(minute // 60, minute % 60)
    found = dues(Daily(at=clock), local("2025-12-31T23:59:59"), 365)
    days = [due.astimezone(BERLIN).date() for due in found]
    assert len(set(days)) == 365
    changed = {datetime(2026, 3, 29, tzinfo=UTC).date()}
    clocks = {
        due.astimezone(BERLIN).time()
        for due, day in zip(found, days, strict=True)
        if day not in changed
    }
    assert clocks == {clock}


DAILY = routine(Daily(at=time(9)), repeat=Repeat.ALWAYS)
DUE = local("2026-06-01T09:00")


def test_it_fires_when_it_is_due_and_says_when_next() -> None:
    early = advance_clock(DAILY, Memo(next_due=DUE), DUE - HOUR, BERLIN)
    assert (early.edge, early.look_again_at) == (None, DUE)
    step = advance_clock(DAILY, Memo(next_due=DUE), DUE, BERLIN)
    assert (step.edge, step.at, step.is_over) == (EdgeKind.ON, DUE, False)
    assert step.memo.next_due == step.look_again_at == DUE + 24 * HOUR
    assert step.memo.fired == 1


def test_a_clock_time_that_was_missed_is_due_once_for_all_days() -> None:
    step = advance_clock(DAILY, Memo(next_due=DUE), DUE + 75 * HOUR, BERLIN)
    assert (step.edge, step.at) == (EdgeKind.ON, DUE)
    assert step.memo.next_due == DUE + 96 * HOUR


def test_a_moment_is_once_and_made_up_for() -> None:
    moment = routine(Moment(at=DUE), repeat=Repeat.ONCE)
    assert next_due(Moment(at=DUE), DUE - HOUR, BERLIN) == DUE
    assert next_due(Moment(at=DUE), DUE, BERLIN) is None
    step = advance_clock(moment, Memo(next_due=DUE), DUE + 30 * HOUR, BERLIN)
    assert (step.edge, step.at, step.is_over) == (EdgeKind.ON, DUE, True)
    assert step.memo.next_due is None


def test_what_was_missed_after_its_time_is_over() -> None:
    what = replace(DAILY, expires=DUE + 0.25 * HOUR)
    step = advance_clock(what, Memo(next_due=DUE), DUE + 0.5 * HOUR, BERLIN)
    assert (step.edge, step.is_over) == (None, True)
