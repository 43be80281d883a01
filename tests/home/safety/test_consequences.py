"""What scripts, scenes, groups, automations and buttons set off, and how risky that is."""

import sys
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import label_registry as lr
from homeassistant.helpers.device_registry import DeviceEntryType
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.sage.home.home_types import RiskClass
from custom_components.sage.home.safety.consequences import effects_of, effects_of_state
from custom_components.sage.home.safety.risk import Effects
from custom_components.sage.home.safety.risk_levels import RiskVerdict, levels_of, subject_of
from custom_components.sage.home.safety.risk_triggers import Cause, TriggerSearch

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


# ------------------------------------------------------------ automations it sets off


async def automate(
    hass: HomeAssistant, trigger: dict[str, Any] | list[dict[str, Any]], *actions: dict[str, Any]
) -> None:
    """Let an automation unlock the front door on a trigger."""
    config = {
        "alias": "It",
        "triggers": trigger if isinstance(trigger, list) else [trigger],
        # Conditions are not weighed; without one, what waits for any change would never end.
        "conditions": [{"condition": "template", "value_template": "{{ false }}"}],
        "actions": list(actions) or [call("lock.unlock", "lock.front")],
    }
    assert await async_setup_component(hass, "automation", {"automation": config})
    await hass.async_block_till_done()


@pytest.fixture
def helper(hass: HomeAssistant, entity_registry) -> er.RegistryEntry:
    """A helper that stands in the hall on the ground floor."""
    floor = fr.async_get(hass).async_create("Ground")
    hall = ar.async_get(hass).async_create("Hall", floor_id=floor.floor_id)
    label = lr.async_get(hass).async_create("Night")
    made = entity_registry.async_get_or_create(
        "input_boolean", "input_boolean", "h", suggested_object_id="helper"
    )
    entity_registry.async_update_entity(made.entity_id, area_id=hall.id, labels={label.label_id})
    hass.states.async_set("input_boolean.helper", "off")
    return entity_registry.async_get(made.entity_id)


@pytest.mark.parametrize(
    "trigger",
    [
        {"trigger": "state", "entity_id": "input_boolean.helper"},
        {"trigger": "state", "entity_id": ["light.lamp", "input_boolean.helper"], "to": "on"},
        {"trigger": "state", "entity_id": "REGISTRY_ID"},
        {"trigger": "numeric_state", "entity_id": "sensor.x", "above": "input_boolean.helper"},
        {"trigger": "template", "value_template": "{{ is_state('input_boolean.helper', 'on') }}"},
        {"trigger": "time", "at": "input_boolean.helper"},
        {"trigger": "event", "event_type": "state_changed"},
        {"trigger": "event", "event_type": "call_service", "event_data": {"domain": "x"}},
        {
            "trigger": "event",
            "event_type": "state_changed",
            "event_data": {"entity_id": "input_boolean.helper"},
        },
    ],
)
async def test_a_helper_sets_off_the_automations_that_wait_for_it(hass, helper, trigger):
    given = {name: helper.id if each == "REGISTRY_ID" else each for name, each in trigger.items()}
    if given["trigger"] == "time":
        given["at"] = "input_datetime.helper"
        hass.states.async_set("input_datetime.helper", "2026-01-01 10:00:00")
        await automate(hass, given)
        found = effects_of(hass, "input_datetime.helper", "input_datetime", "set_datetime", {})
    elif given["trigger"] == "numeric_state":
        given["above"] = "input_number.helper"
        hass.states.async_set("input_number.helper", "1")
        await automate(hass, given)
        found = effects_of(hass, "input_number.helper", "input_number", "set_value", {"value": 1})
    else:
        await automate(hass, given)
        found = effects(hass, "input_boolean.helper")
    assert found.risk is UNLOCK
    assert found.at_risk == {"lock.front"}


@pytest.mark.parametrize("place", ["entity_id", "area_id", "floor_id", "label_id"])
async def test_triggers_that_name_a_place_contain_what_is_there(hass, helper, place):
    hall = ar.async_get(hass).async_get_area(helper.area_id or "")
    assert hall is not None
    (label,) = helper.labels
    named = {
        "entity_id": "input_boolean.helper",
        "area_id": hall.id,
        "floor_id": hall.floor_id,
        "label_id": label,
    }
    await automate(hass, {"trigger": "event", "event_type": "never"})
    automation = hass.data["automation"].get_entity("automation.it")
    automation._trigger_config = [
        {"platform": "switch.turned_on", "target": {place: [named[place]]}}
    ]
    assert effects(hass, "input_boolean.helper").risk is UNLOCK
    assert effects(hass, "light.lamp").risk is None


