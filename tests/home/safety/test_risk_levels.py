"""Risk of entities that only names distinguish: by the household, else by classification."""

import asyncio
import json
from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.sage.home.home_types import RiskClass
from custom_components.sage.home.safety.consequences import effects_of, effects_of_state
from custom_components.sage.home.safety.entity_level import DecidedBy, EntityLevel, level_of
from custom_components.sage.home.safety.risk import risk_of, worst_risk
from custom_components.sage.home.safety.risk_levels import (
    STORAGE_KEY,
    Level,
    RiskLevels,
    RiskVerdict,
    levels_of,
    subject_of,
)

UNLOCK, OPEN, HEAT = RiskClass.UNLOCK, RiskClass.OPEN, RiskClass.HEAT
UNRESOLVED, UNCLEAR = RiskClass.UNRESOLVED, RiskClass.UNCLEAR
NEVER, MAINTENANCE = RiskClass.NEVER, RiskClass.MAINTENANCE

ATTACKS = [
    ("button", "Unlock front door", "press", {}),
    ("button", "Open garage", "press", {}),
    ("button", "Disarm alarm", "press", {}),
    ("button", "Haustür öffnen", "press", {}),
    ("button", "Déverrouiller la porte", "press", {}),
    ("input_button", "玄関を開ける", "press", {}),
    ("switch", "Front door", "turn_on", {}),
    ("switch", "Front door", "turn_off", {}),
    ("switch", "Garage", "toggle", {}),
    ("switch", "Türsummer", "turn_on", {}),
    ("select", "Alarm mode", "select_option", {"option": "disarmed"}),
    ("input_select", "Door lock", "select_option", {"option": "unlocked"}),
    ("input_text", "Lock code", "set_value", {"value": "1234"}),
    ("input_number", "Lock front door", "set_value", {"value": 0}),
    ("input_boolean", "Front door unlocked", "turn_on", {}),
    ("input_datetime", "Open the gate at", "set_datetime", {"time": "03:00"}),
    ("number", "Gate position", "set_value", {"value": 100}),
    ("text", "Keypad code", "set_value", {"value": "1234"}),
    ("siren", "Alarm", "turn_on", {}),
    ("cover", "Haustor", "open_cover", {}),
    ("cover", "C1", "open_cover", {}),
    ("remote", "Hall", "send_command", {"command": "open_garage_door"}),
    ("keymaster", "Slot 1", "turn_on", {}),
]


@pytest.fixture
def levels() -> None:
    """Begin without any classification."""


def put(hass: HomeAssistant, domain: str, name: str, **attributes: Any) -> str:
    hass.states.async_set(f"{domain}.x", "off", {"friendly_name": name, **attributes})
    return f"{domain}.x"


def judge(hass: HomeAssistant, entity_id: str, risk: RiskClass | None) -> None:
    levels_of(hass).note(subject_of(hass, entity_id), RiskVerdict(risk=risk, reason="So it is."))


def risk(hass: HomeAssistant, entity_id: str, service: str, **arguments: Any) -> RiskClass | None:
    domain, choice = entity_id.partition(".")[0], levels_of(hass).choice(entity_id)
    return risk_of(hass, entity_id, domain, service, arguments, choice)


def risk_of_setting(hass: HomeAssistant, entity_id: str, state: str) -> RiskClass | None:
    return effects_of_state(hass, entity_id, state, {}).risk


def row(hass: HomeAssistant, entity_id: str) -> er.RegistryEntry:
    found = er.async_get(hass).async_get(entity_id)
    assert found is not None
    return found


def device_of(hass: HomeAssistant, entity_id: str) -> str:
    device_id = row(hass, entity_id).device_id
    assert device_id is not None
    return device_id


@pytest.fixture
def plug(hass: HomeAssistant) -> str:
    """A switch of a device that stands in the hall."""
    entry = MockConfigEntry(domain="shelly")
    entry.add_to_hass(hass)
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=entry.entry_id,
        identifiers={("shelly", "1")},
        name="Relay 7",
        manufacturer="Shelly",
        model="Plus 1",
    )
    made = er.async_get(hass).async_get_or_create(
        "switch",
        "shelly",
        "1",
        suggested_object_id="relay_7",
        original_name="Output",
        device_id=device.id,
        config_entry=entry,
    )
    hass.states.async_set(made.entity_id, "off", {"friendly_name": "Relay 7 Output"})
    return made.entity_id


