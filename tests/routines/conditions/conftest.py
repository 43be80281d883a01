"""A home of its own for each test, with the functions that condition code may call."""

from collections.abc import AsyncGenerator

import pytest
from homeassistant.core import HomeAssistant

from custom_components.sage.home.home import Home
from custom_components.sage.home.smartthings.provider import SmartThings
from tests.demo_home import demo_home  # noqa: F401
from tests.routines.conditions.calling import Asking
from tests.smartthings_home import cloud, smartthings  # noqa: F401


@pytest.fixture
async def home(hass: HomeAssistant) -> AsyncGenerator[Home]:
    home = Home(hass)
    await home.async_setup()
    home.add(SmartThings(hass, home.gate, home.waits))
    yield home
    home.close()


@pytest.fixture
async def asking(hass: HomeAssistant, home: Home) -> Asking:
    """Asks as condition code does, and remembers what names were bound to."""
    return Asking(hass, home)
