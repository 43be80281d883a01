"""A condition reads the device that can report it."""

import pytest

from custom_components.sage.tools.planner import namesakes
from tests.home.listings import plain_device, plain_listing

LISTING = plain_listing(
    plain_device("front_door", "Front Door", "lock.front_door"),
    plain_device("front_door_contact", "Front Door Contact", "binary_sensor.front_door_contact"),
    plain_device("tv", "TV", "media_player.tv"),
    plain_device("tv_power", "TV Power", "sensor.tv_power"),
    plain_device("tv_volume", "TV Volume", "sensor.tv_volume"),
)


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("front_door", ("front_door_contact",)),
        ("tv", ("tv_power", "tv_volume")),
        ("front_door_contact", ()),
        ("all light", ()),
    ],
)
def test_devices_whose_names_contain_the_name_are_shown_too(name, others) -> None:
    assert namesakes(LISTING, name) == others


def test_many_namesakes_are_left_out() -> None:
    lamps = [plain_device(f"lamp_{each}", f"Lamp {each}", f"light.{each}") for each in "abc"]
    assert (
        namesakes(plain_listing(plain_device("lamp", "Lamp", "light.lamp"), *lamps), "lamp") == ()
    )
