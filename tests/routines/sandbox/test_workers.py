"""Workers that are killed, hang, or must be closed; batches that break."""

import os
import signal
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from pydantic_monty import Monty

from custom_components.sage.routines.sandbox import monty, monty_session, wrapping
from custom_components.sage.routines.sandbox.monty import MontyEngine
from custom_components.sage.routines.sandbox.monty_session import MontySession, WorkerLimits
from custom_components.sage.routines.sandbox.sandbox_types import Check, Fault, SandboxError

from .workshop import BOMB, FUNCTIONS, GOOD, HANG, LOOP, check, children, run, values

type Ran = tuple[WorkerLimits, int]


@pytest.fixture
def sandbox_patience() -> float:
    """Checks that do not end are ended, and a busy machine has time for the others."""
    return 3


@pytest.fixture
def sessions(monkeypatch: pytest.MonkeyPatch) -> list[WorkerLimits]:
    """Return the limits of each session that begins."""
    begun: list[WorkerLimits] = []

    class Counted(MontySession):
        def __init__(self, pool: Monty, limits: WorkerLimits, *more: Any) -> None:
            super().__init__(pool, limits, *more)
            begun.append(limits)

    monkeypatch.setattr(monty, "MontySession", Counted)
    return begun


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[Ran]:
    """Return the limits and the number of checks of each batch that runs."""
    batches: list[Ran] = []

    class Recorded(MontySession):
        def __init__(self, pool: Monty, limits: WorkerLimits, *more: Any) -> None:
            super().__init__(pool, limits, *more)
            self.limits = limits

        def run(self, checks: Sequence[Check], group: int) -> list[Any]:
            batches.append((self.limits, len(checks)))
            return super().run(checks, group)

    monkeypatch.setattr(monty, "MontySession", Recorded)
    return batches


@pytest.fixture
def others() -> set[int]:
    """Return the processes of other tests, such as a mail server."""
    return children()


@pytest.fixture
def fresh(others: set[int]):
    engine = MontyEngine(FUNCTIONS, lambda: "UTC")
    engine.start()
    yield engine
    engine.close()


def test_a_worker_that_was_killed_in_between_is_replaced(fresh: MontyEngine, others: set[int]):
    assert run(fresh, GOOD).value is True
    for _ in range(3):
        for worker in children() - others:
            os.kill(worker, signal.SIGKILL)
        assert run(fresh, GOOD).value is True


def test_a_worker_that_is_killed_while_it_runs_loses_one_check_at_most(
    fresh: MontyEngine, others: set[int]
):
    def kill_soon() -> None:
        time.sleep(0.1)
        for worker in children() - others:
            os.kill(worker, signal.SIGKILL)

    before = run(fresh, GOOD)
    killer = threading.Thread(target=kill_soon)
    killer.start()
    outcomes = fresh.run([check(GOOD, "a"), check(LOOP, "loop"), check(GOOD, "b")])
    killer.join()

    assert before.value is True
    assert values(outcomes, ("a", "b")) == [True, True]
    assert outcomes["loop"].error
    assert outcomes["loop"].error.fault in {Fault.CRASH, Fault.TIME}


def test_many_culprits_do_not_stop_the_others(fresh: MontyEngine):
    bad = {"loop": LOOP, "hang": HANG, "bomb": BOMB, "other": LOOP + "# again\n"}
    good = [check(GOOD, f"good {n}") for n in range(20)]
    batch = [*good[:10], *(check(source, name) for name, source in bad.items()), *good[10:]]

    for _ in range(2):
        outcomes = fresh.run(batch)
        assert values(outcomes, [each.id for each in good]) == [True] * 20
        faults = {name: outcomes[name].error.fault for name in bad}  # type: ignore[union-attr]
        assert faults["loop"] is faults["hang"] is faults["other"] is Fault.TIME
        assert faults["bomb"] in {Fault.MEMORY, Fault.TIME}


@pytest.mark.parametrize("raised", ["SystemExit", "KeyboardInterrupt", "BaseException('x')"])
def test_what_lets_a_base_exception_out_costs_the_others_nothing(raised: str, ran: list[Ran]):
    """It comes out of the whole feed, and is found like any other culprit."""
    engine = MontyEngine(FUNCTIONS, lambda: "UTC")
    engine.start()
    good = [check(GOOD, f"good {n}") for n in range(40)]
    bad = check(f"def check():\n    raise {raised}\n", "bad")
    try:
        for _ in range(2):
            outcomes = engine.run([*good[:20], bad, *good[20:]])
            assert values(outcomes, [each.id for each in good]) == [True] * 40
            assert outcomes["bad"].error
        ran.clear()
        engine.run([*good[:20], bad, *good[20:]])
        assert ran == [(monty.BATCH, 40), (monty.ALONE, 1)]
    finally:
        engine.close()


