"""Fixtures that all tests share."""

from collections.abc import AsyncGenerator

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

# Home Assistant's test configuration folder would shadow the package otherwise.
import custom_components.sage  # noqa: F401
from custom_components.sage.const import DOMAIN
from custom_components.sage.home.risk_levels import RiskLevels, Verdict, keep_levels

pytest_plugins = ["tests.fake_model"]


@pytest.fixture
def hass_config_dir(hass_tmp_config_dir: str) -> str:
    """Each test has a configuration folder of its own: what SAGE keeps on the disk goes there."""
    return hass_tmp_config_dir


@pytest.fixture(autouse=True)
async def _base(enable_custom_integrations: None, hass: HomeAssistant) -> AsyncGenerator[None]:
    """Custom integrations load, and the exposure of entities is known."""
    assert await async_setup_component(hass, "homeassistant", {})
    yield
    for entry in hass.config_entries.async_entries(DOMAIN):
        # A reload ends before Home Assistant stops, which unloads only what is loaded.
        async with entry.setup_lock:
            pass


class FoundHarmless(RiskLevels):
    """The levels of a home in which a model has found nothing risky."""

    def verdict(self, entity_id: str) -> Verdict:
        """Return that of a harmless thing."""
        return super().verdict(entity_id) or Verdict(risk=None, reason="Harmless.")


@pytest.fixture(autouse=True)
def _levels(hass: HomeAssistant) -> None:
    """Let things known only by name be free; a test of their levels replaces this fixture."""
    keep_levels(hass, FoundHarmless(hass))
