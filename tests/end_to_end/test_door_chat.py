"""The chat: a person types, sees SAGE at work, and reads the answer while it comes."""

from dataclasses import replace

import pytest
from homeassistant.helpers import device_registry as dr

from tests.decisions import NATIVE, plan, step

from .conftest import Sage, device_of
from .doors.decided import (
    KITCHEN_LIGHT,
    LONG_ANSWER,
    ask,
    read_the_kitchen_light,
    turn_on_the_kitchen_light,
)
from .doors.pipeline import Socket, chat, make_pipeline, type_in

__all__ = ["chat"]


async def test_an_answer_after_a_read_streams(chat: Socket, sage: Sage) -> None:
    sage.model_says(*read_the_kitchen_light())
    turn = await type_in(chat, "is the kitchen light on?")
    assert turn.answer == turn.spoken == LONG_ANSWER
    assert [piece for _, piece in turn.pieces] == [
        "The kitchen light is off.",
        " All others in the kitchen are off, too.",
        " It is dark there.",
    ]
    assert turn.kinds == ["run-start", "intent-start", "intent-progress", "intent-end", "run-end"]
    assert turn.data("intent-end")["processed_locally"] is False


@pytest.mark.parametrize(
    "image", ["![](https://x.example/?q=1234)", '<img src="https://x.example/?q=1234">']
)
async def test_an_answer_loads_nothing(chat: Socket, sage: Sage, image: str) -> None:
    """An image in the chat would send whatever its address contains."""
    sage.model_says(*read_the_kitchen_light(f"{LONG_ANSWER} {image} Good night."))
    turn = await type_in(chat, "is the kitchen light on?")
    assert turn.answer == turn.spoken
    assert turn.answer.endswith("Good night.")
    assert "](" not in turn.answer
    assert "<img" not in turn.answer
    assert len(turn.pieces) > 1


async def test_a_question_loads_nothing(chat: Socket, sage: Sage) -> None:
    sage.model_says(ask("Which one? ![](https://x.example/?q=1234)"))
    turn = await type_in(chat, "turn on the light")
    assert turn.answer == "Which one?"


async def test_the_work_is_shown_before_the_answer(chat: Socket, sage: Sage) -> None:
    sage.model_says(*read_the_kitchen_light())
    turn = await type_in(chat, "is the kitchen light on?")
    assert turn.thoughts.splitlines() == ["- Kitchen Light: Off."]
    kinds = [next(iter(delta)) for _, delta in turn.deltas]
    assert kinds[:3] == ["role", "thinking_content", "content"]


async def test_the_details_are_in_the_persons_language(chat: Socket, sage: Sage) -> None:
    sage.model_says(*turn_on_the_kitchen_light("Erledigt."))
    await make_pipeline(chat, "de")
    turn = await type_in(chat, "mach das Küchenlicht an")
    assert turn.thoughts.splitlines() == ["- Kitchen Light ist jetzt an."]


async def test_a_name_is_no_markup_in_the_details(hass, chat: Socket, sage: Sage) -> None:
    dr.async_get(hass).async_update_device(
        device_of(hass, KITCHEN_LIGHT), name_by_user="![Lamp](http://x/y.png)<b>"
    )
    await hass.async_block_till_done()
    read = NATIVE.call("read_attributes", devices=[KITCHEN_LIGHT])
    first, _, _, finish = read_the_kitchen_light()
    planned = plan(step("read", KITCHEN_LIGHT, capabilities=("light",)))
    sage.model_says(first, planned, read, finish)
    turn = await type_in(chat, "is the kitchen light on?")
    assert turn.thoughts.startswith("- ! Lamp (http x/y.png): ")


async def test_an_answer_after_a_command_waits_for_the_outcome(chat: Socket, sage: Sage) -> None:
    told = "Done: the kitchen light is on now, as bright as it was the last time."
    sage.model_says(*turn_on_the_kitchen_light(told))
    turn = await type_in(chat, "turn on the kitchen light")
    light = sage.shown(KITCHEN_LIGHT)
    assert light.state == "on"
    assert turn.answer == turn.spoken == told
    assert all(said_at > light.last_changed for said_at, _ in turn.pieces)
    assert turn.thoughts.splitlines() == ["- Kitchen Light is now on."]


async def test_a_claim_before_the_command_is_not_shown(chat: Socket, sage: Sage) -> None:
    """A model that writes text next to its calls: the text is no answer."""
    first, planned, command, finish = turn_on_the_kitchen_light()
    claim = replace(command, text="Done, the light is on!")
    sage.model_says(first, planned, claim, finish)
    turn = await type_in(chat, "turn on the kitchen light")
    assert turn.answer == "The kitchen light is on."


async def test_a_false_claim_never_reaches_the_chat(hass, chat: Socket, sage: Sage) -> None:
    sage.model_says(
        NATIVE.finish("acted", "I have turned on the kitchen light for you."),
        NATIVE.finish("acted", "I have turned on the kitchen light for you."),
    )
    turn = await type_in(chat, "turn on the kitchen light")
    assert "turned on" not in turn.answer
    assert turn.answer == turn.spoken
    assert hass.states.get(KITCHEN_LIGHT).state == "off"


async def test_a_question_is_answered_in_the_next_turn(hass, chat: Socket, sage: Sage) -> None:
    sage.model_says(ask("Which light do you mean?"), *turn_on_the_kitchen_light())
    asked = await type_in(chat, "turn on the light")
    assert asked.spoken == asked.answer == "Which light do you mean?"
    assert asked.result["continue_conversation"] is True
    done = await type_in(chat, "the kitchen one", conversation_id=asked.conversation_id)
    assert done.spoken == "The kitchen light is on."
    assert done.conversation_id == asked.conversation_id
    assert done.result["continue_conversation"] is False
    assert hass.states.get(KITCHEN_LIGHT).state == "on"


async def test_whoever_is_logged_in_is_the_person(
    chat: Socket, sage: Sage, hass_admin_user
) -> None:
    sage.model_says(*turn_on_the_kitchen_light())
    await type_in(chat, "turn on the kitchen light")
    assert f"Person: {hass_admin_user.name}." in sage.server.completions[0].prompt
    assert len(sage.traces(hass_admin_user.id)) == 1
    assert sage.traces(None) == []
