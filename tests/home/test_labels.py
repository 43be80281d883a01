"""Ids of devices: short, readable, unique, and they stay."""

from custom_components.sage.home.listing_build import identify
from custom_components.sage.home.prompt_text import slug


def ids(*things: tuple[str, str | None]) -> list[str]:
    return identify((name, area, "device") for name, area in things)


def test_the_id_is_the_name_in_small_letters():
    assert ids(("Kitchen Light", "Kitchen")) == ["kitchen_light"]
    assert slug("Küchenlicht & Co.") == "kuchenlicht_co"
    assert slug("Лампа") == "lampa"


def test_the_second_of_a_name_gets_its_area_and_the_next_a_number():
    assert ids(
        ("Lamp", "Living Room"), ("Lamp", "Bedroom"), ("Lamp", None), ("Lamp", "Bedroom")
    ) == ["lamp", "bedroom_lamp", "lamp_2", "lamp_3"]


def test_an_area_that_is_in_the_name_is_not_said_twice():
    assert ids(("Bedroom Light", "Bedroom"), ("Bedroom Light", "Bedroom")) == [
        "bedroom_light",
        "bedroom_light_2",
    ]


def test_a_device_that_comes_later_changes_no_older_id():
    before = ids(("Lamp", "Office"), ("Fan", "Office"))
    after = ids(("Lamp", "Office"), ("Fan", "Office"), ("Lamp", "Attic"), ("Fan", "Office"))
    assert after[:2] == before


def test_a_name_without_letters_falls_back():
    [made] = identify([("!!!", None, "plug_3")])
    assert made == "plug_3"
    assert ids(("", None)) == ["device"]
    assert ids(("Unknown", None)) == ["unknown"]


def test_long_names_are_cut():
    [made] = ids(("a very long name " * 5, None))
    assert len(made) <= 40
    assert not made.endswith("_")
