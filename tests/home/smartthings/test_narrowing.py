"""What a device allows of what a definition allows."""

from typing import Any

import pytest

from benchmark.simulator.definitions import definitions
from benchmark.simulator.home import load_home
from custom_components.sage.home.smartthings.definitions import (
    named_definition,
    parse_definition,
)
from custom_components.sage.home.smartthings.narrowing import Narrowed, narrowed
from custom_components.sage.home.smartthings.raw import RawValue
from custom_components.sage.home.smartthings.schemas import shape_of, text_of


def values(**told: Any) -> dict[str, RawValue]:
    return {
        name: RawValue(value=value[0], unit=value[1])
        if isinstance(value, tuple)
        else RawValue(value=value)
        for name, value in told.items()
    }


def known(capability: str, **told: Any) -> Narrowed:
    """Narrow a capability of the simulated cloud."""
    definition = parse_definition(capability, definitions()[capability])
    assert definition is not None
    return narrowed(definition, values(**told))


def own(attributes: dict[str, Any], commands: dict[str, Any], **told: Any) -> Narrowed:
    """Narrow a capability made up for a test: attribute -> schema, command -> arguments."""
    definition = parse_definition(
        "own.thing",
        {
            "attributes": {
                name: {
                    "schema": {"properties": {"value": schema}},
                    "setter": f"set{name[:1].upper()}{name[1:]}"
                    if f"set{name[:1].upper()}{name[1:]}" in commands
                    else None,
                }
                for name, schema in attributes.items()
            },
            "commands": {
                name: {
                    "arguments": [{"name": each, "schema": schema} for each, schema in arguments]
                }
                for name, arguments in commands.items()
            },
        },
    )
    assert definition is not None
    return narrowed(definition, values(**told))


def argument(found: Narrowed, command: str, number: int = 0) -> Any:
    return next(each for each in found.commands if each.name == command).arguments[number]


def names(found: Narrowed) -> set[str]:
    return {each.name for each in found.commands}


TEXT = {"type": "string"}
LIST = {"type": "array", "items": TEXT}
NUMBER = {"type": "number"}

# ------------------------------------------------------------------- lists


def test_a_dishwasher_offers_its_own_courses():
    found = known(
        "samsungce.dishwasherWashingCourse",
        washingCourse="normal",
        supportedCourses=["auto", "normal", "heavy"],
        customCourseCandidates=None,
    )
    assert found.attributes["washingCourse"].values == ("auto", "normal", "heavy")
    assert "supportedCourses" not in found.attributes
    for command in ("setWashingCourse", "startWashingCourse", "startWashingCourseWithOptions"):
        assert argument(found, command).values == ("auto", "normal", "heavy")
    assert "setCustomCourse" not in names(found)


def test_the_value_that_is_set_stays_possible_even_if_the_list_lacks_it():
    found = own(
        {"mode": TEXT, "supportedModes": LIST},
        {"setMode": [("mode", TEXT)]},
        mode="film",
        supportedModes=["standard", "game"],
    )
    assert argument(found, "setMode").values == ("standard", "game", "film")


def test_a_list_that_is_about_something_else_refuses_nothing():
    machine = ["run", "stop", "pause"]
    found = own(
        {
            "jobState": {"type": "string", "enum": ["wash", "run", "none"]},
            "machineState": {"type": "string", "enum": machine},
            "supportedMachineStates": LIST,
        },
        {"setMachineState": [("state", TEXT)]},
        jobState="wash",
        machineState="run",
        supportedMachineStates=["run", "stop"],
    )
    assert found.attributes["jobState"].values == ("wash", "run", "none")
    assert argument(found, "setMachineState").values == ("run", "stop")

    partly = own(
        {"fanMode": TEXT, "supportedTurboModes": LIST},
        {},
        fanMode="quiet",
        supportedTurboModes=["max"],
    )
    assert partly.attributes["fanMode"].values == ()
    assert "supportedTurboModes" in partly.attributes


def test_an_empty_or_unknown_list_narrows_nothing():
    for told in ([], None, ["", None], [{"x": 1}], [["deep"]]):
        found = own(
            {"mode": {"type": "string", "enum": ["a", "b"]}, "supportedModes": LIST},
            {"setMode": [("mode", {"type": "string", "enum": ["a", "b"]})]},
            mode="a",
            supportedModes=told,
        )
        assert argument(found, "setMode").values == ("a", "b")