def test_the_culprit_is_found_by_its_place_and_not_by_its_age(fresh: MontyEngine):
    fresh.run([check(GOOD + "# old", "old")])
    batch = [check(LOOP, "new"), check(GOOD + "# old", "old"), check(GOOD, "good")]

    outcomes = fresh.run(batch)

    assert values(outcomes, ("old", "good")) == [True, True]
    assert outcomes["new"].error
    assert outcomes["new"].error.fault is Fault.TIME
    assert outcomes["new"].milliseconds > 100


def test_a_source_that_is_mended_by_other_answers_comes_back(fresh: MontyEngine):
    source = (
        "def check():\n    while get_state('light.hall') != 'on':\n        pass\n    return True\n"
    )
    stuck = run(fresh, source, answers={})

    assert stuck.error
    assert stuck.error.fault is Fault.TIME
    assert run(fresh, source).value is True
    assert run(fresh, source).value is True


def test_no_process_is_left_when_it_is_closed():
    before = children()
    engine = MontyEngine(FUNCTIONS, lambda: "UTC")
    engine.start()
    assert children() - before
    run(engine, LOOP)
    engine.close()
    engine.close()
    assert children() - before == set()


def test_a_closed_monty_says_so():
    engine = MontyEngine(FUNCTIONS, lambda: "UTC")

    with pytest.raises(SandboxError, match="closed"):
        engine.run([check(GOOD)])


def test_sessions_are_renewed(monkeypatch: pytest.MonkeyPatch, sessions: list[WorkerLimits]):
    engine = MontyEngine(FUNCTIONS, lambda: "UTC")
    engine.start()
    try:
        monkeypatch.setattr(monty_session, "MOST_FEEDS", 6)
        sessions.clear()
        for n in range(20):
            assert run(engine, GOOD + f"# {n}\n").value is True
        assert len(sessions) > 2
        monkeypatch.setattr(monty_session, "LONGEST_LIFE", -1.0)
        sessions.clear()
        assert run(engine, GOOD).value is True
        assert len(sessions) == 1
    finally:
        engine.close()


def test_one_source_that_monty_does_not_take_stops_no_other(
    monkeypatch: pytest.MonkeyPatch, engine: MontyEngine
):
    monkeypatch.setattr(wrapping, "validate", lambda *_: None)
    wrapping.wrap.cache_clear()
    strange = "x = 1\n\nclass Mine(int):\n    pass\n\ndef check():\n    return True\n"
    try:
        for _ in range(2):
            batch = [check(GOOD + "# a", "a"), check(strange, "strange"), check(GOOD + "# b", "b")]
            outcomes = engine.run(batch)
            assert values(outcomes, ("a", "b")) == [True, True]
            error = outcomes["strange"].error
            assert error
            assert error.fault is Fault.SYNTAX
            assert str(error) == "line 3: Checks have no class inheritance and metaclasses"
    finally:
        wrapping.wrap.cache_clear()


def test_more_checks_than_a_batch_takes(monkeypatch: pytest.MonkeyPatch, ran: list[Ran]):
    monkeypatch.setattr(monty, "LARGEST_BATCH", 3)
    engine = MontyEngine(FUNCTIONS, lambda: "UTC")
    engine.start()
    try:
        ran.clear()
        outcomes = engine.run([check(GOOD, str(n)) for n in range(10)])
    finally:
        engine.close()

    assert values(outcomes, [str(n) for n in range(10)]) == [True] * 10
    assert [number for _, number in ran] == [3, 3, 3, 1]


@pytest.mark.parametrize("sandbox_patience", [300])
def test_a_slow_machine_gets_smaller_batches(monkeypatch: pytest.MonkeyPatch, ran: list[Ran]):
    """Each check is quick enough, however slow this machine is: only all together are too much."""
    busy = "def check():\n    return sum(n for n in range(150000)) > 5\n"
    batch = [check(f"{busy}# {n}\n", str(n)) for n in range(100)]
    zones, patient = ["UTC"], monty.BATCH
    engine = MontyEngine(FUNCTIONS, lambda: zones[-1])
    engine.start()
    try:
        # Another time zone needs another session, which has the new limits.
        zones.append("Europe/Paris")
        monkeypatch.setattr(monty, "BATCH", replace(patient, seconds=0.25))
        assert values(engine.run(batch), [str(n) for n in range(100)]) == [True] * 100
        zones.append("Europe/Rome")
        monkeypatch.setattr(monty, "BATCH", patient)
        ran.clear()
        assert values(engine.run(batch), [str(n) for n in range(100)]) == [True] * 100
        assert max(number for _, number in ran) < 100
        # None of the checks is taken for a culprit.
        assert {limits for limits, _ in ran} == {patient}
    finally:
        engine.close()
