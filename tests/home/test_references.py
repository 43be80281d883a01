"""What scripts, scenes, groups, automations and buttons set off, and how risky that is."""

from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import label_registry as lr
from homeassistant.helpers.device_registry import DeviceEntryType
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.sage.home.effects import Effects
from custom_components.sage.home.model import RiskClass
from custom_components.sage.home.references import effects_of, effects_of_state

UNLOCK, OPEN, HEAT = RiskClass.UNLOCK, RiskClass.OPEN, RiskClass.HEAT
UNRESOLVED = RiskClass.UNRESOLVED


@pytest.fixture(autouse=True)
async def _home(hass: HomeAssistant):
    hass.states.async_set("light.lamp", "off")
    hass.states.async_set("lock.front", "locked", {"friendly_name": "Front Door"})
    hass.states.async_set("switch.oven", "off", {"friendly_name": "Oven"})
    hass.states.async_set("cover.garage", "closed", {"device_class": "garage"})


async def script(hass: HomeAssistant, *sequence: dict[str, Any], **others: list[Any]) -> None:
    scripts = {"it": {"sequence": list(sequence)}}
    scripts |= {name: {"sequence": steps} for name, steps in others.items()}
    assert await async_setup_component(hass, "script", {"script": scripts})


def effects(hass: HomeAssistant, entity_id: str = "script.it", service: str = "turn_on", **args):
    return effects_of(hass, entity_id, entity_id.split(".", maxsplit=1)[0], service, args)


def call(action: str, entity_id: str | list[str] | None = None, **data) -> dict[str, Any]:
    step: dict[str, Any] = {"action": action}
    if entity_id is not None:
        step["target"] = {"entity_id": entity_id}
    if data:
        step["data"] = data
    return step


async def test_a_harmless_script_does_not_ask(hass):
    await script(hass, call("light.turn_on", "light.lamp"), {"delay": 1})
    found = effects(hass)
    assert found.risk is None
    assert found.entities == {"script.it", "light.lamp"}
    assert found.is_covered_by(None)


async def test_a_script_that_unlocks_asks(hass):
    await script(hass, call("lock.unlock", "lock.front"))
    assert effects(hass).risk is UNLOCK
    assert effects(hass).at_risk == {"lock.front"}
    assert effects(hass, service="it").risk is UNLOCK
    assert effects(hass, service="toggle").risk is UNLOCK
    assert effects(hass, service="turn_off").risk is None


async def test_locking_is_no_risk(hass):
    await script(hass, call("lock.lock", "lock.front"), call("cover.close_cover", "cover.garage"))
    assert effects(hass).risk is None


@pytest.mark.parametrize(
    "step",
    [
        {"if": "{{ true }}", "then": [call("lock.unlock", "lock.front")]},
        {"if": "{{ true }}", "then": [], "else": [call("lock.unlock", "lock.front")]},
        {"choose": [{"conditions": "{{ true }}", "sequence": [call("lock.unlock", "lock.front")]}]},
        {"choose": [], "default": [call("lock.unlock", "lock.front")]},
        {"repeat": {"count": 2, "sequence": [call("lock.unlock", "lock.front")]}},
        {"parallel": [call("lock.unlock", "lock.front"), call("light.turn_on", "light.lamp")]},
        {"parallel": [[call("lock.unlock", "lock.front")]]},
        {"sequence": [call("lock.unlock", "lock.front")]},
        {"action": "lock.unlock", "data": {"entity_id": "lock.front"}},
        {"action": "lock.unlock", "entity_id": "lock.front"},
        {"action": "lock.unlock", "target": {"entity_id": "all"}},
        {"action": "homeassistant.turn_off", "target": {"entity_id": "lock.front"}},
        {"action": "scene.apply", "data": {"entities": {"lock.front": "unlocked"}}},
        {"action": "scene.apply", "data": {"entities": {"lock.front": {"state": "unlocked"}}}},
    ],
)
async def test_every_branch_counts(hass, step):
    await script(hass, step)
    assert effects(hass).risk is UNLOCK


