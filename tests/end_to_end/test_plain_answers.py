"""Answers are spoken: no markup or ids; home-assistant/core #121819, #143867 and #147541."""

from pathlib import Path

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.typing import WebSocketGenerator

from tests.decisions import FORMATS, NATIVE, Decides, claim

from .conftest import MakeSage, Sage
from .doors.pipeline import Socket, chat, make_pipeline, set_up_assist, type_in
from .routine_tools.test_not_yet import NOTHING, OF_OTHERS, WEAK, wants

__all__ = ["chat"]

OFF = claim("kitchen_light", "off", "read")
ANSWERS = {
    "emphasis": ("The **kitchen light** is _off_.", "The kitchen light is off."),
    "heading": ("## Kitchen\nIt is off.", "Kitchen\nIt is off."),
    "bullets": ("Off:\n- Kitchen Light\n* no other", "Off:\nKitchen Light\nno other"),
    "code": ("It is `off`.", "It is off."),
    "link": ("It is [off](https://example.com).", "It is off."),
    "HTML": ("It is <b>off</b>.<br/>Really.", "It is off.\nReally."),
    "emoji": ("It is off 💡 :bulb:", "It is off"),
    "reasoning": ("<think>hm</think>It is off.", "It is off."),
    "reasoning without a beginning": ("hm</think>It is off.", "It is off."),
    "id in brackets": ("It is off (light.kitchen_light).", "It is off."),
    "id with a label": (
        "Kitchen Light [entity_id: light.kitchen_light] is off.",
        "Kitchen Light is off.",
    ),
    "id of an entity": ("light.kitchen_light is off.", "Kitchen Light is off."),
    "id of a device": ("The kitchen_light is off.", "The Kitchen Light is off."),
}


@pytest.mark.parametrize("decision_format", FORMATS)
@pytest.mark.parametrize("kind", ANSWERS)
async def test_answer_is_plain(make_sage: MakeSage, decision_format: str, kind: str) -> None:
    written, heard = ANSWERS[kind]
    sage = await make_sage(decision_format)
    sage.model_says(Decides(decision_format).finish("answered", written, OFF))
    assert await sage.hear("is the kitchen light on?") == heard
    assert sage.model_calls == 1


@pytest.mark.parametrize("kind", ANSWERS)
async def test_question_is_plain(sage: Sage, kind: str) -> None:
    written, heard = ANSWERS[kind]
    sage.model_says(NATIVE.call("human_interaction", question=written))
    assert await sage.hear("turn on the light") == heard


async def test_question_with_an_unknown_id(sage: Sage) -> None:
    ask = NATIVE.call("human_interaction", question="Is brightness_pct enough?")
    sage.model_says(ask, ask)
    assert await sage.hear("turn on the light") == "Is brightness pct enough?"


@pytest.mark.parametrize("kind", [kind for kind in ANSWERS if "beginning" not in kind])
async def test_streamed_pieces_are_the_spoken_answer(chat: Socket, sage: Sage, kind: str) -> None:
    """A loudspeaker reads the pieces while the model still writes."""
    written, heard = ANSWERS[kind]
    sage.model_says(
        NATIVE.call("read_attributes", devices=["kitchen_light"]),
        NATIVE.finish("answered", f"{written} It was off all day.", OFF),
    )
    turn = await type_in(chat, "is the kitchen light on?")
    joined = f"{heard} It was off all day."
    assert (turn.answer, turn.spoken) == (joined, joined)


@pytest.mark.parametrize("language", ["en", "de", "fr"])
async def test_sentence_of_the_code_is_plain(hass, sage: Sage, language: str) -> None:
    er.async_get(hass).async_update_entity("light.kitchen_light", name="**Kitchen** <b>light</b>")
    await hass.async_block_till_done()
    sage.model_says(
        NATIVE.execute("light.kitchen_light", command="turn_on", timing="now", final=True)
    )
    heard = await sage.hear("turn on the kitchen light", language=language)
    assert hass.states.get("light.kitchen_light").state == "on"
    assert "Kitchen light" in heard
    assert not any(sign in heard for sign in ("*", "<", "_"))


@pytest.mark.parametrize("is_weak", [True, False])
async def test_a_weak_model_does_not_leave_out_the_number(
    make_sage: MakeSage, *, is_weak: bool
) -> None:
    sage = await make_sage("constrained", **(WEAK if is_weak else {}))
    first = [wants("tell"), NOTHING, OF_OTHERS] if is_weak else []
    written = "The bedroom climate is pleasant."
    read = claim("bedroom_climate", "19.4", "read", attribute="temperature")
    sage.model_says(*first, Decides("constrained").finish("answered", written, read))
    heard = await sage.hear("how warm is it in the bedroom?")
    assert ("19.4" in heard) is is_weak
    assert (heard == written) is not is_weak


@pytest.mark.parametrize(
    ("written", "heard"),
    [
        ("It is off.", "Kitchen Light: It is off."),
        ("Ist aus.", "Kitchen Light: Ist aus."),
        ("The light is off.", "The light is off."),
        ("Nothing is lit in the kitchen.", "Nothing is lit in the kitchen."),
        ("The kitchen light is on.", "Kitchen Light: off."),
    ],
)
@pytest.mark.parametrize("is_weak", [True, False])
async def test_a_weak_model_does_not_hide_which_device_and_state_it_means(
    hass: HomeAssistant,
    hass_ws_client: WebSocketGenerator,
    tmp_path: Path,
    make_sage: MakeSage,
    written: str,
    heard: str,
    *,
    is_weak: bool,
) -> None:
    sage = await make_sage("constrained", **(WEAK if is_weak else {}))
    await set_up_assist(hass, tmp_path)
    socket = await hass_ws_client(hass)
    await make_pipeline(socket)
    first = [wants("tell"), NOTHING, OF_OTHERS] if is_weak else []
    sage.model_says(*first, Decides("constrained").finish("answered", written, OFF))
    turn = await type_in(socket, "is the living room light on?")
    expected = heard if is_weak else written
    assert (turn.answer, turn.spoken) == (expected, expected)
