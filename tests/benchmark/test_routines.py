"""The measurement of routines runs, and sees what is missing and what is too many."""

import json

import pytest

from benchmark.routine_edges import edge_figures
from benchmark.routine_script import Plan, plans
from custom_components.sage.routines.routine_types import EdgeKind
from tests.benchmark.running import run_benchmark

_OWNERS = [None, "anna", "bob"]

type Ran = list[tuple[str, EdgeKind, float]]


@pytest.fixture
def script() -> list[Plan]:
    return plans(20, _OWNERS, seconds=3600, seed=1)


def _as_planned(script: list[Plan], delay: float = 0.1) -> Ran:
    return [(plan.routine.id, kind, at + delay) for plan in script for at, kind in plan.edges]


def test_what_goes_as_planned_is_right(script: list[Plan]) -> None:
    figures = edge_figures(script, _as_planned(script), 3600)
    assert figures["edges"] == figures["found"] > 40
    assert (figures["missing"], figures["too_many"], figures["wrong"]) == (0, 0, [])


def test_an_edge_that_is_missing_is_seen(script: list[Plan]) -> None:
    figures = edge_figures(script, _as_planned(script)[1:], 3600)
    assert (figures["missing"], figures["too_many"]) == (1, 0)
    assert len(figures["wrong"]) == 1


def test_an_edge_that_comes_twice_is_seen(script: list[Plan]) -> None:
    ran = _as_planned(script)
    figures = edge_figures(script, [*ran, ran[0]], 3600)
    assert (figures["missing"], figures["too_many"]) == (0, 1)


def test_an_edge_of_the_wrong_kind_is_seen(script: list[Plan]) -> None:
    (routine_id, _, at), *rest = _as_planned(script)
    figures = edge_figures(script, [(routine_id, EdgeKind.OFF, at), *rest], 3600)
    assert (figures["missing"], figures["too_many"]) == (1, 1)


def test_edges_that_come_late_are_seen(script: list[Plan]) -> None:
    late = edge_figures(script, _as_planned(script, delay=11.0), 3600)
    assert late["found"] == 0
    changes = edge_figures(script, _as_planned(script, delay=6.0), 3600)
    assert 0 < changes["found"] < changes["edges"]


def test_the_edges_of_the_script_are_those_of_its_signals(script: list[Plan]) -> None:
    """Looked at from the other side: second by second, for conditions on a state."""
    for plan in script:
        if plan.kind != "state":
            continue
        (signal,) = plan.signals
        found, before = [], False
        for when, state in signal.changes:
            if state == "on" and not before:
                found.append(when)
            before = before if state == "unavailable" else state == "on"
        assert [at for at, _ in plan.edges] == found
        assert found


def test_there_are_several_kinds_and_owners(script: list[Plan]) -> None:
    assert len({plan.kind for plan in script}) >= 8
    assert {plan.routine.owner for plan in script} == set(_OWNERS)
    again = plans(20, _OWNERS, seconds=3600, seed=1)
    assert [plan.edges for plan in again] == [plan.edges for plan in script]
    assert [plan.routine.trigger for plan in again] == [plan.routine.trigger for plan in script]


@pytest.mark.slow
def test_a_short_run() -> None:
    run = run_benchmark("routines", "--routines", "10", "--seconds", "300", "--pulses", "3")
    # 1 is a missed bound, which a busy machine may cause.
    assert run.returncode in (0, 1), run.stderr
    assert run.stdout.strip(), run.stderr
    figures = json.loads(run.stdout.strip().splitlines()[-1])
    assert figures["routines"] == 10
    assert figures["edges"]["edges"] > 0
    assert figures["stopped"] == 0
    assert figures["pulses"] == {"pulses": 3, "fired": 3, "missing": 0, "too_many": 0}
    assert figures["load_percent"]["everything"] > 0
    assert (run.returncode == 0) is (figures["missed"] == [])