def test_ids_are_the_values_and_names_are_told():
    found = own(
        {"inputSource": TEXT, "supportedInputSourcesMap": {"type": "array"}},
        {"setInputSource": [("id", TEXT)]},
        inputSource="HDMI4",
        supportedInputSourcesMap=[{"id": "dtv", "name": "TV"}, {"id": "HDMI4", "name": "Console"}],
    )
    assert argument(found, "setInputSource").values == ("dtv", "HDMI4")
    assert argument(found, "setInputSource").description == "dtv=TV, HDMI4=Console"
    assert found.attributes["inputSource"].names["HDMI4"] == "Console"


def test_names_are_the_values_where_the_device_reports_names():
    both = {"pictureMode": TEXT, "supportedPictureModes": LIST, "supportedPictureModesMap": LIST}
    mapped = [{"id": "modeFilm", "name": "Film"}, {"id": "modeEco", "name": "Eco"}]
    commands = {"setPictureMode": [("mode", TEXT)]}
    plain = own(
        both,
        commands,
        pictureMode="Film",
        supportedPictureModes=["Film", "Eco"],
        supportedPictureModesMap=mapped,
    )
    assert argument(plain, "setPictureMode").values == ("Film", "Eco")
    assert set(plain.attributes) == {"pictureMode"}

    only_map = own(both, commands, pictureMode="Eco", supportedPictureModesMap=mapped)
    assert argument(only_map, "setPictureMode").values == ("Film", "Eco")


def test_codes_of_courses_are_completed_as_the_device_reports_them():
    found = own(
        {"washerCycle": TEXT, "supportedCycles": {"type": "array"}},
        {"setWasherCycle": [("washerCycle", TEXT)]},
        washerCycle="Table_02_Course_1C",
        supportedCycles=[{"cycle": "1B", "supportedOptions": {}}, {"cycle": "1C"}],
    )
    assert argument(found, "setWasherCycle").values == ("Table_02_Course_1B", "Table_02_Course_1C")


def test_listed_numbers_are_numbers():
    whole = {"type": "integer"}
    found = own(
        {"alarmThreshold": whole, "supportedAlarmThresholds": {"type": "array"}},
        {"setAlarmThreshold": [("alarmThreshold", whole)]},
        alarmThreshold=(500, "Hour"),
        supportedAlarmThresholds=[180, 500],
    )
    shape = argument(found, "setAlarmThreshold")
    assert (shape.type, shape.values, shape.unit) == ("integer", ("180", "500"), "Hour")


def test_the_only_list_belongs_to_the_only_attribute_if_its_value_proves_it():
    parts = {"lighting": TEXT, "supportedBrightness": LIST}
    commands = {"setLighting": [("lighting", TEXT)]}
    proved = own(parts, commands, lighting="low", supportedBrightness=["low", "high"])
    assert argument(proved, "setLighting").values == ("low", "high")
    open_ = own(parts, commands, lighting="blue", supportedBrightness=["low", "high"])
    assert argument(open_, "setLighting").values == ()


def test_an_argument_without_an_attribute_takes_the_list_named_like_it():
    found = own(
        {"supportedCourses": LIST}, {"setCourse": [("course", TEXT)]}, supportedCourses=["82", "83"]
    )
    assert argument(found, "setCourse").values == ("82", "83")


def test_two_values_that_a_command_takes_are_narrowed_apart():
    found = own(
        {"amount": TEXT, "density": TEXT, "supportedAmount": LIST, "supportedDensity": LIST},
        {"setBoth": [("amount", TEXT), ("density", TEXT)]},
        amount="less",
        density="high",
        supportedAmount=["less", "extra"],
        supportedDensity=["normal", "high"],
    )
    assert argument(found, "setBoth", 0).values == ("less", "extra")
    assert argument(found, "setBoth", 1).values == ("normal", "high")


# ------------------------------------------------------------------ ranges


def test_a_freezer_is_set_within_its_own_range():
    found = known(
        "thermostatCoolingSetpoint",
        coolingSetpoint=(-19, "C"),
        coolingSetpointRange=({"minimum": -23, "maximum": -15, "step": 1}, "C"),
    )
    shape = argument(found, "setCoolingSetpoint")
    assert (shape.minimum, shape.maximum, shape.step, shape.unit) == (-23, -15, 1, "°C")
    assert set(found.attributes) == {"coolingSetpoint"}


