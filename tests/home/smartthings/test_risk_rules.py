"""Dangerous raw commands need confirmation."""

import pytest

from custom_components.sage.home.home_types import RiskClass
from custom_components.sage.home.smartthings.risk_rules import RawAction, RawThing, risk_of

ASKED = [
    # category, names, capability, command, arguments, risk
    ("SmartLock", "Front door", "lock", "unlock", {}, RiskClass.UNLOCK),
    ("SmartLock", "Front door", "lock", "unlatch", {}, RiskClass.UNLOCK),
    ("SmartLock", "Front door", "lock", "lock", {}, None),
    ("SmartLock", "Front door", "lockCodes", "setCode", {"codeSlot": 1}, RiskClass.UNRESOLVED),
    ("SmartLock", "Front door", "lockCodes", "lock", {}, RiskClass.UNRESOLVED),
    ("SmartLock", "Front door", "lockCredentials", "addCredential", {}, RiskClass.UNRESOLVED),
    ("SmartLock", "Front door", "audioVolume", "setVolume", {"volume": 0}, RiskClass.UNLOCK),
    ("SmartLock", "Front door", "switch", "off", {}, RiskClass.UNLOCK),
    ("SmartLock", "Door", "firmwareUpdate", "updateFirmware", {}, RiskClass.MAINTENANCE),
    (None, "Thing", "rboyapps.lockAutolock", "disableAutolock", {}, RiskClass.UNLOCK),
    ("Washer", "Washer", "samsungce.kidsLockControl", "unlock", {}, None),
    ("WaterPurifier", "Tap", "samsungce.waterPurifierHotWaterLock", "unlock", {}, None),
    # Alarms
    ("SecurityPanel", "Alarm", "securitySystem", "disarm", {}, RiskClass.DISARM),
    ("SecurityPanel", "Alarm", "securitySystem", "armAway", {}, None),
    ("SecurityPanel", "Alarm", "securitySystem", "armStay", {}, RiskClass.DISARM),
    ("SecurityPanel", "Alarm", "custom.zones", "setZone", {"zone": 1}, RiskClass.DISARM),
    (None, "Panel", "securitySystem", "disarm", {}, RiskClass.DISARM),
    # Entrances and valves
    ("GarageDoor", "Garage", "doorControl", "open", {}, RiskClass.OPEN),
    ("GarageDoor", "Garage", "doorControl", "close", {}, None),
    ("GarageDoor", "Garage", "switch", "off", {}, RiskClass.OPEN),
    ("GarageDoor", "Garage", "momentary", "push", {}, RiskClass.OPEN),
    ("GarageDoor", "Garage", "samsungce.lamp", "setBrightnessLevel", {"level": "on"}, None),
    ("Others", "Thing", "garageDoorControl", "open", {}, RiskClass.OPEN),
    (None, "Garage door", "windowShade", "open", {}, RiskClass.OPEN),
    (None, "Garage door", "windowShadeLevel", "setShadeLevel", {"level": 40}, RiskClass.OPEN),
    (None, "Garage door", "windowShadeLevel", "setShadeLevel", {"level": 0}, None),
    ("Blind", "Patio door blind", "windowShade", "open", {}, None),
    ("WaterValve", "Main valve", "valve", "open", {}, RiskClass.OPEN),
    ("WaterValve", "Main valve", "valve", "close", {}, None),
    ("WaterValve", "Main valve", "custom.flow", "setFlow", {"flow": 3}, RiskClass.OPEN),
    ("Washer", "Washer", "samsungce.washerWaterValve", "setWaterValve", {"valve": "hot"}, None),
    ("Dishwasher", "Dishwasher", "samsungce.autoOpenDoor", "on", {}, None),
    ("Refrigerator", "Fridge", "samsungce.doorAlarm", "off", {}, None),
    # Sirens, cameras, sensors
    ("Siren", "Siren", "alarm", "off", {}, RiskClass.SECURITY_OFF),
    ("Siren", "Siren", "alarm", "siren", {}, None),
    ("Siren", "Siren", "switch", "off", {}, RiskClass.SECURITY_OFF),
    ("Siren", "Siren", "switch", "on", {}, None),
    ("SmokeDetector", "Smoke", "alarm", "off", {}, RiskClass.SECURITY_OFF),
    ("Camera", "Porch", "videoCamera", "off", {}, RiskClass.SECURITY_OFF),
    ("Camera", "Porch", "videoCamera", "on", {}, None),
    ("Camera", "Gate camera", "switch", "on", {}, None),
    ("Camera", "Porch", "switch", "toggle", {}, RiskClass.SECURITY_OFF),
    (
        "Camera",
        "Porch",
        "custom.privacyMode",
        "setPrivacyMode",
        {"m": "on"},
        RiskClass.SECURITY_OFF,
    ),
    ("Camera", "Porch", "motionDetection", "setDetection", {"d": "off"}, RiskClass.SECURITY_OFF),
    # Heat
    ("Oven", "Oven", "ovenOperatingState", "start", {}, RiskClass.HEAT),
    ("Oven", "Oven", "ovenOperatingState", "stop", {}, None),
    ("Oven", "Oven", "ovenOperatingState", "setMachineState", {"state": "stop"}, None),
    ("Oven", "Oven", "ovenOperatingState", "setMachineState", {"state": "run"}, RiskClass.HEAT),
    ("Oven", "Oven", "ovenSetpoint", "setOvenSetpoint", {"setpoint": 200}, RiskClass.HEAT),
    ("Oven", "Oven", "samsungce.ovenMode", "setOvenMode", {"mode": "Bake"}, RiskClass.HEAT),
    ("Oven", "Oven", "switch", "on", {}, RiskClass.HEAT),
    ("Oven", "Oven", "switch", "off", {}, None),
    ("Oven", "Oven", "samsungce.lamp", "setBrightnessLevel", {"level": "high"}, None),
    ("Oven", "Oven", "custom.autoOff", "setAutoOff", {"mode": "off"}, RiskClass.HEAT),
    ("Oven", "Oven", "custom.autoOff", "disableAutoOff", {}, RiskClass.HEAT),
    ("Oven", "Oven", "custom.whoKnows", "doIt", {}, RiskClass.HEAT),
    ("Microwave", "Hood", "samsungce.hoodFanSpeed", "setHoodFanSpeed", {"speed": 2}, None),
    ("Microwave", "Hood", "samsungce.microwavePower", "setPowerLevel", {"l": "9"}, RiskClass.HEAT),
    ("Others", "Thing", "cookTime", "setCookTime", {"cookTime": 60}, RiskClass.HEAT),
    ("SmartPlug", "Iron", "switch", "on", {}, RiskClass.HEAT),
    ("SmartPlug", "Iron", "switch", "off", {}, None),
    ("SmartPlug", "Iron", "switchLevel", "setLevel", {"level": 0}, None),
    ("SmartPlug", "Iron", "switchLevel", "setLevel", {"level": 9, "rate": 0}, RiskClass.HEAT),
    ("SmartPlug", "Iron", "statelessPowerToggleButton", "setButton", {"b": "x"}, RiskClass.HEAT),
    ("Light", "Iron", "switch", "on", {}, RiskClass.HEAT),
    ("Light", "Oven light", "switch", "on", {}, None),
    ("Microwave", "Hood", "doorControl", "close", {}, None),
    ("Refrigerator", "Fridge", "doorControl", "open", {}, None),
    # Names
    ("SmartPlug", "Gate", "switch", "on", {}, RiskClass.OPEN),
    ("SmartPlug", "Gate", "statelessPowerToggleButton", "setButton", {"b": 1}, RiskClass.OPEN),
    ("SmartPlug", "Door opener", "switch", "off", {}, RiskClass.UNLOCK),
    ("SmartPlug", "Camera plug", "switch", "off", {}, RiskClass.SECURITY_OFF),
    ("Switch", "Privacy mode", "switch", "on", {}, RiskClass.SECURITY_OFF),
    # Upkeep
    ("Television", "TV", "firmwareUpdate", "updateFirmware", {}, RiskClass.MAINTENANCE),
    ("Television", "TV", "firmwareUpdate", "checkForFirmwareUpdate", {}, None),
    ("Refrigerator", "Fridge", "custom.waterFilter", "resetWaterFilter", {}, None),
    ("SmartPlug", "Lamp", "energyMeter", "resetEnergyMeter", {}, RiskClass.MAINTENANCE),
    ("Tracker", "Tag", "tag.factoryReset", "reset", {}, RiskClass.UNRESOLVED),
    ("Television", "TV", "execute", "execute", {"command": "x"}, RiskClass.UNRESOLVED),
    # Everyday
    ("Television", "Gate TV", "tvChannel", "setTvChannel", {"tvChannel": "7"}, None),
    ("Television", "Stove TV", "switch", "on", {}, None),
    ("Dishwasher", "Dishwasher", "samsungce.dishwasherOperation", "start", {}, None),
    ("Washer", "Washer", "washerOperatingState", "setMachineState", {"state": "run"}, None),
    ("Refrigerator", "Fridge", "thermostatCoolingSetpoint", "setCoolingSetpoint", {"s": -20}, None),
    ("Light", "Stove", "switchLevel", "setLevel", {"level": 5}, None),
    ("AirConditioner", "AC", "airConditionerMode", "setAirConditionerMode", {"mode": "heat"}, None),
    ("Thermostat", "Hall", "thermostatMode", "heat", {}, None),
]


