"""Careless replies of models and servers are read; words without a call prove nothing."""

import json
from typing import Any

import pytest

from benchmark.model_script import Call, Completion, verification
from tests.decisions import FORMATS, NATIVE

from .conftest import Sage
from .test_truth import NOTHING_LOOKED_UP

ON = {"devices": ["kitchen_light"], "command": "turn_on", "timing": "now", "final": True}
ARGS = json.dumps(ON)
REQUEST = "turn on the kitchen light"
GREETING = "Hello! How can I help you?"

WRITTEN = {
    "core #142559": f'{{"name": "execute_command", "parameters": {ARGS}}}',
    "home-llm #151": f'<tool_call>{{"name": "execute_command", "arguments": {ARGS}}}</tool_call>',
}


def state(hass: Any) -> str:
    return str(hass.states.get("light.kitchen_light").state)


def native(name: str, arguments: Any) -> Completion:
    return Completion(calls=[Call(name=name, arguments=arguments)])


@pytest.mark.parametrize("decision_format", FORMATS)
@pytest.mark.parametrize("form", WRITTEN)
async def test_call_in_the_text_of_a_reply(hass, sage: Sage, form) -> None:
    sage.model_says(Completion(text=WRITTEN[form]))
    assert await sage.hear(REQUEST) == "Kitchen Light is now on."
    assert state(hass) == "on"


async def test_repair_is_in_the_trace(sage: Sage) -> None:
    sage.model_says(Completion(text=WRITTEN["core #142559"]))
    await sage.hear(REQUEST)
    assert "Repaired: read the call from the text of the reply." in json.dumps(sage.trace)


@pytest.mark.parametrize("name", ["sage__execute_command", "functions.execute_command:0"])
async def test_decorated_name(hass, sage: Sage, name) -> None:
    """vllm #26083. The history has the right name: servers refuse others."""
    sage.model_says(native(name, {**ON, "final": False}), NATIVE.finish("acted", "It is on."))
    assert await sage.hear(REQUEST) == "It is on."
    assert state(hass) == "on"
    (call,) = sage.server.completions[1].messages[-2]["tool_calls"]
    assert call["function"]["name"] == "execute_command"


@pytest.mark.parametrize("name", ["execute", "execute_command.undo", "execute<|channel|>json"])
async def test_name_that_means_no_tool(hass, sage: Sage, name) -> None:
    sage.model_says(native(name, ON), NATIVE.finish("could_not", "No."))
    assert await sage.hear(REQUEST) == "No."
    assert state(hass) == "off"
    (call,) = sage.server.completions[1].messages[-2]["tool_calls"]
    assert call["function"]["name"].replace("_", "").isalnum()


@pytest.mark.parametrize("decision_format", FORMATS)
@pytest.mark.parametrize(
    "more",
    [
        {"component": None, "language": None},
        {"arguments": None},
        {"arguments": "{}"},
        {"arguments": [], "component": ""},
        {"component": "kitchen_light"},
        {"arguments": {"brightness_pct": "40", "color_name": None}},
    ],
    ids=str,
)
async def test_careless_arguments(hass, sage: Sage, more) -> None:
    """core #145525, #177109, local_openai #86."""
    sage.model_says(sage.decides.call("execute_command", **{**ON, **more}))
    await sage.hear(REQUEST)
    assert state(hass) == "on"


async def test_call_as_text_is_followed_by_its_result(sage: Sage) -> None:
    text = f'{{"name": "execute_command", "parameters": {json.dumps({**ON, "final": False})}}}'
    sage.model_says(Completion(text=text), NATIVE.finish("acted", "It is on."))
    assert await sage.hear(REQUEST) == "It is on."
    said, result = sage.server.completions[1].messages[-2:]
    assert (said["role"], said["content"]) == ("assistant", text)
    assert result["role"] == "user"
    assert "VERIFIED" in result["content"].upper()


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "execute_command", "input": {"devices": ["kitchen_light"], "command": "turn_o',
        f'You can send {{"name": "execute_command", "parameters": {ARGS}}} for that.',
        f'<think>{{"name": "execute_command", "parameters": {ARGS}}}</think>',
        f'Either\n{{"name": "execute_command", "parameters": {ARGS}}}\nor\n{{"name": "undo"}}',
    ],
)
@pytest.mark.parametrize("decision_format", FORMATS)
async def test_uncertain_call_is_not_executed(hass, sage: Sage, text) -> None:
    sage.model_says(*[Completion(text=text)] * 2, sage.decides.finish("could_not", "No."))
    await sage.hear(REQUEST)
    assert state(hass) == "off"


async def test_quoted_call_is_not_executed(hass, sage: Sage) -> None:
    answer = f'It says:\n<tool_call>{{"name": "execute_command", "arguments": {ARGS}}}</tool_call>'
    end = {"kind": "answered", "about": ["other"], "claims": [], "answer": answer}
    sage.model_says(*[Completion(text=json.dumps({"name": "finish", "arguments": end}))] * 3)
    await sage.hear("what is a tool call?")
    assert state(hass) == "off"


# ------------------------------------------------------------ words without a call


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_greeting_in_words(sage: Sage) -> None:
    """home-llm #180, core #119175: sent back once, then checked like an unproven subject."""
    sage.model_says(*[Completion(text=GREETING)] * 2, verification())
    assert await sage.hear("hello") == GREETING


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_greeting_in_words_that_becomes_an_answer(sage: Sage) -> None:
    finish = sage.decides.finish("answered", GREETING, about="other")
    sage.model_says(Completion(text=GREETING), finish)
    assert await sage.hear("hello") == GREETING
    assert sage.model_calls == 2


@pytest.mark.parametrize("decision_format", FORMATS)
@pytest.mark.parametrize(
    ("language", "lie", "truth"),
    [
        ("en", "I have turned on the kitchen light.", "Kitchen Light: off."),
        ("de", "Ich erinnere dich um acht Uhr.", NOTHING_LOOKED_UP["de"]),
    ],
)
async def test_lie_in_words(hass, sage: Sage, language, lie, truth) -> None:
    sage.model_says(*[Completion(text=lie)] * 2, verification(lie))
    assert await sage.hear(REQUEST, language=language) == truth
    assert state(hass) == "off"


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_words_that_cannot_be_checked_are_not_spoken(sage: Sage) -> None:
    sage.server.say(lambda _: Completion(text="The kitchen light is on."))
    assert await sage.hear(REQUEST) == "Kitchen Light: off."


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_announcement_before_a_call(hass, sage: Sage) -> None:
    announced = Completion(text="I will now turn on the kitchen light.")
    sage.model_says(announced, sage.decides.call("execute_command", **ON))
    assert await sage.hear(REQUEST) == "Kitchen Light is now on."
    assert state(hass) == "on"


@pytest.mark.parametrize("words", ["Done!", "The bedroom light is on, too."])
async def test_words_after_a_command(sage: Sage, words) -> None:
    """The words claim nothing, so code reports the outcome."""
    sage.model_says(
        native("execute_command", {**ON, "final": False}), *[Completion(text=words)] * 2
    )
    assert await sage.hear(REQUEST) == "Kitchen Light is now on."
