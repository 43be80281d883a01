"""A simulated SmartThings cloud, and Home Assistant's own integration set up against it.

Import the fixtures that a test module (or its conftest) needs:

    from tests.exposing import expose
    from tests.smartthings_home import SmartThings, cloud, smartthings  # noqa: F401

    async def test_lamp(hass, smartthings: SmartThings) -> None:
        expose(hass, *smartthings.entities("Fridge"))
        await smartthings.async_change("Fridge", "cooler", "contactSensor", "contact", "open")
        assert smartthings.cloud.count("POST", "/v1/devices/*/commands") == 0

- `cloud`, `large_cloud`: a running `SimulatedCloud` with the paper's home or the large one;
- `smartthings`, `large_smartthings`: the real integration, loaded, its event stream open;
- `async_connected(hass, cloud)` (an async context manager) for a cloud of one's own.

Nothing is decided about which entities are exposed to Assist; Home Assistant's defaults
hold until a test calls `expose`, `expose_all` or `hide_all`.

Events cross a real socket. `await smartthings.async_settle()` returns when all that the
cloud has sent so far was handled in Home Assistant. `await smartthings.async_idle(...)`
lets minutes pass.
"""

import asyncio
import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.config_entries import SIGNAL_CONFIG_ENTRY_CHANGED, ConfigEntry, ConfigEntryState
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.aiohttp_client import DATA_CONNECTOR
from homeassistant.helpers.dispatcher import async_dispatcher_connect
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from benchmark.simulator.cloud import SimulatedCloud
from benchmark.simulator.connection import async_add_smartthings, async_point_at
from benchmark.simulator.home import load_home

_YEAR = 365 * 24 * 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class SmartThings:
    """Home Assistant's integration, connected to a simulated cloud."""

    hass: HomeAssistant
    cloud: SimulatedCloud
    entry: ConfigEntry
    connected_at: float  # event-loop time at which it was connected

    @property
    def client(self) -> Any:
        """The pysmartthings client of the integration."""
        return self.entry.runtime_data.client

    def device(self, device: str) -> dr.DeviceEntry:
        """Return Home Assistant's device by its label or its SmartThings id."""
        identifier = ("smartthings", self.cloud.device_id(device))
        registry = dr.async_get(self.hass)
        found = registry.async_get_device_by_identifier(identifier, self.entry.entry_id)
        assert isinstance(found, dr.DeviceEntry), f"no device {device}"
        return found

    def entities(self, device: str, domain: str = "") -> list[str]:
        """Return the enabled entities of a device, optionally of one domain."""
        rows = er.async_entries_for_device(er.async_get(self.hass), self.device(device).id)
        return [row.entity_id for row in rows if domain in {"", row.domain}]

    async def async_settle(self) -> None:
        """Return when everything that the cloud has sent so far is handled."""
        async with asyncio.timeout(120):
            await self.cloud.stream.wait_connected()
        # An event about an unknown device arrives after all earlier events.
        marker, arrived = str(uuid.uuid4()), asyncio.Event()
        remove = self.client.add_device_availability_event_listener(marker, lambda _: arrived.set())
        self.cloud.stream.publish_health(marker, online=True)
        async with asyncio.timeout(120):
            await arrived.wait()
        remove()
        await self.hass.async_block_till_done()

    async def async_resubscribed(self, before: str | None) -> None:
        """Return when the integration reads a different event stream than `before`."""
        anew = asyncio.Event()

        @callback
        def look(_: object, entry: ConfigEntry) -> None:
            if entry.data.get("subscription_id") not in {None, before}:
                anew.set()

        remove = async_dispatcher_connect(self.hass, SIGNAL_CONFIG_ENTRY_CHANGED, look)
        look(None, self.entry)
        async with asyncio.timeout(120):
            await anew.wait()
        remove()
        await self.async_settle()

    async def async_change(
        self, device: str, component: str, capability: str, attribute: str, value: Any
    ) -> None:
        """Change a value in the cloud, and wait until Home Assistant has handled it."""
        self.cloud.change(device, component, capability, attribute, value)
        await self.async_settle()

    async def async_idle(self, freezer: FrozenDateTimeFactory, minutes: float = 10) -> None:
        """Let time pass without events except the keepalives of the stream.

        Ask for the fixture `freezer` before this one: freezing the clock makes it jump, and the
        client would then consider an open stream dead.
        """
        assert self.hass.loop.time() - self.connected_at < _YEAR, "`freezer` has to come first"
        for _ in range(int(minutes * 2)):
            freezer.tick(30)
            self.cloud.stream.keep_alive()
            await self.async_settle()
            async_fire_time_changed(self.hass)
            await self.hass.async_block_till_done()


@asynccontextmanager
async def async_connected(
    hass: HomeAssistant, cloud: SimulatedCloud
) -> AsyncGenerator[SmartThings]:
    """Set the integration up against a cloud; remove it at the end."""
    await async_point_at(hass, cloud)
    entry = await async_add_smartthings(hass, cloud)
    try:
        assert entry.state is ConfigEntryState.LOADED, entry.reason
        await cloud.stream.wait_connected()
        await hass.async_block_till_done()
        yield SmartThings(hass=hass, cloud=cloud, entry=entry, connected_at=hass.loop.time())
    finally:
        await async_disconnect(hass, entry)


async def async_disconnect(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """Unload the integration and close the connections to the cloud."""
    if hass.config_entries.async_get_entry(entry.entry_id) is not None:
        await hass.config_entries.async_remove(entry.entry_id)
    await hass.async_block_till_done()
    for connector in hass.data.get(DATA_CONNECTOR, {}).values():
        await connector.close()


@pytest.fixture
async def cloud(hass: HomeAssistant, socket_enabled: None) -> AsyncGenerator[SimulatedCloud]:
    async with SimulatedCloud(load_home("paper")) as running:
        yield running


@pytest.fixture
async def large_cloud(hass: HomeAssistant, socket_enabled: None) -> AsyncGenerator[SimulatedCloud]:
    """The cloud of a home with 60 devices."""
    async with SimulatedCloud(load_home("large")) as running:
        yield running


@pytest.fixture
async def smartthings(hass: HomeAssistant, cloud: SimulatedCloud) -> AsyncGenerator[SmartThings]:
    """The real integration with the paper's home."""
    async with async_connected(hass, cloud) as connected:
        yield connected


@pytest.fixture
async def large_smartthings(
    hass: HomeAssistant, large_cloud: SimulatedCloud
) -> AsyncGenerator[SmartThings]:
    """The real integration with the large home."""
    async with async_connected(hass, large_cloud) as connected:
        yield connected
