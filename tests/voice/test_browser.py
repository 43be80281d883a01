"""A person speaks into the microphone of a browser, and hears the answer."""

import asyncio
import wave
from pathlib import Path
from typing import Any

import pytest

from benchmark.model_script import Answer, Fault, FaultKind
from tests.decisions import NATIVE, step
from tests.end_to_end.conftest import Sage
from tests.end_to_end.doors.decided import (
    KITCHEN_LIGHT,
    ask,
    read_the_kitchen_light,
    turn_on_the_kitchen_light,
)

from .conftest import DOOR, Voice, unlock_the_door, words

pytestmark = pytest.mark.slow

RECORDED = Path(__file__).with_name("recorded.wav")
"""A person reads "He might even have been made amiable himself." (LibriVox, public domain)."""


async def test_a_spoken_command_is_done_and_answered_aloud(hass, voice: Voice, sage: Sage) -> None:
    sage.model_says(*turn_on_the_kitchen_light())
    turn = await voice.say("turn on the kitchen light")
    # Home Assistant has found the end of the sentence in the sound.
    assert "stt-vad-end" in turn.kinds
    assert words(turn.data("stt-end")["stt_output"]["text"]) == "turn on the kitchen light"
    assert hass.states.get(KITCHEN_LIGHT).state == "on"
    assert await voice.hears(turn, "the kitchen light is on")


async def test_a_recorded_person_is_understood(voice: Voice, sage: Sage) -> None:
    sage.model_says(ask("Which light do you mean?"))
    with wave.open(str(RECORDED)) as file:
        turn = await voice.play(file.readframes(file.getnframes()))
    heard = turn.data("stt-end")["stt_output"]["text"]
    assert words(heard) == "he might even have been made amiable himself"
    assert heard.strip() in sage.server.completions[0].prompt
    assert await voice.hears(turn, "which light do you mean")


async def test_a_risky_command_is_confirmed_by_voice(hass, voice: Voice, sage: Sage) -> None:
    sage.model_says(*unlock_the_door())
    asked = await voice.say("Please unlock the front door.")
    assert asked.result["continue_conversation"] is True
    assert await voice.hears(asked, "shall i really unlock front door")
    assert hass.states.get(DOOR).state == "locked"
    await voice.say("Yes, please.", conversation_id=asked.conversation_id)
    assert hass.states.get(DOOR).state == "unlocked"


async def test_a_spoken_no_leaves_the_door_locked(hass, voice: Voice, sage: Sage) -> None:
    sage.model_says(*unlock_the_door(), NATIVE.finish("could_not", "It stays locked."))
    asked = await voice.say("Please unlock the front door.")
    refused = await voice.say("No, leave it.", conversation_id=asked.conversation_id)
    assert refused.result["continue_conversation"] is False
    assert hass.states.get(DOOR).state == "locked"


async def test_a_question_is_answered_in_the_next_turn(hass, voice: Voice, sage: Sage) -> None:
    sage.model_says(ask("Which light do you mean?"), *turn_on_the_kitchen_light())
    asked = await voice.say("turn on the light")
    assert await voice.hears(asked, "which light do you mean")
    done = await voice.say("the one in the kitchen", conversation_id=asked.conversation_id)
    assert done.conversation_id == asked.conversation_id
    assert hass.states.get(KITCHEN_LIGHT).state == "on"
    assert await voice.hears(done, "the kitchen light is on")


async def test_a_follow_up_knows_the_sentence_before_it(hass, voice: Voice, sage: Sage) -> None:
    sage.model_says(*turn_on_the_kitchen_light())
    first = await voice.say("turn on the kitchen light")
    dims = {"devices": ["kitchen_light"], "command": "turn_on", "arguments": {"brightness_pct": 20}}
    sage.model_says(
        *NATIVE.planned("dim it", step("command", "kitchen_light")),
        NATIVE.call("execute_command", **dims),
        NATIVE.finish("acted", "The kitchen light is on."),
    )
    then = await voice.say("now dim it to 20 percent", conversation_id=first.conversation_id)
    assert "turn on the kitchen light." in sage.server.completions[0].prompt.lower()
    assert hass.states.get(KITCHEN_LIGHT).attributes["brightness"] == 51
    assert await voice.hears(then, "the kitchen light is on")


async def test_a_new_request_while_the_first_still_runs(hass, voice: Voice, sage: Sage) -> None:
    thinking = asyncio.Event()
    reading = iter(read_the_kitchen_light("The kitchen light is off."))

    def decide(body: dict[str, Any]) -> Answer:
        if "is the kitchen light on" in str(body["messages"]).lower():
            return next(reading)
        thinking.set()
        return Fault(kind=FaultKind.HANG)

    sage.server.say(decide)
    first = await voice.begin(await voice.servers.async_speak("turn on the light"))
    await voice.follow(first, until="stt-end")
    await thinking.wait()
    await voice.interrupt(first)
    second = await voice.say("is the kitchen light on?")
    assert second.spoken == "The kitchen light is off."
    assert await voice.hears(second, "the kitchen light is off")
    assert hass.states.get(KITCHEN_LIGHT).state == "off"
