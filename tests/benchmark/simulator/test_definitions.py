"""Capability definitions, as the API answers them."""

import json
from pathlib import Path

import pytest

from benchmark.simulator import definitions as module
from benchmark.simulator.definitions import definitions, expand, texts
from benchmark.simulator.notation import NotationError

SWITCH_LEVEL = {
    "id": "switchLevel",
    "version": 1,
    "status": "live",
    "name": "Switch Level",
    "ephemeral": False,
    "attributes": {
        "level": {
            "schema": {
                "type": "object",
                "properties": {
                    "value": {"type": "integer", "minimum": 0, "maximum": 100},
                    "unit": {"type": "string", "enum": ["%"], "default": "%"},
                },
                "additionalProperties": False,
                "required": ["value"],
            },
            "setter": "setLevel",
            "enumCommands": [],
        }
    },
    "commands": {
        "setLevel": {
            "name": "setLevel",
            "arguments": [
                {
                    "name": "level",
                    "optional": False,
                    "schema": {"type": "integer", "minimum": 0, "maximum": 100},
                },
                {"name": "rate", "optional": True, "schema": {"type": "integer", "minimum": 0}},
            ],
            "sensitive": False,
        }
    },
}


def test_a_definition_is_the_json_of_the_api():
    notes = {
        "attributes": {"level": "integer 0..100 [%] <- setLevel"},
        "commands": {"setLevel": "level: integer 0..100, rate?: integer 0.."},
    }
    assert expand("switchLevel", notes, {}) == SWITCH_LEVEL


def test_commands_stand_for_values():
    switch = definitions()["switch"]
    assert switch["attributes"]["switch"]["enumCommands"] == [
        {"command": "off", "value": "off"},
        {"command": "on", "value": "on"},
    ]


def test_a_choice_of_units_has_to_be_told():
    temperature = definitions()["temperatureMeasurement"]["attributes"]["temperature"]
    assert set(temperature["schema"]["required"]) == {"value", "unit"}
    assert "default" not in temperature["schema"]["properties"]["unit"]


def test_the_names_of_a_makers_capabilities_are_split():
    course = definitions()["samsungce.dishwasherWashingCourse"]
    assert course["name"] == "Dishwasher Washing Course"
    assert course["status"] == "proposed"


def test_some_capabilities_have_a_text():
    assert texts()["tvChannel"] == {
        "tag": "en",
        "label": "Tv Channel",
        "description": "Tells and changes the channel of a television.",
    }
    assert "samsungce.dishwasherWashingCourse" not in texts()


@pytest.mark.parametrize("capability", sorted(definitions()))
def test_every_definition_hangs_together(capability: str):
    definition = definitions()[capability]
    json.dumps(definition)
    for attribute in definition["attributes"].values():
        if "setter" in attribute:
            assert definition["commands"][attribute["setter"]]["arguments"]
        options = attribute["schema"]["properties"]["value"].get("enum")
        for each in attribute["enumCommands"]:
            assert not definition["commands"][each["command"]]["arguments"]
            assert options is None or each["value"] in options
    for command in definition["commands"].values():
        optional = [argument["optional"] for argument in command["arguments"]]
        assert optional == sorted(optional), "arguments that are needed come first"


@pytest.mark.parametrize(
    ("notes", "complaint"),
    [
        ({"attribute": {}}, "no such part: attribute"),
        ({"attributes": {"a": "string <- setA"}}, "no command setA"),
        ({"commands": {"on": "-> a=on"}}, "no attribute a"),
    ],
)
def test_notes_that_do_not_hang_together_are_refused(notes: dict[str, object], complaint: str):
    with pytest.raises(NotationError, match=complaint):
        expand("thing", notes, {})


def test_a_capability_stands_in_one_file_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("one", "two"):
        (tmp_path / f"{name}.json").write_text('{"capabilities": {"thing": {}}}')
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    with pytest.raises(NotationError, match=r"thing is in one\.json and in two\.json"):
        list(module.noted_capabilities())
