"""The devices that condition code reads, as they are told."""

import pytest

from custom_components.sage.tools.condition_devices import ReadDevice


def device(name: str, area: str | None = "Hallway", *, has_namesake: bool = False) -> ReadDevice:
    return ReadDevice(name=name, area=area, has_namesake=has_namesake)


def test_a_namesake_is_told_apart_by_its_area() -> None:
    assert device("Lamp", "Bedroom").spoken == "Lamp"
    assert device("Lamp", "Bedroom", has_namesake=True).spoken == "Lamp (Bedroom)"
    assert device("Lamp", None, has_namesake=True).spoken == "Lamp"
    assert device("Lamp", "Bedroom").placed == "Lamp (Bedroom)"


@pytest.mark.parametrize(
    ("name", "text", "is_named"),
    [
        ("Garage Door", "the garage door opens", True),
        ("Front Door Contact", "the front door opens", False),
        ("Dishwasher", "the dishwashers are done", True),
        ("Living Room TV", "the TV turns off", False),
        ("Küchenfenster", "das Küchenfenster offen ist", True),
        ("...", "anything", False),
    ],
)
def test_what_is_named_in_full_is_not_in_doubt(name: str, text: str, is_named: bool) -> None:
    assert device(name).is_named_in(text) is is_named
    assert not device(name, has_namesake=True).is_named_in(text)