def test_limits_in_another_capability_count_where_there_are_no_own():
    definition = parse_definition(
        "thermostatCoolingSetpoint", definitions()["thermostatCoolingSetpoint"]
    )
    assert definition is not None
    beside = values(minimumSetpoint=(16, "C"), maximumSetpoint=(30, "C"))
    found = narrowed(definition, values(coolingSetpoint=(22, "C")), beside)
    assert argument(found, "setCoolingSetpoint").maximum == 30

    other_unit = narrowed(definition, values(coolingSetpoint=(72, "F")), beside)
    assert argument(other_unit, "setCoolingSetpoint").maximum is None


@pytest.mark.parametrize(
    "told",
    [
        {"minimum": 30, "maximum": 10},
        {"minimum": "low", "maximum": None},
        {"step": 1},
        None,
        "nonsense",
    ],
)
def test_a_range_that_cannot_be_is_none(told):
    found = known("switchLevel", level=50, levelRange=told)
    assert argument(found, "setLevel").maximum == 100


def test_what_is_reported_outside_of_the_range_cannot_be_set_but_is_true():
    found = own(
        {"ovenSetpoint": NUMBER, "ovenSetpointRange": {"type": "object"}},
        {"setOvenSetpoint": [("setpoint", NUMBER)]},
        ovenSetpoint=(0, "C"),
        ovenSetpointRange={"min": 30, "max": 250},
    )
    assert found.attributes["ovenSetpoint"].minimum is None
    shape = argument(found, "setOvenSetpoint")
    assert (shape.minimum, shape.maximum, shape.unit) == (30, 250, "°C")


def test_pairs_of_attributes_make_a_range():
    found = own(
        {
            "codeLength": NUMBER,
            "minCodeLength": NUMBER,
            "maxCodeLength": NUMBER,
            "maxCodes": NUMBER,
        },
        {"setCodeLength": [("length", NUMBER)]},
        codeLength=5,
        minCodeLength=4,
        maxCodeLength=8,
        maxCodes=2,
    )
    assert (argument(found, "setCodeLength").minimum, argument(found, "setCodeLength").maximum) == (
        4,
        8,
    )


def test_a_range_of_any_temperature_at_all_is_not_told():
    found = known("thermostatCoolingSetpoint", coolingSetpoint=(4, "C"))
    assert argument(found, "setCoolingSetpoint").minimum is None


# --------------------------------------------------- settable and supported

OPTION = {
    "type": "object",
    "properties": {"value": {"type": "boolean"}, "settable": {"type": "array"}},
}


def test_what_the_device_leaves_out_of_its_list_cannot_be_commanded():
    zone = {"type": "object", "properties": {"value": TEXT, "settable": LIST}}
    found = own(
        {"sanitize": OPTION, "zone": zone, "dryPlus": OPTION, "supportedList": LIST},
        {
            "setSanitize": [("sanitize", {"type": "boolean"})],
            "setZone": [("zone", TEXT)],
            "setDryPlus": [("dryPlus", {"type": "boolean"})],
            "setOptions": [
                (
                    "options",
                    {
                        "type": "object",
                        "properties": {
                            "sanitize": {"type": "boolean"},
                            "zone": TEXT,
                            "dryPlus": {},
                        },
                    },
                )
            ],
        },
        sanitize={"value": False, "settable": [False, True]},
        zone={"value": "all", "settable": ["none", "upper"]},
        dryPlus=None,
        supportedList=["sanitize", "zone"],
    )
    assert names(found) == {"setSanitize", "setZone", "setOptions"}
    assert set(found.attributes) == {"sanitize", "zone"}
    assert found.attributes["sanitize"].type == "boolean"
    assert argument(found, "setZone").values == ("none", "upper", "all")
    assert argument(found, "setOptions").description == (
        "{sanitize: true|false, zone: none|upper|all}"
    )


def test_commands_that_a_list_of_commands_leaves_out_are_gone():
    found = known(
        "mediaPlayback",
        playbackStatus="paused",
        supportedPlaybackCommands=["play", "pause", "stop"],
    )
    assert "fastForward" not in names(found)
    assert {"play", "pause", "stop", "setPlaybackStatus"} <= names(found)
    assert "supportedPlaybackCommands" not in found.attributes

    unknown = known("mediaPlayback", supportedPlaybackCommands=[])
    assert "fastForward" in names(unknown)


