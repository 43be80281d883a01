"""SAGE whose model is the AI Task entity of the real Ollama integration, set up over the flow."""

import json
from typing import Any

import probatio
import pytest
from homeassistant.components.ai_task import (
    AITaskEntity,
    AITaskEntityFeature,
    GenDataTask,
    GenDataTaskResult,
)
from homeassistant.components.ai_task.const import DATA_COMPONENT
from homeassistant.components.openai_conversation.schema import adjust_schema
from homeassistant.config_entries import SOURCE_RECONFIGURE, SOURCE_USER
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers import llm
from pytest_homeassistant_custom_component.common import MockConfigEntry

from benchmark.fake_model_server import Completion, FakeModelServer, Fault, FaultKind
from benchmark.model_script import answer_obediently, smallest_value
from custom_components.sage.config.verdict import FOR_LATER, REQUESTS
from custom_components.sage.const import DOMAIN
from tests.ai_task_house import AI_TASK, async_add_ollama, key_of
from tests.decisions import Decides, claim

from .conftest import Sage

NATIVE = Decides("constrained")
LIGHT = "light.kitchen_light"


async def begin(hass: HomeAssistant) -> Any:
    return await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_USER})


async def choose(hass: HomeAssistant, result: Any, source: str) -> Any:
    """Choose a model in the flow and wait for its probe."""
    flow = hass.config_entries.flow
    result = await flow.async_configure(result["flow_id"], {"model_source": source})
    while result["type"] is FlowResultType.SHOW_PROGRESS:
        await hass.async_block_till_done()
        result = await flow.async_configure(result["flow_id"])
    return result


@pytest.fixture
async def ollama(demo_home: HomeAssistant, model_server: FakeModelServer) -> MockConfigEntry:
    return await async_add_ollama(demo_home, model_server)


@pytest.fixture
async def sage(hass: HomeAssistant, ollama: MockConfigEntry, model_server: FakeModelServer) -> Sage:
    result = await choose(hass, await begin(hass), key_of(hass))
    assert result["step_id"] == "finish"
    result = await hass.config_entries.flow.async_configure(result["flow_id"], {})
    hass.config_entries.async_update_entry(result["result"], options={"plain_requests": False})
    await hass.async_block_till_done()
    model_server.forget()
    return Sage(hass, model_server, result["result"])


async def test_the_first_step_offers_the_entities_that_exist(hass: HomeAssistant, ollama):
    result = await begin(hass)

    assert result["step_id"] == "source"
    options = result["data_schema"].schema["model_source"].config["options"]
    assert [each["value"] for each in options] == [key_of(hass), "server"]
    assert options[0]["label"] == "Ollama (Ollama)"
    result = await choose(hass, result, "server")
    assert result["step_id"] == "user"
    assert "base_url" in result["data_schema"].schema


async def test_an_utterance_turns_on_a_light(hass: HomeAssistant, sage: Sage):
    assert sage.entry.data == {
        "ai_task": key_of(hass),
        "model": "Ollama",
        "formats": ["constrained", "react"],
        "structure": "open",
    }
    assert sage.entry.title == "Ollama"
    sage.model_says(
        NATIVE.calls(
            (
                "execute_command",
                {
                    "devices": ["kitchen_light"],
                    "command": "turn_on",
                    "arguments": {},
                    "timing": "now",
                    "final": True,
                },
            ),
            (
                "finish",
                {
                    "kind": "acted",
                    "about": ["home"],
                    "claims": [claim("kitchen_light", "on")],
                    "answer": "The light is on.",
                },
            ),
        )
    )

    assert await sage.hear("turn on the kitchen light") == "The light is on."

    assert hass.states.is_state(LIGHT, "on")
    assert sage.model_calls == 1
    assert sage.trace["usage"]["is_estimated"]
    (request,) = sage.server.completions
    assert request.messages[0]["role"] == "system"
    assert "execute_command" in request.messages[0]["content"]


async def test_the_beginning_of_a_prompt_never_changes(sage: Sage):
    beginnings = []
    for said in ("what time is it", "and how are you"):
        sage.model_says(NATIVE.finish("answered", "Fine.", about="other"))
        await sage.hear(said)
        beginnings.append(sage.server.completions[0].messages[0])

    assert beginnings[0] == beginnings[1]


async def test_a_reply_that_is_no_decision_costs_a_step(sage: Sage):
    sage.model_says(
        Completion(text="I would turn it on."), NATIVE.finish("answered", "Hello.", about="other")
    )

    assert await sage.hear("hello") == "Hello."

    assert sage.model_calls == 2
    assert "was not understood" in sage.server.completions[1].messages[-1]["content"]


