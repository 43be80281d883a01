"""Workers that are killed, hang, or must be closed; batches that break."""

import os
import signal
import threading
import time
from dataclasses import replace

import pytest

from custom_components.sage.routines.sandbox import monty, monty_session, wrapping
from custom_components.sage.routines.sandbox.monty import MontyEngine
from custom_components.sage.routines.sandbox.sandbox_types import Fault, SandboxError

from .workshop import BOMB, FUNCTIONS, GOOD, HANG, LOOP, check, children, run, values


@pytest.fixture
def sandbox_patience() -> float:
    """Checks that do not end are ended, and a busy machine has time for the others."""
    return 3


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
def test_what_lets_a_base_exception_out_costs_the_others_nothing(raised: str):
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
        assert engine._batch_size == monty.LARGEST_BATCH
        assert engine._suspects == {bad.source}
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


def test_sessions_are_renewed(monkeypatch: pytest.MonkeyPatch):
    engine = MontyEngine(FUNCTIONS, lambda: "UTC")
    engine.start()
    try:
        monkeypatch.setattr(monty_session, "MOST_FEEDS", 6)
        sessions = []
        for n in range(20):
            assert run(engine, GOOD + f"# {n}\n").value is True
            sessions.append(engine._session)
        monkeypatch.setattr(monty_session, "LONGEST_LIFE", -1.0)
        old = engine._session
        assert run(engine, GOOD).value is True
        assert engine._session is not old
    finally:
        engine.close()
    assert len({id(session) for session in sessions}) > 2


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


def test_more_checks_than_a_batch_takes(monkeypatch: pytest.MonkeyPatch, engine: MontyEngine):
    monkeypatch.setattr(engine, "_batch_size", 3)
    outcomes = engine.run([check(GOOD, str(n)) for n in range(10)])

    assert values(outcomes, [str(n) for n in range(10)]) == [True] * 10


@pytest.mark.parametrize("sandbox_patience", [300])
def test_a_slow_machine_gets_smaller_batches(monkeypatch: pytest.MonkeyPatch):
    """Each check is quick enough, however slow this machine is: only all together are too much."""
    busy = "def check():\n    return sum(n for n in range(150000)) > 5\n"
    engine = MontyEngine(FUNCTIONS, lambda: "UTC")
    engine.start()
    try:
        monkeypatch.setattr(monty, "BATCH", replace(monty.BATCH, seconds=0.25))
        engine._drop_session()
        outcomes = engine.run([check(f"{busy}# {n}\n", str(n)) for n in range(100)])
        assert values(outcomes, [str(n) for n in range(100)]) == [True] * 100
        assert engine._batch_size < monty.LARGEST_BATCH
        assert not engine._suspects
    finally:
        engine.close()
