"""Groups of devices: a kind, a place, and what is left out."""

import pytest

from custom_components.sage.home.home_types import HomeError
from custom_components.sage.home.listing import Area, find_all

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


def named(*names: str) -> set[str]:
    """Return the ids of what the names stand for: of a part, where it is one of several."""
    return {
        each.component.id if each.component else each.device.id for each in find_all(HOME, names)
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
    assert [each.device.id for each in find_all(home, ["all light in upstairs"])] == ["attic_lamp"]
    assert [each.device.id for each in find_all(home, ["all blinds"])] == ["den_blind"]
    assert [each.device.id for each in find_all(home, ["all light except Upstairs"])] == [
        "den_lamp"
    ]


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
        find_all(HOME, [group])
