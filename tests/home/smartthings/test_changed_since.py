"""Raw values that somebody has changed since a routine set them are left alone."""

import pytest

from custom_components.sage.home.home_types import Outcome, OutcomeKind
from tests.exposing import hide_all

from ..entity_home import Asking
from .raw_home import RawHome

TV, LAMP = "Samsung 8 Series", "light_bed"


async def changed(raw: RawHome, *outcomes: Outcome) -> list[str]:
    """Return the capabilities with values that were changed since."""
    found = await raw.parts.backend.async_changed_since(Asking().person, outcomes)
    return [each.capability for each in found]


@pytest.fixture
async def loud(raw: RawHome) -> Outcome:
    """The television was made louder."""
    done = await raw.async_do(TV, "setVolume", {"volume": 31})
    assert done.kind is OutcomeKind.VERIFIED
    return done


async def test_a_volume_that_somebody_has_set_since(raw: RawHome, loud: Outcome) -> None:
    assert await changed(raw, loud) == []
    await raw.async_report(TV, "audioVolume", volume=50)
    assert await changed(raw, loud) == ["audioVolume"]


async def test_a_volume_that_is_back_already(raw: RawHome, loud: Outcome) -> None:
    await raw.async_report(TV, "audioVolume", volume=14)
    assert await changed(raw, loud) == []


async def test_only_the_capability_that_was_changed(raw: RawHome, loud: Outcome) -> None:
    channel = await raw.async_do(TV, "setTvChannel", {"tvChannel": 7})
    await raw.async_report(TV, "tvChannel", tvChannel="9")
    assert await changed(raw, loud, channel) == ["tvChannel"]


async def test_of_two_steps_the_last_one_counts(raw: RawHome) -> None:
    done = [await raw.async_do(TV, "volumeUp") for _ in range(2)]
    assert await changed(raw, *done) == []
    await raw.async_report(TV, "audioVolume", volume=15)
    assert await changed(raw, *done) == ["audioVolume", "audioVolume"]


async def test_a_colour_that_comes_back_in_coarser_steps(raw: RawHome) -> None:
    done = await raw.async_do(LAMP, "setColor", {"color": {"hue": 66, "saturation": 90}})
    await raw.async_report(LAMP, "colorControl", hue=66.6, saturation=89)
    assert await changed(raw, done) == []
    await raw.async_report(LAMP, "colorControl", hue=30)
    assert await changed(raw, done) == ["colorControl"]


async def test_a_light_that_still_fades(raw: RawHome) -> None:
    await raw.async_report(LAMP, "switchLevel", level=10)
    raw.instead(lambda: raw.change(LAMP, "switchLevel", level=30))
    done = await raw.async_do(LAMP, "setLevel", {"level": 80, "rate": 20})
    assert done.kind is not OutcomeKind.VERIFIED
    for level in (30, 55, 80):
        await raw.async_report(LAMP, "switchLevel", level=level)
        assert await changed(raw, done) == []
    await raw.async_report(LAMP, "switchLevel", level=20)
    assert await changed(raw, done) == ["switchLevel"]


async def test_what_is_old_is_looked_up(raw: RawHome, loud: Outcome) -> None:
    raw.change_quietly(TV, "audioVolume", volume=50)
    assert await changed(raw, loud) == []
    raw.outdate()
    assert await changed(raw, loud) == ["audioVolume"]


async def test_a_value_that_is_not_known_was_changed_by_nobody(raw: RawHome, loud: Outcome) -> None:
    await raw.async_report(TV, "audioVolume", volume=None)
    assert await changed(raw, loud) == []


async def test_of_what_a_person_may_not_use_nothing_is_told(raw: RawHome, loud: Outcome) -> None:
    await raw.async_report(TV, "audioVolume", volume=50)
    hide_all(raw.hass)
    assert await changed(raw, loud) == []
