"""What the devices of the large home do when they are commanded."""

import json
from typing import Any

import pytest

from benchmark.simulator.home import SimulatedHome, load_home

VACUUM = "samsungce.robotCleanerOperatingState"


@pytest.fixture
def home() -> SimulatedHome:
    return load_home("large")


@pytest.mark.parametrize(
    ("device", "capability", "command", "arguments", "attribute", "value"),
    [
        ("Dryer", "samsungce.displayBrightness", "setBrightnessLevel", [4], "brightnessLevel", 4),
        ("Dryer", "custom.dryerDryLevel", "setDryerDryLevel", ["more"], "dryerDryLevel", "more"),
        ("Dryer", "samsungce.dryerDelayEnd", "setDelayTime", [120], "remainingTime", 120),
        (
            "Washer",
            "custom.washerSpinLevel",
            "setWasherSpinLevel",
            ["800"],
            "washerSpinLevel",
            "800",
        ),
        ("Washer", "samsungce.washerBubbleSoak", "on", [], "status", "on"),
        ("Washer", "samsungce.detergentOrder", "enableAlarm", [], "alarmEnabled", True),
        ("Microwave", "samsungce.microwavePower", "setPowerLevel", ["50%"], "powerLevel", "50%"),
        ("Oven", "ovenSetpoint", "setOvenSetpoint", [180], "ovenSetpoint", 180),
        (
            "Soundbar",
            "samsungvd.audioInputSource",
            "setNextInputSource",
            [],
            "inputSource",
            "HDMI1",
        ),
        ("Soundbar", "samsungvd.soundFrom", "setSoundFrom", [5, "Phone"], "detailName", "Phone"),
        ("Air Purifier", "airConditionerFanMode", "setFanMode", ["sleep"], "fanMode", "sleep"),
        ("Air Purifier", "samsungce.airPurifierLighting", "off", [], "lighting", "off"),
        ("Air Purifier", "custom.hepaFilter", "resetHepaFilter", [], "hepaFilterUsage", 0),
        (
            "Air Purifier",
            "custom.periodicSensing",
            "periodicSensingOn",
            [],
            "periodicSensing",
            "on",
        ),
        ("Living Room AC", "samsungce.selfCheck", "startSelfCheck", [], "status", "running"),
        ("Living Room AC", "samsungce.airConditionerBeep", "off", [], "beep", "off"),
        ("Robot Vacuum", "custom.doNotDisturbMode", "doNotDisturbOn", [], "doNotDisturb", "on"),
        ("Robot Vacuum", "samsungce.audioVolumeLevel", "volumeUp", [], "volumeLevel", 3),
        ("Coffee Machine", "energyMeter", "resetEnergyMeter", [], "energy", 0),
        ("Living Room Thermostat", "thermostatMode", "off", [], "thermostatMode", "off"),
        ("Siren", "alarm", "strobe", [], "alarm", "strobe"),
        ("Water Main Valve", "valve", "close", [], "valve", "closed"),
    ],
)
def test_a_command_has_its_effect(
    home: SimulatedHome,
    device: str,
    capability: str,
    command: str,
    arguments: list[Any],
    attribute: str,
    value: object,
):
    commanded = home.device(device)
    assert commanded.value("main", capability, attribute) != value

    commanded.apply("main", capability, command, arguments)

    assert commanded.value("main", capability, attribute) == value


@pytest.mark.parametrize(
    ("device", "capability", "command", "arguments"),
    [
        ("Dryer", "samsungce.displayBrightness", "setBrightnessLevel", [60]),
        ("Kids Room Radiator", "thermostatMode", "cool", []),
        ("Oven", "ovenSetpoint", "setOvenSetpoint", [400]),
        ("Garage Side Door Lock", "lockCodes", "deleteCode", [9]),
        ("Garage Side Door Lock", "lockCodes", "nameSlot", [9, "Nobody"]),
    ],
)
def test_what_a_device_does_not_support_has_no_effect(
    home: SimulatedHome, device: str, capability: str, command: str, arguments: list[Any]
):
    assert home.device(device).apply("main", capability, command, arguments) == []


def test_the_volume_of_the_vacuum_stays_within_its_range(home: SimulatedHome):
    vacuum = home.device("Robot Vacuum")

    for _ in range(5):
        vacuum.apply("main", "samsungce.audioVolumeLevel", "volumeUp", [])
    assert vacuum.value("main", "samsungce.audioVolumeLevel", "volumeLevel") == 3
    for _ in range(5):
        vacuum.apply("main", "samsungce.audioVolumeLevel", "volumeDown", [])
    assert vacuum.value("main", "samsungce.audioVolumeLevel", "volumeLevel") == 0


