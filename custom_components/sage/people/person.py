"""Who is speaking: a Home Assistant user, or `HOUSEHOLD` if unknown."""

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
    """The speaker is signed in to Home Assistant."""

    SATELLITE = "satellite"
    """The voice satellite is assigned to the person, but somebody else may be speaking."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """The person who gave a command: a Home Assistant user, or `HOUSEHOLD` if unknown.

    Names are not unique: identify persons by `user_id`.
    """

    user_id: str | None
    """Id of the Home Assistant user; None for `HOUSEHOLD`, an unknown speaker."""

    name: str
    """Name for display and for addressing the person."""

    known_by: KnownBy = KnownBy.SIGN_IN

    @property
    def is_known(self) -> bool:
        """Whether the speaker was identified as a Home Assistant user."""
        return self.user_id is not None

    @property
    def is_certain(self) -> bool:
        """Whether the speaker is signed in and so may confirm risky actions without the PIN."""
        return self.user_id is not None and self.known_by is KnownBy.SIGN_IN

    def speaker_key(self, satellite_id: str | None, device_id: str | None) -> str:
        """Return the key of the speaker, for whom PIN attempts count.

        It is the user id of a signed-in person, else the id of the voice satellite or device, else
        `household`.
        """
        if self.user_id is not None and self.known_by is KnownBy.SIGN_IN:
            return self.user_id
        return satellite_id or device_id or "household"


HOUSEHOLD: Final = Person(user_id=None, name="the household")
"""Any unknown speaker, such as a guest at a voice satellite, or an automation without a user."""


async def async_identify(
    hass: HomeAssistant, spoken: ConversationInput, satellites: Mapping[str, str]
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
