"""Disambiguation by names reads the states of what may be meant."""

import pytest
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant

from custom_components.sage.home.home import Home
from custom_components.sage.people.person import HOUSEHOLD

from .entity_home import async_demo


@pytest.fixture
async def view(hass: HomeAssistant):
    await async_demo(hass, Platform.LIGHT, Platform.LOCK, Platform.SENSOR)
    home = Home(hass)
    await home.async_setup()
    yield home.of(HOUSEHOLD)
    home.close()


async def test_only_what_may_be_meant_is_read(view):
    ranking = await view.async_rank("the kitchen lights", None)
    assert ranking.matches[0].device.id == "kitchen_lights"
    assert all(each.component_id.startswith(("light.", "lock.")) for each in ranking.readings)
    assert any(each.component_id == "light.kitchen_lights" for each in ranking.readings)