def test_codes_of_a_lock_are_set_named_and_deleted(home: SimulatedHome):
    lock = home.device("Garage Side Door Lock")

    def names() -> object:
        return json.loads(lock.value("main", "lockCodes", "lockCodes"))

    lock.apply("main", "lockCodes", "setCode", [3, "4711", "Guest"])
    assert names() == {"1": "Anna", "2": "Ben", "3": "Guest"}
    lock.apply("main", "lockCodes", "nameSlot", [3, "Neighbour"])
    lock.apply("main", "lockCodes", "deleteCode", [2])
    assert names() == {"1": "Anna", "3": "Neighbour"}
    assert lock.value("main", "lockCodes", "codeChanged") == "2 deleted"
    assert "4711" not in str(lock.status)


def test_a_lock_says_the_same_in_both_capabilities(home: SimulatedHome):
    lock = home.device("Front Door Lock")

    lock.apply("main", "lock", "unlock", [])

    assert lock.value("main", "lockCodes", "lock") == "unlocked"


@pytest.mark.parametrize(("command", "end"), [("open", "open"), ("close", "closed")])
def test_a_garage_door_moves_and_its_contact_follows(home: SimulatedHome, command: str, end: str):
    door = home.device("Garage Door")
    door.change("main", "doorControl", "door", "open" if end == "closed" else "closed")

    changes = door.apply("main", "doorControl", command, [])

    seen = [change.value for change in changes if change.attribute == "door"]
    assert seen == [{"open": "opening", "closed": "closing"}[end], end]
    assert door.value("main", "contactSensor", "contact") == end


def test_a_shade_moves_to_its_preset_position(home: SimulatedHome):
    shade = home.device("Left Shade")

    shade.apply("main", "windowShadePreset", "presetPosition", [])

    assert shade.value("main", "windowShadeLevel", "shadeLevel") == 50
    assert shade.value("main", "windowShade", "windowShade") == "partially open"


def test_a_vacuum_says_what_it_does_in_all_its_capabilities(home: SimulatedHome):
    vacuum = home.device("Robot Vacuum")

    def said() -> list[object]:
        return [
            vacuum.value("main", VACUUM, "operatingState"),
            vacuum.value("main", "robotCleanerMovement", "robotCleanerMovement"),
            vacuum.value("main", "samsungce.robotCleanerCleaningMode", "cleaningMode"),
            vacuum.value("main", "robotCleanerCleaningMode", "robotCleanerCleaningMode"),
        ]

    assert said() == ["charging", "charging", "stop", "stop"]
    vacuum.apply("main", VACUUM, "start", [])
    assert said() == ["cleaning", "cleaning", "auto", "auto"]
    vacuum.apply("main", VACUUM, "pause", [])
    assert said() == ["paused", "pause", "auto", "auto"]
    vacuum.apply("main", "robotCleanerMovement", "setRobotCleanerMovement", ["homing"])
    assert said() == ["homing", "homing", "stop", "stop"]


def test_an_oven_says_what_it_does_in_all_its_capabilities(home: SimulatedHome):
    oven = home.device("Oven")
    oven.apply("main", "samsungce.ovenMode", "setOvenMode", ["Conventional"])
    assert oven.value("main", "ovenMode", "ovenMode") == "Conventional"

    oven.apply("main", "samsungce.ovenOperatingState", "start", [])
    assert oven.value("main", "ovenOperatingState", "machineState") == "running"
    assert oven.value("main", "ovenOperatingState", "ovenJobState") == "cooking"

    oven.apply("main", "ovenOperatingState", "stop", [])
    assert oven.value("main", "samsungce.ovenOperatingState", "operatingState") == "ready"
    assert oven.value("main", "samsungce.ovenOperatingState", "ovenJobState") == "ready"


def test_the_common_mode_of_an_oven_sets_the_makers(home: SimulatedHome):
    microwave = home.device("Microwave")

    microwave.apply("main", "ovenMode", "setOvenMode", ["grill"])
    assert microwave.value("main", "samsungce.ovenMode", "ovenMode") == "Grill"
    microwave.apply("main", "samsungce.ovenMode", "setOvenMode", ["Autocook"])
    assert microwave.value("main", "ovenMode", "ovenMode") == "Others"
