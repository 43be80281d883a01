"""Which actions ask, and which do not: by domain, by name, in several languages."""

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.util.unit_system import US_CUSTOMARY_SYSTEM
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.sage.home.home_types import RiskClass
from custom_components.sage.home.safety.risk import risk_of, risk_of_state, worst_of, worst_risk

UNLOCK, DISARM, OPEN = RiskClass.UNLOCK, RiskClass.DISARM, RiskClass.OPEN
SECURITY_OFF, HEAT, MAINTENANCE = RiskClass.SECURITY_OFF, RiskClass.HEAT, RiskClass.MAINTENANCE


def put(hass: HomeAssistant, entity_id: str, name: str = "", state: str = "on", **attributes):
    if name:
        attributes["friendly_name"] = name
    hass.states.async_set(entity_id, state, attributes)


def risk(hass: HomeAssistant, entity_id: str, action: str, **arguments):
    domain, _, service = action.rpartition(".")
    domain = domain or entity_id.split(".", maxsplit=1)[0]
    return risk_of(hass, entity_id, domain, service, arguments, choice=None)


@pytest.mark.parametrize(
    ("entity_id", "action", "expected"),
    [
        ("lock.front", "lock", None),
        ("lock.front", "unlock", UNLOCK),
        ("lock.front", "open", UNLOCK),
        ("lock.front", "homeassistant.turn_off", UNLOCK),
        ("lock.front", "zwave_js.set_lock_usercode", UNLOCK),
        ("lock.front", "some_lock.add_code", UNLOCK),
        ("alarm_control_panel.home", "alarm_disarm", DISARM),
        ("alarm_control_panel.home", "alarm_arm_away", None),
        ("alarm_control_panel.home", "alarm_arm_custom_bypass", DISARM),
        ("alarm_control_panel.home", "other.bypass_zone", DISARM),
        ("siren.roof", "turn_off", SECURITY_OFF),
        ("siren.roof", "toggle", SECURITY_OFF),
        ("siren.roof", "turn_on", None),
        ("camera.yard", "turn_off", SECURITY_OFF),
        ("camera.yard", "disable_motion_detection", SECURITY_OFF),
        ("camera.yard", "other.set_privacy_mode", SECURITY_OFF),
        ("camera.yard", "turn_on", None),
        ("camera.yard", "snapshot", None),
        ("valve.water", "open_valve", OPEN),
        ("valve.water", "toggle", OPEN),
        ("valve.water", "close_valve", None),
        ("update.hub", "install", MAINTENANCE),
        ("update.hub", "skip", None),
        ("homeassistant.x", "homeassistant.restart", MAINTENANCE),
        ("light.lamp", "homeassistant.turn_on", None),
        ("light.lamp", "turn_off", None),
        ("media_player.tv", "turn_on", None),
        ("switch.plug", "turn_on", None),
        ("counter.visits", "reset", None),
        ("sensor.meter", "utility_meter.reset", MAINTENANCE),
        ("light.lamp", "zha.set_zigbee_cluster_attribute", MAINTENANCE),
    ],
)
async def test_by_domain(hass, entity_id, action, expected):
    put(hass, entity_id)
    assert risk(hass, entity_id, action) is expected


async def test_arming_less_while_fully_armed_is_disarming(hass):
    put(hass, "alarm_control_panel.home", state="armed_away")
    assert risk(hass, "alarm_control_panel.home", "alarm_arm_home") is DISARM
    put(hass, "alarm_control_panel.home", state="disarmed")
    assert risk(hass, "alarm_control_panel.home", "alarm_arm_home") is None


@pytest.mark.parametrize("kind", ["garage", "gate", "door"])
async def test_covers_that_let_somebody_in(hass, kind):
    put(hass, "cover.c", "Something", device_class=kind)
    assert risk(hass, "cover.c", "open_cover") is OPEN
    assert risk(hass, "cover.c", "toggle") is OPEN
    assert risk(hass, "cover.c", "set_cover_position", position=1) is OPEN
    assert risk(hass, "cover.c", "set_cover_position") is OPEN
    assert risk(hass, "cover.c", "set_cover_tilt_position", tilt_position=50) is OPEN
    assert risk(hass, "cover.c", "open_cover_tilt") is OPEN
    assert risk(hass, "cover.c", "set_cover_position", position=0) is None
    assert risk(hass, "cover.c", "close_cover") is None
    assert risk(hass, "cover.c", "stop_cover") is None


@pytest.mark.parametrize(
    "name",
    ["Garagentor", "Front Gate", "Portail", "Haustür", "Porte d'entrée", "Cancello", "Ворота"],
)
async def test_covers_named_as_an_entrance(hass, name):
    put(hass, "cover.c", name)
    assert risk(hass, "cover.c", "open_cover") is OPEN


@pytest.mark.parametrize("name", ["Blind", "Rollladen Küche", "Volet salon", "Living room shade"])
async def test_blinds_do_not_ask(hass, name):
    put(hass, "cover.c", name)
    assert risk(hass, "cover.c", "open_cover") is None


