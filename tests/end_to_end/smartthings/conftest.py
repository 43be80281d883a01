"""SAGE in homes of simulated SmartThings devices, with a scripted model on loopback.

Ask for `smart_sage` (the paper's home) or `large_sage` (60 devices). All entities are
exposed to Assist until a test says otherwise. `smart_sage.server` is the model,
`smartthings.cloud` the cloud.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

from benchmark.fake_model_server import FakeModelServer
from tests.end_to_end.conftest import Sage, async_make_sage
from tests.exposing import expose_all
from tests.smartthings_home import SmartThings, cloud, large_cloud, large_smartthings, smartthings

from .failing_home import KANAL, FailingHome

__all__ = ["cloud", "large_cloud", "large_smartthings", "smartthings"]


@pytest.fixture
async def homeassistant(hass: HomeAssistant) -> None:
    assert await async_setup_component(hass, "homeassistant", {})


type MakeSmartSage = Callable[..., Awaitable[Sage]]


async def _maker(
    smartthings: SmartThings, server: FakeModelServer
) -> AsyncGenerator[MakeSmartSage]:
    """Yield a function that sets SAGE up where all is exposed; remove what it made."""
    made: list[Sage] = []
    hass = smartthings.hass

    async def make(decision_format: str = "native", **settings: Any) -> Sage:
        expose_all(hass)
        made.append(await async_make_sage(hass, server, decision_format, **settings))
        made[-1].smartthings = smartthings
        return made[-1]

    yield make
    for each in made:
        if hass.config_entries.async_get_entry(each.entry.entry_id) is not None:
            await hass.config_entries.async_remove(each.entry.entry_id)


@pytest.fixture
async def make_smart_sage(
    homeassistant: None, smartthings: SmartThings, model_server: FakeModelServer
) -> AsyncGenerator[MakeSmartSage]:
    """Set SAGE up in the paper's home, with any settings."""
    async for make in _maker(smartthings, model_server):
        yield make


@pytest.fixture
async def smart_sage(make_smart_sage: MakeSmartSage) -> Sage:
    """SAGE with native decisions in the paper's home."""
    return await make_smart_sage()


@pytest.fixture
async def large_sage(
    homeassistant: None, large_smartthings: SmartThings, model_server: FakeModelServer
) -> AsyncGenerator[Sage]:
    """SAGE with native decisions in the large home."""
    async for make in _maker(large_smartthings, model_server):
        yield await make()


@pytest.fixture
async def home(smart_sage: Sage, smartthings: SmartThings) -> FailingHome:
    """The paper's home, with a channel on the television in the office."""
    await smartthings.async_change(KANAL.label, *KANAL.place, KANAL.before)
    return FailingHome(smart_sage, smartthings)
