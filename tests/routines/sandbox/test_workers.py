"""Workers that are killed, hang, or must be closed."""

import os
import signal

import pytest

from custom_components.sage.routines.sandbox.contract import Fault

from .workshop import BOMB, GOOD, HANG, LOOP, Engine, check, children, left, run, values


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
    engine = Engine()
    engine.start()
    yield engine
    engine.close()


def test_a_worker_that_was_killed_in_between_is_replaced(fresh: Engine, others: set[int]):
    for _ in range(3):
        assert run(fresh, GOOD).value is True
        for worker in children() - others:
            os.kill(worker, signal.SIGKILL)
    assert run(fresh, GOOD).value is True


def test_many_culprits_do_not_stop_the_others(fresh: Engine):
    bad = {"loop": LOOP, "hang": HANG, "bomb": BOMB, "other": LOOP + "# again\n"}
    raised = ("SystemExit", "KeyboardInterrupt", "BaseException('x')")
    bad |= {each: f"def check():\n    raise {each}\n" for each in raised}
    good = [check(GOOD, f"good {n}") for n in range(20)]
    batch = [*good[:10], *(check(source, name) for name, source in bad.items()), *good[10:]]

    for _ in range(2):
        outcomes = fresh.run(batch)
        assert values(outcomes, [each.id for each in good]) == [True] * 20
        faults = {name: outcomes[name].error.fault for name in bad}  # type: ignore[union-attr]
        assert faults["loop"] is faults["hang"] is faults["other"] is Fault.TIME
        assert faults["bomb"] in {Fault.MEMORY, Fault.TIME}


def test_no_process_is_left_when_it_is_closed(others: set[int]):
    engine = Engine()
    engine.start()
    assert children() - others
    run(engine, LOOP)
    engine.close()
    engine.close()
    assert left(others) == set()
