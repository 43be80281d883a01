"""Home Assistant's own integration meets the simulated cloud."""

from freezegun.api import FrozenDateTimeFactory
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant

from benchmark.simulator.cloud import SimulatedCloud
from benchmark.simulator.connection import async_add_smartthings, async_point_at
from benchmark.simulator.request_log import RequestKind
from tests.smartthings_home import (
    SmartThings,
    async_disconnect,
    cloud,
    large_cloud,
    large_smartthings,
    smartthings,
)

__all__ = ["cloud", "large_cloud", "large_smartthings", "smartthings"]


def _state(hass: HomeAssistant) -> str:
    lamp = hass.states.get("light.hall_lamp")
    assert lamp is not None
    return lamp.state


async def test_the_unmodified_integration_is_set_up(
    hass: HomeAssistant, connected: SmartThings
) -> None:
    assert connected.entry.state is ConfigEntryState.LOADED
    assert _state(hass) == "off"
    assert connected.entities("TV")


async def test_a_light_is_switched_on(hass: HomeAssistant, connected: SmartThings) -> None:
    await hass.services.async_call(
        "light", "turn_on", {"entity_id": "light.hall_lamp"}, blocking=True
    )
    await connected.async_settle()

    assert _state(hass) == "on"
    [posted] = connected.cloud.commands
    assert (posted.device, posted.capability, posted.command) == ("lamp", "switch", "on")
    assert connected.cloud.count("POST", "/v1/devices/*/commands") == 1


async def test_somebody_uses_the_switch_on_the_wall(
    hass: HomeAssistant, connected: SmartThings
) -> None:
    await connected.async_change("Lamp", "main", "switch", "switch", "on")
    assert _state(hass) == "on"


async def test_unloading_ends_the_subscription(hass: HomeAssistant, connected: SmartThings) -> None:
    assert len(connected.cloud.stream.subscriptions) == 1
    assert await hass.config_entries.async_unload(connected.entry.entry_id)
    assert not connected.cloud.stream.subscriptions


async def test_minutes_pass_without_a_request(
    freezer: FrozenDateTimeFactory, connected: SmartThings
) -> None:
    connected.cloud.forget_requests()
    await connected.async_idle(freezer, minutes=10)
    assert connected.cloud.count() == 0
    assert connected.cloud.stream.connections == 1


async def test_a_token_that_runs_out_is_renewed(
    hass: HomeAssistant, small_cloud: SimulatedCloud
) -> None:
    before = small_cloud.access_token
    await async_point_at(hass, small_cloud)
    entry = await async_add_smartthings(hass, small_cloud, token_lifetime=-1)
    assert entry.state is ConfigEntryState.LOADED
    assert small_cloud.count("POST", "/oauth/token") == 1
    assert entry.data["token"]["access_token"] == small_cloud.access_token != before
    await async_disconnect(hass, entry)


async def test_a_token_that_is_refused_asks_for_a_login(
    hass: HomeAssistant, small_cloud: SimulatedCloud
) -> None:
    small_cloud.faults.refuse_token(RequestKind.ROOMS)
    await async_point_at(hass, small_cloud)
    entry = await async_add_smartthings(hass, small_cloud)
    assert entry.state is ConfigEntryState.SETUP_ERROR
    [flow] = hass.config_entries.flow.async_progress()
    assert flow["context"]["source"] == "reauth"
    await async_disconnect(hass, entry)


async def test_the_paper_s_home(smartthings: SmartThings) -> None:
    served, devices = smartthings.cloud, smartthings.cloud.home.devices
    assert smartthings.entry.state is ConfigEntryState.LOADED
    assert served.count() == 2 * len(devices) + 5
    assert all(smartthings.device(device) for device in devices)


async def test_the_large_home(large_smartthings: SmartThings) -> None:
    served, devices = large_smartthings.cloud, large_smartthings.cloud.home.devices
    assert large_smartthings.entry.state is ConfigEntryState.LOADED
    assert served.count("GET", "/v1/devices/*/status") <= len(devices)