async def test_an_entity_that_is_away_is_like_a_server_that_is_away(
    hass: HomeAssistant, sage: Sage, ollama: MockConfigEntry
):
    issues = ir.async_get(hass)
    issue_id = f"model_error_{sage.entry.entry_id}"
    await hass.config_entries.async_unload(ollama.entry_id)

    answer = await sage.hear("turn on the kitchen light")

    assert "language model" in answer
    assert hass.states.is_state(LIGHT, "on")
    issue = issues.async_get_issue(DOMAIN, issue_id)
    assert issue is not None
    assert issue.translation_key == "model_unreachable"

    assert await hass.config_entries.async_setup(ollama.entry_id)
    sage.model_says(NATIVE.finish("answered", "Hello.", about="other"))
    assert await sage.hear("hello") == "Hello."
    assert issues.async_get_issue(DOMAIN, issue_id) is None


async def test_a_removed_entity_is_an_issue_until_another_model_is_chosen(
    hass: HomeAssistant, sage: Sage, model_server: FakeModelServer
):
    issue_id = f"model_error_{sage.entry.entry_id}"
    er.async_get(hass).async_remove(AI_TASK)
    await hass.async_block_till_done()
    assert "was removed" in await sage.hear("hello")
    issue = ir.async_get(hass).async_get_issue(DOMAIN, issue_id)
    assert issue is not None
    assert (issue.translation_key, issue.translation_placeholders) == (
        "model_ai_task_gone",
        {"model": "Ollama"},
    )

    flow = hass.config_entries.flow
    result = await flow.async_init(
        DOMAIN, context={"source": SOURCE_RECONFIGURE, "entry_id": sage.entry.entry_id}
    )
    assert result["step_id"] == "reconfigure"
    result = await flow.async_configure(result["flow_id"], {"base_url": model_server.url})
    model_server.say(answer_obediently)
    result = await flow.async_configure(result["flow_id"], {"model": "test-model"})
    while result["type"] is FlowResultType.SHOW_PROGRESS:
        await hass.async_block_till_done()
        result = await flow.async_configure(result["flow_id"])
    await hass.async_block_till_done()
    assert result["reason"] == "reconfigure_successful"
    assert "ai_task" not in sage.entry.data
    assert ir.async_get(hass).async_get_issue(DOMAIN, issue_id) is None


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (FaultKind.NO_SUCH_MODEL, "no_such_model"),
        (FaultKind.KEY_REFUSED, "ai_task_key"),
        (FaultKind.RATE_LIMITED, "rate_limited"),
    ],
)
async def test_what_is_wrong_with_an_entity_is_said_in_the_flow(
    hass: HomeAssistant,
    ollama: MockConfigEntry,
    model_server: FakeModelServer,
    fault: FaultKind,
    error: str,
):
    model_server.say(lambda _: Fault(kind=fault))

    result = await choose(hass, await begin(hass), key_of(hass))

    assert (result["step_id"], result["errors"]) == ("source", {"base": error})


TEXTS = (*(request.text for request in REQUESTS.values()), *FOR_LATER)  # the requests of the set-up


class Strict(AITaskEntity):
    """An entity of another integration: it converts structures as OpenAI's strict mode needs."""

    _attr_supported_features = AITaskEntityFeature.GENERATE_DATA
    _attr_name = "Strict"

    def __init__(self, *, takes_choices: bool) -> None:
        self.takes_choices = takes_choices
        self.entity_id = "ai_task.strict"

    async def _async_generate_data(self, task: GenDataTask, chat_log: Any) -> GenDataTaskResult:
        messages = [{"role": each.role, "content": each.content} for each in chat_log.content]
        if task.structure is None:
            text = answer_obediently({"messages": messages}).text
            return GenDataTaskResult(conversation_id=chat_log.conversation_id, data=text)
        schema = probatio.to_openapi(
            task.structure, custom_serializer=llm.selector_serializer, openapi_version="3.1.0"
        )
        adjust_schema(schema)
        if "anyOf" in json.dumps(schema) and not self.takes_choices:
            raise HomeAssistantError("choices are not supported")
        data = smallest_value(schema)
        if any(text in messages[-1]["content"] for text in TEXTS):
            data = json.loads(
                answer_obediently({"messages": messages, "response_format": schema}).text
            )
        for action in data["actions"]:
            if self.takes_choices:
                action["input"] = action["input"] or "{}"
            elif not isinstance(action["input"], str):
                action["input"] = json.dumps(action["input"])
            else:
                action["input"] = action["input"] or "{}"
        return GenDataTaskResult(conversation_id=chat_log.conversation_id, data=data)


@pytest.mark.parametrize(
    ("takes_choices", "structure"), [(True, "closed"), (False, "flat")], ids=["openai", "gemini"]
)
async def test_the_probe_finds_the_structure_that_an_entity_accepts(
    hass: HomeAssistant, ollama: MockConfigEntry, takes_choices: bool, structure: str
):
    await hass.data[DATA_COMPONENT].async_add_entities([Strict(takes_choices=takes_choices)])

    result = await choose(hass, await begin(hass), "ai_task.strict")

    assert result["step_id"] == "finish"
    result = await hass.config_entries.flow.async_configure(result["flow_id"], {})
    assert result["result"].data["structure"] == structure
    assert result["result"].data["formats"] == ["constrained", "react"]
    await hass.async_block_till_done()
