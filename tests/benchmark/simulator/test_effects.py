"""What commands do to simulated devices."""

from datetime import UTC, datetime
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


def test_a_setter_sets_and_the_report_says_all_of_it(tv: SimulatedDevice):
    tv.now = lambda: datetime(2026, 11, 22, 8, 0, tzinfo=UTC)
    [change] = tv.apply("main", "audioVolume", "setVolume", [30])
    assert change == Change(
        device_id=tv.id,
        component="main",
        capability="audioVolume",
        attribute="volume",
        value=30,
        unit="%",
        state_change=True,
    )
    assert tv.status["main"]["audioVolume"]["volume"] == {
        "value": 30,
        "unit": "%",
        "timestamp": "2026-11-22T08:00:00.000Z",
    }


def test_the_same_value_again_is_reported_but_is_no_change(tv: SimulatedDevice):
    tv.apply("main", "audioVolume", "setVolume", [30])
    [change] = tv.apply("main", "audioVolume", "setVolume", [30])
    assert not change.state_change


def test_a_command_that_stands_for_a_value_sets_it(tv: SimulatedDevice):
    assert told(tv.apply("main", "switch", "off", [])) == {"switch.switch": "off"}
    assert told(tv.apply("main", "audioMute", "mute", [])) == {"audioMute.mute": "muted"}
    assert told(tv.apply("main", "mediaPlayback", "fastForward", [])) == {
        "mediaPlayback.playbackStatus": "fast forwarding"
    }


def test_volume_goes_in_steps_and_not_beyond_its_ends(tv: SimulatedDevice):
    assert told(tv.apply("main", "audioVolume", "volumeUp", [])) == {"audioVolume.volume": 15}
    assert told(tv.apply("main", "audioVolume", "volumeDown", [])) == {"audioVolume.volume": 14}
    tv.apply("main", "audioVolume", "setVolume", [0])
    assert told(tv.apply("main", "audioVolume", "volumeDown", [])) == {"audioVolume.volume": 0}


def test_channels_go_round(tv: SimulatedDevice):
    tv.apply("main", "tvChannel", "setTvChannel", ["9"])
    tv.apply("main", "tvChannel", "channelUp", [])
    assert tv.value("main", "tvChannel", "tvChannel") == "10"
    tv.apply("main", "tvChannel", "channelUp", [])
    assert tv.value("main", "tvChannel", "tvChannelName") == "CBC"
    tv.apply("main", "tvChannel", "channelDown", [])
    assert tv.value("main", "tvChannel", "tvChannel") == "10"


def test_a_television_starts_an_app_and_shows_art(home: SimulatedHome):
    frame = home.device("tv_frame")
    frame.apply("main", "tvChannel", "setTvChannel", ["5"])
    frame.apply("main", "custom.launchapp", "launchApp", ["111299001912", "YouTube"])
    assert frame.value("main", "tvChannel", "tvChannel") == ""
    assert frame.value("main", "tvChannel", "tvChannelName") == "YouTube"
    for capability, command in (
        ("samsungvd.ambient", "setAmbientOn"),
        ("samsungvd.art", "setArtOn"),
    ):
        frame.apply("main", "tvChannel", "setTvChannel", ["5"])
        frame.apply("main", capability, command, [])
        assert frame.value("main", "tvChannel", "tvChannelName") == "art"


def test_modes_go_by_name_or_id(home: SimulatedHome, tv: SimulatedDevice):
    tv.apply("main", "custom.picturemode", "setPictureMode", ["Movie"])
    assert tv.value("main", "custom.picturemode", "pictureMode") == "Movie"
    tv.apply("main", "custom.picturemode", "setPictureMode", ["modeNatural"])
    assert tv.value("main", "custom.picturemode", "pictureMode") == "Natural"
    frame = home.device("tv_frame")
    frame.apply("main", "samsungvd.soundMode", "setSoundMode", ["modeAmplify"])
    assert frame.value("main", "samsungvd.soundMode", "soundMode") == "Amplify"


def test_keys_of_the_remote_control(tv: SimulatedDevice):
    def press(key: str) -> list[Change]:
        return tv.apply("main", "samsungvd.remoteControl", "send", [key, "PRESS_AND_RELEASED"])

    assert told(press("MUTE")) == {"audioMute.mute": "muted"}
    assert told(press("MUTE")) == {"audioMute.mute": "unmuted"}
    assert told(press("PAUSE")) == {"mediaPlayback.playbackStatus": "paused"}
    assert press("HOME") == []


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


