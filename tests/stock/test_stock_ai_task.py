"""Given a stock Home Assistant that has Ollama, when SAGE is set up, then it uses that model."""

import asyncio
from typing import Any

import pytest

from scripts.demonstration.configure import leave_all_to_the_model, sage_entity
from tests.decisions import Decides, claim

from .conftest import StockHome
from .ollama import sets_ollama_up
from .test_stock_home import FLOW, LIGHT, spoken

CONSTRAINED = Decides("constrained")
TASK = "ai_task.ollama_ai_task"


@pytest.mark.slow
async def test_sage_uses_an_ai_task_entity(stock_home: StockHome) -> None:
    home = stock_home
    await sets_ollama_up(home.owner, home.model.ollama_url)
    await sets_sage_up_with_it(home)
    assert await sage_entity(home.owner) == "conversation.sage"

    await turns_the_light(home, "on")
    await turns_the_light(home, "off")
    assert home.complaints() == []
    await does_without_the_entity(home)


async def sets_sage_up_with_it(home: StockHome) -> None:
    """Choose Ollama's entity in the first form of SAGE."""
    states: list[dict[str, Any]] = []
    while TASK not in [each["entity_id"] for each in states]:
        # The entity is added after the dialog of Ollama ends.
        await asyncio.sleep(0.1)
        states = await home.owner.get("/api/states")
    step = await home.owner.post(FLOW, {"handler": "sage"})
    assert (step["type"], step["step_id"]) == ("form", "source"), step
    path = f"{FLOW}/{step['flow_id']}"
    (field,) = step["data_schema"]
    offered = {each["label"]: each["value"] for each in field["selector"]["select"]["options"]}
    assert list(offered) == ["Ollama AI Task (Ollama)", "server"]
    step = await home.owner.post(path, {"model_source": offered["Ollama AI Task (Ollama)"]})
    while step["type"] == "progress":
        await asyncio.sleep(0.1)
        step = await home.owner.get(path)
    assert (step["type"], step["step_id"]) == ("form", "finish"), step
    step = await home.owner.post(path, {})
    assert (step["type"], step["step_id"]) == ("form", "assistant"), step
    step = await home.owner.post(path, {"assistant": step["data_schema"][0]["default"]})
    assert (step["type"], step["result"]["state"]) == ("create_entry", "loaded")
    await leave_all_to_the_model(home.owner)


async def turns_the_light(home: StockHome, state: str) -> None:
    command = {"devices": ["bed_light"], "command": f"turn_{state}", "timing": "now", "final": True}
    answer = {
        "kind": "acted",
        "about": ["home"],
        "claims": [claim("bed_light", state)],
        "answer": f"The bed light is {state}.",
    }
    home.model_says(CONSTRAINED.calls(("execute_command", command), ("finish", answer)))

    heard = spoken(await home.say(f"turn {state} the bed light"))
    assert heard.startswith(f"The bed light is {state}.")

    assert await home.state(LIGHT) == state
    (request,) = home.model.completions
    assert request.path == "/api/chat"


async def does_without_the_entity(home: StockHome) -> None:
    """Remove the entity: SAGE says so, and how to fix it."""
    await home.owner.call("config/entity_registry/remove", entity_id=TASK)
    assert "was removed" in spoken(await home.say("turn on the bed light"))
    issues = (await home.owner.call("repairs/list_issues"))["issues"]
    (issue,) = [each for each in issues if each["domain"] == "sage"]
    assert issue["translation_key"] == "model_ai_task_gone"
    assert issue["translation_placeholders"] == {"model": "Ollama AI Task"}
