"""Where nobody can be reached a question waits, and only its person can answer."""

import asyncio

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant

from custom_components.sage.agent import port
from custom_components.sage.delivery.routine_questions import async_answer
from custom_components.sage.people.pin import hash_pin
from custom_components.sage.routines.routine_types import Routine
from tests.decisions import NATIVE
from tests.waiting import until

from ..conftest import Clock, MakeSage, Sage
from .routine import ROUTINE_ID, Fires, commands, notes, reminder_of, routine_of, state


@pytest.fixture
def unlocks(sage: Sage, user: User) -> Routine:
    commands(sage, "front_door", command="unlock", answer="The front door is unlocked.")
    return routine_of(user, "unlock the front door")


@pytest.mark.parametrize("name", [ROUTINE_ID, "8", f" {ROUTINE_ID} "])
async def test_its_person_answers_by_routine_or_firing(
    hass: HomeAssistant, fires: Fires, unlocks: Routine, user: User, name: str
):
    running = fires.begin(unlocks, number=8)
    await fires.async_asked()
    await hass.async_block_till_done()
    assert notes(hass) == ["Answer on the page of SAGE, under “Routines”."]

    await async_answer(hass, user.id, name, " yes ")

    assert (await running).answer == "The front door is unlocked."
    assert state(hass) == "unlocked"
    assert notes(hass) == []


async def test_nobody_else_answers(fires: Fires, unlocks: Routine, user: User, other: User):
    system = await fires.hass.auth.async_create_system_user("Supervisor")
    running = fires.begin(unlocks)
    await fires.async_asked()

    for user_id in (other.id, system.id, None, "nobody"):
        assert not await async_answer(fires.hass, user_id, ROUTINE_ID, "yes")
    for name, text in (("another", "yes"), (ROUTINE_ID, "  ")):
        assert not await async_answer(fires.hass, user.id, name, text)
    await fires.hass.async_block_till_done()

    assert not running.done()
    await async_answer(fires.hass, user.id, ROUTINE_ID, "no")
    # The second answer comes too late.
    assert not await async_answer(fires.hass, user.id, ROUTINE_ID, "yes")
    assert (await running).is_failure
    assert state(fires.hass) == "locked"


async def test_who_was_deactivated_cannot_answer(sage: Sage, fires: Fires, user: User, other: User):
    commands(sage, "front_door", command="unlock", answer="-")
    running = fires.begin(routine_of(other, "unlock the front door"))
    await fires.async_asked()
    await sage.hass.auth.async_update_user(other, is_active=False)

    assert not await async_answer(sage.hass, other.id, ROUTINE_ID, "yes")

    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_removing_a_person_ends_what_waits_for_them(
    hass: HomeAssistant, sage: Sage, fires: Fires, user: User, other: User
):
    commands(sage, "front_door", command="unlock", answer="-")
    running = fires.begin(routine_of(other, "unlock the front door"))
    await fires.async_asked()

    await hass.auth.async_remove_user(other)

    assert (await running).is_failure
    assert state(hass) == "locked"
    assert sage.traces(other.id) == []


async def test_anybody_who_is_signed_in_answers_for_the_household_with_the_pin(
    hass: HomeAssistant, make_sage: MakeSage, other: User
):
    pin_hash = await hass.async_add_executor_job(hash_pin, "4711")
    sage: Sage = await make_sage(options={"pin_hash": pin_hash})
    fires = Fires(sage)
    commands(sage, "front_door", command="unlock", answer="The front door is unlocked.")
    running = fires.begin(routine_of(None, "unlock the front door"))
    await fires.async_asked()
    await hass.async_block_till_done()
    assert notes(hass) == [
        (
            "Shall I really unlock Front Door? To confirm, please say the PIN. Answer on the page "
            "of SAGE, under “Routines”."
        )
    ]

    await async_answer(hass, other.id, ROUTINE_ID, "yes")
    question = await fires.async_asked("PIN")
    assert state(hass) == "locked"
    question.answer("4711")

    assert not (await running).is_failure
    assert state(hass) == "unlocked"


async def test_the_wall_clock_of_the_run_stands_still(
    make_sage: MakeSage, user: User, monkeypatch: pytest.MonkeyPatch
):
    """The person takes four minutes; the run may take one."""
    clock = Clock()
    monkeypatch.setattr(port, "time", clock)
    sage: Sage = await make_sage(max_seconds=60)
    fires = Fires(sage)
    sage.model_says(
        NATIVE.call("human_interaction", question="Which milk?"), NATIVE.finish("answered", "Milk!")
    )
    running = fires.begin(reminder_of(user, "remind me"))
    question = await fires.async_asked()
    clock.now += 240

    question.answer("the oat milk")

    assert (await running).answer == "Milk!"


@pytest.mark.parametrize("may_quote_mail", [True, False])
async def test_the_notification_that_all_see_has_no_word_of_the_question(
    hass: HomeAssistant, sage: Sage, fires: Fires, user: User, may_quote_mail: bool
):
    commands(sage, "front_door", command="unlock", answer="The front door is unlocked.")
    routine = routine_of(user, "unlock the front door", tainted=may_quote_mail)
    running = fires.begin(routine)
    await fires.async_asked()
    await until(lambda: "page of SAGE" in "".join(notes(hass)))
    assert "ront" not in "".join(notes(hass))

    await async_answer(hass, user.id, ROUTINE_ID, "no")
    assert (await running).is_failure
