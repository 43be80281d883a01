"""A contact that is closed for a moment, as of a bell, is seen."""

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


async def test_flash(household: Household) -> None:
    await household.ask_for(RINGS)

    async def flashes() -> None:
        state = household.hass.states.get(LIGHT)
        assert state is not None
        assert state.state == "off"
        for each in ("on", "off"):
            household.hass.states.async_set(LIGHT, each, state.attributes)

    for times in (1, 2):
        await household.fires(happen=flashes)
        assert household.told == [RINGS.action] * times
