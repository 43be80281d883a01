"""Fixtures with a small home."""

from collections.abc import AsyncGenerator

import aiohttp
import pytest
from homeassistant.core import HomeAssistant

from benchmark.simulator.cloud import SimulatedCloud
from tests.smartthings_home import SmartThings, async_connected

from .small_home import small_home


@pytest.fixture
async def small_cloud(hass: HomeAssistant, socket_enabled: None) -> AsyncGenerator[SimulatedCloud]:
    async with SimulatedCloud(small_home()) as running:
        yield running


@pytest.fixture
async def session(small_cloud: SimulatedCloud) -> AsyncGenerator[aiohttp.ClientSession]:
    headers = {"Authorization": f"Bearer {small_cloud.access_token}"}
    async with aiohttp.ClientSession(small_cloud.url, headers=headers) as logged_in:
        yield logged_in


@pytest.fixture
async def connected(
    hass: HomeAssistant, small_cloud: SimulatedCloud
) -> AsyncGenerator[SmartThings]:
    """The real integration with the small home."""
    async with async_connected(hass, small_cloud) as there:
        yield there
