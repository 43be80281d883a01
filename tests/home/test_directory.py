"""The list of devices for the planner: whole, or an index; never cut off."""

import re

import pytest

from custom_components.sage.home.directory import render_index, render_matches
from custom_components.sage.home.listing import Area
from custom_components.sage.home.matching import render_surroundings
from custom_components.sage.home.rendering import estimate

from .listings import plain_device, plain_listing, raw_part, with_raw

HOME = plain_listing(
    plain_device(
        "kitchen_light",
        "Kitchen Light",
        "light.k",
        area="Kitchen",
        floor="Ground floor",
        aliases=["Spots"],
    ),
    plain_device("lamp", "Lamp", "light.l", area="Attic", floor="Top floor"),
    plain_device("tv", "TV", "media_player.tv", area="Kitchen", floor="Ground floor", kind="tv"),
    plain_device(
        "fridge",
        "Fridge",
        "sensor.f=Temperature",
        "switch.f=Fridge",
        area="Kitchen",
        floor="Ground floor",
    ),
    plain_device(
        "station", "Weather Station", *(f"sensor.s{n}=Value {n}" for n in range(7)), "light.led=LED"
    ),
    areas=[Area(name="Kitchen", aliases=("Galley",), floor="Ground floor")],
)


def large_home(areas: int = 20, each: int = 50):
    rooms = [Area(name=f"Room {n}", floor=f"Floor {n % 2}") for n in range(areas)]
    return plain_listing(
        *(
            plain_device(
                f"room_{area}_lamp_{n}",
                f"Lamp {n}",
                f"light.l{area}_{n}",
                area=f"Room {area}",
                floor=f"Floor {area % 2}",
            )
            for area in range(areas)
            for n in range(each)
        ),
        areas=rooms,
    )


def test_a_small_home_is_listed_whole():
    values = ", ".join(f"Value {number}" for number in range(7))
    assert render_index(HOME, 1000).split("\n") == [
        "Kitchen, also Galley (Ground floor):",
        '- fridge: sensor.f "Temperature", switch.f',
        "- kitchen_light, also Spots: light",
        "- tv: media_player (tv)",
        "Attic (Top floor):",
        "- lamp: light",
        "No area:",
        f'- station "Weather Station": sensor ({values}); light (LED)',
    ]


def test_above_the_budget_there_is_an_index_with_every_area():
    text = render_index(large_home(), 600)
    assert estimate(text) <= 600
    assert text.startswith("1000 devices, too many to list")
    assert all(f"Room {number} " in text for number in range(20))
    assert text.count("50 light") == 20
    assert "lamp" not in text


def test_a_home_without_devices_says_so():
    assert render_index(plain_listing(), 100) == "There are no devices."


def test_matches_are_named_in_full_if_they_fit():
    text = render_matches(HOME, "turn on the kitchen light", index_tokens=0, budget_tokens=200)
    assert text == "Kitchen, also Galley (Ground floor):\n- kitchen_light, also Spots: light"
    assert render_matches(HOME, "hello", index_tokens=0, budget_tokens=200) == ""


def test_all_matches_are_named_however_small_the_budget():
    home = large_home()
    for budget in (100_000, 5_000, 100):
        text = render_matches(home, "turn off all lamps", index_tokens=0, budget_tokens=budget)
        assert len(set(re.findall(r"room_\d+_lamp_\d+", text))) == 1000
    dense = render_matches(home, "turn off all lamps", index_tokens=0, budget_tokens=100)
    assert " light: room_0_lamp_0 room_0_lamp_1 " in dense
    assert estimate(dense) < estimate(
        render_matches(home, "turn off all lamps", index_tokens=0, budget_tokens=100_000)
    )


FRIDGE = with_raw(
    plain_device("fridge", "Fridge", "number.f=Freezer temperature", "switch.i=Cubed ice"),
    raw_part("main", "contactSensor", "custom.waterFilter", kind="refrigerator"),
    raw_part("freezer", "thermostatCoolingSetpoint", name="Freezer"),
)
TV = with_raw(
    plain_device("tv", "TV", "media_player.tv", area="Hall", kind="tv"),
    raw_part("main", "tvChannel", kind="television"),
)
CLOUDED = plain_listing(FRIDGE, TV)
INFO = "After `smartthings` stand a component"


def test_raw_parts_stand_behind_the_entities_with_all_their_capabilities():
    intro, *lines = render_index(CLOUDED, 1000).split("\n")
    assert intro.startswith(INFO)
    assert lines == [
        "Hall:",
        "- tv: media_player (tv); smartthings main (television): tvChannel",
        "No area:",
        (
            '- fridge: number.f "Freezer temperature", switch.i "Cubed ice"; '
            "smartthings main (refrigerator): contactSensor, custom.waterFilter; "
            "smartthings freezer: thermostatCoolingSetpoint"
        ),
    ]


def test_a_home_without_raw_parts_is_not_told_about_them():
    for budget in (1000, 100, 20):
        assert "smartthings" not in render_index(HOME, budget)


def many(count: int):
    return plain_listing(
        *(
            with_raw(
                plain_device(f"tv_{n}", f"TV {n}", f"media_player.t{n}", area=f"Room {n % 4}"),
                raw_part("main", "tvChannel", "custom.launchapp", kind="television"),
            )
            for n in range(count)
        ),
        areas=[Area(name=f"Room {n}", floor=f"Floor {n % 2}") for n in range(4)],
    )


def test_in_a_home_with_too_many_devices_entities_are_counted_and_raw_parts_explained():
    home = many(100)
    for budget, place in ((80, "by area"), (10, "of a kind")):
        intro, text = render_index(home, budget).split("\n", 1)
        assert intro.startswith(INFO)
        assert place in text
        assert "media_player" in text
        assert "tvChannel" not in text
    assert "tvChannel" in render_index(home, 100_000)


def test_what_is_asked_for_is_found_by_words_of_raw_capabilities():
    text = render_matches(CLOUDED, "which channel is on", index_tokens=0, budget_tokens=1000)
    assert text.startswith("Hall:\n- tv: ")
    assert "fridge" not in text
    assert "fridge" in render_matches(
        CLOUDED, "is the freezer cold", index_tokens=0, budget_tokens=1000
    )


@pytest.mark.parametrize(
    ("request_", "shown", "line"),
    [
        ("turn on the kitchen light", ["kitchen_light"], ""),
        (
            "turn on the speaker in the kitchen",
            ["tv"],
            "All of Kitchen: fridge, kitchen_light, tv.",
        ),
        ("kitchen speaker", ["fridge", "kitchen_light", "tv"], "Nothing else is in Kitchen."),
        ("galley speaker", ["fridge", "kitchen_light", "tv"], "Nothing else is in Kitchen."),
        ("start the sauna at 80", ["lamp"], "Nothing here is called start or sauna."),
        ("the other one", ["kitchen_light"], "Nothing here is called one."),
        ("lights in the cellar", ["lamp", "kitchen_light"], "Nothing here is called cellar. All"),
        ("all light", ["lamp", "kitchen_light"], ""),
        ("spots in the saloon", ["lamp", "kitchen_light"], "Nothing here is called saloon. All"),
        ("who are you", [], ""),
        (
            "sauna",
            [],
            "Nothing here is called sauna. Kinds of devices here: light, media_player, sensor",
        ),
    ],
)
def test_what_a_request_lacks_is_shown(request_, shown, line):
    assert (
        render_surroundings(HOME, request_, shown, {"light": frozenset({"light"})})[
            : len(line) or 99
        ]
        == line
    )
