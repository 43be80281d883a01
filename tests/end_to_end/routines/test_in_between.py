"""What happens between the wish and the moment: devices go away, get other names, are hidden."""

import pytest
from homeassistant.auth.models import User
from homeassistant.components import persistent_notification
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from custom_components.sage.routines.routine_types import Status
from tests.waiting import until

from .acts import asked_for, goes_off, is_over
from .clock import Clock
from .household import Household
from .stories import becomes, stories

FRIDGE = "binary_sensor.fridge_door"
MILK = stories("entities")["milk"]
away = becomes(FRIDGE, available=False)


async def test_unavailable_is_no_edge(household: Household, clock: Clock) -> None:
    """Open, away, open: that is the same opening. Closed, away, open: that is one."""
    await asked_for(household, MILK)
    await goes_off(household, MILK, clock, 1)
    await household.stays_calm(
        lambda: away(household),
        lambda: clock.pass_by(minutes=3),
        lambda: becomes(FRIDGE, available=True)(household),
        lambda: clock.pass_by(minutes=1),
    )
    await is_over(household, MILK, clock)
    await household.stays_calm(lambda: away(household), lambda: clock.pass_by(minutes=3))
    await household.fires(
        *MILK.decides(2), happen=lambda: becomes(FRIDGE, available=True, is_on=True)(household)
    )
    assert household.told == [MILK.tells] * 2


async def test_unavailable_when_it_is_asked_for(household: Household, clock: Clock) -> None:
    """The first value that is known is the first "before"."""
    await MILK.begins(household)
    await away(household)
    heard = await household.ask_for(MILK.wish)
    assert "I cannot evaluate the condition right now." in heard
    await household.stays_calm(
        lambda: clock.pass_by(minutes=1),
        lambda: becomes(FRIDGE, available=True)(household),
        lambda: MILK.ends(household),
    )
    await goes_off(household, MILK, clock, 1)


async def test_already_so(household: Household, clock: Clock) -> None:
    """It counts from the next time, and that is said."""
    await MILK.begins(household)
    heard = await household.ask_for(MILK.wish)
    assert (
        "The condition is already true, so I will wait until it is false and then true again."
        in heard
    )
    await household.stays_calm(lambda: clock.pass_by(minutes=2), lambda: MILK.ends(household))
    await goes_off(household, MILK, clock, 1)


async def test_renamed(household: Household, clock: Clock) -> None:
    """Neither another name nor another id keeps it from being seen."""
    await asked_for(household, MILK)
    renamed = "binary_sensor.icebox"
    registry = er.async_get(household.hass)
    registry.async_update_entity(FRIDGE, new_entity_id=renamed, name="Icebox")
    await household.rest()
    await household.stays_calm(lambda: clock.pass_by(minutes=2))
    await household.fires(*MILK.decides(1), happen=lambda: becomes(renamed, is_on=True)(household))
    assert household.told == [MILK.tells]
    assert household.status() is Status.WATCHING


async def test_hidden_from_assist(household: Household, clock: Clock) -> None:
    """It stops, goes on when it may read the entity again, and its person hears of both."""
    await asked_for(household, MILK)
    async_expose_entity(household.hass, "conversation", FRIDGE, False)
    household.sage.model_says()
    await clock.pass_by(minutes=2)
    await MILK.begins(household)
    await clock.pass_by(minutes=2)
    assert household.status() is Status.NOT_EXPOSED
    shown = persistent_notification._async_get_or_create_notifications(household.hass)
    await until(lambda: "the routine is not active." in str(shown))
    await MILK.ends(household)
    await household.rest()

    async_expose_entity(household.hass, "conversation", FRIDGE, True)
    await clock.pass_by(minutes=1)
    await until(lambda: "this routine is active again." in str(shown))
    await household.rest()
    assert household.status() is Status.WATCHING
    await goes_off(household, MILK, clock, 1)


async def test_hidden_at_the_moment_itself(household: Household) -> None:
    """Who is hidden and changes at once is not heard of either."""
    await asked_for(household, MILK)
    async_expose_entity(household.hass, "conversation", FRIDGE, False)
    household.sage.model_says()
    await MILK.begins(household)
    await household.rest()
    assert MILK.tells not in household.told
    assert household.status() is Status.NOT_EXPOSED


async def test_gone(household: Household, clock: Clock) -> None:
    await asked_for(household, MILK)
    er.async_get(household.hass).async_remove(FRIDGE)
    household.sage.model_says()
    await clock.pass_by(minutes=2)
    assert MILK.tells not in household.told
    assert household.status() is Status.NOT_EXPOSED


@pytest.fixture
async def landlord(hass: HomeAssistant) -> User:
    return await hass.auth.async_create_user("Landlord")


@pytest.mark.parametrize("anew", [False, True], ids=["running", "loaded_anew"])
async def test_owner_is_deleted(
    household: Household, landlord: User, user: User, other: User, anew: bool
) -> None:
    """What they asked for is done no more; what others asked for is."""
    await asked_for(household, MILK, user.id)
    await asked_for(household, MILK, other.id)
    await household.hass.auth.async_remove_user(user)
    await household.rest()
    assert household.sage.entry.runtime_data.routines.list(user.id) == ()
    if anew:
        await household.hass.config_entries.async_reload(household.sage.entry.entry_id)
        await household.rest()
    await household.fires(*MILK.decides(1), happen=lambda: MILK.begins(household))
    assert household.told == [MILK.tells]
    assert household.sage.traces(user.id) == []
