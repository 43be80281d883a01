"""The simulated cloud, the real integration, and the entries that SAGE follows."""

from collections.abc import Iterator

import pytest
from homeassistant.core import HomeAssistant

from custom_components.sage.home.smartthings.source import Sources
from tests.smartthings_home import (  # noqa: F401
    cloud,
    large_cloud,
    large_smartthings,
    smartthings,
)


@pytest.fixture
def sources(hass: HomeAssistant) -> Iterator[Sources]:
    """Attached to nothing before `async_setup` is called."""
    made = Sources(hass)
    yield made
    made.close()
