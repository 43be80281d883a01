"""The entities that an action with an area, floor, label or device as target reaches."""

import pytest
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import label_registry as lr
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.sage.home.home_types import RiskClass

from .test_consequences import call, effects, script

UNLOCK = RiskClass.UNLOCK


@pytest.fixture(autouse=True)
async def _hall(hass: HomeAssistant, device_registry) -> dict[str, dict[str, str]]:
    """A hall with a door station, which has a lock, a garage door, a light and a relay."""
    for domain in ("light", "lock", "cover", "switch", "homeassistant"):
        assert await async_setup_component(hass, domain, {})
    floor = fr.async_get(hass).async_create("Ground")
    hall = ar.async_get(hass).async_create("Hall", floor_id=floor.floor_id)
    label = lr.async_get(hass).async_create("Night")
    entry = MockConfigEntry(domain="test")
    entry.add_to_hass(hass)
    device = device_registry.async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "1")}
    )
    device_registry.async_update_device(device.id, area_id=hall.id, labels={label.label_id})
    registry = er.async_get(hass)
    for domain, state in (("lock", "locked"), ("cover", "closed"), ("light", "on")):
        made = registry.async_get_or_create(
            domain, "test", domain, suggested_object_id="front", device_id=device.id
        )
        hass.states.async_set(made.entity_id, state, {"device_class": "garage"})
    return {
        "area": {"area_id": hall.id},
        "floor": {"floor_id": floor.floor_id},
        "label": {"label_id": label.label_id},
        "device": {"device_id": device.id},
    }


@pytest.fixture
def targets(_hall: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    return _hall


@pytest.mark.parametrize("kind", ["area", "floor", "label", "device"])
async def test_an_action_reaches_only_entities_of_its_domain(hass, targets, kind):
    await script(
        hass,
        {"action": "light.turn_on", "target": targets[kind]},
        harmless=[{"action": "switch.turn_off", "target": targets[kind]}],
        unlocking=[{"action": "lock.unlock", "target": targets[kind]}],
        opening=[{"action": "cover.toggle", "target": targets[kind]}],
    )
    assert effects(hass).risk is None
    assert effects(hass).entities == {"script.it", "light.front"}
    assert effects(hass, "script.harmless").entities == {"script.harmless"}
    assert effects(hass, "script.unlocking").at_risk == {"lock.front"}
    assert effects(hass, "script.opening").at_risk == {"cover.front"}


@pytest.mark.parametrize("kind", ["area", "floor", "label", "device"])
async def test_the_generic_action_reaches_the_domains_that_have_the_service(hass, targets, kind):
    await script(
        hass,
        {"action": "homeassistant.turn_off", "target": targets[kind]},
        toggling=[{"action": "homeassistant.toggle", "target": targets[kind]}],
    )
    # There is no lock.turn_off and no cover.turn_off, but a cover.toggle.
    assert effects(hass).entities == {"script.it", "light.front"}
    assert effects(hass, "script.toggling").at_risk == {"cover.front"}
    assert "lock.front" not in effects(hass, "script.toggling").entities


async def test_an_entity_of_another_domain_in_the_target_is_not_reached(hass):
    await script(hass, call("light.turn_on", ["lock.front", "light.front"]))
    assert effects(hass).risk is None
    assert effects(hass).entities == {"script.it", "light.front"}


async def test_a_group_in_the_target_passes_the_action_to_members_of_its_domain(hass):
    hass.states.async_set("group.inner", "on", {"entity_id": ["lock.front"]})
    members = {"entity_id": ["lock.front", "light.front", "group.inner"]}
    hass.states.async_set("group.all", "on", members)
    await script(
        hass,
        call("light.turn_on", "group.all"),
        unlocking=[call("lock.unlock", "group.all")],
        nested=[call("lock.unlock", "group.inner")],
    )
    assert effects(hass).risk is None
    assert effects(hass, "script.unlocking").risk is UNLOCK
    assert effects(hass, "script.nested").risk is UNLOCK


@pytest.mark.parametrize(
    "withheld",
    [
        {"hidden_by": er.RegistryEntryHider.USER},
        {"entity_category": EntityCategory.CONFIG},
        {"entity_category": EntityCategory.DIAGNOSTIC},
    ],
)
async def test_hidden_and_configuration_entities_are_reached_only_by_their_id(
    hass, targets, entity_registry, withheld
):
    entity_registry.async_update_entity("lock.front", **withheld)
    await script(
        hass,
        {"action": "lock.unlock", "target": targets["area"]},
        named=[call("lock.unlock", "lock.front")],
    )
    assert effects(hass).risk is None
    assert effects(hass, "script.named").risk is UNLOCK
