"""The simulated cloud, the real integration, and SAGE's view of them."""

from collections.abc import AsyncGenerator, Iterator

import pytest
from homeassistant.core import HomeAssistant

from custom_components.sage.home.smartthings.mirror import Mirror
from tests.smartthings_home import SmartThings, cloud, large_cloud, large_smartthings, smartthings  # noqa: F401

from .raw_home import RawHome, async_raw_view


@pytest.fixture
def mirror(hass: HomeAssistant) -> Iterator[Mirror]:
    """A mirror; it follows no entries before `async_setup`."""
    made = Mirror(hass)
    yield made
    made.close()


@pytest.fixture
async def raw(hass: HomeAssistant, smartthings: SmartThings) -> AsyncGenerator[RawHome]:  # noqa: F811
    """SAGE's view of the paper's home, all of it exposed; requests are counted from zero."""
    async with async_raw_view(hass, smartthings) as made:
        yield made
