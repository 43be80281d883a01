"""What a run may use, and that waiting for a person costs nothing."""

from types import SimpleNamespace

import pytest

from custom_components.sage.agent import port as module
from custom_components.sage.agent.port import Ending, Port, RunEnded
from custom_components.sage.agent.run import Limits
from tests.run.test_run_registry import a_run


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(module, "time", made)
    return made


async def test_seconds(clock: Clock) -> None:
    run = a_run()
    run.settings = SimpleNamespace(limits=Limits())  # type: ignore[assignment]
    run.port = Port(10)
    clock.now += 9
    assert run.port.seconds_left() == 1
    clock.now += 2
    assert run.port.seconds_left() == 0
    with pytest.raises(RunEnded) as ended:
        run.check(steps=0, depth=0)
    assert ended.value.why is Ending.SECONDS


async def test_clock_stands_still_while_a_person_is_waited_for(clock: Clock) -> None:
    port = Port(10)
    with port.paused():
        clock.now += 5
        with port.paused():
            clock.now += 100
        assert port.seconds_left() == 10
        clock.now += 5
    assert port.seconds_left() == 10
    clock.now += 4
    assert port.seconds_left() == 6