async def test_device_triggers_count_for_their_entity_and_for_buttons(
    hass, entity_registry, device_registry
):
    entry = MockConfigEntry(domain="test")
    entry.add_to_hass(hass)
    device = device_registry.async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "1")}
    )
    for domain in ("switch", "button", "sensor"):
        entity_registry.async_get_or_create(
            domain, "test", domain, suggested_object_id="thing", device_id=device.id
        )
        hass.states.async_set(f"{domain}.thing", "off")
    await automate(hass, {"trigger": "event", "event_type": "never"})
    automation = hass.data["automation"].get_entity("automation.it")
    plug = entity_registry.async_get("switch.thing")
    automation._trigger_config = [
        {"platform": "device", "device_id": device.id, "entity_id": plug.id, "type": "turned_on"}
    ]
    assert effects(hass, "switch.thing").risk is UNLOCK
    assert effects(hass, "button.thing", "press").risk is None
    automation._trigger_config = [{"platform": "device", "device_id": device.id, "type": "press"}]
    assert effects(hass, "switch.thing").risk is None
    assert effects(hass, "button.thing", "press").risk is UNLOCK


EVERYTHING = {"trigger": "event", "event_type": "state_changed"}
OWN = {"trigger": "state", "entity_id": "switch.plain"}


@pytest.mark.parametrize(
    ("trigger", "service", "risk"),
    [
        (EVERYTHING, "homeassistant.turn_on", None),
        (EVERYTHING, "switch.turn_off", None),
        ({**EVERYTHING, "event_type": "state_reported"}, "script.turn_on", None),
        (EVERYTHING, "lock.unlock", UNRESOLVED),
        (EVERYTHING, "cover.open_cover", UNRESOLVED),
        (EVERYTHING, "cover.close_cover", None),
        (EVERYTHING, "alarm_control_panel.alarm_disarm", UNRESOLVED),
        (OWN, "homeassistant.turn_on", UNRESOLVED),
        (OWN, "light.turn_on", None),
        ([EVERYTHING, OWN], "homeassistant.turn_on", UNRESOLVED),
        ([OWN, EVERYTHING], "homeassistant.turn_on", UNRESOLVED),
        ({**OWN, "entity_id": "switch.other"}, "homeassistant.turn_on", None),
    ],
)
async def test_a_target_made_at_run_time_counts_for_what_triggers_it(hass, trigger, service, risk):
    hass.states.async_set("switch.plain", "on")
    hass.states.async_set("switch.other", "on")
    for plug in ("switch.plain", "switch.other"):
        levels_of(hass).note(subject_of(hass, plug), RiskVerdict(risk=None))
    await automate(hass, trigger, call(service, "{{ states('input_text.what') }}"))
    assert effects(hass, "switch.plain", "turn_off").risk is risk


@pytest.mark.parametrize(
    ("step", "risk"),
    [
        (call("lock.unlock", "{{ states('input_text.which') }}"), UNRESOLVED),
        ({"action": "lock.unlock", "target": "{{ {'entity_id': 'lock.front'} }}"}, UNRESOLVED),
        ({"action": "cover.open_cover", "data": "{{ {'entity_id': 'cover.garage'} }}"}, UNRESOLVED),
        ({"action": "lock.lock", "target": "{{ {'entity_id': 'lock.front'} }}"}, None),
        ({"action": "light.turn_on", "data": "{{ {'entity_id': 'light.lamp'} }}"}, None),
    ],
)
async def test_a_lock_chosen_at_run_time_counts_for_a_lamp(hass, step, risk):
    await automate(hass, {"trigger": "state", "entity_id": "light.lamp"}, step)
    assert effects(hass, "light.lamp").risk is risk


async def test_an_automation_that_cannot_be_set_off_does_not_count(hass, helper):
    await automate(hass, {"trigger": "state", "entity_id": "input_boolean.helper", "to": "on"})
    assert effects(hass, "input_boolean.helper").risk is UNLOCK
    assert effects(hass, "input_boolean.helper", "turn_off").risk is None
    assert effects(hass, "input_boolean.helper", "toggle").risk is UNLOCK
    assert effects_of_state(hass, "input_boolean.helper", "on", {}).risk is UNLOCK
    assert effects_of_state(hass, "input_boolean.helper", "off", {}).risk is None
    await hass.services.async_call(
        "automation", "turn_off", {"entity_id": "automation.it"}, blocking=True
    )
    assert effects(hass, "input_boolean.helper").risk is None


async def test_automations_that_are_loaded_anew_are_looked_at_anew(hass, helper):
    await automate(hass, {"trigger": "state", "entity_id": "light.lamp"})
    assert effects(hass, "input_boolean.helper").risk is None
    changed = {
        "alias": "It",
        "triggers": [{"trigger": "state", "entity_id": "input_boolean.helper"}],
        "actions": [call("lock.unlock", "lock.front")],
    }
    with patch("homeassistant.config.async_hass_config_yaml", return_value={"automation": changed}):
        await hass.services.async_call("automation", "reload", blocking=True)
    assert effects(hass, "input_boolean.helper").risk is UNLOCK
    assert effects(hass, "light.lamp").risk is None


async def test_a_member_sets_off_what_waits_for_its_group(hass):
    groups = {"group": {"lamps": {"entities": ["light.lamp"]}}}
    assert await async_setup_component(hass, "group", groups)
    await automate(hass, {"trigger": "state", "entity_id": "group.lamps"})
    assert effects(hass, "light.lamp").risk is UNLOCK


