"""Routines that fire too often."""

from datetime import UTC, datetime, timedelta

from custom_components.sage.routines.scheduler import PER_HOUR, PER_LOOP, CheckState

START = datetime(2026, 6, 1, 10, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def test_more_than_so_many_in_an_hour_are_too_many() -> None:
    state = CheckState()
    stopped = [state.fires_too_often(START + each * 50 * SECOND) for each in range(PER_HOUR + 1)]
    assert stopped == [False] * PER_HOUR + [True]


def test_what_fires_now_and_then_is_never_too_often() -> None:
    state = CheckState()
    assert {state.fires_too_often(START + each * 65 * SECOND) for each in range(300)} == {False}


def test_what_fired_before_the_clock_was_set_back_does_not_count() -> None:
    state = CheckState()
    for each in range(PER_LOOP + 2):
        assert not state.fires_too_often(START + (each + 1) * 300 * SECOND)
    assert not state.fires_too_often(START)
    stopped = [state.fires_too_often(START + each * SECOND) for each in range(1, PER_LOOP + 1)]
    assert stopped == [False] * (PER_LOOP - 1) + [True]
