"""Fixtures that all tests share."""

from collections.abc import AsyncGenerator

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

pytest_plugins = ["tests.fake_model"]

# Home Assistant's test configuration folder would shadow the package otherwise.
import custom_components.sage  # noqa: F401


@pytest.fixture(autouse=True)
async def _base(enable_custom_integrations: None, hass: HomeAssistant) -> AsyncGenerator[None]:
    """Custom integrations load, and the exposure of entities is known."""
    assert await async_setup_component(hass, "homeassistant", {})
    yield
