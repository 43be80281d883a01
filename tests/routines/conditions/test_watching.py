"""Listeners get each change, also changes of names that lead to another entity."""

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockUser

from tests.home.entity_home import EntityHome
from tests.routines.conditions.calling import Asking, noting

type Told = list[tuple[str, str | None]]


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


async def test_a_change_is_told_with_what_led_to_it(hass, door, told: Told):
    own, run = Context(), Context()
    hass.states.async_set("binary_sensor.door", "on", context=own)
    hass.states.async_set("binary_sensor.gate", "on")
    hass.states.async_set("binary_sensor.door", "off", context=Context(parent_id=run.id))
    await hass.async_block_till_done()

    assert told == [("binary_sensor.door", own.id), ("binary_sensor.door", run.id)]


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
    await hass.async_block_till_done()

    assert told == [("binary_sensor.door", None)]
    answered = await asking("get_state", "door")
    assert answered.keys == {"binary_sensor.d2"}


@pytest.mark.parametrize("what", ["exposure", "person", "removed", "disabled", "area"])
async def test_what_changes_what_may_be_seen_is_told(hass, door, told: Told, what):
    registry = er.async_get(hass)
    match what:
        case "exposure":
            async_expose_entity(hass, "conversation", "binary_sensor.door", False)
        case "person":
            user = MockUser(name="Kim").add_to_hass(hass)
            await hass.auth.async_update_user(user, is_active=False)
        case "removed":
            registry.async_remove("binary_sensor.door")
        case "disabled":
            registry.async_update_entity(
                "binary_sensor.door", disabled_by=er.RegistryEntryDisabler.USER
            )
        case "area":
            registry.async_update_entity(
                "binary_sensor.door", area_id=EntityHome(hass).area("X").id
            )
    await hass.async_block_till_done()

    assert ("binary_sensor.door", None) in told


async def test_an_icon_is_nobodys_business(hass, door, told: Told):
    er.async_get(hass).async_update_entity("binary_sensor.door", icon="mdi:door")
    er.async_get(hass).async_update_entity("binary_sensor.gate", name="Big Gate")
    await hass.async_block_till_done()

    assert told == []


async def test_who_stops_watching_is_told_nothing(hass, asking: Asking):
    build = EntityHome(hass)
    build.entity("binary_sensor.door", "off", device=build.device("Door"))
    told: Told = []
    answered = await asking("get_state", "door")
    stop = asking.functions.watch(answered.keys, noting(told))
    stop()
    stop()

    hass.states.async_set("binary_sensor.door", "on")
    async_expose_entity(hass, "conversation", "binary_sensor.door", False)
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
