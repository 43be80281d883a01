"""Disambiguation of devices by names, areas, states, and the room of the speaker."""

from typing import Any

from tests.decisions import NATIVE, step

from .conftest import Sage, device_of


async def rank(sage: Sage, description: str, *candidates: str, **more: Any) -> str:
    """Have the model look for a device; return what it observed."""
    given: dict[str, Any] = {"candidates": list(candidates)} if candidates else {}
    if state := more.pop("state", ""):
        given["state"] = state
    sage.model_says(
        *NATIVE.planned(description, step("read", "kitchen_light")),
        NATIVE.call("device_disambiguation", description=description, **given),
        NATIVE.finish("could_not", "Never mind."),
    )
    await sage.say(f"where is {description}", conversation_id=None, **more)
    return str(sage.server.completions[-1].messages[-1]["content"])


def first(observation: str) -> str:
    return observation.splitlines()[0]


async def test_tv_that_is_on(sage: Sage, thing) -> None:
    seen = await rank(sage, "the TV", "living_room_tv", "bedroom_tv", state="on")
    assert seen.startswith("1. living_room_tv, score ")
    assert "it is clear" in seen
    assert sage.trace["reads"] >= 2
    thing("media_player.living_room_tv").become(state="off")
    thing("media_player.bedroom_tv").become(state="on")
    seen = await rank(sage, "the TV", "living_room_tv", "bedroom_tv", state="on")
    assert seen.startswith("1. bedroom_tv, score ")


async def test_lamp_of_the_room(hass, sage: Sage) -> None:
    office = device_of(hass, "light.office_lamp")
    living_room = device_of(hass, "light.living_room_lamp")
    lamps = ("light.office_lamp", "light.living_room_lamp")
    there = await rank(sage, "the lamp", *lamps, device_id=office)
    here = await rank(sage, "the lamp", *lamps, device_id=living_room)
    assert there != here
    assert first(there).startswith("1. office_lamp, ")
    assert first(here).startswith("1. lamp (Living Room), ")


async def test_unknown_candidate_is_named_and_the_others_are_compared(sage: Sage) -> None:
    seen = await rank(sage, "the TV", "purple_elephant", "living_room_tv")
    assert 'no device or group: "purple_elephant"' in seen
    assert "it is clear: living_room_tv" in seen
    assert "bedroom_tv" not in seen
