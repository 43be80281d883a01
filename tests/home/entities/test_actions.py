"""Selectors: what a field of an action takes."""

from dataclasses import replace
from typing import Any

import pytest
from homeassistant.helpers.selector import SELECTORS

from custom_components.sage.home.entities.actions import REFERENCES, shape_of
from custom_components.sage.home.home_types import Argument


@pytest.mark.parametrize(
    ("selector", "shape"),
    [
        (
            {"number": {"min": 0, "max": 300, "unit_of_measurement": "seconds", "step": 1}},
            Argument(type="number", unit="s", minimum=0, maximum=300, step=1),
        ),
        ({"number": {"min": 0, "max": 9.3e18, "step": "any"}}, Argument(type="number", minimum=0)),
        ({"boolean": {}}, Argument(type="boolean")),
        ({"boolean": None}, Argument(type="boolean")),
        ({"text": {"multiple": True}}, Argument(type="list")),
        ({"select": {"options": ["long", "short"]}}, Argument(values=("long", "short"))),
        (
            {"select": {"options": [{"value": "a", "label": "A"}], "multiple": True}},
            Argument(type="list", values=("a",)),
        ),
        (
            {"select": {"options": ["a", "b"], "custom_value": True}},
            Argument(description="such as a, b"),
        ),
        ({"constant": {"value": True}}, Argument(type="boolean", description="true")),
        ({"constant": {"value": 5}}, Argument(type="number", minimum=5, maximum=5)),
        ({"constant": {"value": "x"}}, Argument(values=("x",))),
        (
            {"color_temp": {"unit": "kelvin", "min": 2000, "max": 6500}},
            Argument(type="integer", unit="K", minimum=2000, maximum=6500),
        ),
        (
            {"color_temp": {"min_mireds": 153, "max_mireds": 500}},
            Argument(type="integer", unit="mired", minimum=153, maximum=500),
        ),
        ({"color_rgb": {}}, Argument(type="list", description="[red, green, blue], each 0..255")),
        ({"time": {}}, Argument(description="HH:MM:SS")),
        ({"state": {"attribute": "fan_mode"}}, Argument(state_of="fan_mode")),
        ({"state": {"multiple": True}}, Argument(type="list", state_of="")),
        ({"something_new": {}}, Argument()),
        (None, Argument(type="object")),
    ],
)
def test_a_selector_tells_type_range_and_values(selector, shape):
    assert shape_of("field", selector) == replace(shape, name="field")


@pytest.mark.parametrize("kind", sorted(REFERENCES))
def test_what_names_things_in_the_home_is_a_reference(kind):
    assert kind in SELECTORS, "Home Assistant knows no such selector"
    assert shape_of("field", {kind: {}}).is_reference
    assert shape_of("field", {kind: {"multiple": True}}).type == "list"


def test_a_reference_inside_another_selector_counts():
    inside: dict[str, Any] = {"object": {"fields": {"who": {"selector": {"entity": {}}}}}}
    assert shape_of("field", inside).is_reference
    chosen: dict[str, Any] = {"choose": {"choices": {"one": {"selector": {"area": {}}}}}}
    assert shape_of("field", chosen).is_reference
    harmless: dict[str, Any] = {"object": {"fields": {"text": {"selector": {"text": {}}}}}}
    assert not shape_of("field", harmless).is_reference


@pytest.mark.parametrize("name", ["entity_id", "media_player_entity_id", "entities", "area_id"])
def test_a_field_may_be_a_reference_by_its_name(name):
    assert shape_of(name, {"text": {}}).is_reference
