"""Which actions ask, and which do not: by domain and device class."""

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.util.unit_system import US_CUSTOMARY_SYSTEM

from custom_components.sage.home.home_types import RiskClass
from custom_components.sage.home.safety.consequences import effects_of_state
from custom_components.sage.home.safety.risk import risk_of, worst_of, worst_risk

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


async def test_a_blind_at_a_door_is_a_blind(hass):
    put(hass, "cover.c", "Terrace Door", device_class="shutter")
    assert risk(hass, "cover.c", "open_cover") is None


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


async def test_restart_buttons_ask(hass):
    put(hass, "button.a", "Wi-Fi", device_class="restart")
    put(hass, "button.c", "Identify", device_class="identify")
    assert risk(hass, "button.a", "press") is MAINTENANCE
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
        ("cover.x", "", "open", {}, OPEN),
        ("cover.x", "", "closed", {}, None),
        ("cover.x", "", "closed", {"current_position": 20}, OPEN),
        ("valve.x", "", "open", {}, OPEN),
        ("siren.x", "", "off", {}, SECURITY_OFF),
        ("climate.x", "Thermostat", "heat", {}, None),
        ("climate.x", "Space heater", "heat", {}, None),
        ("light.x", "Oven", "on", {}, None),
    ],
)
async def test_by_state(hass, entity_id, name, state, attributes, expected):
    put(hass, entity_id, name, device_class="garage")
    assert effects_of_state(hass, entity_id, state, attributes).risk is expected


async def test_the_worst_of_an_entity_and_of_many(hass):
    put(hass, "lock.x")
    put(hass, "light.x")
    put(hass, "siren.x")
    put(hass, "update.x")
    assert worst_risk(hass, "lock.x", choice=None) is UNLOCK
    assert worst_risk(hass, "light.x", choice=None) is None
    assert worst_risk(hass, "siren.x", choice=None) is SECURITY_OFF
    assert worst_risk(hass, "update.x", choice=None) is MAINTENANCE
    assert worst_of([None, MAINTENANCE, UNLOCK, HEAT]) is UNLOCK
    assert worst_of([None]) is None
