"""JSON schemas as structures of AI tasks."""

import json

import probatio
import pytest
from homeassistant.components.openai_conversation.schema import adjust_schema
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm

from custom_components.sage.agent.decision import answer_schema
from custom_components.sage.agent.formats import ConstrainedFormat
from custom_components.sage.model.ai_task_model import Structure, structure_of
from custom_components.sage.model.language_model import ToolSpec, object_schema
from custom_components.sage.model.lenient_json import fitted

COMMAND = ToolSpec(
    name="execute_command",
    description="",
    parameters=object_schema(
        {
            "devices": {"type": "array", "items": {"type": "string"}},
            "arguments": {"type": "object", "additionalProperties": True},
            "minutes": {"type": "integer", "minimum": 1, "maximum": 60},
        },
        optional=("arguments", "minutes"),
    ),
)
FINISH = ToolSpec(name="finish", description="", parameters=answer_schema())
DECISION = ConstrainedFormat("").request("", (COMMAND, FINISH), "").response_schema or {}
CALLED = {"devices": ["light.bed"], "arguments": {"brightness_pct": 30}}


def wire(kind: Structure, schema=DECISION):
    return probatio.to_openapi(
        structure_of(schema, kind),
        custom_serializer=llm.selector_serializer,
        openapi_version="3.1.0",
    )


def decision(given: object, tool: str = "execute_command"):
    return {"thought": "Next.", "actions": [{"tool": tool, "input": given}]}


def test_an_open_structure_is_the_whole_schema():
    assert wire(Structure.OPEN) == DECISION


def test_openai_accepts_a_closed_structure_and_not_an_open_one():
    with pytest.raises(HomeAssistantError):
        adjust_schema(wire(Structure.OPEN))

    closed = wire(Structure.CLOSED)
    adjust_schema(closed)

    command = closed["properties"]["actions"]["items"]["anyOf"][0]["properties"]["input"]
    assert command["properties"]["arguments"]["type"] == ["string", "null"]
    assert command["required"] == ["devices", "arguments", "minutes"]


def test_a_flat_structure_has_no_choice():
    flat = wire(Structure.FLAT)

    assert "anyOf" not in json.dumps(flat)
    action = flat["properties"]["actions"]["items"]
    assert action["properties"]["tool"]["enum"] == ["execute_command", "finish"]
    assert action["properties"]["input"]["type"] == "string"
    assert action["required"] == ["tool", "input"]


@pytest.mark.parametrize(
    "given",
    [
        CALLED,
        CALLED | {"minutes": None},
        CALLED | {"arguments": json.dumps(CALLED["arguments"])},
        json.dumps(CALLED),
        json.dumps(CALLED | {"arguments": json.dumps(CALLED["arguments"])}),
    ],
)
def test_a_reply_in_any_structure_becomes_what_the_schema_describes(given: object):
    assert fitted(DECISION, decision(given)) == decision(CALLED)


def test_an_action_that_is_a_text_is_read():
    action = json.dumps({"tool": "execute_command", "input": CALLED})

    assert fitted(DECISION, {"thought": "Next.", "actions": [action]}) == decision(CALLED)


@pytest.mark.parametrize("value", ["no JSON", 7, None, decision("{broken"), decision(3, "unknown")])
def test_a_reply_that_does_not_fit_is_left_to_the_parser(value: object):
    assert fitted(DECISION, value) == value


def test_a_text_that_looks_like_json_stays_a_text():
    schema = object_schema({"answer": {"type": "string"}})

    assert fitted(schema, {"answer": "{}"}) == {"answer": "{}"}
