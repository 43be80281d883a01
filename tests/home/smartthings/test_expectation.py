"""What a raw command should lead to, by its definition and by its name."""

import pytest

from custom_components.sage.home.commands.expectation import Expectation
from custom_components.sage.home.commands.goals import Goal, is_same
from custom_components.sage.home.smartthings.expectation import expectation_of
from custom_components.sage.home.smartthings.raw import (
    AttributeDefinition,
    CommandDefinition,
    Definition,
)

from .raw_house import definition_of


def expected(capability: str, command: str, arguments=None, before=None) -> Expectation:
    return expectation_of(definition_of(capability), command, arguments or {}, before or {})


@pytest.mark.parametrize(
    ("capability", "command", "arguments", "attribute", "values"),
    [
        # The definition says it.
        ("switch", "on", {}, "switch", ("on",)),
        ("lock", "unlock", {}, "lock", ("unlocked",)),
        ("windowShade", "close", {}, "windowShade", ("closed",)),
        ("tvChannel", "setTvChannel", {"tvChannel": "7"}, "tvChannel", ("7",)),
        (
            "thermostatCoolingSetpoint",
            "setCoolingSetpoint",
            {"setpoint": -20},
            "coolingSetpoint",
            (-20,),
        ),
        # The argument has the name of an attribute.
        ("custom.fridgeMode", "setFridgeMode", {"fridgeMode": "CV"}, "fridgeMode", ("CV",)),
        # The command has.
        ("samsungce.lamp", "setBrightnessLevel", {"level": "low"}, "brightnessLevel", ("low",)),
        (
            "samsungce.dishwasherWashingCourse",
            "startWashingCourse",
            {"course": "eco"},
            "washingCourse",
            ("eco",),
        ),
        # The word of the command stands for a value.
        ("samsungce.dishwasherOperation", "start", {}, "operatingState", ("running",)),
        ("samsungce.dishwasherOperation", "pause", {}, "operatingState", ("paused",)),
        ("samsungce.washerOperatingState", "cancel", {}, "operatingState", ("ready",)),
        ("samsungce.powerFreeze", "activate", {}, "activated", (True,)),
        ("samsungce.powerFreeze", "deactivate", {}, "activated", (False,)),
        ("custom.doNotDisturbMode", "doNotDisturbOn", {}, "doNotDisturb", ("on",)),
        ("samsungce.robotCleanerOperatingState", "start", {}, "operatingState", ("cleaning",)),
    ],
)
def test_one_attribute_is_to_take_a_value(capability, command, arguments, attribute, values):
    expectation = expected(capability, command, arguments)
    assert expectation.goals == (Goal(name=attribute, values=values),)
    assert expectation.observable


def test_an_attribute_that_has_another_word_for_it():
    stop = expected("ovenOperatingState", "setMachineState", {"state": "stop"})
    assert stop.goals == (Goal(name="machineState", values=("ready",)),)


def test_an_argument_that_chooses_is_no_goal():
    amount = {"type": "regularDetergent", "amountPerDose": 10}
    assert not expected("samsungce.autoDispenseDetergent", "setRecommendedAmount", amount).goals


def test_the_name_of_the_command_counts_more_than_that_of_its_argument():
    (goal,) = expected("samsungce.meatProbe", "setTemperatureSetpoint", {"temperature": 5}).goals
    assert goal.name == "temperatureSetpoint"
    cycle = {"cycleType": "washingOnly", "washerCycle": "Table_02_Course_1C"}
    goals = expected("samsungce.washerCycle", "setCycleType", cycle).goals
    assert [each.name for each in goals] == ["cycleType", "washerCycle"]


def test_a_vacuum_goes_home_to_charge():
    (goal,) = expected("samsungce.robotCleanerOperatingState", "returnToHome").goals
    assert "charging" in goal.values
    assert "homing" not in goal.values


def test_a_colour_is_told_by_its_parts():
    color = {"hue": 66, "saturation": 100, "hex": "#0000FF"}
    goals = expected("colorControl", "setColor", {"color": color}).goals
    assert {goal.name: goal.values for goal in goals} == {"hue": (66,), "saturation": (100,)}


def test_volume_moves_and_channels_differ():
    up, down = expected("audioVolume", "volumeUp"), expected("audioVolume", "volumeDown")
    assert up.is_met({"volume": 10}, {"volume": 11})
    assert not up.is_met({"volume": 10}, {"volume": 10})
    assert down.is_met({"volume": 10}, {"volume": 9})
    assert not down.is_met({}, {"volume": 9})
    channel = expected("tvChannel", "channelUp")
    assert channel.is_met({"tvChannel": "99"}, {"tvChannel": "1"})
    assert not channel.is_met({"tvChannel": "99"}, {"tvChannel": "99"})
    assert not channel.is_met({}, {"tvChannel": "99"})


def test_what_has_no_attributes_cannot_be_observed():
    assert not expected("custom.launchapp", "launchApp", {"appId": "1"}).observable
    assert not expected("mediaTrackControl", "nextTrack").observable
    # What is possible is no state.
    assert not expected("custom.thermostatSetpointControl", "raiseSetpoint").observable


def test_without_a_goal_any_change_but_those_of_themselves_is_a_sign():
    later = expected("samsungce.dishwasherOperation", "startLater", {"delay": 60})
    assert not later.goals
    assert later.is_met({"timeLeftToStart": 0}, {"timeLeftToStart": 60})
    assert not later.is_met({"progressPercentage": 1}, {"progressPercentage": 2})
    assert not later.is_under_way({}, {"timeLeftToStart": 60})


def test_a_shade_is_under_way_while_it_moves():
    closing = expected("windowShade", "close")
    before = {"windowShade": "open"}
    assert closing.is_under_way(before, {"windowShade": "closing"})
    assert not closing.is_under_way(before, {"windowShade": "open"})
    level = expected("windowShadeLevel", "setShadeLevel", {"shadeLevel": 50})
    assert level.is_under_way({"shadeLevel": 0}, {"shadeLevel": 20})
    assert not level.is_under_way({"shadeLevel": 0}, {"shadeLevel": 0})
    assert not level.is_under_way({"shadeLevel": 30}, {"shadeLevel": 20})
    assert not level.is_under_way({"shadeLevel": 0}, {"shadeLevel": 50})
    assert not level.is_under_way({}, {"shadeLevel": 20})


def test_names_alone_tell_what_little_they_can():
    bare = Definition(
        id="light",
        attributes=(AttributeDefinition(name="light"),),
        commands=(CommandDefinition(name="off"), CommandDefinition(name="brighten")),
        is_complete=False,
    )
    off = expectation_of(bare, "off", {}, {"light": "on"})
    assert off.is_met({"light": "on"}, {"light": "off"})
    assert not expectation_of(bare, "brighten", {}, {}).goals
    volume = Definition(
        id="sound",
        attributes=(AttributeDefinition(name="volume"), AttributeDefinition(name="mode")),
        commands=(CommandDefinition(name="volumeUp"),),
        is_complete=False,
    )
    assert expectation_of(volume, "volumeUp", {}, {"volume": 3}).goals[0].direction == 1
    assert expectation_of(volume, "volumeUp", {}, {"volume": "3"}).goals[0].differs
    assert not expectation_of(volume, "modelUp", {}, {}).goals
    assert not expectation_of(volume, "start", {}, {}).goals


def test_a_word_for_something_else_of_the_capability_is_no_goal():
    remaining = expected("samsungce.robotCleanerOperatingState", "cancelRemainingJob")
    assert not remaining.goals


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