@pytest.mark.parametrize(("category", "name", "capability", "command", "arguments", "risk"), ASKED)
def test_risk(
    category: str | None,
    name: str,
    capability: str,
    command: str,
    arguments: dict[str, object],
    risk: RiskClass | None,
) -> None:
    capabilities = frozenset({capability})
    thing = RawThing(
        categories=frozenset({category.casefold()} if category else ()),
        category=category.casefold() if category else None,
        capabilities=capabilities,
        own_names=(name,),
        names=(name,),
    )

    action = RawAction(capability=capability, command=command, arguments=arguments)

    assert risk_of(thing, action) is risk


def test_arming_less_than_fully_is_asked_back_only_when_fully_armed() -> None:
    action = RawAction(capability="securitySystem", command="armStay", arguments={})

    assert risk_of(RawThing(armed="disarmed"), action) is None
    assert risk_of(RawThing(armed="armedAway"), action) is RiskClass.DISARM


def test_what_has_a_lock_beside_is_judged_as_a_lock() -> None:
    thing = RawThing(capabilities=frozenset({"lock", "switch"}))

    action = RawAction(capability="switch", command="on", arguments={})

    assert risk_of(thing, action) is RiskClass.UNLOCK


def test_the_lamp_of_a_range_heats_nothing_but_its_burner_does() -> None:
    switch_on = RawAction(capability="switch", command="on", arguments={})
    category = frozenset({"range"})

    assert risk_of(RawThing(categories=category, part="lamp"), switch_on) is None
    assert risk_of(RawThing(categories=category, part="burner-01"), switch_on) is RiskClass.HEAT
