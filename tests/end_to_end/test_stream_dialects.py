"""A command and its answer in one reply, in the stream of each model server."""

import json

import pytest

from benchmark.model_script import Raw
from tests.decisions import claim
from tests.model.stream_dialects import DIALECTS

from .conftest import Sage

SWITCH = {"devices": ["kitchen_light"], "command": "turn_on", "timing": "now", "final": True}
END = {
    "kind": "acted",
    "about": ["home"],
    "claims": [claim("kitchen_light", "on")],
    "answer": "It is on.",
}


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_command_and_answer(hass, sage: Sage, dialect: str) -> None:
    calls = (("execute_command", json.dumps(SWITCH)), ("finish", json.dumps(END)))
    sage.model_says(Raw(body=DIALECTS[dialect](calls), content_type="text/event-stream"))
    assert await sage.hear("turn on the kitchen light") == "It is on."
    assert hass.states.get("light.kitchen_light").state == "on"


async def test_half_a_stream_does_nothing(hass, sage: Sage, hasty_model: None) -> None:
    """Neither a whole first call nor half a second one is taken from a stream without an end."""
    calls = (("execute_command", json.dumps(SWITCH)), ("finish", json.dumps(END)))
    body = DIALECTS["openai"](calls)
    cut = body[: body.index(b'"finish"') + 900]
    sage.server.say(lambda _: Raw(body=cut, content_type="text/event-stream"))
    assert "stopped in the middle" in await sage.hear("make it cosy in here")
    assert hass.states.get("light.kitchen_light").state == "off"