async def test_a_blind_at_a_door_is_a_blind(hass):
    put(hass, "cover.c", "Terrace Door", device_class="shutter")
    assert risk(hass, "cover.c", "open_cover") is None


@pytest.mark.parametrize(
    "name",
    [
        "Oven",
        "Kitchen Stove",
        "Space Heater",
        "Iron",
        "Hob",
        "Toaster",
        "Slow cooker",
        "Backofen",
        "Elektroherd",
        "Herd",
        "Bügeleisen",
        "Heizlüfter",
        "Kochfeld",
        "Fritteuse",
        "Four",
        "Plaque de cuisson",
        "Fer à repasser",
        "Radiateur d'appoint",
        "Cuisinière",
        "Horno",
        "Plancha",
        "Forno",
        "Ferro da stiro",
        "Strijkijzer",
        "Oven boven",
        "Spis",
        "Piekarnik",
        "Żelazko",
        "Trouba",
        "Утюг",
        "Fırın",
        "Range",
    ],
)
async def test_starting_what_may_burn_asks(hass, name):
    for domain, action in (
        ("switch", "turn_on"),
        ("switch", "toggle"),
        ("input_boolean", "turn_on"),
        ("button", "press"),
    ):
        put(hass, f"{domain}.x", name)
        assert risk(hass, f"{domain}.x", action) is HEAT
    put(hass, "switch.x", name)
    assert risk(hass, "switch.x", "turn_off") is None
    put(hass, "light.x", name)
    assert risk(hass, "light.x", "turn_on") is None
    put(hass, "sensor.x", name)
    assert risk(hass, "sensor.x", "turn_on") is None


@pytest.mark.parametrize(
    "name",
    [
        "Dishwasher",
        "Washing Machine",
        "Thermostat",
        "Boiler",
        "Heat Pump",
        "Water Heater",
        "Geschirrspüler",
        "Waschmaschine",
        "Heizung Bad",
        "Lave-linge",
        "Chauffe-eau",
        "Oven Light",
        "Range hood",
        "Coffee machine",
        "Desk lamp",
        "Button four",
        "Fernseher",
        "Coverage",
        "Herdenschutz Lampe",
    ],
)
async def test_what_does_not_burn_does_not_ask(hass, name):
    for domain, action in (("switch", "turn_on"), ("climate", "turn_on"), ("button", "press")):
        put(hass, f"{domain}.x", name)
        assert risk(hass, f"{domain}.x", action) is None


async def test_setting_an_oven_asks_and_stopping_it_does_not(hass):
    put(hass, "select.mode", "Oven mode")
    assert risk(hass, "select.mode", "select_option", option="Bake") is HEAT
    assert risk(hass, "select.mode", "select_option", option="No steam bake") is HEAT
    assert risk(hass, "select.mode", "select_option", option="Off") is None
    put(hass, "number.t", "Oven temperature")
    assert risk(hass, "number.t", "set_value", value=200) is HEAT
    assert risk(hass, "number.t", "set_value", value=0) is None
    put(hass, "button.stop", "Oven stop")
    assert risk(hass, "button.stop", "press") is None


@pytest.mark.parametrize("name", ["Nursery Heater", "Heizlüfter Bad", "Space heater", "Poêle"])
async def test_a_thermostat_is_free_whatever_it_is_called(hass, name):
    put(hass, "climate.x", name, max_temp=35)
    assert risk(hass, "climate.x", "set_temperature", temperature=20) is None
    assert risk(hass, "climate.x", "set_hvac_mode", hvac_mode="heat") is None


async def test_what_can_be_set_hotter_than_a_room_asks(hass):
    put(hass, "climate.x", "Wellness", max_temp=110)
    assert risk(hass, "climate.x", "set_temperature", temperature=90) is HEAT
    assert risk(hass, "climate.x", "turn_on") is HEAT
    assert risk(hass, "climate.x", "turn_off") is None
    hass.config.units = US_CUSTOMARY_SYSTEM
    put(hass, "climate.f", "Hall", max_temp=95)
    assert risk(hass, "climate.f", "turn_on") is None


async def test_all_names_count(hass, entity_registry, device_registry):
    entry = MockConfigEntry(domain="test")
    entry.add_to_hass(hass)
    made = {}
    for number, names in enumerate(
        ({"name": "Backofen"}, {"name": "Thing", "model": "Oven 3000"}, {"name": "Thing"})
    ):
        made[number] = device_registry.async_get_or_create(
            config_entry_id=entry.entry_id, identifiers={("test", str(number))}, **names
        )
        entity_registry.async_get_or_create(
            "switch",
            "test",
            str(number),
            device_id=made[number].id,
            suggested_object_id=f"s{number}",
        )
        put(hass, f"switch.s{number}", "Power")
    assert risk(hass, "switch.s0", "turn_on") is HEAT
    assert risk(hass, "switch.s1", "turn_on") is HEAT
    assert risk(hass, "switch.s2", "turn_on") is None
    device_registry.async_update_device(made[2].id, name_by_user="Bügeleisen")
    assert risk(hass, "switch.s2", "turn_on") is HEAT
    device_registry.async_update_device(made[2].id, name_by_user="Plug")
    entity_registry.async_update_entity("switch.s2", aliases=["the iron"])
    assert risk(hass, "switch.s2", "turn_on") is HEAT
    # A lamp inside the oven heats nothing, an area makes nothing an oven.
    entity_registry.async_update_entity("switch.s0", name="Lamp")
    put(hass, "switch.s0", "Backofen Lamp")
    assert risk(hass, "switch.s0", "turn_on") is None
    stove = ar.async_get(hass).async_create("Stove corner")
    entity_registry.async_update_entity("switch.s2", aliases=[])
    device_registry.async_update_device(made[2].id, area_id=stove.id)
    assert risk(hass, "switch.s2", "turn_on") is None


