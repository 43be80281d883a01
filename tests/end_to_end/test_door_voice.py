"""Voice: audio in, words out, through the real pipeline."""

import asyncio
from typing import Any

from homeassistant.helpers import area_registry as ar

from benchmark.model_script import Answer, Fault, FaultKind

from .conftest import Sage
from .doors.decided import (
    KITCHEN_LIGHT,
    LONG_ANSWER,
    ask,
    read_the_kitchen_light,
    turn_on_the_kitchen_light,
)
from .doors.pipeline import Socket, Turn, follow, start
from .doors.voice import VoiceBox, audio_of, voice

__all__ = ["voice"]


async def speak(socket: Socket, words: str, **values) -> Turn:
    """Send the sound of words over the websocket; return what happened."""
    await start(socket, "stt", "tts", input={"sample_rate": 16000}, **values)
    begun = (await follow(socket, until="run-start")).events
    handler = bytes([begun[0]["data"]["runner_data"]["stt_binary_handler_id"]])
    for frame in audio_of(words):
        await socket.send_bytes(handler + frame)
    await socket.send_bytes(handler)
    turn = await follow(socket)
    return Turn(events=begun + turn.events)


async def test_a_spoken_command_is_done_and_answered_aloud(
    hass, voice: VoiceBox, sage: Sage, hass_ws_client
) -> None:
    sage.model_says(*turn_on_the_kitchen_light())
    turn = await speak(await hass_ws_client(hass), "turn on the kitchen light")
    assert turn.data("stt-end")["stt_output"]["text"] == "turn on the kitchen light"
    assert turn.data("tts-start")["tts_input"] == "The kitchen light is on."
    assert await voice.listen(turn.data("tts-end")["tts_output"]) == "The kitchen light is on."
    assert hass.states.get(KITCHEN_LIGHT).state == "on"


async def test_a_spoken_question_is_answered_in_the_next_turn(
    hass, voice: VoiceBox, sage: Sage, hass_ws_client
) -> None:
    socket = await hass_ws_client(hass)
    sage.model_says(ask("Which light do you mean?"), *turn_on_the_kitchen_light())
    asked = await speak(socket, "turn on the light")
    assert asked.result["continue_conversation"] is True
    assert await voice.listen(asked.data("tts-end")["tts_output"]) == "Which light do you mean?"
    done = await speak(socket, "the kitchen one", conversation_id=asked.conversation_id)
    assert done.conversation_id == asked.conversation_id
    assert done.result["continue_conversation"] is False
    assert await voice.listen(done.data("tts-end")["tts_output"]) == "The kitchen light is on."
    assert hass.states.get(KITCHEN_LIGHT).state == "on"


async def test_a_long_answer_is_spoken_while_it_is_written(
    hass, voice: VoiceBox, sage: Sage, hass_ws_client
) -> None:
    sage.model_says(*read_the_kitchen_light())
    turn = await speak(await hass_ws_client(hass), "is the kitchen light on?")
    progress = [event["data"] for event in turn.events if event["type"] == "intent-progress"]
    assert {"tts_start_streaming": True} in progress
    assert await voice.listen(turn.data("tts-end")["tts_output"]) == LONG_ANSWER
    assert len(voice.mouth.pieces) > 1


async def test_a_satellite_has_a_room_and_nobody_logged_in(voice: VoiceBox, sage: Sage) -> None:
    sage.model_says(*turn_on_the_kitchen_light())
    heard = await voice.satellite.hear("turn on the light")
    assert heard["intent-start"]["satellite_id"] == voice.satellite.entity_id
    assert heard["intent-start"]["device_id"]
    prompt = sage.server.completions[0].prompt
    assert "The person is in: Kitchen" in prompt
    assert "Person: not known." in prompt
    assert [trace["command"] for trace in sage.traces(None)] == ["turn on the light"]
    assert sage.state(KITCHEN_LIGHT) == "on"
    assert await voice.listen(heard["tts-end"]["tts_output"]) == "The kitchen light is on."


async def test_a_satellite_is_asked_and_its_reply_resumes_the_run(
    hass, voice: VoiceBox, sage: Sage
) -> None:
    sage.model_says(ask("Which light do you mean?"), *turn_on_the_kitchen_light())
    asked = await voice.satellite.hear("turn on the light")
    output = asked["intent-end"]["intent_output"]
    assert output["continue_conversation"] is True
    assert await voice.listen(asked["tts-end"]["tts_output"]) == "Which light do you mean?"
    assert hass.states.get(KITCHEN_LIGHT).state == "off"

    done = await voice.satellite.hear("the kitchen one")
    again = done["intent-end"]["intent_output"]
    assert again["conversation_id"] == output["conversation_id"]
    assert again["continue_conversation"] is False
    assert await voice.listen(done["tts-end"]["tts_output"]) == "The kitchen light is on."
    assert hass.states.get(KITCHEN_LIGHT).state == "on"
    # One run: the model sees what it had asked, and the reply to it.
    asking, *_ = sage.server.completions[1].messages[2]["tool_calls"]
    assert asking["function"]["name"] == "human_interaction"
    assert 'The person replied: "the kitchen one"' in sage.server.completions[1].prompt
    (trace,) = sage.traces(None)
    assert trace["command"] == "turn on the light"


async def test_the_area_of_the_satellite_itself_goes_before_that_of_its_device(
    hass, voice: VoiceBox, sage: Sage, entity_registry
) -> None:
    office = ar.async_get(hass).async_get_area_by_name("Office")
    assert office is not None
    entity_registry.async_update_entity(voice.satellite.entity_id, area_id=office.id)
    sage.model_says(*turn_on_the_kitchen_light())
    await voice.satellite.hear("turn on the kitchen light")
    assert "The person is in: Office" in sage.server.completions[0].prompt


async def test_a_satellite_that_is_interrupted_hears_the_next_sentence(
    hass, voice: VoiceBox, sage: Sage
) -> None:
    """The wake word in the middle of a turn ends the turn; what is said then is its own."""
    thinking = asyncio.Event()
    reading = iter(read_the_kitchen_light("It is off."))

    def decide(body: dict[str, Any]) -> Answer:
        if "Request: turn on the light" in str(body["messages"]):
            thinking.set()
            return Fault(kind=FaultKind.HANG)
        return next(reading)

    sage.server.say(decide)
    first = hass.async_create_task(voice.satellite.hear("turn on the light"))
    await thinking.wait()
    heard = await voice.satellite.hear("is the kitchen light on?")
    assert first.cancelled() or first.done()
    assert await voice.listen(heard["tts-end"]["tts_output"]) == "It is off."
    assert hass.states.get(KITCHEN_LIGHT).state == "off"
