"""A contact that is closed for a moment, as of a bell, is seen."""

from .household import Household, Wish, telling

LIGHT = "light.hallway_light"
RINGS = Wish(
    said="tell me whenever the hallway light flashes",
    reads="hallway_light",
    code='get_state("hallway_light") == "on"',
    when="the hallway light flashes",
    kind="tell",
    action="tell me that the hallway light has flashed",
)


async def test_flash(household: Household) -> None:
    await household.ask_for(RINGS)
    told = "The hallway light has flashed."

    async def flashes() -> None:
        state = household.hass.states.get(LIGHT)
        assert state is not None
        assert state.state == "off"
        for each in ("on", "off"):
            household.hass.states.async_set(LIGHT, each, state.attributes)

    for times in (1, 2):
        await household.fires(*telling(told), happen=flashes)
        assert household.told == [told] * times
