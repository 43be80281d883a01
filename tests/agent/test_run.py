"""A question ends the turn, not the run."""

import pytest
from homeassistant.core import HomeAssistant

from custom_components.sage.agent import port as port_module
from custom_components.sage.agent.budget import Budget, Limits
from custom_components.sage.agent.port import PersonSilentError, Port, Question


def expects_secret(port: Port) -> bool:
    """Return whether the reply may be a PIN."""
    return port.secret_expected


async def test_questions_queue(hass: HomeAssistant) -> None:
    port = Port(Budget(Limits()))
    first = hass.async_create_task(port.async_ask("Which room?"))
    second = hass.async_create_task(port.async_ask("Which lamp?", secret=True))
    assert await port.async_next() == Question("Which room?")
    assert not expects_secret(port)
    port.reply("hall")
    assert await first == "hall"
    assert await port.async_next() == Question("Which lamp?")
    assert expects_secret(port)
    port.reply("the left one")
    assert await second == "the left one"
    assert not port.waiting
    assert not port.secret_expected


async def test_silence_ends_the_question(hass: HomeAssistant, monkeypatch) -> None:
    monkeypatch.setattr(port_module, "QUESTION_TIMEOUT", 0.01)
    port = Port(Budget(Limits()))
    with pytest.raises(PersonSilentError):
        await port.async_ask("Which room?")
    assert not port.waiting


async def test_reply_to_nothing_is_a_fault_of_ours() -> None:
    with pytest.raises(RuntimeError, match="no question"):
        Port(Budget(Limits())).reply("yes")


async def test_waiting_for_the_person_costs_no_time(monkeypatch) -> None:
    clock = [100.0]
    monkeypatch.setattr("custom_components.sage.agent.budget.time.monotonic", lambda: clock[0])
    budget = Budget(Limits(max_seconds=10))
    clock[0] += 4
    with budget.paused():
        clock[0] += 500
        with budget.paused():
            clock[0] += 500
        assert budget.seconds_left() == 6
    assert budget.seconds_left() == 6
    clock[0] += 5
    assert budget.seconds_left() == 1