# ------------------------------------------------------------------ others


def test_without_a_definition_values_tell_the_types():
    definition = named_definition("own.dimmer", ["level", "label", "parts", "info", "is_on"])
    found = narrowed(definition, values(level=5, label="x", parts=[1], info={}, is_on=True))
    assert {name: each.type for name, each in found.attributes.items()} == {
        "level": "number",
        "label": "string",
        "parts": "list",
        "info": "object",
        "is_on": "boolean",
    }


def test_structures_are_told_in_few_words():
    colour = {
        "type": "object",
        "properties": {
            "hue": NUMBER,
            "hex": TEXT,
            "level": {"type": "integer", "minimum": 0, "maximum": 9},
        },
        "required": ["hue"],
    }
    assert shape_of(colour).note == "{hue: number, hex?: text, level?: 0..9}"
    assert shape_of({"type": "array", "items": colour}).note.startswith("list of {hue")
    assert shape_of({"type": "array", "items": {"type": "string", "enum": ["a"]}}).values == ("a",)
    assert shape_of({"oneOf": [{"type": "string", "enum": ["auto"]}, NUMBER]}).note == (
        "auto or number"
    )
    assert shape_of({"type": "string", "pattern": "^x$"}).note == "text matching ^x$"
    assert shape_of({"title": "Iso8601Date", "type": "string"}).note == "date and time, ISO 8601"
    assert shape_of({"enum": [1, 2]}).values == ("1", "2")
    assert shape_of({"type": ["null", "integer"]}).type == "integer"
    assert text_of({"type": "array"}) == "list"
    assert text_of({}) == "any"
    deep: dict[str, Any] = {"type": "array"}
    for _ in range(50):
        deep = {"type": "array", "items": deep}
    assert text_of(deep) == "list of list of list of object"


def test_many_values_in_a_structure_are_cut():
    many = {"type": "object", "properties": {"x": {"enum": [str(n) for n in range(30)]}}}
    assert shape_of(many).note.endswith("|11|… 18 more}")


@pytest.mark.parametrize("home", ["paper", "large"])
def test_no_device_of_a_home_reports_what_its_documentation_excludes(home):
    checked = 0
    for device in load_home(home).devices.values():
        for capabilities in device.status.values():
            for capability, told in capabilities.items():
                definition = parse_definition(capability, definitions()[capability])
                assert definition is not None
                now = {
                    n: RawValue(value=e.get("value"), unit=e.get("unit")) for n, e in told.items()
                }
                for name, shape in narrowed(definition, now).attributes.items():
                    value = now[name].value if name in now else None
                    if isinstance(value, str) and value and shape.values:
                        assert value in shape.values, (device.label, capability, name)
                        checked += 1
                    elif isinstance(value, int | float) and not isinstance(value, bool):
                        assert shape.minimum is None or value >= shape.minimum
                        assert shape.maximum is None or value <= shape.maximum
                        checked += 1
    assert checked > 5


JUNK: list[Any] = [
    None, True, float("nan"), "", [[]], [{}], [{"id": [1]}], {"value": None, "settable": [{}]},
    {"minimum": None, "maximum": "x"}, {"minimum": 1, "maximum": 2, "step": 0}, ["a", 1, True],
]  # fmt: skip


@pytest.mark.parametrize("junk", JUNK)
def test_nothing_a_device_reports_breaks_its_documentation(junk):
    for capability, data in definitions().items():
        parsed = parse_definition(capability, data)
        assert parsed is not None
        found = narrowed(parsed, {name: RawValue(value=junk) for name in data["attributes"]})
        assert len(found.commands) <= len(data["commands"])


@pytest.mark.parametrize("junk", [5, "text", [], [[]], {"enum": [[]]}, {"required": [[]]}])
def test_nothing_a_definition_says_breaks_its_documentation(junk):
    nested = {"type": "object", "properties": {"x": junk}, "required": [junk, {}]}
    listed = {"type": "array", "items": junk}
    for schema in (junk, nested, listed, {"oneOf": [junk]}, {"oneOf": junk}, {"enum": junk}):
        found = own({"thing": schema, "supportedThings": schema}, {"setThing": [("thing", schema)]})
        assert names(found) == {"setThing"}
