"""Dangerous raw commands need confirmation."""

from dataclasses import replace

import pytest

from custom_components.sage.home.home_types import RiskClass
from custom_components.sage.home.smartthings.risk import RawAction, RawPart, risk_of

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
    ("SmartLock", "firmwareUpdate", "updateFirmware", {}, RiskClass.MAINTENANCE),
    (None, "rboyapps.lockAutolock", "disableAutolock", {}, RiskClass.UNLOCK),
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
    ("Washer", "samsungce.washerWaterValve", "setWaterValve", {"valve": "hot"}, None),
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
    (
        "Camera",
        "custom.privacyMode",
        "setPrivacyMode",
        {"m": "on"},
        RiskClass.SECURITY_OFF,
    ),
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
    ("Oven", "custom.autoOff", "disableAutoOff", {}, RiskClass.HEAT),
    ("Oven", "custom.whoKnows", "doIt", {}, RiskClass.HEAT),
    ("Microwave", "samsungce.hoodFanSpeed", "setHoodFanSpeed", {"speed": 2}, None),
    ("Microwave", "samsungce.microwavePower", "setPowerLevel", {"l": "9"}, RiskClass.HEAT),
    ("Others", "cookTime", "setCookTime", {"cookTime": 60}, RiskClass.HEAT),
    # Plugs and relays
    ("SmartPlug", "switch", "on", {}, RiskClass.UNCLEAR),
    ("SmartPlug", "switch", "off", {}, RiskClass.UNCLEAR),
    ("SmartPlug", "statelessPowerToggleButton", "setButton", {"b": "x"}, RiskClass.UNCLEAR),
    ("Light", "switch", "on", {}, RiskClass.UNCLEAR),
    ("Microwave", "doorControl", "close", {}, None),
    ("Refrigerator", "doorControl", "open", {}, None),
    # Upkeep
    ("Television", "firmwareUpdate", "updateFirmware", {}, RiskClass.MAINTENANCE),
    ("Television", "firmwareUpdate", "checkForFirmwareUpdate", {}, None),
    ("Refrigerator", "custom.waterFilter", "resetWaterFilter", {}, None),
    ("SmartPlug", "energyMeter", "resetEnergyMeter", {}, RiskClass.MAINTENANCE),
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


@pytest.mark.parametrize(("category", "capability", "command", "arguments", "risk"), ASKED)
def test_risk(
    category: str | None,
    capability: str,
    command: str,
    arguments: dict[str, object],
    risk: RiskClass | None,
) -> None:
    capabilities = frozenset({capability})
    thing = RawPart(
        categories=frozenset({category.casefold()} if category else ()),
        category=category.casefold() if category else None,
        capabilities=capabilities,
    )

    action = RawAction(capability=capability, command=command, arguments=arguments)

    assert risk_of(thing, action) is risk


def test_arming_less_than_fully_is_asked_back_only_when_fully_armed() -> None:
    action = RawAction(capability="securitySystem", command="armStay", arguments={})

    assert risk_of(RawPart(category="securitypanel", armed="disarmed"), action) is None
    assert risk_of(RawPart(armed="armedAway"), action) is RiskClass.DISARM


def test_what_has_a_lock_beside_is_judged_as_a_lock() -> None:
    thing = RawPart(capabilities=frozenset({"lock", "switch"}))

    action = RawAction(capability="switch", command="on", arguments={})

    assert risk_of(thing, action) is RiskClass.UNLOCK


def test_the_lamp_of_a_range_heats_nothing_but_its_burner_does() -> None:
    switch_on = RawAction(capability="switch", command="on", arguments={})
    whole = RawPart(categories=frozenset({"range"}), category="range")

    assert risk_of(replace(whole, id="lamp"), switch_on) is None
    assert risk_of(replace(whole, id="burner-01"), switch_on) is RiskClass.HEAT
