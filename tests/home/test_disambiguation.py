"""Disambiguation: names first, then the states of what may be meant."""

import pytest
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant

from custom_components.sage.home.disambiguation import Description, async_rank
from custom_components.sage.home.entities.documentation import Documenter
from custom_components.sage.home.entities.reading import Reader
from custom_components.sage.home.inventory import Inventory
from custom_components.sage.home.safety.gate import Gate
from custom_components.sage.home.vocabulary import Vocabulary
from custom_components.sage.people.person import HOUSEHOLD

from .entity_home import async_demo


@pytest.fixture
async def ask(hass: HomeAssistant):
    await async_demo(hass, Platform.LIGHT, Platform.LOCK, Platform.SENSOR)
    gate = Gate(hass)
    await gate.async_setup()
    inventory = Inventory(hass, gate)
    reader = Reader(hass, gate, Documenter(hass))
    synonyms = Vocabulary(hass).synonyms("en")

    async def ask(description: str, *candidates: str, state: str = ""):
        listing = await inventory.async_listing(HOUSEHOLD)
        chosen = [listing.device(each) for each in candidates] or None
        wanted = Description(text=description, state=state)
        return await async_rank(listing, reader, HOUSEHOLD, wanted, chosen, synonyms=synonyms)

    yield ask
    inventory.close()
    gate.close()


async def test_only_what_may_be_meant_is_read(ask):
    ranking = await ask("the kitchen lights")
    assert ranking.matches[0].device.id == "kitchen_lights"
    assert all(each.component_id.startswith(("light.", "lock.")) for each in ranking.readings)
    assert any(each.component_id == "light.kitchen_lights" for each in ranking.readings)


async def test_a_state_does_not_outweigh_a_clear_description(hass, ask):
    await hass.services.async_call(
        "light", "turn_off", {"entity_id": "light.bed_light"}, blocking=True
    )
    wanted = await ask("the bed lamp", state="on")
    assert wanted.is_clear
    assert wanted.matches[0].device.id == "bed_light"


async def test_a_state_alone_is_looked_for_everywhere(ask):
    ranking = await ask("the one", state="unlocked")
    assert {each.device.id for each in ranking.matches} == {"kitchen_door", "poorly_installed_door"}
