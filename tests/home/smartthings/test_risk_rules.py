"""Dangerous raw commands need confirmation."""

import pytest

from custom_components.sage.home.commands.pipeline import ValidatedCommand
from custom_components.sage.home.home_types import CommandDescription, Component, RiskClass
from custom_components.sage.home.smartthings.raw import RawDevice, RawValue
from custom_components.sage.home.smartthings.risk import risk_of

ASKED = [
    # category, capability, command, arguments, risk
    ("SmartLock", "lock", "unlock", {}, RiskClass.UNLOCK),
    ("SmartLock", "lock", "unlatch", {}, RiskClass.UNLOCK),
    ("SmartLock", "lock", "lock", {}, None),
    ("SmartLock", "lockCodes", "setCode", {"codeSlot": 1}, RiskClass.UNRESOLVED),
    ("SmartLock", "lockCodes", "lock", {}, RiskClass.UNRESOLVED),
    ("SmartLock", "lockCredentials", "addCredential", {}, RiskClass.UNRESOLVED),
    ("SmartLock", "audioVolume", "setVolume", {"volume": 0}, RiskClass.UNLOCK),
    ("SmartLock", "switch", "off", {}, RiskClass.UNLOCK),
    ("SmartLock", "firmwareUpdate", "updateFirmware", {}, RiskClass.UNRESOLVED),
    (None, "rboyapps.lockAutolock", "disableAutolock", {}, RiskClass.UNCLEAR),
    ("Washer", "samsungce.kidsLockControl", "unlock", {}, None),
    ("WaterPurifier", "samsungce.waterPurifierHotWaterLock", "unlock", {}, None),
    # Alarms
    ("SecurityPanel", "securitySystem", "disarm", {}, RiskClass.DISARM),
    ("SecurityPanel", "securitySystem", "armAway", {}, None),
    ("SecurityPanel", "securitySystem", "armStay", {}, RiskClass.DISARM),
    ("SecurityPanel", "custom.zones", "setZone", {"zone": 1}, RiskClass.DISARM),
    (None, "securitySystem", "disarm", {}, RiskClass.DISARM),
    # Entrances and valves
    ("GarageDoor", "doorControl", "open", {}, RiskClass.OPEN),
    ("GarageDoor", "doorControl", "close", {}, None),
    ("GarageDoor", "switch", "off", {}, RiskClass.OPEN),
    ("GarageDoor", "momentary", "push", {}, RiskClass.OPEN),
    ("GarageDoor", "samsungce.lamp", "setBrightnessLevel", {"level": "on"}, None),
    ("Others", "garageDoorControl", "open", {}, RiskClass.OPEN),
    (None, "windowShade", "open", {}, RiskClass.UNCLEAR),
    (None, "windowShadeLevel", "setShadeLevel", {"level": 40}, RiskClass.UNCLEAR),
    ("Blind", "windowShade", "open", {}, None),
    ("WaterValve", "valve", "open", {}, RiskClass.OPEN),
    ("WaterValve", "valve", "close", {}, None),
    ("WaterValve", "custom.flow", "setFlow", {"flow": 3}, RiskClass.OPEN),
    ("Dishwasher", "samsungce.autoOpenDoor", "on", {}, None),
    ("Refrigerator", "samsungce.doorAlarm", "off", {}, None),
    # Sirens, cameras, sensors
    ("Siren", "alarm", "off", {}, RiskClass.SECURITY_OFF),
    ("Siren", "alarm", "siren", {}, None),
    ("Siren", "switch", "off", {}, RiskClass.SECURITY_OFF),
    ("Siren", "switch", "on", {}, None),
    ("SmokeDetector", "alarm", "off", {}, RiskClass.SECURITY_OFF),
    ("Camera", "videoCamera", "off", {}, RiskClass.SECURITY_OFF),
    ("Camera", "videoCamera", "on", {}, None),
    ("Camera", "switch", "on", {}, None),
    ("Camera", "switch", "toggle", {}, RiskClass.SECURITY_OFF),
    ("Camera", "custom.privacyMode", "on", {}, RiskClass.SECURITY_OFF),
    ("Camera", "motionDetection", "setDetection", {"d": "off"}, RiskClass.SECURITY_OFF),
    # Heat
    ("Oven", "ovenOperatingState", "start", {}, RiskClass.HEAT),
    ("Oven", "ovenOperatingState", "stop", {}, None),
    ("Oven", "ovenOperatingState", "setMachineState", {"state": "stop"}, None),
    ("Oven", "ovenOperatingState", "setMachineState", {"state": "run"}, RiskClass.HEAT),
    ("Oven", "ovenSetpoint", "setOvenSetpoint", {"setpoint": 200}, RiskClass.HEAT),
    ("Oven", "samsungce.ovenMode", "setOvenMode", {"mode": "Bake"}, RiskClass.HEAT),
    ("Oven", "switch", "on", {}, RiskClass.HEAT),
    ("Oven", "switch", "off", {}, None),
    ("Oven", "samsungce.lamp", "setBrightnessLevel", {"level": "high"}, None),
    ("Oven", "custom.autoOff", "setAutoOff", {"mode": "off"}, RiskClass.HEAT),
    ("Oven", "custom.whoKnows", "doIt", {}, RiskClass.HEAT),
    ("Microwave", "samsungce.hoodFanSpeed", "setHoodFanSpeed", {"speed": 2}, None),
    ("Microwave", "samsungce.microwavePower", "setPowerLevel", {"l": "9"}, RiskClass.HEAT),
    ("Others", "cookTime", "setCookTime", {"cookTime": 60}, RiskClass.UNCLEAR),
    # Plugs and relays
    ("SmartPlug", "switch", "on", {}, RiskClass.UNCLEAR),
    ("SmartPlug", "switch", "off", {}, RiskClass.UNCLEAR),
    ("SmartPlug", "statelessPowerToggleButton", "setButton", {"b": "x"}, RiskClass.UNCLEAR),
    ("Light", "switch", "on", {}, RiskClass.UNCLEAR),
    ("Microwave", "doorControl", "close", {}, None),
    # Upkeep
    ("Television", "firmwareUpdate", "updateFirmware", {}, RiskClass.UNRESOLVED),
    ("Refrigerator", "custom.waterFilter", "resetWaterFilter", {}, None),
    ("Tracker", "tag.factoryReset", "reset", {}, RiskClass.UNRESOLVED),
    ("Television", "execute", "execute", {"command": "x"}, RiskClass.UNRESOLVED),
    # Everyday
    ("Television", "tvChannel", "setTvChannel", {"tvChannel": "7"}, None),
    ("Television", "switch", "on", {}, None),
    ("Dishwasher", "samsungce.dishwasherOperation", "start", {}, None),
    ("Washer", "washerOperatingState", "setMachineState", {"state": "run"}, None),
    ("Refrigerator", "thermostatCoolingSetpoint", "setCoolingSetpoint", {"s": -20}, None),
    ("Light", "switchLevel", "setLevel", {"level": 5}, None),
    ("AirConditioner", "airConditionerMode", "setAirConditionerMode", {"mode": "heat"}, None),
    ("Thermostat", "thermostatMode", "heat", {}, None),
]


