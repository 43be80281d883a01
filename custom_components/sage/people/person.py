"""The speaker of an utterance, and how SAGE identifies them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from homeassistant.auth.models import User
from homeassistant.components.conversation import ConversationInput
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er


class KnownBy(StrEnum):
    """How the speaker was identified."""

    SIGN_IN = "sign_in"
    """Signed in to Home Assistant."""

    SATELLITE = "satellite"
    """The voice satellite belongs to them, but somebody else may be speaking."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """The person a run belongs to.

    The key is the Home Assistant user id, never a name.
    """

    user_id: str | None
    """Id of the Home Assistant user; None for the household."""

    name: str
    """Name for addressing the person; never an identity."""

    known_by: KnownBy = KnownBy.SIGN_IN

    @property
    def is_known(self) -> bool:
        """Whether the speaker was identified as a Home Assistant user."""
        return self.user_id is not None

    @property
    def is_certain(self) -> bool:
        """Whether the speaker is signed in: they may confirm risky actions without the PIN."""
        return self.is_known and self.known_by is KnownBy.SIGN_IN


HOUSEHOLD: Final = Person(user_id=None, name="the household")
"""An unknown speaker: a voice satellite, or an automation without user."""


NOBODY: Final[Mapping[str, str]] = {}


async def async_identify(
    hass: HomeAssistant, spoken: ConversationInput, satellites: Mapping[str, str] = NOBODY
) -> Person:
    """Return the speaker; the household if unknown.

    A signed-in user is known. At a voice satellite, the speaker is the person in `satellites`
    (registry id -> user id). System users (VoIP, the supervisor) and deactivated users count as
    the household.
    """
    if spoken.context.user_id is not None:
        return await async_user(hass, spoken.context.user_id)
    satellite = er.async_get(hass).async_get(spoken.satellite_id) if spoken.satellite_id else None
    if satellite is not None and (owner := satellites.get(satellite.id)) is not None:
        return await async_user(hass, owner, KnownBy.SATELLITE)
    return HOUSEHOLD


async def async_all_users(hass: HomeAssistant) -> list[User]:
    """Return the users who can sign in."""
    users = await hass.auth.async_get_users()
    return [user for user in users if user.is_active and not user.system_generated]


async def async_user(
    hass: HomeAssistant, user_id: str | None, known_by: KnownBy = KnownBy.SIGN_IN
) -> Person:
    """Return the person with this user id; HOUSEHOLD for unknown, inactive or system users."""
    user = await hass.auth.async_get_user(user_id) if user_id is not None else None
    if user is None or not user.is_active or user.system_generated:
        return HOUSEHOLD
    return Person(user_id=user.id, name=user.name or "someone", known_by=known_by)
