"""Home Assistant's own integration meets the simulated cloud."""

from freezegun.api import FrozenDateTimeFactory
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant

from benchmark.simulator.cloud import SimulatedCloud
from benchmark.simulator.connection import async_add_smartthings, async_point_at
from benchmark.simulator.request_log import RequestKind
from tests.smartthings_home import SmartThings, async_disconnect


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
