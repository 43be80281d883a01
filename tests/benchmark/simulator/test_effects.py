"""What commands do to simulated devices."""

from typing import Any

import pytest

from benchmark.simulator.definitions import definitions
from benchmark.simulator.home import Change, SimulatedDevice, SimulatedHome, load_home
from benchmark.simulator.schema import faults


@pytest.fixture
def home() -> SimulatedHome:
    return load_home("paper")


@pytest.fixture
def tv(home: SimulatedHome) -> SimulatedDevice:
    return home.device("tv_credenza")


@pytest.fixture
def light(home: SimulatedHome) -> SimulatedDevice:
    return home.device("light_bed")


def told(changes: list[Change]) -> dict[str, Any]:
    return {f"{change.capability}.{change.attribute}": change.value for change in changes}


def test_a_command_that_stands_for_a_value_sets_it(tv: SimulatedDevice):
    assert told(tv.apply("main", "switch", "off", [])) == {"switch.switch": "off"}
    assert told(tv.apply("main", "audioMute", "mute", [])) == {"audioMute.mute": "muted"}
    assert told(tv.apply("main", "mediaPlayback", "fastForward", [])) == {
        "mediaPlayback.playbackStatus": "fast forwarding"
    }


def test_what_a_device_does_not_support_has_no_effect(home: SimulatedHome, tv: SimulatedDevice):
    assert tv.apply("main", "mediaInputSource", "setInputSource", ["HDMI4"]) == []
    assert tv.apply("main", "samsungvd.mediaInputSource", "setInputSource", ["HDMI9"]) == []
    assert tv.apply("main", "custom.picturemode", "setPictureMode", ["Vivid"]) == []
    dishwasher = home.device("dishwasher")
    course = "samsungce.dishwasherWashingCourse"
    assert dishwasher.apply("main", course, "setWashingCourse", ["intensive"]) == []
    options = "samsungce.dishwasherWashingOptions"
    assert dishwasher.apply("main", options, "setSelectedZone", ["upper"]) == []
    fridge = home.device("fridge")
    cooling = "thermostatCoolingSetpoint"
    assert fridge.apply("freezer", cooling, "setCoolingSetpoint", [-30]) == []
    fridge.status["freezer"][cooling]["coolingSetpointRange"] = {"value": None}
    assert fridge.apply("freezer", cooling, "setCoolingSetpoint", [-30]) == []
    assert fridge.apply("freezer", cooling, "setCoolingSetpoint", [-20])


def test_brightness_switches_a_light_and_colour_does_not(light: SimulatedDevice):
    light.apply("main", "switch", "off", [])
    assert told(
        light.apply("main", "colorControl", "setColor", [{"hue": 33.3, "saturation": 80}])
    ) == {"colorControl.hue": 33.3, "colorControl.saturation": 80}
    assert light.value("main", "switch", "switch") == "off"
    light.apply("main", "switchLevel", "setLevel", [30])
    assert light.value("main", "switch", "switch") == "on"
    light.apply("main", "switchLevel", "setLevel", [0])
    assert light.value("main", "switch", "switch") == "off"


@pytest.mark.parametrize("name", ["paper", "large"])
def test_whatever_a_device_is_told_its_values_stay_valid(name: str):
    for device in load_home(name).devices.values():
        for component, capabilities in device.status.items():
            for capability in capabilities:
                for command, definition in definitions()[capability]["commands"].items():
                    arguments = [
                        _example(each["schema"])
                        for each in definition["arguments"]
                        if not each["optional"]
                    ]
                    for change in device.apply(component, capability, command, arguments):
                        assert _is_valid(change), (device.key, command, change)


def _is_valid(change: Change) -> bool:
    attribute = definitions()[change.capability]["attributes"][change.attribute]
    return not list(faults(change.value, attribute["schema"]["properties"]["value"], ""))


def _example(schema: dict[str, Any]) -> Any:
    if "enum" in schema:
        return schema["enum"][0]
    return {
        "string": "x",
        "integer": schema.get("minimum", 1),
        "number": schema.get("minimum", 1),
        "boolean": True,
        "array": [],
        "object": {},
    }.get(schema.get("type", ""))
