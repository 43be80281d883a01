"""Routines that would set themselves off are stopped, and that is reported."""

from homeassistant.auth.models import User

from custom_components.sage.routines.routine_types import Status

from .clock import Clock
from .household import Household, Wish, commanding
from .stories import becomes, reports

LIGHT = "light.hallway_light"


def wish(state: str, action: str, light: str = "hallway_light", command: str | None = None) -> Wish:
    """Return a request for an action on a light when the light has this state."""
    return Wish(
        said=f"when the light goes {state} {action}",
        reads=light,
        code=f'get_state("{light}") == "{state}"',
        when=f"the light goes {state}",
        action=action,
        commands=({"devices": [light], "command": command},) if command else (),
    )


OFF = wish("on", "turn it off", command="turn_off")
ON = wish("off", "turn it on", command="turn_on")


async def test_two_set_each_other_off(household: Household, user: User, other: User) -> None:
    """One person wants it on, the other off."""
    await household.ask_for(OFF, user.id)
    await household.ask_for(ON, other.id)
    await household.fires(happen=lambda: becomes(LIGHT, is_on=True)(household))
    statuses = {household.status(user.id), household.status(other.id)}
    assert statuses == {Status.WATCHING, Status.TOO_OFTEN}
    assert household.done == [f"light.turn_off {LIGHT}()", f"light.turn_on {LIGHT}()"] * 10


async def test_cloud_that_loses_who_did_it(
    smart_household: Household, smart_clock: Clock, user: User, other: User
) -> None:
    """What changes at the cloud comes back without a context; it is stopped, too."""
    light = reports("light_dining", "main", "switch", "switch", "off")
    strip = "dining_room_light_strip"
    off, on = wish("on", "turn it off", strip), wish("off", "turn it on", strip)
    await light(smart_household)
    await smart_household.ask_for(off, user.id)
    await smart_household.ask_for(on, other.id)
    rounds = (*commanding(off, strip, "turn_off"), *commanding(on, strip, "turn_on"))
    smart_household.sage.model_says(*rounds * 40)
    await reports("light_dining", "main", "switch", "switch", "on")(smart_household)
    await smart_household.rest()
    await smart_clock.pass_by(minutes=1)
    assert len(smart_household.done) <= 22
    statuses = {smart_household.status(user.id), smart_household.status(other.id)}
    assert Status.TOO_OFTEN in statuses
