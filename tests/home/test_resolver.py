"""Groups of devices: a kind, a place, and what is left out."""

import pytest

from custom_components.sage.home.home_types import HomeError
from custom_components.sage.home.listing import Area, Listing
from custom_components.sage.home.matching import said_groups

from .listings import plain_device, plain_listing

HOME = plain_listing(
    plain_device("hall_lamp", "Hall Lamp", "light.hall_lamp", area="Hall"),
    plain_device("bedroom_lamp", "Bedroom Lamp", "light.bedroom_lamp", area="Bedroom"),
    plain_device("bed_light", "Bed Light", "light.bed_light", area="Bedroom"),
    plain_device("kitchen_light", "Kitchen Light", "light.kitchen_light", area="Bed and Board"),
    plain_device("bedroom_blind", "Blind", "cover.blind", area="Bedroom"),
    plain_device("garage_door", "Garage Door", "cover.garage_door", area="Garage"),
    plain_device("strip", "Strip", "light.left=Left", "light.right=Right", area="Hall"),
    areas=[Area(name=name) for name in ("Hall", "Bedroom", "Bed and Board", "Garage")],
)


def named(*names: str, listing: Listing = HOME) -> set[str]:
    """Return the ids of what the names stand for: of a part, where it is one of several."""
    return {
        each.component.id if each.component else each.device.id for each in listing.find_all(names)
    }


LIGHTS = {
    "light.hall_lamp",
    "light.bedroom_lamp",
    "light.bed_light",
    "light.kitchen_light",
    "light.left",
    "light.right",
}


@pytest.mark.parametrize(
    ("group", "missing"),
    [
        ("all light", set()),
        ("all light except hall_lamp", {"light.hall_lamp"}),
        ("All Lights  EXCEPT Hall Lamp", {"light.hall_lamp"}),
        ("all light except hall_lamp, bed_light", {"light.hall_lamp", "light.bed_light"}),
        ("all light except hall_lamp and bed_light", {"light.hall_lamp", "light.bed_light"}),
        ("all light except Bedroom", {"light.bedroom_lamp", "light.bed_light"}),
        ("all light except Bed and Board", {"light.kitchen_light"}),
        (
            "all light except Bed and Board, and hall_lamp",
            {"light.kitchen_light", "light.hall_lamp"},
        ),
        ("all light except all light in Bedroom", {"light.bedroom_lamp", "light.bed_light"}),
        ("all light except strip", {"light.left", "light.right"}),
        ("all light except light.left", {"light.left"}),
        # It is no light: nothing else is left out for it.
        ("all light except garage_door", set()),
    ],
)
def test_a_group_leaves_out_what_it_says(group: str, missing: set[str]) -> None:
    assert named(group) == LIGHTS - missing


def test_exceptions_hold_within_a_place() -> None:
    assert named("all light in Bedroom except bed_light") == {"light.bedroom_lamp"}
    assert named("all cover except garage_door") == {"cover.blind"}


def test_a_group_may_hold_less_by_itself_and_more_with_another() -> None:
    assert named("all light in Bedroom except bed_light", "bed_light") == {
        "light.bedroom_lamp",
        "bed_light",
    }


def test_a_floor_and_a_kind_make_groups_as_areas_and_capabilities_do() -> None:
    upstairs = [
        plain_device("attic_lamp", "Attic Lamp", "light.attic", area="Attic", floor="Upstairs"),
        plain_device("den_lamp", "Den Lamp", "light.den", area="Den", floor="Downstairs"),
        plain_device("den_blind", "Den Blind", "cover.den", area="Den", kind="blind"),
        plain_device("gate", "Gate", "cover.gate", area="Den", kind="gate"),
    ]
    home = plain_listing(*upstairs)
    assert [each.device.id for each in home.find_all(["all light in upstairs"])] == ["attic_lamp"]
    assert [each.device.id for each in home.find_all(["all blinds"])] == ["den_blind"]
    assert [each.device.id for each in home.find_all(["all light except Upstairs"])] == ["den_lamp"]


@pytest.mark.parametrize(
    ("group", "error"),
    [
        ("all light except study_lamp", 'no device "study_lamp"'),
        ("all light except hall_lamp, study_lamp", 'no device "study_lamp"'),
        ("all light in Bedroom except Bedroom", "leaves no device"),
        ("all sauna", r'no group "all sauna".*"all cover"'),
        ("all light in Attic except hall_lamp", "no group"),
    ],
)
def test_a_wrong_exception_is_an_error_and_never_ignored(group: str, error: str) -> None:
    with pytest.raises(HomeError, match=error):
        HOME.find_all([group])