# ------------------------------------------------------------------ unclassified


@pytest.mark.parametrize(("domain", "name", "service", "arguments"), ATTACKS)
async def test_what_is_not_classified_asks(hass, domain, name, service, arguments):
    entity_id = put(hass, domain, name)
    assert risk(hass, entity_id, service, **arguments) is not None
    assert effects_of(hass, entity_id, domain, service, arguments).unclassified == {entity_id}
    assert risk_of_setting(hass, entity_id, "on") is not None


@pytest.mark.parametrize(
    ("domain", "name", "service", "arguments", "attributes"),
    [
        ("light", "Front door", "turn_on", {}, {}),
        ("media_player", "Garage", "turn_on", {}, {}),
        ("fan", "Heater fan", "turn_on", {}, {}),
        ("climate", "Nursery Heater", "set_temperature", {"temperature": 20}, {"max_temp": 30}),
        ("vacuum", "Front door", "start", {}, {}),
        ("lock", "Front door", "lock", {}, {}),
        ("cover", "Front door", "open_cover", {}, {"device_class": "shutter"}),
        ("cover", "Garage", "close_cover", {}, {"device_class": "garage"}),
        ("button", "Front door", "press", {}, {"device_class": "identify"}),
    ],
)
async def test_what_its_kind_decides_needs_no_classification(
    hass, domain, name, service, arguments, attributes
):
    entity_id = put(hass, domain, name, **attributes)
    assert risk(hass, entity_id, service, **arguments) is None
    assert not effects_of(hass, entity_id, domain, service, arguments).unclassified


# ------------------------------------------------------------------- classified


@pytest.mark.parametrize(("domain", "name", "service", "arguments"), ATTACKS)
async def test_what_was_found_risky_asks_for_each_action(hass, domain, name, service, arguments):
    entity_id = put(hass, domain, name)
    judge(hass, entity_id, UNLOCK)
    assert risk(hass, entity_id, service, **arguments) is UNLOCK


async def test_what_was_found_harmless_is_free(hass):
    for domain, service in (("switch", "turn_on"), ("button", "press"), ("siren", "turn_on")):
        entity_id = put(hass, domain, "Fountain")
        judge(hass, entity_id, None)
        assert risk(hass, entity_id, service) is None
        assert risk_of_setting(hass, entity_id, "on") is None
        assert worst_risk(hass, entity_id, choice=None) in {None, RiskClass.SECURITY_OFF}


async def test_a_siren_that_was_found_harmless_asks_because_of_its_kind(hass):
    entity_id = put(hass, "siren", "Fountain")
    judge(hass, entity_id, None)
    found = level_of(hass, entity_id)
    assert (found.level, found.by) == (Level.ASK, DecidedBy.KIND)
    assert found.risk is RiskClass.SECURITY_OFF


async def test_what_heats_may_be_switched_off(hass):
    entity_id = put(hass, "switch", "Sauna 2")
    judge(hass, entity_id, HEAT)
    assert risk(hass, entity_id, "turn_on") is HEAT
    assert risk(hass, entity_id, "turn_off") is None
    entity_id = put(hass, "number", "Glow")
    judge(hass, entity_id, HEAT)
    assert risk(hass, entity_id, "set_value", value=0) is None
    assert risk(hass, entity_id, "set_value", value=1) is HEAT


async def test_a_cover_that_opens_a_way_in_may_be_closed(hass):
    entity_id = put(hass, "cover", "C1")
    judge(hass, entity_id, OPEN)
    assert risk(hass, entity_id, "open_cover") is OPEN
    assert risk(hass, entity_id, "close_cover") is None
    assert risk_of_setting(hass, entity_id, "closed") is None
    assert risk_of_setting(hass, entity_id, "open") is OPEN


async def test_what_a_remote_sends_asks_unless_the_household_says_no(hass):
    entity_id = put(hass, "remote", "TV")
    judge(hass, entity_id, None)
    assert risk(hass, entity_id, "turn_on") is None
    assert risk(hass, entity_id, "turn_on", activity="Garage") is UNRESOLVED
    assert risk(hass, entity_id, "send_command", command="open_garage_door") is UNRESOLVED
    levels_of(hass).choose({entity_id: "free"})
    assert risk(hass, entity_id, "send_command", command="mute") is None


# -------------------------------------------------------------------- household


