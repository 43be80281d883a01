"""Whose routine it is: who hears of it, who is asked, and whose life it is about."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from homeassistant.auth.models import User

from custom_components.sage.delivery.routine_questions import async_answer
from tests.end_to_end.firing.phone import Phone, PushServer

from .acts import asked_for, goes_off, is_over, starts_anew
from .clock import Clock
from .household import Household, Wish, commanding
from .stories import stories

MILK = stories("entities")["milk"]
GARAGE = "cover.garage_door"
GUESTS = Wish(
    said="open the garage door when the fridge is opened",
    reads="fridge",
    code='get_state("binary_sensor.fridge_door") == "on"',
    when="the fridge is opened",
    action="open the garage door",
    commands=({"devices": ["garage_door"], "command": "open_cover"},),
)
NATIVE = replace(GUESTS, commands=())  # the same, but the model decides when it fires
OPENS = commanding(GUESTS, "garage_door", "open_cover", "The garage door is opening.")


@pytest.fixture
async def phone(
    household: Household, owns_phone: Callable[[User, str], Awaitable[Phone]], user: User
) -> Phone:
    return await owns_phone(user, "Pixel")


@pytest.fixture
async def other_phone(
    household: Household, owns_phone: Callable[[User, str], Awaitable[Phone]], other: User
) -> Phone:
    return await owns_phone(other, "Galaxy")


async def test_reminder_reaches_the_one_who_asked(
    household: Household, user: User, phone: Phone, other_phone: Phone
) -> None:
    """And nobody else: no other phone, and nothing that all who are signed in see."""
    await asked_for(household, MILK, user.id)
    for times in (1, 2):
        await household.fires(*MILK.decides(times), happen=lambda: MILK.begins(household))
        assert phone.messages == [MILK.tells] * times
        assert household.sage.traces(user.id)[-1]["answer"] == MILK.tells
        await household.stays_calm(lambda: MILK.ends(household))
        await starts_anew(household)
    assert other_phone.messages == []
    assert household.told == []


async def test_two_people_want_the_same(
    household: Household, user: User, other: User, phone: Phone, other_phone: Phone
) -> None:
    """Each has a routine of their own; of one that is stopped the other knows nothing."""
    for somebody in (user, other):
        await asked_for(household, MILK, somebody.id)
    household.sage.model_says()
    await MILK.begins(household)
    await household.rest()
    assert (phone.messages, other_phone.messages) == ([MILK.tells], [MILK.tells])
    assert household.sage.model_calls == 0
    for somebody in (user, other):
        (trace,) = household.sage.traces(somebody.id)[-1:]
        assert trace["command"] == MILK.wish.action
    await household.routines.async_delete(household.watched(other.id).routine.id)
    await household.stays_calm(lambda: MILK.ends(household))
    await household.fires(*MILK.decides(2), happen=lambda: MILK.begins(household))
    assert (phone.messages, other_phone.messages) == ([MILK.tells] * 2, [MILK.tells])


@pytest.mark.parametrize(("button", "state"), [("Yes", "opening"), ("No", "closed")])
@pytest.mark.parametrize("wish", [GUESTS, NATIVE], ids=["settled", "decides"])
async def test_risky_action_asks(
    household: Household,
    user: User,
    phone: Phone,
    other_phone: Phone,
    wish: Wish,
    button: str,
    state: str,
) -> None:
    """It is asked on the phone of the one whose routine it is, and waits for the answer."""
    heard = await household.ask_for(wish, user.id)
    assert ("I will ask you before I run the action." in heard) == bool(wish.commands)
    household.sage.model_says(*() if wish.commands else OPENS)
    await MILK.begins(household)
    question = await phone.async_question("Garage Door")
    assert household.hass.states.is_state(GARAGE, "closed")
    assert household.done == []
    await phone.async_press(question, button)
    await household.rest()
    assert household.hass.states.is_state(GARAGE, state)
    assert household.done == ["cover.open_cover cover.garage_door()"] * (button == "Yes")
    assert [each for each in other_phone.messages if "arage" in each] == []


async def test_risky_action_without_a_phone_waits(
    household: Household, user: User, other: User
) -> None:
    """Only its person can answer."""
    await household.ask_for(GUESTS, user.id)
    household.sage.model_says()
    await MILK.begins(household)
    await household.rest()
    assert household.done == []
    routine_id = household.watched(user.id).routine.id

    assert not await async_answer(household.hass, other.id, routine_id, "yes")
    await household.rest()
    assert household.done == []
    await async_answer(household.hass, user.id, routine_id, "yes")
    await household.rest()
    assert household.done == ["cover.open_cover cover.garage_door()"]


async def test_risky_action_asks_again_after_a_restart(
    household: Household, clock: Clock, user: User, phone: Phone, push: PushServer
) -> None:
    """The question has expired and is reported; the next firing asks again."""
    await household.ask_for(GUESTS, user.id)
    household.sage.model_says()
    await MILK.begins(household)
    earlier = await phone.async_question("Garage Door")
    await starts_anew(household)
    assert household.done == []
    assert any(GUESTS.action in each for each in phone.messages)
    await is_over(household, MILK, clock)
    household.sage.model_says()
    await MILK.begins(household)
    question = await push.async_wait(
        lambda each: "actions" in each.get("data", {}) and each != earlier
    )
    await phone.async_press(question, "Yes")
    await household.rest()
    assert household.done == ["cover.open_cover cover.garage_door()"]


async def test_household_has_its_own(household: Household, clock: Clock, user: User) -> None:
    """A routine of the household notifies all, and belongs to nobody."""
    await asked_for(household, MILK)
    await goes_off(household, MILK, clock, 1)
    assert household.routines.list(user.id) == ()
    assert household.sage.traces(user.id) == []
