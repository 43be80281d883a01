"""Whom an utterance comes from: a person of flesh and blood, or the household."""

from homeassistant.auth.const import GROUP_ID_USER
from homeassistant.core import Context, HomeAssistant

from custom_components.sage.people.identity import async_identify
from custom_components.sage.people.person import HOUSEHOLD


async def test_user_is_known_by_id_and_called_by_name(hass: HomeAssistant) -> None:
    user = await hass.auth.async_create_user("Anna", group_ids=[GROUP_ID_USER])
    person = await async_identify(hass, Context(user_id=user.id))
    assert (person.user_id, person.name) == (user.id, "Anna")
    assert person.is_known


async def test_two_of_one_name_are_two(hass: HomeAssistant) -> None:
    first = await hass.auth.async_create_user("Anna")
    second = await hass.auth.async_create_user("Anna")
    people = [await async_identify(hass, Context(user_id=user.id)) for user in (first, second)]
    assert people[0] != people[1]


async def test_user_without_a_name(hass: HomeAssistant) -> None:
    user = await hass.auth.async_create_user("")
    person = await async_identify(hass, Context(user_id=user.id))
    assert person.name == "someone"
    assert person.is_known


async def test_satellites_and_automations_are_the_household(hass: HomeAssistant) -> None:
    assert await async_identify(hass, Context()) is HOUSEHOLD
    assert not HOUSEHOLD.is_known


async def test_system_user_is_the_household(hass: HomeAssistant) -> None:
    user = await hass.auth.async_create_system_user("VoIP")
    assert await async_identify(hass, Context(user_id=user.id)) is HOUSEHOLD


async def test_deactivated_user_is_the_household(hass: HomeAssistant) -> None:
    await hass.auth.async_create_user("Owner")
    user = await hass.auth.async_create_user("Anna")
    await hass.auth.async_deactivate_user(user)
    assert await async_identify(hass, Context(user_id=user.id)) is HOUSEHOLD


async def test_made_up_user_is_the_household(hass: HomeAssistant) -> None:
    assert await async_identify(hass, Context(user_id="nobody")) is HOUSEHOLD
