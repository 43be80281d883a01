"""Raw values that somebody has changed since a routine set them are left alone."""

import pytest

from custom_components.sage.home.home_types import Outcome, OutcomeKind

from ..house import Asking
from .raw_house import RawHouse, Thing


@pytest.fixture
def tv() -> Thing:
    return Thing("TV", {"main": {"tvChannel": {"tvChannel": "5"}, "audioVolume": {"volume": 10}}})


@pytest.fixture
def lamp() -> Thing:
    return Thing(
        "Lamp",
        {
            "main": {
                "switchLevel": {"level": 10},
                "colorControl": {"hue": 10, "saturation": 20},
            }
        },
    )


@pytest.fixture
def house(tv: Thing, lamp: Thing) -> RawHouse:
    return RawHouse(tv, lamp)


async def change(
    house: RawHouse, thing: Thing, command: str, arguments: dict[str, object], **values: object
) -> Outcome:
    """Do something that leads at once to these values."""
    prepared = await house.async_prepare(thing, command, arguments)

    def effect() -> None:
        for name, value in values.items():
            house.report(thing, prepared.capability, name, value)

    house.effect = effect
    (outcome,) = await house.pipeline.async_execute(Asking(), [prepared])
    house.effect = lambda: None
    return outcome


async def changed(house: RawHouse, *outcomes: Outcome) -> list[str]:
    """Return the capabilities of which somebody has changed values since."""
    found = await house.backend.async_changed_since(Asking().person, outcomes)
    return [each.capability for each in found]


async def test_a_volume_that_somebody_has_set_since(house, tv):
    done = await change(house, tv, "setVolume", {"volume": 31}, volume=31)
    assert await changed(house, done) == []
    house.report(tv, "audioVolume", "volume", 50)
    assert await changed(house, done) == ["audioVolume"]


async def test_a_volume_that_is_back_already(house, tv):
    done = await change(house, tv, "setVolume", {"volume": 31}, volume=31)
    house.report(tv, "audioVolume", "volume", 10)
    assert await changed(house, done) == []


async def test_only_the_capability_that_was_changed(house, tv):
    loud = await change(house, tv, "setVolume", {"volume": 31}, volume=31)
    channel = await change(house, tv, "setTvChannel", {"tvChannel": 7}, tvChannel="7")
    house.report(tv, "tvChannel", "tvChannel", "9")
    assert await changed(house, loud, channel) == ["tvChannel"]


async def test_of_two_steps_the_last_one_counts(house, tv):
    done = [
        await change(house, tv, "volumeUp", {}, volume=11),
        await change(house, tv, "volumeUp", {}, volume=12),
    ]
    assert await changed(house, *done) == []
    house.report(tv, "audioVolume", "volume", 11)
    assert await changed(house, *done) == ["audioVolume", "audioVolume"]


async def test_a_colour_that_comes_back_in_coarser_steps(house, lamp):
    color = {"hue": 66, "saturation": 100}
    done = await change(house, lamp, "setColor", {"color": color}, **color)
    house.report(lamp, "colorControl", "hue", 66.6)
    house.report(lamp, "colorControl", "saturation", 99)
    assert await changed(house, done) == []
    house.report(lamp, "colorControl", "hue", 30)
    assert await changed(house, done) == ["colorControl"]


async def test_a_light_that_still_fades(house, lamp):
    done = await change(house, lamp, "setLevel", {"level": 80, "rate": 20}, level=30)
    assert done.kind is not OutcomeKind.VERIFIED
    for level in (30, 55, 80):
        house.report(lamp, "switchLevel", "level", level)
        assert await changed(house, done) == []
    house.report(lamp, "switchLevel", "level", 20)
    assert await changed(house, done) == ["switchLevel"]


async def test_what_is_old_is_looked_up(house, tv):
    done = await change(house, tv, "setVolume", {"volume": 31}, volume=31)
    tv.fresh = False
    house.on_look = lambda: house.set(tv, "audioVolume", "volume", 50)
    assert await changed(house, done) == ["audioVolume"]


async def test_a_value_that_is_not_known_was_changed_by_nobody(house, tv):
    done = await change(house, tv, "setVolume", {"volume": 31}, volume=31)
    house.set(tv, "audioVolume", "volume", None)
    assert await changed(house, done) == []


async def test_of_what_a_person_may_not_use_nothing_is_told(house, tv):
    done = await change(house, tv, "setVolume", {"volume": 31}, volume=31)
    house.report(tv, "audioVolume", "volume", 50)
    house.denied.add(tv.id)
    assert await changed(house, done) == []


async def test_of_what_a_person_may_not_read_nothing_is_told(house, tv):
    house.unreadable.add("volume")
    done = await change(house, tv, "setVolume", {"volume": 31}, volume=31)
    house.report(tv, "audioVolume", "volume", 50)
    assert await changed(house, done) == []
