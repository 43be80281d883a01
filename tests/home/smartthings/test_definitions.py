"""What is known of a capability, from the cloud's JSON or from names."""

import pysmartthings
import pytest

from benchmark.simulator.definitions import definitions
from custom_components.sage.home.smartthings.definitions import named_definition, parse_definition


def test_a_definition_tells_types_units_setters_and_what_commands_lead_to():
    level = parse_definition("switchLevel", definitions()["switchLevel"])
    switch = parse_definition("switch", definitions()["switch"])
    assert level is not None
    assert switch is not None

    attribute = level.attribute("level")
    assert attribute is not None
    assert (attribute.shape.maximum, attribute.shape.unit) == (100, "%")
    assert attribute.setter == "setLevel"
    command = level.command("setLevel")
    assert command is not None
    assert [(each.name, each.required) for each in command.arguments] == [
        ("level", True),
        ("rate", False),
    ]
    power = switch.attribute("switch")
    assert power is not None
    assert power.enum_commands == {"on": "on", "off": "off"}
    assert level.is_complete


def test_every_definition_of_the_simulated_cloud_is_understood_in_full():
    for capability, data in definitions().items():
        parsed = parse_definition(capability, data)
        assert parsed is not None
        assert {each.name for each in parsed.attributes} == set(data["attributes"])
        assert {each.name for each in parsed.commands} == set(data["commands"])


@pytest.mark.parametrize(
    "data",
    [
        None,
        "",
        [],
        {},
        {"requestId": "1", "error": {"code": "TooManyRequestError"}, "attributes": {}},
        {"id": "another", "attributes": {}, "commands": {}},
        {"id": "switch", "attributes": [], "commands": {}},
    ],
)
def test_what_is_no_definition_is_taken_for_none(data):
    assert parse_definition("switch", data) is None


def test_odd_parts_are_left_out_and_arguments_keep_their_place():
    parsed = parse_definition(
        "odd",
        {
            "version": "one",
            "attributes": {"a": None, "b": {"schema": {"type": "string"}, "enumCommands": [1, {}]}},
            "commands": {"go": {"arguments": [None, {"name": "x", "optional": "yes"}]}, "stop": 5},
        },
    )
    assert parsed is not None
    assert [each.name for each in parsed.attributes] == ["a", "b"]
    assert parsed.attributes[1].shape.type == "string"
    assert parsed.attributes[1].enum_commands == {}
    go, stop = parsed.commands
    assert [(each.name, each.required) for each in go.arguments] == [
        ("argument1", True),
        ("x", True),
    ]
    assert stop.arguments == ()


def test_names_come_from_the_client_library_and_from_what_the_device_reports():
    assert pysmartthings.CAPABILITY_COMMANDS  # loaded, as in a home that has SmartThings
    found = named_definition("tvChannel", ["tvChannel", "ownAddition"])

    assert not found.is_complete
    assert {"tvChannel", "tvChannelName", "ownAddition"} <= {e.name for e in found.attributes}
    command = found.command("setTvChannel")
    attribute = found.attribute("tvChannel")
    assert command is not None
    assert attribute is not None
    # Only a definition says which arguments a command takes and what it sets.
    assert command.arguments == ()
    assert attribute.setter is None


def test_an_unknown_capability_has_nothing_but_its_name():
    found = named_definition("maker.unheardOf")
    assert (found.id, found.attributes, found.commands) == ("maker.unheardOf", (), ())
