"""The notation of the capability files."""

import pytest

from benchmark.simulator.notation import NotationError, parse_attribute, parse_command

TYPES = {"course": "auto|eco", "broken": "auto eco", "circle": "list of $course"}


@pytest.mark.parametrize(
    ("text", "schema"),
    [
        ("string", {"type": "string"}),
        ("string(255)", {"type": "string", "maxLength": 255}),
        ("boolean", {"type": "boolean"}),
        ("object", {"type": "object"}),
        ("any", {}),
        ("integer", {"type": "integer"}),
        ("integer 0..100", {"type": "integer", "minimum": 0, "maximum": 100}),
        ("integer 1..", {"type": "integer", "minimum": 1}),
        ("number ..5", {"type": "number", "maximum": 5}),
        ("number -5..9.5", {"type": "number", "minimum": -5, "maximum": 9.5}),
        ("on|off", {"type": "string", "enum": ["on", "off"]}),
        ("1|2|1.5x", {"type": "string", "enum": ["1", "2", "1.5x"]}),
        (
            "'not detected'|'string'|3D",
            {"type": "string", "enum": ["not detected", "string", "3D"]},
        ),
        ("$course", {"type": "string", "enum": ["auto", "eco"]}),
        (
            "list of list of $course",
            {
                "type": "array",
                "items": {"type": "array", "items": {"type": "string", "enum": ["auto", "eco"]}},
            },
        ),
        (
            "{minimum: integer, step?: {of?: number}}",
            {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "minimum": {"type": "integer"},
                    "step": {
                        "type": "object",
                        "additionalProperties": False,
                        "properties": {"of": {"type": "number"}},
                    },
                },
                "required": ["minimum"],
            },
        ),
    ],
)
def test_a_type_becomes_a_schema(text: str, schema: object):
    assert parse_attribute(text, TYPES).schema == schema


def test_a_date_is_a_text_of_a_pattern():
    schema = parse_attribute("date", {}).schema
    assert schema["type"] == "string"
    assert str(schema["pattern"]).startswith("^")


def test_an_attribute_has_units_and_a_setter():
    attribute = parse_attribute("number? [C|F] <- setTarget", {})
    assert attribute.is_optional
    assert attribute.units == ("C", "F")
    assert attribute.setter == "setTarget"

    plain = parse_attribute("number [μg/m^3]", {})
    assert plain.units == ("μg/m^3",)
    assert not plain.is_optional
    assert plain.setter is None


def test_a_command_has_arguments_and_leads_to_a_value():
    command = parse_command("level: integer 0..100, rate?: $course", TYPES)
    assert [(each.name, each.is_optional) for each in command.arguments] == [
        ("level", False),
        ("rate", True),
    ]
    assert command.leads_to is None
    assert parse_command("", {}).arguments == ()
    assert parse_command("-> lock='unlocked with timeout'", {}).leads_to == (
        "lock",
        "unlocked with timeout",
    )
    assert parse_command("why?: string -> a=b", {}).leads_to == ("a", "b")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("integer 0..100 %", "left over"),
        ("on|", "a word is missing"),
        ("on|off <-", "a word is missing"),
        ("$unknown", "nowhere in this file"),
        ("$broken", "left over"),
        ("list on", "'of' expected"),
        ("{x integer}", "':' expected"),
        ("{x: integer", "'}' expected"),
        ("integer 5", "'..' expected"),
        ("a 'b", "nothing known"),
        ("number [C", "']' expected"),
    ],
)
def test_what_is_not_of_the_notation_is_named(text: str, complaint: str):
    with pytest.raises(NotationError, match=complaint.replace("|", r"\|")):
        parse_attribute(text, TYPES)
