"""What is inside objects and lists is held against the definition."""

import pytest

from custom_components.sage.home.home_types import HomeError
from custom_components.sage.home.smartthings.shapes import check_shape, parsed

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
