"""From one value of a condition to the next: when it fires."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from custom_components.sage.routines.edge import advance, has_expired
from custom_components.sage.routines.routine_types import EdgeKind, Memo, Repeat, Routine, Status

from .house import routine, when_on

START = datetime(2026, 6, 1, 10, tzinfo=UTC)
MINUTE = timedelta(minutes=1)

type Edge = tuple[float, EdgeKind]


def edges(
    what: Routine, *values: tuple[float, bool | None], memo: Memo | None = None
) -> list[Edge]:
    """The edges of a routine whose condition has these values, given by minute."""
    memo = memo or Memo()
    found: list[Edge] = []
    for minute, value in values:
        now = START + minute * MINUTE
        step = advance(what, memo, value, now)
        memo = step.memo
        if step.edge is not None:
            assert step.at == now
            found.append((minute, step.edge))
        if step.is_over:
            found.append((minute, "over"))  # type: ignore[arg-type]
            break
    return found


ON, OFF = EdgeKind.ON, EdgeKind.OFF
HELD = replace(when_on(), hold=10 * MINUTE)


def test_what_is_true_at_installation_fires_once_it_has_held() -> None:
    assert edges(routine(HELD), (0, True), (5, True), (10, True), (30, True)) == [(10, ON)]


def test_unknown_is_no_break_of_what_has_to_hold() -> None:
    values = [(0, False), (1, True), (5, None), (11, None), (12, True)]
    assert edges(routine(HELD), *values) == [(12, ON)]


def test_it_says_when_to_look_again_for_what_has_to_hold() -> None:
    step = advance(routine(HELD), Memo(before=False), True, START)
    assert step.look_again_at == START + 10 * MINUTE
    again = advance(routine(HELD), step.memo, True, START + 4 * MINUTE)
    assert again.look_again_at == START + 10 * MINUTE
    assert advance(routine(HELD), again.memo, False, START + 5 * MINUTE).look_again_at is None


def test_a_clock_that_was_set_back_does_not_hold_for_ever() -> None:
    memo = Memo(before=False, true_since=START + 60 * MINUTE)
    assert edges(routine(HELD), (0, True), (10, True), memo=memo) == [(10, ON)]


def test_nothing_fires_after_its_time() -> None:
    what = routine(expires=START + 10 * MINUTE)
    assert edges(what, (0, False), (9, True)) == [(9, ON)]
    assert edges(what, (0, False), (10, True)) == [(10, "over")]


def test_what_was_done_is_put_back_after_its_time_too() -> None:
    what = routine(expires=START + 10 * MINUTE, undo_after=True)
    values = [(0, False), (9, True), (11, True), (12, None), (15, False), (16, True)]
    assert edges(what, *values) == [(9, ON), (15, OFF), (15, "over")]


def test_the_memo_counts() -> None:
    step = advance(routine(), Memo(before=False, fired=3), True, START)
    assert (step.memo.fired, step.memo.last_fired, step.memo.before) == (4, START, True)
    assert step.memo.true_since == START


def test_once_that_was_resumed_after_it_fired_never_fires_again() -> None:
    resumed = Memo(before=None, fired=1, last_fired=START)
    for trigger in (when_on(), HELD):
        what = routine(trigger, undo_after=True, repeat=Repeat.ONCE)
        values = [(5, True), (20, True), (21, False)]
        assert edges(what, *values, memo=resumed) == [(21, OFF), (21, "over")]


def test_what_is_not_watched_any_more_ends_at_its_time_and_is_not_put_back() -> None:
    on = Memo(before=True, fired=1, last_fired=START)
    what = routine(expires=START + 10 * MINUTE, undo_after=True)
    later = START + 11 * MINUTE
    assert not has_expired(what, on, later)
    assert has_expired(replace(what, status=Status.PAUSED), on, later)
    assert not has_expired(replace(what, status=Status.PAUSED), on, START)
