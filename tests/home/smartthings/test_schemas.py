"""Schemas in few words, and values inside objects and lists held against them."""

from typing import Any

import pytest

from custom_components.sage.home.home_types import HomeError
from custom_components.sage.home.smartthings.schemas import (
    check_shape,
    parsed,
    schema_text,
    shape_of,
)

TEXT = {"type": "string"}
NUMBER = {"type": "number"}
_WASH = {
    "type": "object",
    "required": ["course"],
    "properties": {
        "course": {"type": "string", "enum": ["eco", "auto"]},
        "temperature": {"type": "integer", "minimum": 20, "maximum": 95},
        "rinses": {"type": "integer", "minimum": 1},
        "level": {"type": "number", "maximum": 5},
        "steam": {"type": "boolean"},
        "days": {"type": "array", "items": {"type": "string"}},
    },
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("value", "mend"),
    [
        ({}, "wash needs course, too."),
        ({"course": "fast"}, "wash.course cannot be 'fast'. It must be one of: eco, auto."),
        ({"course": "eco", "temperature": 96}, "wash.temperature must be 20..95, not 96."),
        ({"course": "eco", "temperature": True}, "wash.temperature must be of type integer"),
        ({"course": "eco", "rinses": 0}, "wash.rinses must be at least 1, not 0."),
        ({"course": "eco", "level": 5.5}, "wash.level must be at most 5, not 5.5."),
        ({"course": "eco", "steam": "on"}, "wash.steam must be of type boolean, not 'on'."),
        ({"course": "eco", "days": "Monday"}, "wash.days must be of type array"),
        ({"course": "eco", "days": [1]}, "wash.days[0] must be of type string, not 1."),
        ({"course": "eco", "speed": 1}, "wash has no part speed. It takes: course, "),
        ("eco", "wash must be an object with course, temperature"),
    ],
)
def test_what_does_not_fit_names_what_would(value, mend):
    with pytest.raises(HomeError) as told:
        check_shape("wash", _WASH, value)
    assert mend in str(told.value)


def test_what_fits_passes():
    check_shape(
        "wash",
        _WASH,
        {"course": "eco", "temperature": 40, "level": 1.5, "steam": True, "days": ["Monday"]},
    )
    check_shape("any", {"type": "object"}, {"whatever": 1})
    check_shape("list", {"type": "array"}, [1, "2"])
    check_shape("text", {"type": "string"}, 7)


def test_a_list_is_wanted_where_one_is_told():
    with pytest.raises(HomeError, match="list must be a list, not 'a'"):
        check_shape("list", {"type": "array"}, "a")


def test_json_text_is_read_and_other_text_left():
    assert parsed('{"a": 1}') == {"a": 1}
    assert parsed(" [1, 2]") == [1, 2]
    assert parsed("[broken") == "[broken"
    assert parsed("plain") == "plain"
    assert parsed(7) == 7


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
    assert schema_text({"type": "array"}) == "list"
    assert schema_text({}) == "any"
    deep: dict[str, Any] = {"type": "array"}
    for _ in range(50):
        deep = {"type": "array", "items": deep}
    assert schema_text(deep) == "list of list of list of object"


def test_many_values_in_a_structure_are_cut():
    many = {"type": "object", "properties": {"x": {"enum": [str(n) for n in range(30)]}}}
    assert shape_of(many).note.endswith("|11|… 18 more}")


def test_a_range_of_any_temperature_at_all_is_not_told():
    assert shape_of({"type": "number", "minimum": -460, "maximum": 10000}).minimum is None
    assert shape_of({"type": "number", "minimum": 0, "maximum": 100}).maximum == 100