async def test_the_household_lowers_anything_but_work_on_the_system(hass, plug):
    registry_id = row(hass, plug).id
    judge(hass, plug, OPEN)
    hass.states.async_set("lock.front", "locked")
    levels_of(hass).choose({registry_id: "free", "lock.front": "free"})
    assert risk(hass, plug, "turn_on") is None
    assert risk(hass, "lock.front", "unlock") is None
    assert risk_of_setting(hass, "lock.front", "unlocked") is None
    found = effects_of(hass, "lock.front", "zwave_js", "set_lock_usercode", {})
    assert found.risk is MAINTENANCE


async def test_the_choice_stays_with_a_thing_that_gets_another_id(hass, plug):
    registry = er.async_get(hass)
    levels_of(hass).choose({row(hass, plug).id: "never"})
    registry.async_update_entity(plug, new_entity_id="switch.something_else")
    hass.states.async_set("switch.something_else", "off")
    assert risk(hass, "switch.something_else", "turn_off") is NEVER


async def test_always_ask_means_each_action(hass):
    for entity_id in ("light.x", "lock.x", "script.x", "media_player.x"):
        hass.states.async_set(entity_id, "off")
        levels_of(hass).choose({entity_id: "ask"})
        for service in ("turn_on", "turn_off", "lock"):
            assert risk(hass, entity_id, service) is not None
        assert risk_of_setting(hass, entity_id, "locked") is not None


async def test_never_is_never_whatever_reaches_it(hass):
    hass.states.async_set("light.x", "off")
    hass.states.async_set("group.all", "off", {"entity_id": ["light.x", "light.y"]})
    levels_of(hass).choose({"light.x": "never", "group.all": "free"})
    assert effects_of(hass, "light.x", "light", "turn_off", {}).risk is NEVER
    assert effects_of(hass, "group.all", "homeassistant", "turn_on", {}).risk is NEVER
    assert effects_of_state(hass, "light.x", "on", {}).risk is NEVER
    assert effects_of(hass, "light.y", "light", "turn_on", {}).risk is None
    found = effects_of(hass, "light.x", "light", "turn_off", {})
    assert not found.is_covered_by(found)


async def test_the_automatic_level_ignores_only_the_choice_for_the_entity_itself(hass, plug):
    hass.states.async_set("group.plugs", "off", {"entity_id": [plug]})
    judge(hass, plug, OPEN)
    levels_of(hass).choose({row(hass, plug).id: "free", "group.plugs": "never"})
    assert level_of(hass, plug) == EntityLevel(
        level=Level.FREE,
        by=DecidedBy.HOUSEHOLD,
        choice=Level.FREE,
        automatic=Level.ASK,
        risk=OPEN,
        reason="",
    )
    assert level_of(hass, "group.plugs").automatic is Level.FREE
    levels_of(hass).choose({"group.plugs": "never"})
    assert level_of(hass, "group.plugs").risk is OPEN
    found = level_of(hass, plug)
    assert (found.level, found.by, found.reason) == (Level.ASK, DecidedBy.MODEL, "So it is.")


async def test_agreeing_to_an_unknown_thing_covers_what_it_is_found_to_be(hass):
    entity_id = put(hass, "switch", "Relay")
    agreed = effects_of(hass, entity_id, "switch", "turn_on", {})
    judge(hass, entity_id, OPEN)
    assert effects_of(hass, entity_id, "switch", "turn_on", {}).is_covered_by(agreed)
    levels_of(hass).choose({entity_id: "never"})
    assert not effects_of(hass, entity_id, "switch", "turn_on", {}).is_covered_by(agreed)


# --------------------------------------------------------------------- renaming


async def test_the_model_reads_names_place_maker_and_options(hass, plug):
    hall = ar.async_get(hass).async_create("Hall")
    dr.async_get(hass).async_update_device(device_of(hass, plug), area_id=hall.id)
    er.async_get(hass).async_update_entity(plug, aliases=["the gate"])
    assert subject_of(hass, plug).facts == {
        "id": "switch.relay_7",
        "kind": "switch",
        "name": "Output",
        "aliases": ["the gate"],
        "device": ["Relay 7", "Shelly", "Plus 1"],
        "area": "Hall",
        "integration": "shelly",
    }
    mode = put(hass, "select", 'Alarm\n"mode"', options=["armed", "disarmed"])
    assert subject_of(hass, mode).facts == {
        "id": "select.x",
        "kind": "select",
        "name": "Alarm 'mode'",
        "options": ["armed", "disarmed"],
    }


