"""Given a routine that fires, when people look at the home, then they see that it was that."""

from typing import Any

from homeassistant.auth.models import User
from homeassistant.const import MATCH_ALL
from homeassistant.core import Event, callback

from .household import Household, Wish
from .stories import becomes

LIGHT = "light.hallway_light"
OTHER = "light.kitchen_light"
WISH = Wish(
    said="when the kitchen light goes on turn on the hallway light",
    reads="kitchen_light",
    code=f'get_state("{OTHER}") == "on"',
    when="the kitchen light goes on",
    action="turn on the hallway light",
    commands=({"devices": ["hallway_light"], "command": "turn_on"},),
)


async def test_what_a_routine_does_has_the_context_of_its_firing(
    household: Household, user: User
) -> None:
    """The logbook ties a change to what came first in its context."""
    hass = household.hass
    seen: list[Event[Any]] = []

    @callback
    def hear(event: Event[Any]) -> None:
        seen.append(event)

    await becomes(OTHER, is_on=False)(household)
    await becomes(LIGHT, is_on=False)(household)
    await household.ask_for(WISH, user.id)
    hass.bus.async_listen(MATCH_ALL, hear)

    await household.fires(happen=lambda: becomes(OTHER, is_on=True)(household))

    (fired,) = [each for each in seen if each.event_type == "sage_routine_fired"]
    (done,) = [each for each in seen if each.event_type == "sage_routine_done"]
    changes = [each for each in seen if each.data.get("entity_id") == LIGHT]
    commands = [each for each in changes if each.event_type == "state_changed"]
    assert commands
    assert {each.context.id for each in (*commands, done)} == {fired.context.id}
    assert {each.context.user_id for each in commands} == {user.id}
    assert fired.context.user_id is done.context.user_id is None
    switch = hass.states.get("switch.sage_routine_1")
    assert switch is not None
    assert (switch.state, switch.attributes["fired"]) == ("on", 1)
