"""The view of routines: a person sees and changes their own, an administrator only public facts."""

import json
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.auth.models import User
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.components.recorder.common import (
    async_wait_recording_done,
)

from custom_components.sage.agent.port import Wanted
from custom_components.sage.delivery.routine_questions import OpenQuestion, questions_of
from custom_components.sage.routines.routine_types import Status
from custom_components.sage.routines.routines import Routines
from tests.end_to_end.conftest import Sage
from tests.fridge_house import CODE, FRIDGE, MAKE, mock_recorder_before_hass, routines, sage
from tests.memory_house import call as act
from tests.waiting import until

from .conftest import Call, ask, send

__all__ = ["mock_recorder_before_hass", "routines", "sage"]


def turn_fridge(hass: HomeAssistant, state: str) -> None:
    """Open (`on`) or close the fridge."""
    hass.states.async_set(FRIDGE, state, {"friendly_name": "Fridge"})


async def key_of_error(call: Call, user: User, action: str, **data: Any) -> str:
    """Call an action of the view that is refused; return the key of the error."""
    answer = await send(call, user, action, **data)
    assert not answer["success"]
    return str(answer["error"]["translation_key"])


async def test_a_card_says_what_will_happen_and_the_code_comes_on_opening(
    hass: HomeAssistant, sage: Sage, call: Call, anna: User
):
    made = await act(hass, "create_routine", anna, **MAKE)

    listed = await ask(call, anna, "routines/list", language="de")
    opened = await ask(call, anna, "routines/get", routine=made["id"])

    (card,) = listed["routines"]
    assert card["id"] == made["id"]
    assert card["request"] == "the fridge is opened: tell me to throw out the milk"
    assert card["says"].startswith("Jedes Mal, wenn the fridge is opened")
    assert card["status"] == "watching"
    assert not card["is_household"]
    assert "code" not in card
    assert opened["code"] == CODE
    assert listed["agent"] == "conversation.sage"
    assert listed["questions"] == listed["others"] == []


async def test_nobody_reads_the_routines_of_another(
    hass: HomeAssistant, sage: Sage, call: Call, anna: User, ben: User, admin: User
):
    made = await act(hass, "create_routine", anna, **MAKE)

    of_ben = await ask(call, ben, "routines/list")
    of_admin = await ask(call, admin, "routines/list")

    assert of_ben["routines"] == of_ben["others"] == []
    assert of_admin["routines"] == []
    (other,) = of_admin["others"]
    assert other.keys() == {
        "id",
        "entity_id",
        "number",
        "status",
        "last_fired",
        "next_check",
        "fired",
    }
    assert "fridge" not in json.dumps(of_admin)
    for user in (ben, admin):
        for action in ("routines/get", "test_routine"):
            error = await key_of_error(call, user, action, routine=made["id"])
            assert error == "unknown_routine"
    for action in ("pause_routine", "resume_routine", "delete_routine"):
        assert await key_of_error(call, ben, action, routine=made["id"]) == "unknown_routine"


async def test_administrators_read_what_the_household_made(
    hass: HomeAssistant, sage: Sage, call: Call, anna: User, admin: User
):
    made = await act(hass, "create_routine", None, **MAKE)

    of_admin = await ask(call, admin, "routines/list")
    of_anna = await ask(call, anna, "routines/list")
    opened = await ask(call, admin, "routines/get", routine=made["id"])

    (card,) = of_admin["routines"]
    assert card["is_household"]
    assert card["request"] == "the fridge is opened: tell me to throw out the milk"
    assert opened["code"] == CODE
    assert of_anna["routines"] == of_anna["others"] == []


async def test_questions_reach_only_those_who_may_answer(
    hass: HomeAssistant, sage: Sage, call: Call, anna: User, ben: User
):
    made = await act(hass, "create_routine", anna, **MAKE)
    question = OpenQuestion(
        owner=anna.id,
        routine_id=made["id"],
        firing_id=3,
        text="Unlock the front door?",
        language="de",
        wanted=Wanted.PIN,
        takes_pin=True,
    )
    questions_of(hass).append(question)
    of_anna = await ask(call, anna, "routines/list")
    of_ben = await ask(call, ben, "routines/list")
    huge = await call(anna, "sage/answer_routine", routine=made["id"], answer="no " * 1_000)
    await call(anna, "sage/answer_routine", routine=made["id"], answer="4711")

    assert of_anna["questions"] == [
        {
            "id": question.id,
            "routine": made["id"],
            "firing": 3,
            "text": "Unlock the front door?",
            "wanted": "pin",
            "takes_pin": True,
            "yes": "Ja",
            "no": "Nein",
        }
    ]
    assert of_ben["questions"] == []
    assert huge["error"]["code"] == "invalid_format"
    assert question.reply.result() == "4711"


async def test_an_error_is_a_kind_with_technical_text_and_no_sentence(
    hass: HomeAssistant, routines: Routines, call: Call, anna: User
):
    await act(hass, "create_routine", anna, **MAKE)
    code = "def check():\n    return 1 / 0\n"

    broken = await act(hass, "test_routine", anna, code=code)
    async_expose_entity(hass, "conversation", FRIDGE, False)
    turn_fridge(hass, "on")
    await until(lambda: routines.list(anna.id)[0].status is Status.NOT_EXPOSED)
    (card,) = (await ask(call, anna, "routines/list"))["routines"]

    shown = ("kind", "line", "detail")
    assert [broken["error"][key] for key in shown] == [
        "exception",
        2,
        "ZeroDivisionError: division by zero",
    ]
    assert [card["trouble"][key] for key in shown] == ["withheld", None, f"get_state({FRIDGE!r})"]


async def test_the_last_day_shows_when_the_condition_was_true(
    hass: HomeAssistant, sage: Sage, call: Call, anna: User, freezer: FrozenDateTimeFactory
):
    made = await act(hass, "create_routine", anna, **MAKE)
    spans = []
    for _ in range(2):
        freezer.tick(600)
        turn_fridge(hass, "on")
        spans.append([dt_util.now().isoformat()])
        freezer.tick(60)
        turn_fridge(hass, "off")
        spans[-1].append(dt_util.now().isoformat())
    freezer.tick(60)
    await async_wait_recording_done(hass)

    day = (await act(hass, "test_routine", anna, routine=made["id"]))["last_24_hours"]

    assert day["true"] == spans
    assert day["would_have_fired"] == [start for start, _ in spans]
    assert day["since"] < spans[0][0]