@pytest.mark.parametrize("field", ["name", "aliases", "device", "area", "original_name"])
async def test_what_is_renamed_or_moved_asks_until_it_is_classified_again(hass, plug, field):
    judge(hass, plug, None)
    assert risk(hass, plug, "turn_on") is None
    registry = er.async_get(hass)
    match field:
        case "name":
            registry.async_update_entity(plug, name="Front door")
        case "original_name":
            registry.async_update_entity(plug, original_name="Front door")
        case "aliases":
            registry.async_update_entity(plug, aliases=["front door"])
        case "device":
            device_id = device_of(hass, plug)
            dr.async_get(hass).async_update_device(device_id, name_by_user="Front door")
        case "area":
            registry.async_update_entity(plug, area_id=ar.async_get(hass).async_create("Porch").id)
    assert risk(hass, plug, "turn_on") is UNCLEAR
    judge(hass, plug, OPEN)
    assert risk(hass, plug, "turn_on") is OPEN


async def test_an_entity_without_a_registry_id_is_known_by_its_name(hass):
    entity_id = put(hass, "switch", "Fountain")
    judge(hass, entity_id, None)
    put(hass, "switch", "Front door")
    assert risk(hass, entity_id, "turn_on") is UNCLEAR


async def test_only_the_household_lowers_what_asks(hass, plug):
    registry = er.async_get(hass)
    judge(hass, plug, OPEN)
    judge(hass, plug, None)
    assert risk(hass, plug, "turn_on") is OPEN
    # Its integration calls it something harmless now.
    registry.async_update_entity(plug, original_name="Lamp")
    judge(hass, plug, None)
    assert risk(hass, plug, "turn_on") is OPEN
    # The household does.
    registry.async_update_entity(plug, name="Fountain")
    judge(hass, plug, None)
    assert risk(hass, plug, "turn_on") is None


# ---------------------------------------------------------------------- keeping


async def test_verdicts_are_kept(hass, plug):
    judge(hass, plug, OPEN)
    await levels_of(hass).async_save()
    later = RiskLevels(hass)
    await later.async_load()
    assert later.verdict(plug) == RiskVerdict(risk=OPEN, reason="So it is.")


@pytest.mark.parametrize(
    "kept",
    [
        "nonsense",
        {"risk": "free", "reason": "", "of": "", "chosen": ""},
        {"risk": None},
        {"risk": None, "reason": 1, "of": "", "chosen": ""},
    ],
)
async def test_a_broken_file_frees_nothing(hass, hass_storage, plug, kept):
    key = subject_of(hass, plug).key
    if isinstance(kept, dict) and "of" in kept:
        kept = {**kept, "of": subject_of(hass, plug).fingerprint}
    hass_storage[STORAGE_KEY] = {"version": 1, "key": STORAGE_KEY, "data": {key: kept}}
    await levels_of(hass).async_load()
    assert risk(hass, plug, "turn_on") is UNCLEAR


async def test_what_is_gone_is_not_kept(hass, hass_storage, plug):
    judge(hass, plug, OPEN)
    er.async_get(hass).async_remove(plug)
    old = put(hass, "switch", "Old name")
    judge(hass, old, OPEN)
    put(hass, "switch", "New name")
    judge(hass, old, None)
    await levels_of(hass).async_save()
    assert list(hass_storage[STORAGE_KEY]["data"]) == ["switch.x|New name"]


# ------------------------------------------------------------ what has to be classified


def undecided(hass: HomeAssistant, entity_id: str, service: str = "turn_on") -> frozenset[str]:
    return effects_of(hass, entity_id, entity_id.partition(".")[0], service, {}).undecided


async def script(hass: HomeAssistant, *steps: dict[str, Any]) -> str:
    assert await async_setup_component(hass, "script", {"script": {"x": {"sequence": [*steps]}}})
    return "script.x"


def use(action: str, *entity_ids: str) -> dict[str, Any]:
    return {"action": action, "target": {"entity_id": [*entity_ids]}}


