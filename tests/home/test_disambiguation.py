"""Disambiguation: names first, then the states of what may be meant."""

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


async def test_a_state_does_not_outweigh_a_clear_description(hass, view):
    await hass.services.async_call(
        "light", "turn_off", {"entity_id": "light.bed_light"}, blocking=True
    )
    wanted = await view.async_rank("the bed lamp", None, state="on")
    assert wanted.is_clear
    assert wanted.matches[0].device.id == "bed_light"


async def test_a_state_alone_is_looked_for_everywhere(view):
    ranking = await view.async_rank("the one", None, state="unlocked")
    assert {each.device.id for each in ranking.matches} == {"kitchen_door", "poorly_installed_door"}