async def test_automations_that_set_each_other_off_are_followed_to_the_end(hass):
    hass.states.async_set("input_boolean.a", "off")
    hass.states.async_set("input_boolean.b", "off")
    chain = [
        {
            "alias": f"From {one}",
            "triggers": [{"trigger": "state", "entity_id": f"input_boolean.{one}"}],
            "actions": [call("input_boolean.toggle", f"input_boolean.{other}"), *more],
        }
        for one, other, more in (("a", "b", []), ("b", "a", [call("lock.unlock", "lock.front")]))
    ]
    assert await async_setup_component(hass, "automation", {"automation": chain})
    await hass.async_block_till_done()
    assert effects(hass, "input_boolean.a").risk is UNLOCK


async def test_unknown_steps_count_for_a_helper_but_not_for_a_lamp(hass, helper):
    """An automation for all lamps that calls something unknown must not make all lamps ask."""
    await automate(
        hass,
        {"trigger": "state", "entity_id": ["light.lamp", "input_boolean.helper"]},
        call("adaptive_lighting.apply"),
    )
    assert effects(hass, "light.lamp").risk is None
    assert effects(hass, "input_boolean.helper").risk is UNRESOLVED


def calls_made(act: Callable[[], object]) -> int:
    """Return how many functions of Python an act calls: the same on each machine."""
    count = 0

    def note(_frame: object, event: str, _given: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(None)
    return count


async def test_a_look_up_costs_the_same_among_many_automations(hass):
    automations = [
        {
            "alias": f"A{number}",
            "triggers": [{"trigger": "state", "entity_id": f"switch.s{number}", "to": "on"}],
            "actions": [call("switch.turn_on", f"switch.s{number + 1}")],
        }
        for number in range(200)
    ]
    assert await async_setup_component(hass, "automation", {"automation": automations})
    await hass.async_block_till_done()
    first = calls_made(lambda: TriggerSearch(hass).triggered_by(Cause("switch.s7", "on")))
    again = calls_made(lambda: TriggerSearch(hass).triggered_by(Cause("switch.s7", "on")))
    # Only the identity of the configurations is compared once they are indexed.
    assert again < first / 3
    assert again < 200 * 4


# ----------------------------------------------------------------- wrappers and templates


async def test_the_brightness_and_the_speed_of_templates_have_actions_of_their_own(hass):
    unlock, nothing = [call("lock.unlock", "lock.front")], [call("light.turn_on", "light.lamp")]
    assert await async_setup_component(
        hass,
        "template",
        {
            "template": [
                {
                    "light": {
                        "name": "Glow",
                        "state": "{{ true }}",
                        "level": "{{ 1 }}",
                        "turn_on": nothing,
                        "turn_off": nothing,
                        "set_level": unlock,
                    }
                },
                {
                    "fan": {
                        "name": "Air",
                        "state": "{{ true }}",
                        "percentage": "{{ 1 }}",
                        "turn_on": nothing,
                        "turn_off": nothing,
                        "set_percentage": unlock,
                    }
                },
            ]
        },
    )
    await hass.async_block_till_done()
    assert effects(hass, "light.glow", "turn_on").risk is None
    assert effects(hass, "light.glow", "turn_on", brightness_pct=7).risk is UNLOCK
    assert effects(hass, "light.glow", "turn_off").risk is None
    assert effects(hass, "light.glow", "toggle").risk is UNLOCK
    assert effects(hass, "fan.air", "turn_on", percentage=7).risk is UNLOCK
    assert effects(hass, "fan.air", "set_percentage", percentage=7).risk is UNLOCK
    assert effects(hass, "fan.air", "increase_speed").risk is UNLOCK
    assert effects(hass, "fan.air", "turn_off").risk is None


def show_as(hass: HomeAssistant, domain: str, plug: str) -> str:
    """Show a plug as something else, as the household can."""
    wrapper = MockConfigEntry(
        domain="switch_as_x", options={"entity_id": plug, "target_domain": domain}
    )
    wrapper.add_to_hass(hass)
    made = er.async_get(hass).async_get_or_create(
        domain, "switch_as_x", wrapper.entry_id, suggested_object_id="shown", config_entry=wrapper
    )
    hass.states.async_set(made.entity_id, "off")
    return made.entity_id


async def test_a_lamp_that_is_an_oven_asks_as_an_oven(hass):
    lamp = show_as(hass, "light", "switch.oven")
    assert effects(hass, lamp, "turn_on").at_risk == {"switch.oven"}
    assert effects(hass, lamp, "turn_off").risk is None
    assert effects_of_state(hass, lamp, "on", {}).risk is HEAT


async def test_locking_what_is_a_plug_does_not_ask_but_using_the_plug_does(hass):
    hass.states.async_set("switch.relay", "off")
    lock = show_as(hass, "lock", "switch.relay")
    assert effects(hass, lock, "lock").risk is None
    assert effects(hass, lock, "unlock").risk is UNLOCK
    await script(hass, call("lock.lock", lock), call("switch.turn_on", "switch.relay"))
    assert effects(hass).risk is UNLOCK
