"""SmartThings between the wish and the moment: devices and events get lost, and come back."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr

from custom_components.sage.routines.routine_types import Status

from .acts import asked_for, goes_off, is_over
from .clock import Clock
from .household import Household
from .stories import stories

MILK = stories("smartthings")["milk"]


async def test_offline_is_no_edge(smart_household: Household, smart_clock: Clock) -> None:
    """Open, offline, open: that is the same opening."""
    home, clock = smart_household, smart_clock
    assert home.smartthings is not None
    cloud = home.smartthings.cloud
    await asked_for(home, MILK)
    await goes_off(home, MILK, clock, 1)

    async def turn(online: bool) -> None:
        cloud.set_online("fridge", online)
        await home.rest()

    await home.stays_calm(
        lambda: turn(False),
        lambda: clock.pass_by(minutes=2),
        lambda: turn(True),
        lambda: clock.pass_by(minutes=2),
    )
    await is_over(home, MILK, clock)
    await goes_off(home, MILK, clock, 2)


async def test_what_happened_while_nobody_listened(
    smart_household: Household, smart_clock: Clock
) -> None:
    """The stream of events breaks off, the fridge is opened, the stream is back."""
    home = smart_household
    assert home.smartthings is not None
    await asked_for(home, MILK)
    home.sage.model_says(*MILK.decides(1))
    before = home.smartthings.entry.data.get("subscription_id")
    home.smartthings.cloud.stream.say_goodbye()
    home.smartthings.cloud.change("fridge", "cooler", "contactSensor", "contact", "open")
    await home.smartthings.async_resubscribed(before)
    await smart_clock.pass_by(minutes=2)
    assert home.told == [MILK.tells]


async def test_integration_is_loaded_anew(
    hass: HomeAssistant, smart_household: Household, smart_clock: Clock
) -> None:
    """All entities are unavailable for a moment: no edge, and no later edge is lost."""
    home = smart_household
    assert home.smartthings is not None
    await asked_for(home, MILK)
    await goes_off(home, MILK, smart_clock, 1)
    home.sage.model_says()
    assert await hass.config_entries.async_reload(home.smartthings.entry.entry_id)
    await home.smartthings.cloud.stream.wait_connected()
    await home.rest()
    assert home.sage.model_calls == 0
    assert home.status() is Status.WATCHING
    await is_over(home, MILK, smart_clock)
    await goes_off(home, MILK, smart_clock, 2)


async def test_renamed(smart_household: Household, smart_clock: Clock) -> None:
    """A device that gets another name is the same."""
    home = smart_household
    assert home.smartthings is not None
    await asked_for(home, MILK)
    device = home.smartthings.device("fridge")
    dr.async_get(home.hass).async_update_device(device.id, name_by_user="Icebox")
    await home.stays_calm(lambda: smart_clock.pass_by(minutes=2))
    await goes_off(home, MILK, smart_clock, 1)
