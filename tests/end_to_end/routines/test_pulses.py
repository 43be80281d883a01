"""A contact that is closed for a moment, as of a bell, is seen."""

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity

from .household import Household, Wish

LIGHT = "light.hallway_light"
RINGS = Wish(
    said="tell me whenever the hallway light flashes",
    reads="hallway_light",
    code='get_state("hallway_light") == "on"',
    when="the hallway light flashes",
    kind="tell",
    action="The hallway light has flashed.",
)
FIRST: dict[str, list[tuple[str, dict[str, int]]]] = {
    "nothing": [],
    "an attribute changes": [("off", {"tone": 2})],
    "back from unavailable": [("unavailable", {}), ("off", {})],
    "another light is hidden": [],
    "many attributes change": [("off", {"tone": tone}) for tone in range(30)],
}


@pytest.mark.parametrize("first", FIRST)
async def test_flash(household: Household, first: str) -> None:
    hass = household.hass
    await household.ask_for(RINGS)

    async def flashes() -> None:
        state = hass.states.get(LIGHT)
        assert state is not None
        assert state.state == "off"
        if "hidden" in first:
            async_expose_entity(hass, "conversation", "light.bedroom_light", False)
        for value, more in FIRST[first]:
            hass.states.async_set(LIGHT, value, {**state.attributes, **more})
        for value in ("on", "off"):
            hass.states.async_set(LIGHT, value, state.attributes)

    for times in (1, 2):
        await household.fires(happen=flashes)
        assert household.told == [RINGS.action] * times