@pytest.mark.parametrize(
    "step",
    [
        {"event": "open_sesame"},
        call("shell_command.unlock"),
        call("rest_command.unlock"),
        call("python_script.unlock"),
        call("conversation.process", text="unlock the door"),
        call("some_integration.do", "light.lamp"),
        call("lock.unlock", "{{ which }}"),
        call("switch.turn_on", "{{ which }}"),
        {"action": "{{ what }}"},
        {"action": "lock.{{ what }}", "target": {"entity_id": "light.lamp"}},
        {"action": "switch.turn_on", "target": "{{ where }}"},
        {"action": "switch.turn_on", "data": "{{ everything }}"},
        {"action": "switch.turn_on", "target": {"area_id": "{{ room }}"}},
        call("scene.turn_on", "scene.made_later"),
        call("group.set", object_id="x", entities=["lock.front"]),
        {"scene": "scene.made_later"},
    ],
)
async def test_what_cannot_be_found_out_counts_as_risky(hass, step):
    await script(hass, step)
    assert effects(hass).risk is UNRESOLVED
    assert effects(hass).unresolved


@pytest.mark.parametrize(
    "step",
    [
        call("notify.phone", message="{{ states('lock.front') }}"),
        call("persistent_notification.create", message="hi"),
        call("light.turn_on", "{{ which }}"),
        {"stop": "done"},
        {"variables": {"a": "b"}},
        {"wait_template": "{{ true }}"},
        {"condition": "state", "entity_id": "lock.front", "state": "locked"},
        {"set_conversation_response": "ok"},
        {**call("lock.unlock", "lock.front"), "enabled": False},
        {"action": "scene.create", "data": {"scene_id": "x", "snapshot_entities": ["light.lamp"]}},
        call("lock.unlock", "none"),
    ],
)
async def test_harmless_steps(hass, step):
    await script(hass, step, call("light.turn_on", "light.lamp"))
    assert effects(hass).risk is None


async def test_reload_and_restart_are_maintenance(hass):
    await script(hass, call("homeassistant.restart"))
    assert effects(hass).risk is RiskClass.MAINTENANCE


async def test_scripts_in_scripts_are_followed_and_circles_end(hass):
    await script(
        hass,
        call("script.turn_on", "script.inner"),
        inner=[call("script.innermost")],
        innermost=[call("lock.unlock", "lock.front"), call("script.it")],
    )
    assert effects(hass).risk is UNLOCK
    assert {"script.it", "script.inner", "script.innermost", "lock.front"} <= effects(hass).entities


async def test_a_chain_without_end_counts_as_risky(hass):
    chain = {f"s{n}": [call(f"script.s{n + 1}")] for n in range(20)}
    await script(hass, call("script.s0"), **chain)
    assert effects(hass).risk is UNRESOLVED


async def test_places_and_labels_are_expanded(hass, entity_registry, device_registry):
    hass.states.async_remove("lock.front")
    floor = fr.async_get(hass).async_create("Ground")
    hall = ar.async_get(hass).async_create("Hall", floor_id=floor.floor_id)
    label = lr.async_get(hass).async_create("Night")
    entry = MockConfigEntry(domain="test")
    entry.add_to_hass(hass)
    device = device_registry.async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "1")}
    )
    device_registry.async_update_device(device.id, area_id=hall.id)
    entity_registry.async_get_or_create(
        "lock", "test", "1", suggested_object_id="front", device_id=device.id
    )
    entity_registry.async_update_entity("lock.front", labels={label.label_id})
    await script(hass, {"delay": 1})
    entity = hass.data["script"].get_entity("script.it")
    for target in (
        {"area_id": hall.id},
        {"floor_id": floor.floor_id},
        {"label_id": label.label_id},
        {"device_id": device.id},
        {"entity_id": entity_registry.async_get("lock.front").id},
        {"area_id": [hall.id]},
    ):
        entity.script.sequence = [{"action": "lock.unlock", "target": target}]
        assert effects(hass).risk is UNLOCK, target


