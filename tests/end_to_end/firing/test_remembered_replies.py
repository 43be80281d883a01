"""A reply to a routine becomes a memory of its person if they certainly gave it."""

from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from custom_components.sage.delivery.open_questions import async_answer
from custom_components.sage.people.person import HOUSEHOLD, Person
from custom_components.sage.people.pin import hash_pin

from ..conftest import MakeSage, Sage
from .conftest import MakeBox
from .phone import Phone
from .routine import DECIDES, ROUTINE_ID, Fires, reminder_of
from .voice import AskingBox

HERRING = "I love pickled herring"
MILK, BREAD = "Which milk?", "Which bread?"


def asks(sage: Sage, *questions: str) -> None:
    """Script a model that asks, and is content."""
    asked = [DECIDES.call("human_interaction", question=each) for each in questions]
    sage.model_says(*asked, DECIDES.finish("answered", "Well."))


async def kept(sage: Sage, user: User | None) -> list[tuple[str | None, str]]:
    """Return what is remembered of somebody."""
    await sage.hass.async_block_till_done()
    person = HOUSEHOLD if user is None else Person(user_id=user.id, name="")
    memories: list[Any] = await sage.entry.runtime_data.memory.async_do(
        person, lambda each: each.list()
    )
    return [(each.question, each.text) for each in memories]


@pytest.mark.parametrize("has_pin", [True, False])
@pytest.mark.parametrize("is_own", [True, False])
async def test_a_voice_at_a_satellite_may_be_anybodys(
    hass: HomeAssistant,
    make_sage: MakeSage,
    make_box: MakeBox,
    user: User,
    has_pin: bool,
    is_own: bool,
):
    pin_hash = await hass.async_add_executor_job(hash_pin, "4711")
    sage: Sage = await make_sage(options={"pin_hash": pin_hash} if has_pin else {})
    box: AskingBox = await make_box()
    row = er.async_get(hass).async_get(box.satellite.entity_id)
    assert row is not None
    if is_own:
        options = {**sage.entry.options, "satellites": {row.id: user.id}}
        hass.config_entries.async_update_entry(sage.entry, options=options)
        await hass.async_block_till_done()
    box.satellite.replies = [HERRING]
    asks(sage, MILK)

    report = await Fires(sage).fire(
        reminder_of(user, "remind me", satellite_id=box.satellite.entity_id)
    )

    assert report.answer == "Well."
    assert box.satellite.asked == [MILK]
    assert await kept(sage, user) == []


async def test_what_is_said_for_the_household_is_the_households(
    hass: HomeAssistant, sage: Sage, make_box: MakeBox
):
    box = await make_box()
    box.satellite.replies = [HERRING]
    asks(sage, MILK)

    await Fires(sage).fire(reminder_of(None, "remind us", satellite_id=box.satellite.entity_id))

    assert await kept(sage, None) == [(MILK, HERRING)]


async def test_what_its_person_types_on_the_phone_is_theirs(
    sage: Sage, fires: Fires, user: User, phone: Phone
):
    asks(sage, MILK)
    running = fires.begin(reminder_of(user, "remind me"))
    await phone.async_press(await phone.async_question(MILK), "Reply", "the oat milk")
    await running

    assert await kept(sage, user) == [(MILK, "the oat milk")]


async def test_each_reply_is_judged_for_itself(
    hass: HomeAssistant, sage: Sage, fires: Fires, user: User
):
    asks(sage, MILK, BREAD)
    running = fires.begin(reminder_of(user, "remind me"))
    (await fires.async_asked(MILK)).answer(HERRING)
    await fires.async_asked(BREAD)
    await async_answer(hass, user.id, ROUTINE_ID, "rye")
    await running

    assert await kept(sage, user) == [(BREAD, "rye")]


async def test_asked_twice_it_has_to_be_its_person_twice(
    hass: HomeAssistant, sage: Sage, fires: Fires, user: User
):
    asks(sage, MILK, MILK)
    running = fires.begin(reminder_of(user, "remind me"))
    first = await fires.async_asked(MILK)
    first.answer(HERRING)
    await fires.async_asked(MILK)
    await async_answer(hass, user.id, ROUTINE_ID, "oat")
    await running

    assert await kept(sage, user) == []