def test_a_command_without_anything_to_see_reports_nothing(tv: SimulatedDevice):
    assert tv.apply("main", "mediaTrackControl", "nextTrack", []) == []
    assert tv.apply("main", "refresh", "refresh", []) == []
    assert tv.apply("main", "custom.tvsearch", "search", ["news", ""]) == []


def test_brightness_switches_a_light_and_colour_does_not(light: SimulatedDevice):
    light.apply("main", "switch", "off", [])
    assert told(
        light.apply("main", "colorControl", "setColor", [{"hue": 33.3, "saturation": 80}])
    ) == {
        "colorControl.hue": 33.3,
        "colorControl.saturation": 80,
    }
    assert light.value("main", "switch", "switch") == "off"
    light.apply("main", "switchLevel", "setLevel", [30])
    assert light.value("main", "switch", "switch") == "on"
    light.apply("main", "switchLevel", "setLevel", [0])
    assert light.value("main", "switch", "switch") == "off"


def test_a_colour_may_come_as_a_code_and_with_more(light: SimulatedDevice):
    color = {"hex": "#0000ff", "level": 40, "switch": "on"}
    assert told(light.apply("main", "colorControl", "setColor", [color])) == {
        "colorControl.hue": 66.67,
        "colorControl.saturation": 100.0,
        "switchLevel.level": 40,
        "switch.switch": "on",
    }


def test_setpoints_are_raised_and_lowered(home: SimulatedHome):
    fridge = home.device("fridge")
    control = "custom.thermostatSetpointControl"
    fridge.apply("freezer", control, "lowerSetpoint", [])
    assert fridge.value("freezer", "thermostatCoolingSetpoint", "coolingSetpoint") == -19
    fridge.apply("freezer", control, "raiseSetpoint", [])
    assert fridge.value("freezer", "thermostatCoolingSetpoint", "coolingSetpoint") == -18
    for _ in range(9):
        fridge.apply("freezer", control, "raiseSetpoint", [])
    assert fridge.value("freezer", "thermostatCoolingSetpoint", "coolingSetpoint") == -15
    fridge.status["freezer"]["thermostatCoolingSetpoint"]["coolingSetpoint"] = {"value": None}
    assert fridge.apply("freezer", control, "raiseSetpoint", []) == []


def test_names_tell_what_definitions_do_not(home: SimulatedHome):
    fridge, dishwasher = home.device("fridge"), home.device("dishwasher")
    assert told(fridge.apply("cvroom", "custom.fridgeMode", "setFridgeMode", ["CV_FDR_WINE"])) == {
        "custom.fridgeMode.fridgeMode": "CV_FDR_WINE"
    }
    assert told(fridge.apply("main", "custom.waterFilter", "resetWaterFilter", [])) == {
        "custom.waterFilter.waterFilterUsage": 0,
        "custom.waterFilter.waterFilterStatus": "normal",
    }
    assert told(fridge.apply("main", "samsungce.sabbathMode", "on", [])) == {
        "samsungce.sabbathMode.status": "on"
    }
    options = "samsungce.dishwasherWashingOptions"
    assert told(dishwasher.apply("main", options, "setSanitize", [True])) == {
        f"{options}.sanitize": {"value": True, "settable": [False, True]}
    }
    changes = dishwasher.apply(
        "main", options, "setOptions", [{"selectedZone": "lower", "speedBooster": True}]
    )
    assert told(changes) == {
        f"{options}.selectedZone": {"value": "lower", "settable": ["none", "lower", "all"]},
        f"{options}.speedBooster": {"value": True, "settable": [False, True]},
    }


def test_the_dryers_screen_is_dimmed():
    dryer = load_home("large").device("Dryer")
    display = "samsungce.displayBrightness"
    assert dryer.apply("main", display, "setBrightnessLevel", [3])
    assert dryer.value("main", display, "brightnessLevel") == 3
    assert dryer.apply("main", display, "setBrightnessLevel", [50]) == []


def test_doors_and_shades_are_under_way_before_they_arrive():
    home = load_home("large")
    found = 0
    for device in home.devices.values():
        for capability, attribute in (("doorControl", "door"), ("windowShade", "windowShade")):
            if device.has("main", capability):
                changes = device.apply("main", capability, "open", [])
                values = [each.value for each in changes if each.attribute == attribute]
                assert values == ["opening", "open"]
                found += 1
    assert found


def test_a_shade_goes_to_its_favourite_position():
    shade = load_home("large").device("Left Shade")
    shade.apply("main", "windowShadePreset", "presetPosition", [])
    position = shade.value("main", "windowShadePreset", "position")
    expected = 50 if position is None else position
    assert shade.value("main", "windowShadeLevel", "shadeLevel") == expected


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
