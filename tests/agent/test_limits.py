"""Waiting for a person costs a run nothing."""

import pytest

from custom_components.sage.agent import port as module
from custom_components.sage.agent.port import Port
from tests.end_to_end.conftest import Clock


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(module, "time", made)
    return made


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
