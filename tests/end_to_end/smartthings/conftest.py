"""SAGE in homes of simulated SmartThings devices, with a scripted model on loopback.

Ask for `smart_sage` (the paper's home) or `large_sage` (60 devices). All entities are
exposed to Assist until a test says otherwise. `smart_sage.server` is the model,
`smartthings.cloud` the cloud.
"""

from collections.abc import AsyncGenerator

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

from benchmark.fake_model_server import FakeModelServer
from tests.end_to_end.conftest import Sage, async_make_sage
from tests.exposing import expose_all
from tests.smartthings_home import SmartThings, cloud, large_cloud, large_smartthings, smartthings

__all__ = ["cloud", "large_cloud", "large_smartthings", "smartthings"]


@pytest.fixture
async def homeassistant(hass: HomeAssistant) -> None:
    assert await async_setup_component(hass, "homeassistant", {})


@pytest.fixture
async def smart_sage(
    hass: HomeAssistant,
    homeassistant: None,
    smartthings: SmartThings,
    model_server: FakeModelServer,
) -> AsyncGenerator[Sage]:
    """SAGE with native decisions in the paper's home."""
    async for sage in _sage(hass, smartthings, model_server):
        yield sage


@pytest.fixture
async def large_sage(
    hass: HomeAssistant,
    homeassistant: None,
    large_smartthings: SmartThings,
    model_server: FakeModelServer,
) -> AsyncGenerator[Sage]:
    """SAGE with native decisions in the large home."""
    async for sage in _sage(hass, large_smartthings, model_server):
        yield sage


async def _sage(
    hass: HomeAssistant, smartthings: SmartThings, server: FakeModelServer
) -> AsyncGenerator[Sage]:
    expose_all(hass)
    sage = await async_make_sage(hass, server)
    await hass.async_block_till_done(wait_background_tasks=False)
    yield sage
    await hass.config_entries.async_remove(sage.entry.entry_id)
