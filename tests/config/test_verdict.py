"""The set-up tries a model with small requests, and says what the model is good for."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from homeassistant.config_entries import SOURCE_USER
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType

from benchmark.fake_model_server import (
    Answer,
    Completion,
    FakeModelServer,
    Fault,
    FaultKind,
    Json,
    answer_in_text_only,
    answer_obediently,
)
from benchmark.model_script import Call
from custom_components.sage.config.verdict import FOR_LATER, REQUESTS
from custom_components.sage.const import DOMAIN


def refusing_tools(body: Json) -> Answer:
    return Fault(kind=FaultKind.REFUSED) if body.get("tools") else answer_obediently(body)


def only_json(body: Json) -> Answer:
    """A server that enforces schemas, with a model that writes nothing else sensible."""
    if body.get("response_format"):
        return answer_obediently(body)
    return Completion(text="Certainly! I can help you with your home.")


def echo(body: Json) -> Answer:
    return Completion(text=str(body["messages"][-1].get("content")))


def one_sentence(_: Json) -> Answer:
    return Completion(text="Hello! How can I help you today?")


def slow(body: Json) -> Answer:
    return replace(answer_obediently(body), delay=0.3)


def about(body: Json) -> str:
    return str(body["messages"][-1].get("content"))


def calling(body: Json, call: Call) -> Completion:
    """Call a tool in the format of the request."""
    if body.get("tools"):
        return Completion(calls=[call])
    action = {"tool": call.name, "input": call.arguments}
    if body.get("response_format"):
        return Completion(text=json.dumps({"thought": "", "actions": [action]}))
    return Completion(text=f"Thought: -\nAction: {call.name}\nAction Input: {call.text()}")


def weak_at(*texts: str) -> Callable[[Json], Answer]:
    """A model that acts at once, whatever some requests say."""

    def answer(body: Json) -> Answer:
        if not any(text in about(body) for text in texts):
            return answer_obediently(body)
        if any(text in about(body) for text in FOR_LATER):
            arguments = {"command": "on", "timing": "now"}
            return calling(body, Call(name="device_interaction", arguments=arguments))
        return calling(body, Call(name="switch_lamp", arguments={"lamp": "desk", "on": True}))

    return answer


async def verdict(hass: HomeAssistant, server: FakeModelServer) -> Any:
    """Set SAGE up until the verdict; return that step."""
    flow = hass.config_entries.flow
    result = await flow.async_init(DOMAIN, context={"source": SOURCE_USER})
    await flow.async_configure(result["flow_id"], {"base_url": server.url})
    result = await flow.async_configure(result["flow_id"], {"model": "test-model"})
    assert result["type"] is FlowResultType.SHOW_PROGRESS
    await hass.async_block_till_done()
    return await flow.async_configure(result["flow_id"])


@pytest.mark.parametrize(
    ("script", "step", "best"),
    [
        (answer_obediently, "finish", "native"),
        (refusing_tools, "finish", "constrained"),
        (only_json, "finish", "constrained"),
        (answer_in_text_only, "finish", "react"),
        (slow, "finish", "native"),
        (weak_at(REQUESTS["two"].text), "finish_simple", "native"),
        (weak_at(REQUESTS["missing"].text), "finish_simple", "native"),
        (weak_at(FOR_LATER[2]), "finish_simple", "native"),
        (weak_at(REQUESTS["question"].text), "finish_unusable", "native"),
    ],
)
async def test_the_verdict_fits_the_model(
    hass: HomeAssistant,
    model_server: FakeModelServer,
    script: Callable[[Json], Answer],
    step: str,
    best: str,
):
    model_server.say(script)

    shown = await verdict(hass, model_server)

    assert (shown["type"], shown["step_id"]) == (FlowResultType.FORM, step)
    assert set(shown["description_placeholders"]) == {"model", "seconds", "docs"}
    done = await hass.config_entries.flow.async_configure(shown["flow_id"], {})
    assert done["type"] is FlowResultType.CREATE_ENTRY
    assert done["data"]["formats"][0] == best
    await hass.async_block_till_done()


@pytest.mark.parametrize("script", [echo, one_sentence])
async def test_a_server_that_decides_nothing_does_not_pass(
    hass: HomeAssistant, model_server: FakeModelServer, script: Callable[[Json], Answer]
):
    model_server.say(script)

    shown = await verdict(hass, model_server)

    assert (shown["step_id"], shown["errors"]) == ("model", {"base": "no_format"})


async def test_a_better_format_is_preferred(hass: HomeAssistant, model_server: FakeModelServer):
    """Tool calls to the letter are no proof that the model decides well in this format."""

    def answer(body: Json) -> Answer:
        is_test = any(request.text in about(body) for request in REQUESTS.values())
        if body.get("tools") and is_test:
            return Completion(text="I shall do that.")
        return answer_obediently(body)

    model_server.say(answer)

    shown = await verdict(hass, model_server)

    assert shown["step_id"] == "finish"
    done = await hass.config_entries.flow.async_configure(shown["flow_id"], {})
    assert done["data"]["formats"] == ["constrained", "native", "react"]
    await hass.async_block_till_done()
