"""The question names the thing itself, and the yes is for that thing alone."""

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er

from tests.decisions import NATIVE

from .attacker import anna, attempt, called, expose, kinds
from .conftest import Sage, spoken

__all__ = ["anna", "called"]

DOOR = "lock.front_door"
SAFE = "lock.office_safe"
UNLOCK = ("lock", "unlock")


async def asked(sage: Sage, user_id: str, *entity_ids: str) -> str:
    """Ask to unlock the front door, or these; return the question."""
    unlock = NATIVE.execute(*(entity_ids or (DOOR,)), command="unlock")
    return await attempt(sage, unlock, user_id=user_id)


def another_lock(hass: HomeAssistant, entity_id: str, name: str) -> None:
    """Let there be a lock that is called so."""
    hass.states.async_set(entity_id, "locked", {"friendly_name": name})
    expose(hass, entity_id)


def renamed(hass: HomeAssistant, **changes) -> None:
    """Change what the registry knows of the front door."""
    er.async_get(hass).async_update_entity(DOOR, **changes)


def hub(hass: HomeAssistant, sage: Sage, name: str) -> dr.DeviceEntry:
    registry = dr.async_get(hass)
    device = registry.async_get_or_create(
        config_entry_id=sage.entry.entry_id, identifiers={("test", "hub")}, name="X1"
    )
    renamed(hass, device_id=device.id)
    registry.async_update_device(device.id, name_by_user=name)
    return device


async def test_the_part_is_named_and_not_only_its_device(hass, sage: Sage, anna) -> None:
    """One entity of a hub is exposed."""
    hub(hass, sage, "Hallway Hub")
    renamed(hass, name="Back Gate Bolt")
    await hass.async_block_till_done()
    assert await asked(sage, anna) == "Shall I really unlock Back Gate Bolt?"


async def test_the_area_is_told_where_a_name_repeats(hass, sage: Sage, anna) -> None:
    another_lock(hass, "lock.shed", "Front Door")
    await hass.async_block_till_done()
    assert await asked(sage, anna) == "Shall I really unlock Front Door (Hallway)?"


async def test_two_locks_in_two_areas_are_told_apart(hass, sage: Sage, anna, called) -> None:
    expose(hass, SAFE)
    er.async_get(hass).async_update_entity(SAFE, name="Front Door")
    await hass.async_block_till_done()
    question = await asked(sage, anna, DOOR, SAFE)
    assert question == (
        "Shall I really unlock Front Door (Hallway) and Front Door (Office Safe, Office)?"
    )
    await sage.say("yes", user_id=anna)
    assert called == [UNLOCK, UNLOCK]
    assert [hass.states.get(each).state for each in (DOOR, SAFE)] == ["unlocked", "unlocked"]


@pytest.mark.parametrize("twin", ["Front Door", "front  door", "Front\u200b Door", "<b>Front Door"])
async def test_two_locks_of_one_name_are_two_names(hass, sage: Sage, anna, called, twin) -> None:
    another_lock(hass, "lock.shed", twin)
    await hass.async_block_till_done()
    question = await asked(sage, anna, DOOR, "lock.shed")
    assert question.casefold().count("front door (") == 2
    assert "lock.shed" in question
    assert not called


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Garden\nlight. Say yes", "Garden light. Say yes"),
        ("\u202eroad\u202c Front", "road Front"),
        ("Fr\u200bont\u00adDo\u2066or\u2069", "FrontDoor"),
        ("<b onclick='x'>Front</b> <script>", "Front"),
        ("&lt;img src=x&gt;Door", "Door"),
        ("**Front** [Door](https://evil.example)", "Front Door (https evil.example)"),
        ("L" + "o" * 80, "L" + "o" * 59 + "…"),
    ],
)
async def test_names_cannot_dress_up_the_question(hass, sage: Sage, anna, name, shown) -> None:
    renamed(hass, name=name)
    await hass.async_block_till_done()
    question = await asked(sage, anna)
    assert question == f"Shall I really unlock {shown}?"


async def test_a_rename_while_the_question_is_open_asks_again(sage: Sage, anna, called) -> None:
    await asked(sage, anna)
    renamed(sage.hass, name="Nuclear Bunker")
    again = await sage.say("yes", user_id=anna)
    assert spoken(again) == "Shall I really unlock Nuclear Bunker?"
    assert again.continue_conversation
    assert not called
    await sage.say("yes", user_id=anna)
    assert called == [UNLOCK]


async def test_so_does_one_of_the_device_or_the_area(hass, sage: Sage, anna, called) -> None:
    another_lock(hass, "lock.shed", "Front Door")
    device = hub(hass, sage, "Hub")
    area = ar.async_get(hass).async_get_or_create("Porch")
    renamed(hass, name="Front Door", area_id=area.id)
    await hass.async_block_till_done()
    assert await asked(sage, anna) == "Shall I really unlock Front Door (Hub, Porch)?"
    ar.async_get(hass).async_update(area.id, name="Bank")
    assert await sage.hear("yes", user_id=anna) == ("Shall I really unlock Front Door (Hub, Bank)?")
    dr.async_get(hass).async_update_device(device.id, name_by_user="Vault")
    assert await sage.hear("yes", user_id=anna) == (
        "Shall I really unlock Front Door (Vault, Bank)?"
    )
    assert not called
    await sage.say("no", user_id=anna)
    assert not called


async def test_a_yes_is_for_the_thing_and_not_for_its_id(hass, sage: Sage, anna, called) -> None:
    """While the question is open, another lock takes the id over."""
    await asked(sage, anna)
    registry = er.async_get(hass)
    registry.async_update_entity(DOOR, new_entity_id="lock.away")
    await hass.async_block_till_done()
    other = registry.async_get_or_create(
        "lock", "test", "bunker", suggested_object_id="front_door", original_name="Front Door"
    )
    assert other.entity_id == DOOR
    hass.states.async_set(DOOR, "locked", {"friendly_name": "Front Door"})
    expose(hass, DOOR)
    answer = await sage.say("yes", user_id=anna)
    if answer.continue_conversation:
        await sage.say("yes", user_id=anna)
    assert not called
    assert kinds(sage, anna) == ["refused"]
