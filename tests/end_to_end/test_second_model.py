"""While the first model fails, the second one goes on with the same command."""

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir

from benchmark.fake_model_server import FakeModelServer
from benchmark.model_script import Answer, Completion, Fault, FaultKind
from custom_components.sage.config import second_id
from custom_components.sage.diagnostics import async_get_config_entry_diagnostics
from custom_components.sage.model import usage_of
from tests.ai_task_house import async_add_ollama, key_of
from tests.decisions import NATIVE, Decides

from .conftest import MakeSage, Sage

FIRST, SECOND = NATIVE, Decides("constrained")
TOLD = {
    "en": "By the way, my usual language model is not available at the moment, so Ollama answered.",
    "de": "Übrigens ist mein übliches Sprachmodell gerade nicht verfügbar; geantwortet hat Ollama.",
}
LIGHT = "light.kitchen_light"
TURN_ON = {"devices": ["kitchen_light"], "command": "turn_on", "timing": "now", "final": False}


@pytest.fixture
async def other(socket_enabled: None):
    async with FakeModelServer() as server:
        yield server


@pytest.fixture
async def sage(hass: HomeAssistant, other: FakeModelServer, make_sage: MakeSage) -> Sage:
    """SAGE whose second model is the AI Task entity of another server."""
    await async_add_ollama(hass, other)
    second = {
        "ai_task": key_of(hass),
        "model": "Ollama",
        "formats": ["constrained"],
        "structure": "open",
    }
    options = {"warm_prefix": "never"}
    made: Sage = await make_sage("native", options, second_model=second, max_seconds=600)
    return made


@pytest.mark.parametrize(
    "fault",
    [
        Fault(kind=FaultKind.DROPPED),
        Fault(kind=FaultKind.RATE_LIMITED, retry_after="120"),
        Fault(kind=FaultKind.NO_QUOTA),
        Fault(kind=FaultKind.HTML),
        Completion(text='{"thought": "I would'),
    ],
)
async def test_a_command_that_was_sent_is_not_sent_again(
    hass: HomeAssistant, sage: Sage, other: FakeModelServer, fault: Answer
):
    calls: list[str] = []
    hass.bus.async_listen("call_service", lambda event: calls.append(event.data["domain"]))
    decisions = [FIRST.call("execute_command", **TURN_ON)]
    sage.server.say(lambda _: decisions.pop() if decisions else fault)
    other.say([SECOND.finish("acted", "The light is on.")])

    heard = await sage.hear("turn on the kitchen light")

    assert heard == f"The light is on. {TOLD['en']}"
    assert calls.count("light") == 1
    assert hass.states.is_state(LIGHT, "on")
    (asked,) = other.completions
    # It sees the call of the other model, and its outcome.
    assert "execute_command" in asked.prompt
    assert "verified" in asked.prompt


async def test_it_is_told_once_and_counted_apart(sage: Sage, other: FakeModelServer):
    await sage.server.async_stop()
    other.say(lambda _: SECOND.finish("answered", "Twelve.", about="other"))

    heard = [await sage.hear("what is six plus six?", language="de") for _ in range(3)]

    assert heard == [f"Twelve. {TOLD['de']}", "Twelve.", "Twelve."]
    (agent_id,) = sage.entry.runtime_data.agents
    (first,) = usage_of(sage.hass).of(agent_id, 1).values()
    (second,) = usage_of(sage.hass).of(second_id(agent_id), 1).values()
    assert (first.calls, first.failed, second.calls, second.failed) == (1, 1, 3, 0)
    issue = f"model_error_{sage.entry.entry_id}"
    assert ir.async_get(sage.hass).async_get_issue("sage", issue) is not None
    (shown,) = (await async_get_config_entry_diagnostics(sage.hass, sage.entry))["agents"]
    assert shown["second_model"] == "Ollama"


async def test_without_any_model_code_answers_as_before(
    swift_model: None, sage: Sage, other: FakeModelServer
):
    await sage.server.async_stop()
    await other.async_stop()

    heard = await sage.hear("turn on the kitchen light")

    assert heard.endswith("Kitchen Light is now on.")


async def test_an_entity_that_is_gone_does_no_harm(sage: Sage):
    (ollama,) = sage.hass.config_entries.async_entries("ollama")
    await sage.hass.config_entries.async_remove(ollama.entry_id)
    sage.model_says(FIRST.finish("answered", "Twelve.", about="other"))
    assert await sage.hear("what is six plus six?") == "Twelve."

    await sage.server.async_stop()

    assert "I cannot reach my language model" in await sage.hear("what is six plus six?")
