"""The demo home in tests: await `async_furnish(hass)`, or import the fixture `demo_home`."""

import pytest
from homeassistant.core import HomeAssistant

from scripts.demonstration.furnish import async_furnish, make_importable

# A lock of the demo takes a second; the tests would only wait for it.
BOLT_SECONDS = 0.02

__all__ = ["async_furnish", "demo_home"]

# At import, before any Home Assistant has looked for custom integrations.
make_importable()


@pytest.fixture
async def demo_home(hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch) -> HomeAssistant:
    await async_furnish(hass)
    monkeypatch.setattr("custom_components.sage_demo_home.lock.TURN", BOLT_SECONDS)
    return hass
