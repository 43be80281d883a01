"""The one view of all devices: entities and raw components of one simulated home, joined."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant

from custom_components.sage.home.directory import render_index
from custom_components.sage.home.home import Home
from custom_components.sage.home.home_types import (
    ENTITIES,
    Command,
    Documentation,
    HomeError,
    NoCommandError,
    Outcome,
    OutcomeKind,
    Reading,
)
from custom_components.sage.home.smartthings.raw import SMARTTHINGS
from custom_components.sage.people.person import HOUSEHOLD
from tests.exposing import ASSISTANT
from tests.smartthings_home import SmartThings, cloud, smartthings

from .entity_home import run_of
from .smartthings.raw_home import async_raw_view

__all__ = ["cloud", "smartthings"]

TV, FRIDGE, STRIP = "samsung_8_series", "refrigerator", "light_strip"


@pytest.fixture
async def home(hass: HomeAssistant, smartthings: SmartThings) -> AsyncGenerator[Home]:
    """The home view of the paper's home; all values are known, requests are counted from zero."""
    async with async_raw_view(hass, smartthings) as raw:
        yield raw.home


def places(told: tuple[Documentation, ...] | tuple[Reading, ...]) -> list[tuple[str, str]]:
    """Return component and capability of each document or reading."""
    return [(each.component_id, each.capability or "") for each in told]


def hide(hass: HomeAssistant, entity_ids: list[str]) -> None:
    for entity_id in entity_ids:
        async_expose_entity(hass, ASSISTANT, entity_id, False)


def entities(told: tuple[Documentation, ...] | tuple[Reading, ...]) -> list[str]:
    return [each.component_id for each in told if "." in each.component_id]


async def async_do(
    home: Home,
    device: str,
    command: str,
    *,
    component: str | None = None,
    capability: str | None = None,
    **arguments: object,
) -> Outcome:
    (outcome,) = await run_of(home).async_execute(
        [request(device, command, component, capability, **arguments)]
    )
    return outcome


def request(
    device: str,
    command: str,
    component: str | None = None,
    capability: str | None = None,
    **arguments: object,
) -> Command:
    return Command(
        device_id=device,
        name=command,
        component_id=component,
        capability=capability,
        arguments=arguments,
    )


# ------------------------------------------------------------------ documentation


async def test_a_device_and_its_component_are_documented_and_read_once(home, smartthings):
    view = home.of(HOUSEHOLD)
    names = [TV, *smartthings.entities("Samsung 8 Series", "media_player")]

    assert places(await view.async_document(names)) == places(await view.async_document([TV]))
    assert places(await view.async_read(names)) == places(await view.async_read([TV]))


async def test_a_device_is_documented_by_its_entities_and_an_overview_of_its_raw_parts(
    home, smartthings
):
    documents = await home.of(HOUSEHOLD).async_document([TV])
    assert set(entities(documents)) == set(smartthings.entities("Samsung 8 Series"))
    (overview,) = [each for each in documents if each.source == SMARTTHINGS]
    assert (overview.component_id, overview.capability) == ("main", "")
    assert "tvChannel" in overview.notes[0]
    assert smartthings.cloud.requests == []


# ------------------------------------------------------------------ reading


async def test_an_attribute_that_is_nowhere_is_an_error(home):
    with pytest.raises(HomeError, match=r"no attribute warp.*It has: "):
        await home.of(HOUSEHOLD).async_read([TV], ["warp"])


# ------------------------------------------------------------------ commands


@pytest.mark.parametrize(
    ("command", "more"),
    [
        ("setVolume", {"component": "main"}),
        ("audioVolume.setVolume", {}),
        ("main.audioVolume.setVolume", {}),
        ("setVolume", {"capability": "audioVolume"}),
    ],
)
async def test_what_names_a_raw_part_or_capability_is_done_raw(
    home, smartthings, command: str, more: dict[str, Any]
):
    outcome = await async_do(home, TV, command, **more, volume=3)
    assert (outcome.capability, outcome.source) == ("audioVolume", SMARTTHINGS)
    assert [each.arguments for each in smartthings.cloud.commands] == [[3]]


async def test_what_a_named_raw_part_cannot_do_is_looked_for_among_the_entities(
    hass, home, smartthings
):
    with pytest.raises(HomeError, match=r"several components; name one of: .*media_player\."):
        await async_do(home, TV, "volume_set", component="main", volume_level=0.2)
    hidden = [each for each in smartthings.entities("The Frame") if "media_player" not in each]
    hide(hass, hidden)
    outcome = await async_do(home, "the_frame", "turn_off", component="main")
    assert (outcome.kind, outcome.source) == (OutcomeKind.VERIFIED, ENTITIES)


async def test_nothing_is_done_when_one_of_several_commands_cannot_be(home, smartthings):
    with pytest.raises(HomeError):
        await run_of(home).async_execute(
            [request(TV, "setTvChannel", tvChannel="9"), request("the_frame", "warp")]
        )
    assert smartthings.cloud.commands == []


async def test_commands_of_both_views_are_executed_in_their_order(home, smartthings):
    outcomes = await run_of(home).async_execute(
        [
            request(TV, "volume_set", volume_level=0.2),
            request(TV, "setTvChannel", tvChannel="9"),
            request(TV, "channelUp"),
            request(STRIP, "turn_on"),
        ]
    )
    assert [each.command for each in outcomes] == [
        "volume_set",
        "setTvChannel",
        "channelUp",
        "turn_on",
    ]
    sources = [each.source for each in outcomes]
    assert sources == [ENTITIES, *[SMARTTHINGS] * 2, ENTITIES]
    posted = [each.command for each in smartthings.cloud.commands]
    assert posted[:3] == ["setVolume", "setTvChannel", "channelUp"]


# ------------------------------------------------------------------ the rest of the view


async def test_the_index_is_the_same_until_a_device_goes(home, smartthings):
    listing = await home.of(HOUSEHOLD).async_listing()
    first = render_index(listing)
    await smartthings.async_change("Samsung 8 Series", "main", "tvChannel", "tvChannel", "11")
    assert render_index(await home.of(HOUSEHOLD).async_listing()) is first
    assert first.count("smartthings main (television)") == 2
    smartthings.cloud.remove("Samsung 8 Series")
    await smartthings.async_settle()
    gone = render_index(await home.of(HOUSEHOLD).async_listing())
    assert gone.count("smartthings main (television)") == 1
    # What is left of it in Home Assistant can no longer be commanded in the cloud.
    with pytest.raises(HomeError, match=r"no command setTvChannel|no device"):
        await async_do(home, TV, "setTvChannel", tvChannel="9")


async def test_a_component_that_cannot_do_it_names_those_that_can(home, smartthings):
    (player,) = smartthings.entities("Samsung 8 Series", "media_player")
    sensor = smartthings.entities("Samsung 8 Series", "sensor")[0]
    view = home.of(HOUSEHOLD)

    with pytest.raises(
        NoCommandError, match=rf"^{sensor} has no command turn_on\. [^.]*: {player}\."
    ) as caught:
        await view.async_prepare([Command(device_id=sensor, name="turn_on")])
    assert "SmartThings" not in str(caught.value)
    with pytest.raises(NoCommandError, match=r"have: (button\.\w+, )+\S+: press\(\); select"):
        await view.async_prepare([Command(device_id="dishwasher", name="select")])
