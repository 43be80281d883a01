"""A SmartThings home of 60 devices: what the planner reads, and what the cloud is asked for."""

from collections import Counter
from typing import Any

from homeassistant.core import HomeAssistant

from benchmark.simulator.request_log import RequestKind
from custom_components.sage.home.directory import render_index
from custom_components.sage.home.home import Home
from custom_components.sage.people.person import HOUSEHOLD, Person
from tests.end_to_end.attacker import person
from tests.end_to_end.conftest import Sage

from .hidden import async_rested


def home_of(sage: Sage) -> Home:
    home: Home = sage.entry.runtime_data.home
    return home


# ------------------------------------------------------------------ the planner's text


async def test_planner_names_what_only_the_raw_view_can_do(large_sage: Sage) -> None:
    await async_rested(large_sage, large_sage.smartthings)
    home = home_of(large_sage)
    index = render_index(await home.of(HOUSEHOLD).async_listing())
    lines = {line.partition(":")[0].removeprefix("- "): line for line in index.splitlines()}
    assert "samsungce.displayBrightness" in lines["dryer"]
    assert "tvChannel" in lines["living_room_tv"]
    for plain in ("kitchen_ceiling_light", "coffee_machine", "hallway_motion"):
        assert "smartthings" not in lines[plain]


# ------------------------------------------------------------------ what the cloud is asked for


async def test_listings_and_readings_ask_for_nothing(hass: HomeAssistant, large_sage: Sage) -> None:
    await async_rested(large_sage, large_sage.smartthings)
    home = home_of(large_sage)
    oven = {"entity_ids": dict.fromkeys(large_sage.smartthings.entities("Oven"), True)}
    kim = Person(user_id=person(hass, "Kim", {"entities": oven}), name="Kim")
    for somebody in (HOUSEHOLD, kim):
        listing = await home.of(somebody).async_listing()
        assert "smartthings main (oven)" in render_index(listing)
        for device in listing.devices:
            raw = [each for part in device.more_components for each in part.capabilities]
            await home.of(somebody).async_read([device.id], capabilities=raw)
            await home.of(somebody).async_document([device.id])
    assert large_sage.cloud.requests == []


WANTED = {
    "living_room_tv": ("tvChannel", "mediaTrackControl", "custom.launchapp", "custom.picturemode"),
    "dryer": ("samsungce.displayBrightness", "samsungce.dryerDryingTime"),
    "oven": ("ovenMode", "samsungce.ovenMode", "ovenSetpoint"),
}


async def test_definitions_are_fetched_once_and_within_the_rate_limit(large_sage: Sage) -> None:
    cloud, home = large_sage.cloud, home_of(large_sage)
    cloud.limits.is_on = True
    await async_rested(large_sage, large_sage.smartthings)
    documented: list[Any] = []
    for device, capabilities in WANTED.items():
        documented += await home.of(HOUSEHOLD).async_document([device], capabilities)
    named = {each for capabilities in WANTED.values() for each in capabilities}
    assert {each.capability for each in documented} == named
    assert not any("definition is not known" in note for each in documented for note in each.notes)
    asked = Counter(each.path for each in cloud.requests)
    assert set(asked.values()) == {1}
    assert {each.kind for each in cloud.requests} == {RequestKind.DEFINITION}
    assert {path.split("/")[3] for path in asked} == named

    cloud.forget_requests()
    for device, capabilities in WANTED.items():
        await home.of(HOUSEHOLD).async_document([device], capabilities)
    await home.of(HOUSEHOLD).async_document(["bedroom_tv"], WANTED["living_room_tv"])
    await large_sage.smartthings.async_settle()
    assert cloud.requests == []
