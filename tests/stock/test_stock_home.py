"""Given a stock Home Assistant, when its owner sets SAGE up over the forms, then it works."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from benchmark.model_script import Completion
from scripts.demonstration.configure import leave_all_to_the_model, sage_entity
from tests.decisions import NATIVE, claim, step

from .conftest import NEXT, StockHome

FLOW = "/api/config/config_entries/flow"
LIGHT = "light.bed_light"


@pytest.mark.slow
async def test_a_copied_sage_is_set_up_answers_and_turns_on_a_light(stock_home: StockHome) -> None:
    home = stock_home
    assert (await home.owner.get("/api/config"))["version"] == home.version
    entry = await sets_sage_up(home)
    assert await sage_entity(home.owner) == "conversation.sage"
    await stands_as_a_service(home)

    await needs_no_model(home)
    await turns_the_light_on(home)
    await asks_and_takes_the_reply(home)
    await streams_an_answer(home)
    await keeps_one_turn_apart_from_another(home)
    await keeps_another_person_out(home)
    await serves_an_automation(home)

    path = f"/api/config/config_entries/entry/{entry['entry_id']}"
    assert await home.owner.post(f"{path}/reload", {}) == {"require_restart": False}
    await answers(home, "Hello again.")
    assert home.complaints() == []
    await tells_that_the_model_is_away(home)


async def sets_sage_up(home: StockHome) -> dict[str, Any]:
    """Fill in the forms one after the other; return the entry."""
    step = await home.owner.post(FLOW, {"handler": "sage"})
    assert (step["type"], step["step_id"]) == ("form", "user")
    path = f"{FLOW}/{step['flow_id']}"
    step = await home.owner.post(path, {"base_url": home.model.url})
    assert (step["type"], step["step_id"]) == ("form", "model")
    step = await home.owner.post(path, {"model": "test-model"})
    assert (step["type"], step["progress_action"]) == ("progress", "probe")
    while step["type"] == "progress":
        await asyncio.sleep(0.1)
        step = await home.owner.get(path)
    assert (step["type"], step["step_id"]) == ("form", "finish")
    step = await home.owner.post(path, {})
    assert (step["type"], step["step_id"]) == ("form", "assistant")
    step = await home.owner.post(path, {"assistant": step["data_schema"][0]["default"]})
    assert step["type"] == "create_entry"
    assistants = await home.owner.call("assist_pipeline/pipeline/list")
    (assistant,) = assistants["pipelines"]
    assert assistant["id"] == assistants["preferred_pipeline"]
    assert assistant["conversation_engine"] == "conversation.sage"
    entry: dict[str, Any] = step["result"]
    assert (entry["state"], entry["supports_reconfigure"]) == ("loaded", True)
    return entry


async def stands_as_a_service(home: StockHome) -> None:
    """Check the device and the entity that a person sees in the settings."""
    devices = await home.owner.call("config/device_registry/list")
    ours = [one for one in devices if one["manufacturer"] == "SAGE"]
    shown = sorted((one["entry_type"], one["name"], one["model"]) for one in ours)
    assert shown == [("service", "SAGE", "test-model")]
    agents = await home.owner.call("conversation/agent/list", language="tlh")
    (agent,) = [one for one in agents["agents"] if one["id"] == "conversation.sage"]
    assert (agent["name"], agent["supported_languages"]) == ("SAGE", "*")


def commands(on: bool) -> tuple[Completion, ...]:
    return (
        *NATIVE.planned(
            "switch the bed light", step("command", "bed_light", capabilities=("light",))
        ),
        NATIVE.execute("bed_light", command="turn_on" if on else "turn_off"),
        NATIVE.finish("acted", f"The bed light is {'on' if on else 'off'}."),
    )


async def needs_no_model(home: StockHome) -> None:
    """Say a plain command: the model is local, so it is not asked, until the options say so."""
    home.model.requests.clear()
    said = spoken(await home.say("turn off the ceiling lights"))
    # The first answer to a person also says that SAGE remembers.
    assert said.startswith("Ceiling Lights is now off. By the way, I remember")
    assert home.model.completions == []
    await leave_all_to_the_model(home.owner)


async def turns_the_light_on(home: StockHome) -> None:
    assert await home.state(LIGHT) == "off"
    home.model_says(*commands(on=True))
    result = await home.say("turn on the bed light")
    assert spoken(result) == "The bed light is on."
    assert await home.state(LIGHT) == "on"
    assert result["continue_conversation"] is False
    assert len(home.model.completions) == 4


async def asks_and_takes_the_reply(home: StockHome) -> None:
    home.model_says(
        NATIVE.call("human_interaction", question="Which light do you mean?"), *commands(on=False)
    )
    asked = await home.say("turn off that light")
    assert spoken(asked) == "Which light do you mean?"
    assert asked["continue_conversation"] is True
    assert await home.state(LIGHT) == "on"
    done = await home.say("the one at the bed", conversation_id=asked["conversation_id"])
    assert spoken(done) == "The bed light is off."
    assert done["conversation_id"] == asked["conversation_id"]
    assert done["continue_conversation"] is False
    assert await home.state(LIGHT) == "off"
    # The same run: its history holds the question and the reply.
    assert 'The person replied: "the one at the bed"' in home.model.completions[1].prompt
    assert len(home.model.completions) == 5


async def streams_an_answer(home: StockHome) -> None:
    sentences = ["No.", "The light beside the bed is off.", "It is dark there."]
    home.model_says(
        *NATIVE.planned("is the bed light on", step("read", "bed_light", capabilities=("light",))),
        NATIVE.call("read_attributes", devices=["bed_light"]),
        NATIVE.finish("answered", " ".join(sentences), claim("bed_light", "off", "read")),
    )
    pieces, thoughts = [], []
    async for event in home.owner.follow(
        "assist_pipeline/run",
        start_stage="intent",
        end_stage="intent",
        input={"text": "is the bed light on?"},
        pipeline=await sage_pipeline(home),
    ):
        if event["type"] == "intent-progress":
            delta = event["data"]["chat_log_delta"]
            pieces.append(delta.get("content", ""))
            thoughts.append(delta.get("thinking_content", ""))
        if event["type"] in ("run-end", "error"):
            assert event["type"] == "run-end", event
            break
    assert [piece.strip() for piece in pieces if piece] == sentences
    assert "Off" in "".join(thoughts)


async def sage_pipeline(home: StockHome) -> str:
    created = await home.owner.call(
        "assist_pipeline/pipeline/create",
        name="SAGE",
        language="en",
        conversation_engine="conversation.sage",
        conversation_language="en",
        prefer_local_intents=False,
        stt_engine=None,
        stt_language=None,
        tts_engine=None,
        tts_language=None,
        tts_voice=None,
        wake_word_entity=None,
        wake_word_id=None,
    )
    return str(created["id"])


async def answers(home: StockHome, words: str, **more: Any) -> dict[str, Any]:
    """Have the model say something that needs no home."""
    home.model_says(NATIVE.finish("answered", words), NATIVE.finish("answered", words))
    return await home.say("hello", **more)


async def keeps_one_turn_apart_from_another(home: StockHome) -> None:
    """Say two things at once in one conversation: the first is done all the same."""
    began = await answers(home, "Hello to you on this fine and sunny day.")
    same = {"conversation_id": began["conversation_id"]}
    arrived = asyncio.Event()
    first_decision, *others = commands(on=True)
    script = iter([replace(first_decision, delay=5.0), *others])

    def decide(body: dict[str, Any]) -> Completion:
        if "Request: good evening" in str(body["messages"]):
            return NATIVE.finish("answered", "Good evening to you on this fine day.")
        arrived.set()
        return next(script)

    home.model.say(decide)
    first = asyncio.create_task(home.say("turn on the bed light", **same))
    await arrived.wait()
    second = await home.say("good evening", **same)
    assert not first.done()
    assert spoken(await first) == "The bed light is on."
    assert await home.state(LIGHT) == "on"
    told = {
        "2026.10.4": "Good evening to you on this fine day.",
        NEXT: "This conversation is busy with another message",
    }
    assert spoken(second) == told[home.version]
    assert second["conversation_id"] == began["conversation_id"]


async def keeps_another_person_out(home: StockHome) -> None:
    """A guest cannot answer the owner's question; the owner still can."""
    home.model_says(NATIVE.call("human_interaction", question="Really the bed light?"))
    asked = await home.say("turn off that light")
    same = {"conversation_id": asked["conversation_id"]}
    heard = await answers(home, "Hello to you on this fine and sunny day.", by=home.guest, **same)
    assert all("Really" not in request.prompt for request in home.model.completions)
    told = {"2026.10.4": "Hello to you on this fine and sunny day.", NEXT: "Unauthorized"}
    assert spoken(heard).startswith(told[home.version])
    assert await home.state(LIGHT) == "on"
    home.model_says(*commands(on=False))
    assert spoken(await home.say("yes", **same)) == "The bed light is off."
    assert await home.state(LIGHT) == "off"


