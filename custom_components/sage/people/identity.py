"""Identifies the speaker of an utterance: a Home Assistant user, or `HOUSEHOLD` if unknown."""

from collections.abc import Mapping
from typing import Final

from homeassistant.auth.models import User
from homeassistant.components.conversation import ConversationInput
from homeassistant.components.frontend.storage import async_user_store
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from .person import HOUSEHOLD, KnownBy, Person

NOBODY: Final[Mapping[str, str]] = {}


async def async_identify(
    hass: HomeAssistant, spoken: ConversationInput, satellites: Mapping[str, str] = NOBODY
) -> Person:
    """Return the speaker of an utterance, or HOUSEHOLD if the speaker is unknown.

    A signed-in user comes before the user of the voice satellite. `satellites`: registry id of a
    satellite -> user id.
    """
    if spoken.context.user_id is not None:
        return await async_user(hass, spoken.context.user_id)
    satellite = er.async_get(hass).async_get(spoken.satellite_id) if spoken.satellite_id else None
    if satellite is not None and (owner := satellites.get(satellite.id)) is not None:
        return await async_user(hass, owner, KnownBy.SATELLITE)
    return HOUSEHOLD


async def async_all_users(hass: HomeAssistant) -> list[User]:
    """Return all users who can sign in: active and not created by the system."""
    users = await hass.auth.async_get_users()
    return [user for user in users if user.is_active and not user.system_generated]


async def async_user(
    hass: HomeAssistant, user_id: str | None, known_by: KnownBy = KnownBy.SIGN_IN
) -> Person:
    """Return the person with this user id, or HOUSEHOLD for unknown, inactive or system users."""
    user = await hass.auth.async_get_user(user_id) if user_id is not None else None
    if user is None or not user.is_active or user.system_generated:
        return HOUSEHOLD
    return Person(user_id=user.id, name=user.name or "someone", known_by=known_by)


async def async_languages(hass: HomeAssistant, person: Person) -> tuple[str, ...]:
    """Return the language of a person's profile, if it is known, and that of the household."""
    chosen: object = None
    if person.user_id is not None:
        store = await async_user_store(hass, person.user_id)
        chosen = store.data.get("language")
    own = chosen.get("language") if isinstance(chosen, Mapping) else None
    household = hass.config.language
    return (own, household) if isinstance(own, str) else (household,)
