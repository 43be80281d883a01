"""Routines that fire too often, or by themselves."""

from datetime import UTC, datetime, timedelta

from custom_components.sage.routines.firing_limits import (
    AFTERMATH,
    PER_HOUR,
    PER_MINUTE,
    LoopGuard,
    RateLimits,
)
from custom_components.sage.routines.routine_types import EdgeKind, Firing

START = datetime(2026, 6, 1, 10, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def firing(routine_id: str, at: datetime, chain: tuple[str, ...] = ()) -> Firing:
    return Firing(id=1, routine_id=routine_id, edge=EdgeKind.ON, at=at, chain=chain)


def test_more_than_so_many_in_a_minute_are_too_many() -> None:
    rates = RateLimits()
    stopped = [rates.note("a", START + each * SECOND) for each in range(PER_MINUTE + 1)]
    assert stopped == [False] * PER_MINUTE + [True]


def test_more_than_so_many_in_an_hour_are_too_many() -> None:
    rates = RateLimits()
    stopped = [rates.note("a", START + each * 50 * SECOND) for each in range(PER_HOUR + 1)]
    assert stopped == [False] * PER_HOUR + [True]


def test_what_fires_now_and_then_is_never_too_often() -> None:
    rates = RateLimits()
    assert {rates.note("a", START + each * 65 * SECOND) for each in range(300)} == {False}


def test_each_has_a_limit_of_its_own() -> None:
    rates = RateLimits()
    for each in range(PER_MINUTE):
        assert not rates.note("a", START + each * SECOND)
        assert not rates.note("b", START + each * SECOND)


def test_it_is_counted_anew_after_it_was_resumed() -> None:
    rates = RateLimits()
    for each in range(PER_MINUTE):
        rates.note("a", START + each * SECOND)
    rates.forget("a")
    assert not rates.note("a", START + 11 * SECOND)


def test_the_chain_of_a_cause_is_known_by_its_context() -> None:
    guard = LoopGuard(lambda context: {"2": ("x", "y", "z"), "3": ("a", "b")}.get(context, ()))
    assert guard.chain([("key", None), ("key", "unknown")], "a") == ()
    assert guard.chain([("key", "2"), ("key", "3")], "q") == ("x", "y", "z")
    assert guard.chain([("key", "2"), ("key", "3")], "a") == ("a", "b")


def _turn(guard: LoopGuard, at: datetime, *, keys: set[str], changed: set[str]) -> bool:
    """One edge of `a`, and the run that follows."""
    is_loop = guard.note_edge("a", keys, at)
    guard.note_run(firing("a", at), changed, began=at, ended=at + 2 * SECOND)
    return is_loop


def test_edges_that_its_own_runs_explain_are_a_loop_after_some() -> None:
    guard = LoopGuard(lambda _: ())
    found = [
        _turn(guard, START + each * 5 * SECOND, keys={"light"}, changed={"light"})
        for each in range(4)
    ]
    assert found == [False, False, False, True]


def test_edges_long_after_its_runs_are_no_loop() -> None:
    guard = LoopGuard(lambda _: ())
    gap = AFTERMATH + 3 * SECOND
    assert not any(
        _turn(guard, START + each * gap, keys={"light"}, changed={"light"}) for each in range(9)
    )


def test_edges_by_what_its_runs_do_not_change_are_no_loop() -> None:
    guard = LoopGuard(lambda _: ())
    assert not any(
        _turn(guard, START + each * 5 * SECOND, keys={"door"}, changed={"light"})
        for each in range(9)
    )


def test_two_that_set_each_other_off_are_a_loop() -> None:
    guard = LoopGuard(lambda _: ())
    at, found = START, []
    for _ in range(5):
        found.append(guard.note_edge("a", {"light"}, at))
        guard.note_run(firing("a", at), {"fan"}, began=at, ended=at + SECOND)
        at += 2 * SECOND
        found.append(guard.note_edge("b", {"fan"}, at))
        guard.note_run(firing("b", at), {"light"}, began=at, ended=at + SECOND)
        at += 2 * SECOND
    assert True in found
    assert found.index(True) <= 7


def test_it_is_suspected_anew_after_it_was_resumed() -> None:
    guard = LoopGuard(lambda _: ())
    for each in range(3):
        _turn(guard, START + each * 5 * SECOND, keys={"light"}, changed={"light"})
    guard.forget("a")
    assert not guard.note_edge("a", {"light"}, START + 15 * SECOND)


def test_what_fired_before_the_clock_was_set_back_does_not_count() -> None:
    rates = RateLimits()
    for each in range(PER_MINUTE + 2):
        assert not rates.note("a", START + (each + 1) * 300 * SECOND)
    assert not rates.note("a", START)
    stopped = [rates.note("a", START + each * SECOND) for each in range(1, PER_MINUTE + 1)]
    assert stopped == [False] * (PER_MINUTE - 1) + [True]