LIGHTS_OF_HALL = {"light.hall_lamp", "light.hall_spot"}
LOFT = {"area": "Gästezimmer", "floor": "Dachgeschoß"}
XMAS = ("Christmas decorations",)
LABELLED = plain_listing(
    plain_device("star", "Star", "light.star", labels=XMAS, **LOFT),
    plain_device("tree", "Tree", "switch.tree", "sensor.tree_power", labels=XMAS, area="Hall"),
    plain_device("guest_lamp", "Guest Lamp", "light.guest_lamp", **LOFT),
    plain_device(
        "hall_lamp", "Hall Lamp", "light.hall_lamp", area="Hall", labels=("Night", "Hall")
    ),
    plain_device("hall_spot", "Hall Spot", "light.hall_spot", area="Hall"),
    plain_device("meter", "Meter", "sensor.meter", labels=["Batteries in use"]),
    plain_device("all_off", "All Night", "script.all_off"),
    areas=[
        Area(
            name="Gästezimmer",
            aliases=("guest room",),
            floor="Dachgeschoß",
            floor_aliases=("attic", "Hall"),
        ),
        Area(name="Hall", aliases=("corridor", "attic room")),
    ],
)
LOFT_LIGHTS = {"light.star", "light.guest_lamp"}


@pytest.mark.parametrize(
    ("group", "members"),
    [
        ("all light in Gästezimmer", LOFT_LIGHTS),
        ("all lights in gastezimmer", LOFT_LIGHTS),
        ("all light in guest room", LOFT_LIGHTS),
        ("all light in the Guest Room", LOFT_LIGHTS),
        ("all light in attic", LOFT_LIGHTS),
        ("all light in Dachgeschoss", LOFT_LIGHTS),
        ("all light in DACHGESCHOSS except guest_lamp", {"light.star"}),
        ("all light in Christmas decorations", {"light.star"}),
        ("all switch in christmas-decorations", {"switch.tree"}),
        ("all sensor in Christmas decorations", {"sensor.tree_power"}),
        # A label without a kind holds the main entities.
        ("all Christmas decorations", {"light.star", "switch.tree"}),
        ("All CHRISTMAS  decorations", {"light.star", "switch.tree"}),
        ("Christmas decorations", {"light.star", "switch.tree"}),
        ("all Christmas decorations in attic", {"light.star"}),
        ("all Christmas decorations except Hall", {"light.star"}),
        ("all light except Christmas decorations", {*LIGHTS_OF_HALL, "light.guest_lamp"}),
        ("all light except attic", LIGHTS_OF_HALL),
        ("all light except all Christmas decorations, corridor", {"light.guest_lamp"}),
        # Only secondary entities have it; its name contains "in".
        ("all Batteries in use", {"sensor.meter"}),
        # The area comes before the floor's alias and the label of the same name.
        ("all light in Hall", LIGHTS_OF_HALL),
        ("all Hall", {"light.hall_lamp"}),
        # A device comes before a label.
        ("all Night", {"all_off"}),
    ],
)
def test_area_floor_and_label(group: str, members: set[str]) -> None:
    assert named(group, listing=LABELLED) == members


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("turn on all Christmas decorations", 'Groups: "all Christmas decorations" (label).'),
        ("turn on the christmas stuff", 'Groups: "all Christmas decorations" (label).'),
        ("lights on in the attic", 'Groups: "all ... in attic" (floor Dachgeschoß).'),
        ("lights on in the guest room", 'Groups: "all ... in guest room" (area Gästezimmer).'),
        ("lights on in the Gästezimmer", ""),
        ("what about the meter?", ""),
    ],
)
def test_group_that_a_request_names(text: str, groups: str) -> None:
    assert said_groups(LABELLED, text) == groups


@pytest.mark.parametrize(
    "name", ["all light in cellar", "all Easter", "Easter", "all Meter in Hall"]
)
def test_unknown_label_or_place(name: str) -> None:
    with pytest.raises(HomeError):
        LABELLED.find_all([name])


def test_a_name_of_several_floors_means_all_of_them() -> None:
    home = plain_listing(
        plain_device("one", "One", "light.one", area="A", floor="First"),
        plain_device("two", "Two", "light.two", area="B", floor="Second"),
        areas=[
            Area(name="A", floor="First", floor_aliases=("upstairs",)),
            Area(name="B", floor="Second", floor_aliases=("upstairs",)),
        ],
    )
    assert named("all light in upstairs", listing=home) == {"light.one", "light.two"}
