"""What people say about what is watched for them."""

from datetime import timedelta

from homeassistant.auth.models import User
from homeassistant.util import dt as dt_util

from custom_components.sage.routines.routine_types import Status
from tests.decisions import NATIVE

from .acts import asked_for, goes_off, is_over
from .clock import Clock
from .household import Household
from .stories import stories

MILK, LAMP = stories("entities")["milk"], stories("entities")["lamp"]
LIST = NATIVE.call("routines", action="list", final=True)
NONE = "You have no routines."


async def test_what_are_you_watching_for(household: Household, user: User, other: User) -> None:
    """One's own, in one's own words; never somebody else's."""
    await asked_for(household, MILK, user.id)
    await asked_for(household, LAMP, user.id)
    heard = await household.hear("what are you watching for?", LIST, user_id=user.id)
    assert heard == (
        "Whenever the fridge is opened: I'll tell you “Please throw out the milk.” "
        "Whenever the TV turns off: I'll turn on Hallway Light."
    )
    for somebody in (other.id, None):
        assert await household.hear("what are you watching for?", LIST, user_id=somebody) == NONE


async def test_stop(household: Household, clock: Clock, user: User) -> None:
    await asked_for(household, MILK, user.id)
    await asked_for(household, LAMP, user.id)
    heard = await household.hear(
        "stop reminding me about the milk",
        NATIVE.call("routines", action="delete", numbers=[1], final=True),
        user_id=user.id,
    )
    assert heard.startswith("I have deleted this routine.")
    await household.stays_calm(lambda: MILK.begins(household), lambda: clock.pass_by(minutes=1))
    assert household.watched(user.id).routine.command == LAMP.wish.action
    await household.fires(*LAMP.decides(1), happen=lambda: LAMP.begins(household))


async def test_nobody_stops_what_is_not_theirs(
    household: Household, user: User, other: User
) -> None:
    await asked_for(household, MILK, user.id)
    for action in ("delete", "pause"):
        heard = await household.hear(
            "stop reminding about the milk",
            NATIVE.call("routines", action=action, numbers=[1], final=True),
            user_id=other.id,
        )
        assert heard == NONE
    assert household.status(user.id) is Status.WATCHING
    await household.fires(*MILK.decides(1), happen=lambda: MILK.begins(household))


async def test_pause_it_until_monday(household: Household, clock: Clock, user: User) -> None:
    """On Monday it goes on, from how things are then; it is Wednesday now."""
    monday = dt_util.start_of_local_day(clock.local + timedelta(days=5))
    assert monday.weekday() == 0
    await household.lives_without_memory(user.id)
    await asked_for(household, MILK, user.id)
    heard = await household.hear(
        "pause it until Monday",
        NATIVE.call(
            "routines", action="pause", numbers=[1], until=f"{monday:%Y-%m-%d}", final=True
        ),
        user_id=user.id,
    )
    assert heard.startswith("This routine is paused and resumes on Monday at 00:00.")
    await household.stays_calm(
        lambda: MILK.begins(household),
        lambda: MILK.ends(household),
        lambda: clock.jump_to(dt_util.as_utc(monday) - timedelta(minutes=1)),
        lambda: MILK.begins(household),
    )
    assert household.status(user.id) is Status.PAUSED
    await household.stays_calm(lambda: clock.pass_by(minutes=2))
    assert household.status(user.id) is Status.WATCHING
    await is_over(household, MILK, clock)
    await goes_off(household, MILK, clock, 1)


async def test_pause_and_go_on(household: Household, clock: Clock) -> None:
    await asked_for(household, MILK)
    for action in ("pause", "resume"):
        decision = NATIVE.call("routines", action=action, numbers=[1], final=True)
        await household.hear(f"{action} the reminder about the milk", decision)
        if action == "pause":
            await household.stays_calm(lambda: MILK.begins(household), lambda: MILK.ends(household))
    await goes_off(household, MILK, clock, 1)