async def test_device_actions_are_read(hass, entity_registry, device_registry):
    hass.states.async_remove("lock.front")
    hass.states.async_remove("cover.garage")
    entry = MockConfigEntry(domain="test")
    entry.add_to_hass(hass)
    device = device_registry.async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "1")}
    )
    lock = entity_registry.async_get_or_create(
        "lock", "test", "1", suggested_object_id="front", device_id=device.id
    )
    cover = entity_registry.async_get_or_create(
        "cover", "test", "1", suggested_object_id="garage", device_id=device.id
    )
    hass.states.async_set("cover.garage", "closed", {"device_class": "garage"})
    await script(hass, {"delay": 1})
    entity = hass.data["script"].get_entity("script.it")

    def risk_of_step(**step):
        entity.script.sequence = [{"device_id": device.id, **step}]
        return effects(hass).risk

    assert risk_of_step(domain="lock", type="unlock", entity_id=lock.id) is UNLOCK
    assert risk_of_step(domain="lock", type="lock", entity_id="lock.front") is None
    assert risk_of_step(domain="cover", type="open", entity_id=cover.id) is OPEN
    assert risk_of_step(domain="cover", type="close", entity_id=cover.id) is None
    assert risk_of_step(domain="cover", type="set_position", entity_id=cover.id, position=9) is OPEN
    assert risk_of_step(domain="mobile_app", type="notify") is UNRESOLVED
    assert risk_of_step(domain="lock", type="unlock") is UNRESOLVED


async def test_an_automation_counts_with_its_actions(hass):
    assert await async_setup_component(
        hass,
        "automation",
        {
            "automation": {
                "alias": "Come home",
                "triggers": [{"trigger": "event", "event_type": "x"}],
                "actions": [call("lock.unlock", "lock.front")],
            }
        },
    )
    await hass.async_block_till_done()
    assert effects(hass, "automation.come_home", "trigger").risk is UNLOCK
    assert effects(hass, "automation.come_home", "turn_on").risk is UNLOCK
    assert effects(hass, "automation.come_home", "turn_off").risk is None
    await script(hass, call("automation.trigger", "automation.come_home"))
    assert effects(hass).risk is UNLOCK


async def test_a_scene_counts_with_its_states(hass):
    assert await async_setup_component(
        hass,
        "scene",
        {
            "scene": [
                {"name": "Movie", "entities": {"light.lamp": "on"}},
                {"name": "Welcome", "entities": {"light.lamp": "on", "lock.front": "unlocked"}},
                {"name": "Bye", "entities": {"lock.front": "locked", "cover.garage": "closed"}},
                {"name": "Cook", "entities": {"switch.oven": "on"}},
            ]
        },
    )
    await hass.async_block_till_done()
    assert effects(hass, "scene.movie").risk is None
    assert effects(hass, "scene.welcome").at_risk == {"lock.front"}
    assert effects(hass, "scene.bye").risk is None
    assert effects(hass, "scene.cook").risk is HEAT
    await script(hass, {"scene": "scene.welcome"})
    assert effects(hass).risk is UNLOCK


async def test_a_group_counts_with_its_members(hass):
    assert await async_setup_component(
        hass,
        "group",
        {
            "group": {
                "doors": {"entities": ["lock.front"]},
                "lamps": {"entities": ["light.lamp"]},
                "all": {"entities": ["group.doors", "group.lamps"]},
                "kitchen": {"entities": ["switch.oven", "light.lamp"]},
            }
        },
    )
    await hass.async_block_till_done()
    assert effects_of(hass, "group.doors", "homeassistant", "turn_off", {}).risk is UNLOCK
    assert effects_of(hass, "group.all", "homeassistant", "turn_on", {}).risk is UNLOCK
    assert effects_of(hass, "group.lamps", "homeassistant", "turn_on", {}).risk is None
    assert effects_of(hass, "group.kitchen", "homeassistant", "turn_on", {}).risk is HEAT
    assert effects_of(hass, "group.kitchen", "homeassistant", "turn_off", {}).risk is None
    assert effects_of_state(hass, "group.kitchen", "on", {}).risk is HEAT


async def test_group_platforms_count_with_their_members(hass):
    assert await async_setup_component(
        hass,
        "cover",
        {"cover": {"platform": "group", "name": "Covers", "entities": ["cover.garage"]}},
    )
    assert await async_setup_component(
        hass,
        "switch",
        {"switch": {"platform": "group", "name": "Plugs", "entities": ["switch.oven"]}},
    )
    await hass.async_block_till_done()
    assert effects(hass, "cover.covers", "open_cover").at_risk == {"cover.garage"}
    assert effects(hass, "cover.covers", "close_cover").risk is None
    assert effects(hass, "switch.plugs", "turn_on").at_risk == {"switch.oven"}


