"""A reply of several calls of which only a part arrives does nothing."""

import json

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


async def test_half_a_stream_does_nothing(hass, sage: Sage, hasty_model: None) -> None:
    """Neither a whole first call nor half a second one is taken from a stream without an end."""
    calls = (("execute_command", json.dumps(SWITCH)), ("finish", json.dumps(END)))
    body = DIALECTS["openai"](calls)
    cut = body[: body.index(b'"finish"') + 900]
    sage.server.say(lambda _: Raw(body=cut, content_type="text/event-stream"))
    assert "stopped in the middle" in await sage.hear("make it cosy in here")
    assert hass.states.get("light.kitchen_light").state == "off"
