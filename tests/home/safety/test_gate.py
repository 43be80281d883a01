"""The gate: exposure and permissions, checked again each time."""

from typing import Any

import pytest
from homeassistant.auth.models import Group, User
from homeassistant.auth.permissions import PermissionLookup
from homeassistant.components.homeassistant.exposed_entities import (
    async_expose_entity,
    async_set_assistant_option,
)
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser

from custom_components.sage.home.safety.gate import Gate
from custom_components.sage.people.person import HOUSEHOLD, Person


@pytest.fixture
async def gate(hass: HomeAssistant):
    gate = Gate(hass)
    await gate.async_setup()
    yield gate
    gate.close()


def expose(hass: HomeAssistant, *entity_ids: str, exposed: bool = True) -> None:
    for entity_id in entity_ids:
        async_expose_entity(hass, "conversation", entity_id, exposed)


def person_with(
    hass: HomeAssistant, policy: dict[str, Any], name: str = "Ada"
) -> tuple[Person, User]:
    user = MockUser(name=name).add_to_hass(hass)
    user.perm_lookup = PermissionLookup(er.async_get(hass), dr.async_get(hass))
    user.groups = [Group(name="limited", policy=policy, id="limited")]
    return Person(user_id=user.id, name=name), user


async def test_a_policy_never_widens_exposure(hass, gate, hass_admin_user, hass_owner_user):
    hass.states.async_set("light.secret", "on")
    expose(hass, "light.secret", exposed=False)
    for user in (hass_admin_user, hass_owner_user):
        boss = Person(user_id=user.id, name="Boss")
        await gate.async_load_rights(boss)
        assert gate.visible(boss) == frozenset()
        assert not gate.may_control(boss, "light.secret")


@pytest.mark.parametrize("fate", ["inactive", "removed", "unknown"])
async def test_who_is_gone_sees_nothing(hass, gate, hass_owner_user, fate):
    hass.states.async_set("light.lamp", "on")
    user = await hass.auth.async_create_user("Guest", group_ids=["system-users"])
    guest = Person(user_id=user.id, name="Guest")
    await gate.async_load_rights(guest)
    assert gate.visible(guest) == {"light.lamp"}

    if fate == "inactive":
        await hass.auth.async_deactivate_user(user)
    elif fate == "removed":
        await hass.auth.async_remove_user(user)
        await hass.async_block_till_done()
    else:
        guest = Person(user_id="nobody", name="Guest")
        await gate.async_load_rights(guest)
    assert gate.visible(guest) == frozenset()
    assert not gate.may_read(guest, "light.lamp")
    assert not gate.may_control(guest, "light.lamp")


async def test_a_user_removed_without_an_event_is_noticed_when_prepared(hass, gate):
    hass.states.async_set("light.lamp", "on")
    user = MockUser(name="Guest").add_to_hass(hass)
    user.groups = [Group(name="all", policy={"entities": True}, id="all")]
    guest = Person(user_id=user.id, name="Guest")
    await gate.async_load_rights(guest)
    assert gate.may_control(guest, "light.lamp")
    hass.auth._store._users.pop(user.id)
    await gate.async_load_rights(guest)
    assert not gate.may_control(guest, "light.lamp")


async def test_a_system_user_without_groups_sees_nothing(hass, gate):
    hass.states.async_set("light.lamp", "on")
    user = await hass.auth.async_create_system_user("Voice over IP")
    phone = Person(user_id=user.id, name="Phone")
    await gate.async_load_rights(phone)
    assert gate.visible(phone) == frozenset()


async def test_a_registered_entity_is_followed(hass, gate, entity_registry):
    entry = entity_registry.async_get_or_create("light", "test", "1", suggested_object_id="lamp")
    hass.states.async_set(entry.entity_id, "on")
    assert gate.visible(HOUSEHOLD) == {"light.lamp"}

    async_set_assistant_option(hass, "conversation", "light.lamp", "should_expose", False)
    assert gate.visible(HOUSEHOLD) == frozenset()

    # An option written past the exposure list is seen too.
    entity_registry.async_update_entity_options(
        "light.lamp", "conversation", {"should_expose": True}
    )
    assert gate.visible(HOUSEHOLD) == {"light.lamp"}


async def test_entities_come_and_go(hass, gate):
    assert gate.visible(HOUSEHOLD) == frozenset()
    hass.states.async_set("light.new", "on")
    await hass.async_block_till_done()
    assert gate.visible(HOUSEHOLD) == {"light.new"}
    hass.states.async_set("light.new", "off")
    hass.states.async_set("sensor.noise", "1")
    await hass.async_block_till_done()
    hass.states.async_remove("light.new")
    await hass.async_block_till_done()
    assert gate.visible(HOUSEHOLD) == frozenset()


async def test_a_change_of_permissions_is_followed(hass, gate, hass_owner_user):
    hass.states.async_set("light.lamp", "on")
    user = await hass.auth.async_create_user("Guest", group_ids=["system-read-only"])
    guest = Person(user_id=user.id, name="Guest")
    await gate.async_load_rights(guest)
    assert not gate.may_control(guest, "light.lamp")
    await hass.auth.async_update_user(user, group_ids=["system-users"])
    await hass.async_block_till_done()
    assert gate.may_control(guest, "light.lamp")


async def test_moving_a_device_moves_the_permission(hass, gate, entity_registry, device_registry):
    entry = MockConfigEntry(domain="test")
    entry.add_to_hass(hass)
    device = device_registry.async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "1")}
    )
    entity_registry.async_get_or_create(
        "light", "test", "1", suggested_object_id="lamp", device_id=device.id
    )
    hass.states.async_set("light.lamp", "on")
    ada, _ = person_with(hass, {"entities": {"area_ids": {"kitchen": True}}})
    await gate.async_load_rights(ada)
    assert gate.visible(ada) == frozenset()
    device_registry.async_update_device(device.id, area_id="kitchen")
    await hass.async_block_till_done()
    await gate.async_load_rights(ada)
    assert gate.visible(ada) == {"light.lamp"}
    entity_registry.async_update_entity("light.lamp", device_id=None)
    await hass.async_block_till_done()
    assert gate.visible(ada) == frozenset()