async def test_the_members_of_a_script_a_scene_and_a_group_are_undecided(hass, plug):
    lamp = put(hass, "light", "Lamp")
    assert undecided(hass, await script(hass, use("homeassistant.turn_on", plug, lamp))) == {plug}
    scene = {"name": "s", "entities": {plug: "on", lamp: "on"}}
    assert await async_setup_component(hass, "scene", {"scene": [scene]})
    assert undecided(hass, "scene.s") == {plug}
    hass.states.async_set("group.g", "off", {"entity_id": [plug, lamp]})
    assert undecided(hass, "group.g") == {plug}
    judge(hass, plug, None)
    assert not undecided(hass, "scene.s")
    assert effects_of(hass, "group.g", "group", "turn_on", {}).risk is None


@pytest.mark.parametrize("worse", ["lock.unlock", "shell_command.run", "{{ which }}"])
async def test_what_is_asked_about_anyway_needs_no_classification(hass, plug, worse):
    hass.states.async_set("lock.front", "locked")
    steps = use("switch.turn_on", plug), use(worse, "lock.front")
    assert not undecided(hass, await script(hass, *steps))


@pytest.mark.parametrize("level", ["free", "ask", "never"])
async def test_what_the_household_has_decided_needs_no_classification(hass, plug, level):
    levels_of(hass).choose({plug: level})
    assert not undecided(hass, plug)
    assert not undecided(hass, await script(hass, use("switch.turn_on", plug)))
    levels_of(hass).choose({"script.x": level})
    assert bool(undecided(hass, "script.x")) == (level == "ask")


async def test_a_command_in_the_arguments_of_a_remote_needs_no_classification(hass):
    remote = put(hass, "remote", "Hall")
    assert undecided(hass, remote) == {remote}
    sent = effects_of(hass, remote, "remote", "send_command", {"command": "open"})
    assert sent.risk is UNRESOLVED
    assert not sent.undecided


async def test_one_that_fails_leaves_the_entity_to_the_next(hass, plug):
    async def fail(*_, **_more):
        raise ValueError

    async def ask(*_, **_more):
        return json.dumps({plug: {"risk": "open"}})

    results = await asyncio.gather(
        levels_of(hass).async_classify([plug], fail),
        levels_of(hass).async_classify([plug], ask),
        return_exceptions=True,
    )
    assert isinstance(results[0], ValueError)
    assert risk(hass, plug, "turn_on") is OPEN


# ------------------------------------------------------------- switching off a plain plug


@pytest.mark.parametrize("service", ["turn_on", "turn_off", "toggle"])
async def test_an_unclassified_plug_is_classified_before_use_and_asks_otherwise(
    hass, plug, service
):
    assert risk(hass, plug, service) is UNCLEAR
    assert undecided(hass, plug, service) == {plug}
    judge(hass, plug, UNCLEAR)
    assert risk(hass, plug, service) is UNCLEAR
    judge(hass, plug, None)
    er.async_get(hass).async_update_entity(plug, name="Stereo")
    judge(hass, plug, None)
    assert risk(hass, plug, service) is None


@pytest.mark.parametrize(
    ("verdict", "service", "expected"),
    [
        (RiskClass.LIFE, "turn_off", RiskClass.LIFE),
        (RiskClass.LIFE, "turn_on", RiskClass.LIFE),
        (RiskClass.FOOD, "turn_off", RiskClass.FOOD),
        (RiskClass.FOOD, "toggle", RiskClass.FOOD),
        (RiskClass.FOOD, "turn_on", None),
        (RiskClass.NETWORK, "turn_off", RiskClass.NETWORK),
        (RiskClass.NETWORK, "turn_on", RiskClass.NETWORK),
        (RiskClass.SECURITY_OFF, "turn_off", RiskClass.SECURITY_OFF),
        (UNLOCK, "turn_off", UNLOCK),
        (HEAT, "turn_off", None),
    ],
)
async def test_the_model_says_what_depends_on_a_plug(hass, plug, verdict, service, expected):
    judge(hass, plug, verdict)
    assert risk(hass, plug, service) is expected


async def test_an_option_of_a_fridge_may_switch_it_off(hass):
    fridge = put(hass, "select", "Cooling")
    judge(hass, fridge, RiskClass.FOOD)
    assert risk(hass, fridge, "select_option", option="Aus") is RiskClass.FOOD


async def test_an_unclassified_cover_may_be_closed(hass):
    blind = put(hass, "cover", "Living room")
    assert risk(hass, blind, "close_cover") is None
    assert risk(hass, blind, "open_cover") is UNCLEAR
