"""Listeners get each change, also changes of names that lead to another entity."""

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from tests.home.entity_home import EntityHome
from tests.routines.conditions.calling import Asking, noting

type Told = list[str]


@pytest.fixture
def told() -> Told:
    return []


@pytest.fixture
async def door(hass: HomeAssistant, asking: Asking, told: Told) -> er.RegistryEntry:
    build = EntityHome(hass)
    entry = build.entity(
        "binary_sensor.door", "off", device=build.device("Door"), name="Leaf", battery=50
    )
    build.entity("binary_sensor.gate", "off", device=build.device("Gate"))
    answered = await asking("get_state", "door")
    asking.functions.watch(answered.keys, noting(told))
    await hass.async_block_till_done()
    told.clear()
    return entry


async def test_each_change_is_told(hass, door, told: Told):
    hass.states.async_set("binary_sensor.door", "on")
    hass.states.async_set("binary_sensor.gate", "on")
    hass.states.async_set("binary_sensor.door", "off")
    await hass.async_block_till_done()

    assert told == ["binary_sensor.door"] * 2


async def test_a_change_of_an_attribute_is_told_and_a_report_of_the_same_is_not(
    hass, door, told: Told
):
    hass.states.async_set("binary_sensor.door", "off", {"battery": 50})
    await hass.async_block_till_done()
    assert told == []
    hass.states.async_set("binary_sensor.door", "off", {"battery": 49})
    await hass.async_block_till_done()
    assert len(told) == 1


async def test_after_a_rename_the_new_key_is_told(hass, asking: Asking, door, told: Told):
    er.async_get(hass).async_update_entity("binary_sensor.door", new_entity_id="binary_sensor.d2")
    # As the entity does.
    hass.states.async_remove("binary_sensor.door")
    hass.states.async_set("binary_sensor.d2", "off")
    await hass.async_block_till_done()

    assert told == ["binary_sensor.door"]
    answered = await asking("get_state", "door")
    assert answered.keys == {"binary_sensor.d2"}


async def test_who_stops_watching_is_told_nothing(hass, asking: Asking):
    build = EntityHome(hass)
    build.entity("binary_sensor.door", "off", device=build.device("Door"))
    told: Told = []
    answered = await asking("get_state", "door")
    stop = asking.functions.watch(answered.keys, noting(told))
    stop()
    stop()

    hass.states.async_set("binary_sensor.door", "on")
    await hass.async_block_till_done()

    assert told == []


async def test_it_is_told_when_a_device_comes_back(hass, asking: Asking, door, told: Told):
    hass.states.async_set("binary_sensor.door", "unavailable")
    await hass.async_block_till_done()
    assert (await asking("get_state", "door")).is_unknown
    hass.states.async_set("binary_sensor.door", "on")
    await hass.async_block_till_done()

    assert len(told) == 2
    assert await asking.value("get_state", "door") == "on"