def risk(
    device: RawDevice, capability: str, command: str, arguments: dict[str, object] | None = None
) -> RiskClass | None:
    """Return the risk of a command to the last component of a device."""
    component = device.components[-1]
    step = ValidatedCommand(
        device_id="it",
        device_name="It",
        source_id=device.id,
        component_id=component.id,
        capability=capability,
        description=CommandDescription(name=command),
        arguments=arguments or {},
    )
    return risk_of(device, component, step)


def made(category: str | None, *capabilities: str, part: str = "main") -> RawDevice:
    kind = category.casefold() if category else None
    main = Component(id="main", name="It", capabilities=capabilities, kind=kind)
    parts = [Component(id=part, name=part, capabilities=capabilities)] * (part != "main")
    return RawDevice(id="1", components=(main, *parts), entry_id="entry")


@pytest.mark.parametrize(("category", "capability", "command", "arguments", "found"), ASKED)
def test_risk(
    category: str | None,
    capability: str,
    command: str,
    arguments: dict[str, object],
    found: RiskClass | None,
) -> None:
    assert risk(made(category, capability), capability, command, arguments) is found


def test_arming_less_than_fully_is_asked_back_only_when_fully_armed() -> None:
    panel = made("SecurityPanel", "securitySystem")
    for state, found in (("disarmed", None), ("armedAway", RiskClass.DISARM)):
        values = {"securitySystemStatus": RawValue(value=state)}
        panel.values = {"main": {"securitySystem": values}}
        assert risk(panel, "securitySystem", "armStay") is found


def test_what_has_a_lock_beside_is_judged_as_a_lock() -> None:
    assert risk(made(None, "lock", "switch"), "switch", "on") is RiskClass.UNLOCK


def test_the_lamp_of_a_range_heats_nothing_but_its_burner_does() -> None:
    assert risk(made("Range", "switch", part="lamp"), "switch", "on") is None
    assert risk(made("Range", "switch", part="burner-01"), "switch", "on") is RiskClass.HEAT
