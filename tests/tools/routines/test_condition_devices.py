"""The devices that condition code reads, as the prompt shows them."""

from custom_components.sage.tools.routines.run_routines import ReadDevice


def device(name: str, area: str | None = "Hallway", *, has_namesake: bool = False) -> ReadDevice:
    return ReadDevice(name=name, area=area, has_namesake=has_namesake)


def test_a_namesake_is_told_apart_by_its_area() -> None:
    assert device("Lamp", "Bedroom").spoken == "Lamp"
    assert device("Lamp", "Bedroom", has_namesake=True).spoken == "Lamp (Bedroom)"
    assert device("Lamp", None, has_namesake=True).spoken == "Lamp"
    assert device("Lamp", "Bedroom").placed == "Lamp (Bedroom)"
