"""A fresh Home Assistant, in which a person adds SAGE in the browser, and talks to it in Assist.

Once with an OpenAI-compatible server, once with an AI Task entity.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Final

from benchmark.fake_model_server import FakeModelServer
from benchmark.model_script import Answer, Json, answer_obediently
from scripts.demonstration.client import connected
from scripts.demonstration.home_server import home_folder, home_server
from tests.decisions import Decides, claim
from tests.stock.conftest import CONFIGURATION
from tests.stock.ollama import sets_ollama_up

from .node import async_node

_LIGHT: Final = "light.kitchen_lights"
_ANSWER: Final = "The kitchen lights are on."


class _Decides:
    """Decides about one command, in the format of the request."""

    def __call__(self, body: Json) -> Answer:
        if "let there be light in the kitchen" not in str(body["messages"][-1].get("content")):
            return answer_obediently(body)
        decides = Decides("native" if body.get("tools") else "constrained")
        arguments = {
            "devices": ["kitchen_lights"],
            "command": "turn_on",
            "timing": "now",
            "final": True,
        }
        end = {
            "kind": "acted",
            "about": ["home"],
            "claims": [claim("kitchen_lights", "on")],
            "answer": _ANSWER,
        }
        return decides.calls(("execute_command", arguments), ("finish", end))


async def async_first_hour(*, has_ai_task: bool) -> int:
    """Run the test in a fresh home; return the exit code."""
    with FakeModelServer(_Decides()) as model, home_folder(None) as folder:
        (folder / "configuration.yaml").write_text(CONFIGURATION, encoding="utf-8")
        async with (
            home_server(folder, None, None) as home,
            connected(home.url, home.owner.token) as owner,
        ):
            await owner.post("/api/services/light/turn_off", {"entity_id": _LIGHT})
            if has_ai_task:
                await sets_ollama_up(owner, model.ollama_url)
            facts: Mapping[str, str] = {
                "SAGE_TEST_URL": home.url,
                "SAGE_TEST_ACCOUNTS": json.dumps([asdict(each) for each in home.accounts]),
                "SAGE_TEST_LIGHT": _LIGHT,
                "SAGE_TEST_SERVER": "" if has_ai_task else model.url,
            }
            return await async_node(home, facts, "--test", "tests/first_hour.js")
