"""What is to be seen after a raw command, by what its definition declares."""

import pytest

from benchmark.simulator.definitions import definitions
from custom_components.sage.home.commands.expectation import Expectation
from custom_components.sage.home.commands.goals import Goal, is_same
from custom_components.sage.home.smartthings.definitions import parse_definition
from custom_components.sage.home.smartthings.expected_effect import expectation_of
from custom_components.sage.home.smartthings.raw import Definition


def definition_of(capability: str) -> Definition:
    """Return the definition that the simulated cloud has."""
    found = parse_definition(capability, definitions()[capability])
    assert found is not None
    return found


def expected(capability: str, command: str, arguments=None) -> Expectation:
    return expectation_of(definition_of(capability), command, arguments or {})


@pytest.mark.parametrize(
    ("capability", "command", "arguments", "attribute", "value"),
    [
        ("switch", "on", {}, "switch", "on"),
        ("lock", "unlock", {}, "lock", "unlocked"),
        ("switchLevel", "setLevel", {"level": 40, "rate": 5}, "level", 40),
        ("tvChannel", "setTvChannel", {"tvChannel": "7"}, "tvChannel", "7"),
        ("audioVolume", "setVolume", {"volume": 20}, "volume", 20),
        ("thermostatMode", "setThermostatMode", {"mode": "eco"}, "thermostatMode", "eco"),
        ("thermostatMode", "emergencyHeat", {}, "thermostatMode", "emergency heat"),
        (
            "thermostatCoolingSetpoint",
            "setCoolingSetpoint",
            {"setpoint": -20},
            "coolingSetpoint",
            -20,
        ),
        (
            "samsungce.dishwasherWashingCourse",
            "setWashingCourse",
            {"course": "eco"},
            "washingCourse",
            "eco",
        ),
    ],
)
def test_the_definition_declares_what_a_command_sets(
    capability, command, arguments, attribute, value
):
    expectation = expected(capability, command, arguments)
    assert expectation.goals == (Goal(name=attribute, values=(value,)),)
    assert expectation.observable


def test_a_number_that_approaches_is_under_way():
    level = expected("windowShadeLevel", "setShadeLevel", {"shadeLevel": 50})
    assert level.is_under_way({"shadeLevel": 0}, {"shadeLevel": 20})
    assert not level.is_under_way({"shadeLevel": 0}, {"shadeLevel": 0})
    assert not level.is_under_way({"shadeLevel": 30}, {"shadeLevel": 20})
    assert not level.is_under_way({"shadeLevel": 0}, {"shadeLevel": 50})
    assert not level.is_under_way({}, {"shadeLevel": 20})


def test_elsewhere_the_value_that_was_given_is_the_sign():
    picture = expected("custom.picturemode", "setPictureMode", {"mode": "Movie"})
    assert not picture.goals
    before = {"pictureMode": "Standard", "supportedPictureModes": ["Standard", "Movie"]}
    assert picture.is_met(before, {**before, "pictureMode": "Movie"})
    assert not picture.is_met(before, {**before, "pictureMode": "Game"})
    # A value that was reached before does not prove this command.
    assert not picture.is_met({"pictureMode": "Movie"}, {"pictureMode": "Movie"})


def test_a_member_of_an_object_is_a_value_that_was_given():
    colour = expected("colorControl", "setColor", {"color": {"hue": 66, "saturation": 100}})
    before = {"hue": 10, "saturation": 20}
    assert colour.names_of_signs(before, {"saturation": 100, "hue": 66}) == ["saturation", "hue"]
    assert not colour.is_met(before, {"hue": 30, "saturation": 20})


def test_without_values_another_state_is_the_sign():
    up = expected("audioVolume", "volumeUp")
    assert up.is_met({"volume": 10}, {"volume": 11})
    assert not up.is_met({"volume": 10}, {"volume": 10})
    assert not up.is_met({}, {"volume": 9})
    start = expected("samsungce.washerOperatingState", "start")
    assert start.is_met({"operatingState": "ready"}, {"operatingState": "running"})


def test_a_number_that_no_command_sets_may_count_by_itself():
    start = expected("samsungce.washerOperatingState", "start")
    assert not start.is_met({"washingProgress": 1}, {"washingProgress": 2})
    assert not start.is_met({"remainingTimeStr": "1"}, {"remainingTimeStr": "2"})


def test_a_setter_may_have_other_words_than_its_attribute():
    stop = expected("ovenOperatingState", "setMachineState", {"state": "stop"})
    assert not stop.goals
    assert stop.is_met({"machineState": "running"}, {"machineState": "ready"})
    assert not stop.is_met({"machineState": "running"}, {"machineState": "running"})


@pytest.mark.parametrize(
    ("capability", "command", "arguments"),
    [
        ("custom.launchapp", "launchApp", {"appId": "1"}),
        ("mediaTrackControl", "nextTrack", {}),
        ("custom.thermostatSetpointControl", "raiseSetpoint", {}),
        ("custom.dustFilter", "resetDustFilter", {}),
    ],
)
def test_what_nothing_would_prove_cannot_be_observed(capability, command, arguments):
    assert not expected(capability, command, arguments).goals


@pytest.mark.parametrize(
    ("attribute", "wanted", "value", "same"),
    [
        ("tvChannel", "7", "7", True),
        ("tvChannel", "7", 7, True),
        ("tvChannel", "7", "70", False),
        ("activated", True, "true", True),
        ("activated", True, False, False),
        ("level", 50, 49, True),
        ("level", 50, 48, False),
        ("volumeLevel", 1, 2, False),
        ("coolingSetpoint", -20, -19.5, False),
        ("colorTemperature", 4000, 4016, True),
        ("colorTemperature", 4000, 4100, False),
        ("dryPlus", True, {"value": True, "settable": [True, False]}, True),
        ("plan", {"a": 1}, {"a": 1, "b": 2}, True),
        ("plan", {"a": 1}, {"b": 2}, False),
        ("plan", {"a": 1}, "a", False),
        ("days", ["a", "b"], ["A", "b"], True),
        ("days", ["a", "b"], ["a"], False),
        ("days", ["a"], "a", False),
    ],
)
def test_values_are_the_same_as_near_as_devices_come(attribute, wanted, value, same):
    assert is_same(attribute, wanted, value) is same