@pytest.mark.parametrize(
    "name", ["Camera Garden", "Alarmanlage", "Überwachung", "Vidéosurveillance", "Smoke alarm"]
)
async def test_switching_a_guard_off_asks(hass, name):
    put(hass, "switch.x", name)
    assert risk(hass, "switch.x", "turn_off") is SECURITY_OFF
    assert risk(hass, "switch.x", "toggle") is SECURITY_OFF
    assert risk(hass, "switch.x", "turn_on") is None
    put(hass, "automation.x", name)
    assert risk(hass, "automation.x", "turn_off") is SECURITY_OFF
    put(hass, "select.x", name)
    assert risk(hass, "select.x", "select_option", option="off") is SECURITY_OFF


async def test_blinding_a_camera_asks(hass):
    put(hass, "switch.x", "Camera Garden Privacy mode")
    assert risk(hass, "switch.x", "turn_on") is SECURITY_OFF
    assert risk(hass, "switch.x", "turn_off") is None
    put(hass, "button.x", "Alarm off")
    assert risk(hass, "button.x", "press") is SECURITY_OFF
    put(hass, "switch.clock", "Alarm clock")
    assert risk(hass, "switch.clock", "turn_off") is None


async def test_switches_and_buttons_at_doors(hass):
    put(hass, "switch.x", "Türöffner")
    assert risk(hass, "switch.x", "turn_on") is UNLOCK
    put(hass, "button.x", "Garage door")
    assert risk(hass, "button.x", "press") is OPEN
    put(hass, "switch.g", "Gate")
    assert risk(hass, "switch.g", "turn_off") is None
    put(hass, "switch.c", "Child lock")
    assert risk(hass, "switch.c", "turn_off") is None
    put(hass, "switch.l", "Garage door light")
    assert risk(hass, "switch.l", "turn_on") is None


async def test_restart_buttons_ask(hass):
    put(hass, "button.a", "Wi-Fi", device_class="restart")
    put(hass, "button.b", "Router Neustart")
    put(hass, "button.c", "Identify", device_class="identify")
    assert risk(hass, "button.a", "press") is MAINTENANCE
    assert risk(hass, "button.b", "press") is MAINTENANCE
    assert risk(hass, "button.c", "press") is None


@pytest.mark.parametrize(
    ("entity_id", "name", "state", "attributes", "expected"),
    [
        ("lock.x", "", "locked", {}, None),
        ("lock.x", "", "unlocked", {}, UNLOCK),
        ("lock.x", "", "open", {}, UNLOCK),
        ("alarm_control_panel.x", "", "armed_away", {}, None),
        ("alarm_control_panel.x", "", "disarmed", {}, DISARM),
        ("alarm_control_panel.x", "", "armed_custom_bypass", {}, DISARM),
        ("cover.x", "Garage door", "open", {}, OPEN),
        ("cover.x", "Garage door", "closed", {}, None),
        ("cover.x", "Garage door", "closed", {"current_position": 20}, OPEN),
        ("cover.x", "Blind", "open", {}, None),
        ("valve.x", "", "open", {}, OPEN),
        ("switch.x", "Oven", "on", {}, HEAT),
        ("switch.x", "Oven", "off", {}, None),
        ("switch.x", "Camera", "off", {}, SECURITY_OFF),
        ("siren.x", "", "off", {}, SECURITY_OFF),
        ("climate.x", "Thermostat", "heat", {}, None),
        ("climate.x", "Space heater", "heat", {}, None),
        ("number.x", "Oven temperature", "180", {}, HEAT),
        ("light.x", "Oven", "on", {}, None),
    ],
)
async def test_by_state(hass, entity_id, name, state, attributes, expected):
    put(hass, entity_id, name)
    assert risk_of_state(hass, entity_id, state, attributes, choice=None) is expected


async def test_the_worst_of_an_entity_and_of_many(hass):
    put(hass, "lock.x")
    put(hass, "light.x")
    put(hass, "switch.x", "Camera")
    put(hass, "update.x")
    assert worst_risk(hass, "lock.x", choice=None) is UNLOCK
    assert worst_risk(hass, "light.x", choice=None) is None
    assert worst_risk(hass, "switch.x", choice=None) is SECURITY_OFF
    assert worst_risk(hass, "update.x", choice=None) is MAINTENANCE
    assert worst_of([None, MAINTENANCE, UNLOCK, HEAT]) is UNLOCK
    assert worst_of([None]) is None
