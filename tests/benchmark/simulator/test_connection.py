"""Home Assistant's own integration meets the simulated cloud."""

from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant

from benchmark.simulator.request_log import RequestKind
from tests.smartthings_home import SmartThings


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


async def test_setting_up_costs_two_requests_a_device(connected: SmartThings) -> None:
    cloud = connected.cloud
    assert cloud.count("GET", "/v1/devices/*/status") == 3
    assert cloud.count("GET", "/v1/devices/*/health") == 3
    assert cloud.count_kind(RequestKind.SUBSCRIPTION, RequestKind.STREAM) == 2
    assert cloud.count() == 3 * 2 + 5


async def test_a_light_is_switched_on(hass: HomeAssistant, connected: SmartThings) -> None:
    await hass.services.async_call("light", "turn_on", {"entity_id": "light.hall_lamp"}, blocking=True)
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
