"""A model that hangs: the person soon hears that it takes long, and can stop it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest
from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.auth.models import User
from homeassistant.components.assist_pipeline.default_pipeline import STREAM_RESPONSE_CHARS
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from benchmark.model_script import Answer, Fault, FaultKind
from custom_components.sage.agent import End
from custom_components.sage.run import Answering
from custom_components.sage.run.run_registry import SILENT_SECONDS
from custom_components.sage.text.speech import LANGUAGES, async_load_sentences
from tests.waiting import until

from .conftest import Sage, device_of
from .doors.decided import KITCHEN_LIGHT, ask, read_the_kitchen_light, turn_on_the_kitchen_light
from .doors.pipeline import Socket, Turn, chat, follow, make_pipeline, start, type_in
from .doors.voice import VoiceBox, voice

__all__ = ["chat", "voice"]

NOTICE = "This is taking longer than usual. I am still working on it. To end it, say: stop. "
STOPPED = "I stopped before I was done."
ON = "The kitchen light is on."


def pass_time(hass: HomeAssistant, seconds: float = SILENT_SECONDS) -> None:
    async_fire_time_changed(hass, dt_util.utcnow() + timedelta(seconds=seconds + 1))


def hang(sage: Sage, *before: Answer, others: Sequence[Answer] = ()) -> asyncio.Event:
    """Let the model hang about the light after these answers; return the event that it hangs."""
    hanging, answers, answers_to_others = asyncio.Event(), iter(before), iter(others)

    def decide(body: dict[str, Any]) -> Answer:
        if others and "turn on the kitchen light" not in str(body["messages"]):
            return next(answers_to_others)
        if (answer := next(answers, None)) is not None:
            return answer
        hanging.set()
        return Fault(kind=FaultKind.HANG)

    sage.server.say(decide)
    return hanging


def take_long(hass: HomeAssistant, sage: Sage, *answers: Answer) -> None:
    """Let the model take long for its first answer."""
    said = iter(answers)
    is_first = True

    def decide(_: dict[str, Any]) -> Answer:
        nonlocal is_first
        if is_first:
            pass_time(hass)
        is_first = False
        return next(said)

    sage.server.say(decide)


async def heard_first(socket: Socket) -> str:
    """Follow a turn until the first words; return them."""
    turn = Turn()
    while not turn.pieces:
        turn.events.append((await socket.receive_json())["event"])
    return turn.answer


async def typed(
    hass: HomeAssistant, chat: Socket, sage: Sage, *before: Answer, others: Sequence[Answer] = ()
) -> None:
    """Type a command about which the model hangs, and wait for the notice."""
    hanging = hang(sage, *before, others=others)
    await start(chat, "intent", "intent", input={"text": "turn on the kitchen light"})
    await hanging.wait()
    pass_time(hass)
    assert await heard_first(chat) == NOTICE


@pytest.mark.parametrize("language", sorted(LANGUAGES))
async def test_the_notice_is_long_enough_to_be_spoken_at_once(sage: Sage, language: str) -> None:
    assert (
        len((await async_load_sentences(sage.hass, language)).say("takes_long"))
        > STREAM_RESPONSE_CHARS
    )


async def test_an_answer_that_takes_long_is_announced_and_comes_whole(
    hass: HomeAssistant, chat: Socket, sage: Sage, hass_admin_user: User
) -> None:
    take_long(hass, sage, *turn_on_the_kitchen_light())
    turn = await type_in(chat, "turn on the kitchen light")
    assert turn.answer == f"{NOTICE}{ON}"
    assert turn.spoken == sage.traces(hass_admin_user.id)[-1]["answer"] == ON
    sage.model_says(*read_the_kitchen_light())
    await type_in(chat, "is it on?", conversation_id=turn.conversation_id)
    assert "taking longer" not in sage.server.completions[0].prompt


async def test_a_question_after_the_notice_is_answered(chat: Socket, sage: Sage) -> None:
    take_long(sage.hass, sage, ask("Which light?"), *turn_on_the_kitchen_light())
    asked = await type_in(chat, "turn on the light")
    assert asked.answer == f"{NOTICE}Which light?"
    done = await type_in(chat, "the kitchen one", conversation_id=asked.conversation_id)
    assert done.answer == done.spoken == ON


@pytest.mark.parametrize(
    ("language", "notice", "word", "answer"),
    [
        ("de", "Das dauert länger als sonst.", "Stopp!", "Ich habe aufgehört"),
        ("fr", "Cela prend plus de temps", "stop", "Je me suis arrêté"),
    ],
)
async def test_the_notice_is_in_the_persons_language(
    chat: Socket,
    sage: Sage,
    hass_ws_client: Callable[[HomeAssistant], Awaitable[Socket]],
    language: str,
    notice: str,
    word: str,
    answer: str,
) -> None:
    await make_pipeline(chat, language)
    hanging = hang(sage)
    await start(chat, "intent", "intent", input={"text": "mach das Licht an"})
    await hanging.wait()
    pass_time(sage.hass)
    assert (await heard_first(chat)).startswith(notice)
    stop = await type_in(await hass_ws_client(sage.hass), word)
    assert stop.spoken.startswith(answer)


async def test_stop_in_the_chat_ends_the_request(
    hass: HomeAssistant, chat: Socket, sage: Sage, hass_ws_client, hass_admin_user: User
) -> None:
    await typed(hass, chat, sage)
    calls = sage.model_calls

    stop = await type_in(await hass_ws_client(hass), "stop")

    assert stop.spoken == STOPPED
    assert (await follow(chat)).spoken == STOPPED
    assert sage.model_calls == calls
    assert not sage.entry.runtime_data.runs.active
    assert hass.states.is_state(KITCHEN_LIGHT, "off")
    assert sage.traces(hass_admin_user.id)[-1]["answer"] == STOPPED
    assert sage.traces(hass_admin_user.id)[-1]["kind"] == "failure"
    # The next request is new.
    sage.model_says(*turn_on_the_kitchen_light())
    done = await type_in(chat, "turn on the kitchen light")
    assert done.spoken == ON


async def test_what_was_done_before_the_stop_is_said(
    hass: HomeAssistant, chat: Socket, sage: Sage, hass_ws_client
) -> None:
    *decided, _ = turn_on_the_kitchen_light()
    await typed(hass, chat, sage, *decided)
    stop = await type_in(await hass_ws_client(hass), "Cancel that.")
    assert stop.spoken == f"Kitchen Light is now on. {STOPPED}"
    assert (await follow(chat)).spoken == stop.spoken


async def test_other_words_do_not_stop_it(chat: Socket, sage: Sage, hass_ws_client) -> None:
    await typed(sage.hass, chat, sage, others=read_the_kitchen_light("It is off."))
    other = await type_in(await hass_ws_client(sage.hass), "is the light on?")
    assert other.spoken == "It is off."
    assert sage.entry.runtime_data.runs.active


async def test_somebody_else_does_not_stop_it(chat: Socket, sage: Sage) -> None:
    others = [*read_the_kitchen_light("Nothing to stop."), *read_the_kitchen_light("Nor here.")]
    await typed(sage.hass, chat, sage, others=others)
    ben = await sage.hass.auth.async_create_user("Ben", group_ids=[GROUP_ID_ADMIN])
    assert await sage.hear("stop", user_id=ben.id) == "Nothing to stop."
    assert await sage.hear("stop", device_id=device_of(sage.hass, KITCHEN_LIGHT)) == "Nor here."
    assert sage.entry.runtime_data.runs.active


async def test_a_chat_that_is_closed_after_the_notice_ends_the_request(
    hass: HomeAssistant, chat: Socket, sage: Sage, hass_ws_client, hass_admin_user: User
) -> None:
    await typed(hass, chat, sage)
    await chat.close()
    await until(lambda: not sage.entry.runtime_data.runs.active)
    assert sage.traces(hass_admin_user.id)[-1]["answer"] == STOPPED
    assert (await type_in(await hass_ws_client(hass), "stop")).spoken == STOPPED
    sage.model_says(*read_the_kitchen_light("It is off."))
    assert (await type_in(await hass_ws_client(hass), "is it on?")).spoken == "It is off."
    sage.model_says(*read_the_kitchen_light("Nothing to stop."))
    assert (await type_in(await hass_ws_client(hass), "stop")).spoken == "Nothing to stop."


async def test_voice_speaks_the_notice_while_the_model_hangs(voice: VoiceBox, sage: Sage) -> None:
    take_long(sage.hass, sage, *turn_on_the_kitchen_light())
    heard = await voice.satellite.hear("turn on the kitchen light")
    assert await voice.listen(heard["tts-end"]["tts_output"]) == f"{NOTICE}{ON}"
    assert voice.mouth.pieces[0] == NOTICE


async def test_stop_after_the_wake_word_ends_the_request(voice: VoiceBox, sage: Sage) -> None:
    hanging = hang(sage)
    first = sage.hass.async_create_task(voice.satellite.hear("turn on the kitchen light"))
    await hanging.wait()
    calls = sage.model_calls
    pass_time(sage.hass)

    heard = await voice.satellite.hear("stop")

    assert first.cancelled() or first.done()
    assert await voice.listen(heard["tts-end"]["tts_output"]) == STOPPED
    assert sage.model_calls == calls
    assert not sage.entry.runtime_data.runs.active
    (trace,) = sage.traces(None)
    assert trace["answer"] == STOPPED


async def test_stop_is_heard_while_the_request_still_ends(
    hass: HomeAssistant, voice: VoiceBox, sage: Sage, monkeypatch: pytest.MonkeyPatch
) -> None:
    hanging = hang(sage)
    ending, may_end = asyncio.Event(), asyncio.Event()
    note = Answering._async_note

    async def note_slowly(answering: Answering, end: End) -> None:
        ending.set()
        await may_end.wait()
        await note(answering, end)

    monkeypatch.setattr(Answering, "_async_note", note_slowly)
    hass.async_create_task(voice.satellite.hear("turn on the kitchen light"))
    await hanging.wait()
    calls = sage.model_calls
    pass_time(hass)
    stop = hass.async_create_task(voice.satellite.hear("stop"))
    await ending.wait()
    await until(lambda: any(event.type == "intent-start" for event in voice.satellite.events))
    await asyncio.sleep(0.05)
    may_end.set()

    heard = await stop
    assert await voice.listen(heard["tts-end"]["tts_output"]) == STOPPED
    assert sage.model_calls == calls
    (trace,) = sage.traces(None)
    assert trace["answer"] == STOPPED
