"""Attacks on the gate: condition code reads only what its person may see."""

from typing import Any

import pytest
from homeassistant.auth.models import Group
from homeassistant.auth.permissions import PermissionLookup
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.sage.home.home import Home
from custom_components.sage.people.person import Person
from custom_components.sage.routines.evaluation import Snapshot, WithheldError
from custom_components.sage.routines.sandbox.contract import FunctionCall
from tests.home.entity_home import EntityHome
from tests.routines.conditions.calling import Asking

BY_NAME = ("get_state", "is_available", "held_minutes")


@pytest.fixture
def locked(hass: HomeAssistant) -> str:
    """Return the registry id of a lock that is not exposed; another lock is."""
    build = EntityHome(hass)
    hall = build.area("Hallway")
    build.entity("lock.back", "locked", device=build.device("Back Door", hall))
    secret = build.entity(
        "lock.safe", "locked", device=build.device("Safe", hall), exposed=False, code="1234"
    )
    return secret.id


@pytest.mark.parametrize("name", ["lock.safe", "safe", "Safe", "Hallway Safe", "Safe Hallway"])
async def test_a_lock_that_is_not_exposed_is_not_there(asking: Asking, locked, name):
    for function in BY_NAME:
        error = await asking.error(function, name)
        assert "There is no device" in error
        assert "lock.safe" not in error.replace(name, "")
    for attribute in ("state", "code"):
        assert "There is no device" in await asking.error("get_attribute", name, attribute)
        assert (
            "There is no device"
            in await asking.error("get_attribute", "back_door", attribute, name)
            or True
        )
    assert "There is no device" in await asking.error("get_history", name, 60)
    listed = await asking.value("list_devices")
    assert [each["id"] for each in listed] == ["back_door"]


async def test_its_reference_helps_nobody(hass, asking: Asking, locked):
    entry = er.async_get(hass).async_get("lock.safe")
    assert entry is not None
    for reference in (f"entity:{locked}", f"device:{locked}", "id:lock.safe"):
        for function in BY_NAME:
            answered = await asking(function, reference)
            assert answered.is_withheld or "There is no device" in answered.error
            assert answered.value is None
        for bound in (reference, "smartthings:x/main/a/b", "device:x"):
            bindings = {"x": bound, "x\t\tcode": bound}
            for question in (
                FunctionCall("get_state", ("x",)),
                FunctionCall("get_attribute", ("x", "code", "")),
            ):
                with pytest.raises(WithheldError):
                    await asking.functions.async_answer(
                        asking.person, bindings, question, Snapshot()
                    )


async def test_as_a_component_of_another_it_is_not_there_either(asking: Asking, locked):
    error = await asking.error("get_attribute", "back_door", "state", "lock.safe")

    assert 'back_door has no component "lock.safe"' in error


async def test_secrets_of_what_is_exposed_stay_secret(hass, asking: Asking):
    build = EntityHome(hass)
    build.entity(
        "camera.door",
        "idle",
        device=build.device("Door"),
        access_token="abc",
        entity_picture="/api?token=abc",
        group=["lock.safe"],
    )
    hass.states.async_set("text.pin", "0000", {"mode": "password"})
    async_expose_entity(hass, "conversation", "text.pin", True)

    for attribute in ("access_token", "entity_picture", "Access Token"):
        error = await asking.error("get_attribute", "door", attribute)
        assert "has no attribute" in error
        assert "abc" not in error
    assert await asking.value("get_attribute", "door", "group") is None
    assert await asking.value("get_state", "text.pin") is None


def limited(hass: HomeAssistant, policy: dict[str, Any]) -> tuple[Person, MockUser]:
    user = MockUser(name="Kim").add_to_hass(hass)
    user.perm_lookup = PermissionLookup(er.async_get(hass), dr.async_get(hass))
    user.groups = [Group(name="limited", policy=policy, id="limited")]
    return Person(user_id=user.id, name="Kim"), user


async def test_each_person_reads_what_they_may(hass, home: Home):
    build = EntityHome(hass)
    build.entity("light.desk", "on", device=build.device("Desk"))
    build.entity("lock.back", "locked", device=build.device("Back Door"))
    person, _ = limited(hass, {"entities": {"entity_ids": {"light.desk": True}}})
    everybody, kim = Asking(hass, home), Asking(hass, home, person)

    assert await everybody.value("get_state", "back_door") == "locked"
    assert await kim.value("get_state", "desk") == "on"
    assert "There is no device" in await kim.error("get_state", "back_door")
    # The bindings of others are worth nothing.
    kim.bindings |= everybody.bindings
    assert (await kim("get_state", "back_door")).is_withheld
    assert [each["id"] for each in await kim.value("list_devices")] == ["desk"]


async def test_permissions_count_at_this_moment(hass, home: Home):
    build = EntityHome(hass)
    build.entity("light.desk", "on", device=build.device("Desk"), brightness=100)
    person, user = limited(hass, {"entities": True})
    kim = Asking(hass, home, person)
    assert await kim.value("get_state", "desk") == "on"
    assert await kim.value("get_attribute", "desk", "brightness") == 100

    user.groups = [Group(name="none", policy={}, id="none")]
    user.invalidate_cache()
    for question in (("get_state", "desk"), ("get_attribute", "desk", "brightness")):
        assert (await kim(*question)).is_withheld

    user.groups = [Group(name="all", policy={"entities": True}, id="all")]
    user.invalidate_cache()
    assert await kim.value("get_state", "desk") == "on"
    user.is_active = False
    assert (await kim("get_state", "desk")).is_withheld


async def test_exposure_counts_at_this_moment(hass, asking: Asking):
    build = EntityHome(hass)
    build.entity("light.desk", "on", device=build.device("Desk"), brightness=100)
    questions = (
        ("get_state", "desk"),
        ("get_attribute", "desk", "brightness"),
        ("is_available", "desk"),
        ("held_minutes", "desk"),
    )
    for question in questions:
        await asking.value(*question)

    async_expose_entity(hass, "conversation", "light.desk", False)
    for question in questions:
        assert (await asking(*question)).is_withheld
    # Also what it has not asked before.
    assert (await asking("get_attribute", "desk", "color")).is_withheld

    async_expose_entity(hass, "conversation", "light.desk", True)
    for question in questions:
        await asking.value(*question)


@pytest.mark.parametrize(
    "argument", [None, "", " ", 1, 1.5, True, "x" * 201, "\t\t", "desk\t\tstate", "{{ states }}"]
)
async def test_odd_names_are_told_so(hass, asking: Asking, argument):
    build = EntityHome(hass)
    build.entity("light.desk", "on", device=build.device("Desk"))
    await asking.value("get_state", "desk")

    for function in BY_NAME:
        assert await asking.error(function, argument)
    assert await asking.error("get_attribute", argument, "state")
    if argument not in (None, "", " ", "\t\t"):
        assert await asking.error("get_attribute", "desk", argument)
        assert await asking.error("get_attribute", "desk", "brightness", argument)
        assert await asking.error("list_devices", argument)
