"""The speaker of an utterance: an active user, or the household."""

import pytest
from homeassistant.auth.const import GROUP_ID_USER
from homeassistant.components.conversation import ConversationInput
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import entity_registry as er

from custom_components.sage.people.person import HOUSEHOLD, async_identify


def spoken(user_id: str | None = None, satellite_id: str | None = None) -> ConversationInput:
    return ConversationInput(
        text="Hello",
        context=Context(user_id=user_id),
        conversation_id=None,
        device_id=None,
        satellite_id=satellite_id,
        language="en",
        agent_id="conversation.sage",
    )


@pytest.fixture
async def anna(hass: HomeAssistant) -> str:
    await hass.auth.async_create_user("Owner")
    return (await hass.auth.async_create_user("Anna", group_ids=[GROUP_ID_USER])).id


@pytest.fixture
def satellite(hass: HomeAssistant) -> er.RegistryEntry:
    return er.async_get(hass).async_get_or_create("assist_satellite", "test", "kitchen")


async def test_user_is_known_by_id_and_called_by_name(hass: HomeAssistant) -> None:
    user = await hass.auth.async_create_user("Anna", group_ids=[GROUP_ID_USER])
    person = await async_identify(hass, spoken(user.id), {})
    assert (person.user_id, person.name) == (user.id, "Anna")
    assert person.is_known


async def test_satellites_and_automations_are_the_household(hass: HomeAssistant) -> None:
    assert await async_identify(hass, spoken(), {}) is HOUSEHOLD
    assert not HOUSEHOLD.is_known


async def test_system_user_is_the_household(hass: HomeAssistant) -> None:
    user = await hass.auth.async_create_system_user("VoIP")
    assert await async_identify(hass, spoken(user.id), {}) is HOUSEHOLD


async def test_satellite_that_was_renamed_stays_its_owners(hass, anna, satellite) -> None:
    er.async_get(hass).async_update_entity(
        satellite.entity_id, new_entity_id="assist_satellite.bath"
    )
    person = await async_identify(
        hass, spoken(satellite_id="assist_satellite.bath"), {satellite.id: anna}
    )
    assert person.user_id == anna


async def test_who_is_signed_in_is_nobody_else(hass, anna, satellite) -> None:
    ben = (await hass.auth.async_create_user("Ben")).id
    person = await async_identify(hass, spoken(ben, satellite.entity_id), {satellite.id: anna})
    assert (person.user_id, person.is_certain) == (ben, True)
