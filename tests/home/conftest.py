"""A home of entities that execute their commands."""

from collections.abc import AsyncGenerator

import pytest
from homeassistant.core import HomeAssistant

from .entity_home import EntityHome


@pytest.fixture
async def house(hass: HomeAssistant) -> AsyncGenerator[EntityHome]:
    """The home of a test, still empty."""
    house = EntityHome(hass)
    yield house
    house.close()