async def serves_an_automation(home: StockHome) -> None:
    """Nobody is logged in; the answer is used further on."""
    assert await home.state(LIGHT) == "off"
    home.model_says(*commands(on=True))
    await home.owner.post("/api/events/doorbell", {})
    async with asyncio.timeout(120):
        while await home.state("input_text.heard") == "unknown":  # noqa: ASYNC110
            await asyncio.sleep(0.1)
    assert await home.state("input_text.heard") == "The bed light is on."
    assert await home.state(LIGHT) == "on"
    assert "Person: not known." in home.model.completions[0].prompt


async def tells_that_the_model_is_away(home: StockHome) -> None:
    """The server is gone: a sentence, a repair issue, and it works again once it is back."""
    await home.model.async_stop()
    away = await home.say("make it cosy in here")
    assert away["response"]["response_type"] == "error"
    assert "I cannot reach my language model" in spoken(away)
    assert await sage_issues(home) == ["model_unreachable"]
    await home.model.async_start()
    hello = await answers(home, "Hello to you on this fine and sunny day.")
    assert spoken(hello) == "Hello to you on this fine and sunny day."
    assert await sage_issues(home) == []


async def sage_issues(home: StockHome) -> list[str]:
    found = await home.owner.call("repairs/list_issues")
    return [issue["translation_key"] for issue in found["issues"] if issue["domain"] == "sage"]


def spoken(result: dict[str, Any]) -> str:
    return str(result["response"]["speech"]["plain"]["speech"])