async def test_a_template_entity_counts_with_its_actions(hass):
    assert await async_setup_component(
        hass,
        "template",
        {
            "template": [
                {
                    "switch": {
                        "name": "Party",
                        "turn_on": [call("lock.unlock", "lock.front")],
                        "turn_off": [call("lock.lock", "lock.front")],
                    }
                },
                {"button": {"name": "Ring", "press": [call("cover.open_cover", "cover.garage")]}},
            ]
        },
    )
    await hass.async_block_till_done()
    assert effects(hass, "switch.party", "turn_on").risk is UNLOCK
    assert effects(hass, "switch.party", "turn_off").risk is None
    assert effects(hass, "switch.party", "toggle").risk is UNLOCK
    assert effects(hass, "button.ring", "press").risk is OPEN


async def test_foreign_scenes_and_buttons_act_on_their_own_things(
    hass, entity_registry, device_registry
):
    def made(domain: str, name: str, entry: MockConfigEntry, device_id: str | None = None):
        entity_registry.async_get_or_create(
            domain, "test", f"{domain}{name}",
            suggested_object_id=name, config_entry=entry, device_id=device_id,
        )  # fmt: skip
        hass.states.async_set(f"{domain}.{name}", "on")

    hue, cloud = MockConfigEntry(domain="hue"), MockConfigEntry(domain="cloudy")
    for entry in (hue, cloud):
        entry.add_to_hass(hass)
    made("scene", "sunset", hue)
    made("light", "bulb", hue)
    assert effects(hass, "scene.sunset").risk is None
    assert "light.bulb" in effects(hass, "scene.sunset").entities

    made("scene", "evening", cloud)
    made("lock", "cellar", cloud)
    assert effects(hass, "scene.evening").at_risk == {"lock.cellar"}

    lock = device_registry.async_get_or_create(
        config_entry_id=cloud.entry_id, identifiers={("cloudy", "lock")}
    )
    lamp = device_registry.async_get_or_create(
        config_entry_id=cloud.entry_id, identifiers={("cloudy", "lamp")}
    )
    hub = device_registry.async_get_or_create(
        config_entry_id=cloud.entry_id,
        identifiers={("cloudy", "hub")},
        entry_type=DeviceEntryType.SERVICE,
    )
    made("lock", "shed", cloud, lock.id)
    made("button", "ping", cloud, lock.id)
    made("button", "blink", cloud, lamp.id)
    made("button", "macro", cloud, hub.id)
    assert effects(hass, "button.ping", "press").at_risk == {"lock.shed"}
    assert effects(hass, "button.blink", "press").risk is None
    assert effects(hass, "button.macro", "press").risk is UNLOCK

    hass.states.async_set("scene.nowhere", "on")
    assert effects(hass, "scene.nowhere").risk is UNRESOLVED


async def test_a_plug_shown_as_a_lock_asks_as_a_lock(hass, entity_registry):
    plug = entity_registry.async_get_or_create("switch", "test", "1", suggested_object_id="relay")
    hass.states.async_set("switch.relay", "off")
    wrapper = MockConfigEntry(
        domain="switch_as_x", options={"entity_id": plug.id, "target_domain": "lock"}
    )
    wrapper.add_to_hass(hass)
    entity_registry.async_get_or_create(
        "lock", "switch_as_x", "1", suggested_object_id="shed", config_entry=wrapper
    )
    assert effects(hass, "switch.relay", "turn_on").risk is UNLOCK


async def test_what_was_agreed_to_covers_no_more(hass):
    agreed, now = Effects(), Effects()
    agreed.add("lock.front", UNLOCK)
    assert not agreed.is_covered_by(None)
    now.add("lock.front", UNLOCK)
    assert now.is_covered_by(agreed)
    now.add("lock.back", UNLOCK)
    assert not now.is_covered_by(agreed)
    other = Effects()
    other.add("switch.oven", HEAT)
    assert not other.is_covered_by(agreed)
    other = Effects(unresolved=["something"])
    assert not other.is_covered_by(agreed)
