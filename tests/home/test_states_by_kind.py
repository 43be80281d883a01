"""Which of several devices are in which state, said once more by state."""

from typing import Any

from custom_components.sage.home.home_types import Attribute, Documentation, Fact, Reading
from custom_components.sage.home.rendering import states_by_kind

from .listings import reading_of


def reading(name: str, state: str, component: str = "", **fields: Any) -> Reading:
    fact = Fact(name="state", value=state, meaning=fields.pop("meaning", None))
    component = component or f"light.{name.casefold()}"
    return reading_of(component, {"state": fact}, device_name=name, **fields)


def document(name: str, state: object, **fields: Any) -> Documentation:
    made: dict[str, Any] = {
        "device_id": name.casefold(),
        "device_name": name,
        "component_id": f"light.{name.casefold()}",
        "capability": "light",
        "attributes": (
            Attribute(name="brightness", type="number", value=3),
            Attribute(name="state", type="string", value=state),
        ),
    }
    return Documentation(**{**made, **fields})


def of_readings(*readings: Reading) -> list[str]:
    return states_by_kind(readings)


def test_devices_of_a_kind_are_told_by_state():
    assert of_readings(reading("Desk", "on"), reading("Sofa", "off"), reading("Bed", "on")) == [
        "All light devices above with state on: Desk, Bed.",
        "All light devices above with state off: Sofa.",
    ]


def test_documents_are_told_the_same_way():
    documents = [document("Desk", "on"), document("Sofa", "off"), document("Gone", "on")]
    documents[2] = document("Gone", "on", available=False)
    assert states_by_kind(documents) == [
        "All light devices above with state on: Desk.",
        "All light devices above with state off: Sofa.",
    ]


def test_numbers_are_not_summed_up():
    assert of_readings(reading("Attic", "26.1"), reading("Den", "26.1")) == []
    assert of_readings(reading("Attic", "26.1"), reading("Den", "unknown")) == []


def test_a_state_that_all_share_is_said_without_naming_them():
    assert of_readings(reading("Desk", "on"), reading("Bed", "on")) == [
        "All 2 light devices above: state on."
    ]


def test_the_area_is_told_where_the_name_does_not():
    lines = of_readings(
        reading("Lamp", "on", area="Kitchen"),
        reading("Kitchen Lamp", "on", area="kitchen"),
        reading("Desk", "off"),
    )
    assert lines[0] == "All light devices above with state on: Lamp (Kitchen), Kitchen Lamp."


def test_what_a_state_means_is_told_and_what_is_away_is_not():
    lines = of_readings(
        reading("Front", "on", "binary_sensor.front", meaning="Open"),
        reading("Back", "off", "binary_sensor.back", meaning="Closed"),
        reading("Side", "on", "binary_sensor.side", available=False),
    )
    assert lines == [
        "All binary_sensor devices above with state Open: Front.",
        "All binary_sensor devices above with state Closed: Back.",
    ]
