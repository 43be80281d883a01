"""A place for what a demo writes, and an owner who is connected to Home Assistant."""

from collections.abc import AsyncGenerator, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestClient
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

from scripts.demonstration.client import Client, connected

COMPONENTS = (
    "ai_task",
    "api",
    "websocket_api",
    "frontend",
    "config",
    "conversation",
    "assist_pipeline",
    "persistent_notification",
)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """An empty folder, where nothing of a demo stays."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def furnished() -> None:
    """A home is furnished before anybody connects, where a test has one."""


@pytest.fixture
async def url(
    hass: HomeAssistant,
    furnished: object,
    hass_client: Callable[[], Coroutine[Any, Any, TestClient[Any, Any]]],
) -> str:
    for component in COMPONENTS:
        assert await async_setup_component(hass, component, {})
    await hass.async_block_till_done()
    return str((await hass_client()).make_url("")).rstrip("/")


@pytest.fixture
async def owner(url: str, hass_access_token: str) -> AsyncGenerator[Client]:
    async with connected(url, hass_access_token) as client:
        yield client
