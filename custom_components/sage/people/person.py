"""Who is speaking: a Home Assistant user, or `HOUSEHOLD` if unknown."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from operator import itemgetter
from typing import Any, Final

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

    VOICE = "voice"
    """The voice sounds like the person's, but voices can be imitated and recorded."""


THRESHOLD: Final = 0.5
"""Default similarity from which on a voice counts as that of a person."""

MARGIN: Final = 0.05
"""Minimum difference between the similarities of the best and the second person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """The comparison of the voice of one spoken utterance with the voices of all people."""

    scores: Mapping[str, float] = field(default_factory=dict, compare=False)
    """User id -> similarity, 0 to 1; empty if the voice was not compared."""

    threshold: float = THRESHOLD
    reported: str | None = None
    """User id of the speaker according to another integration; None without a report."""

    missing: str = ""
    """Why the voice was not compared: `too_short`, `late` or `away`; empty if it was."""

    @property
    def user_id(self) -> str | None:
        """The recognized user; None below the threshold, or if it may be either of two people."""
        ranked = sorted(self.scores.items(), key=itemgetter(1), reverse=True)
        (best, score), (_, second) = [*ranked, ("", 0.0), ("", 0.0)][:2]
        own = best if score >= self.threshold and score - second >= MARGIN else None
        return None if self.reported and own not in (None, self.reported) else self.reported or own

    def as_json(self) -> dict[str, Any]:
        """Return the similarities without names, best first, and what they were compared with."""
        return {
            "scores": [round(each, 3) for each in sorted(self.scores.values(), reverse=True)],
            "threshold": self.threshold,
            "margin": MARGIN,
            "recognized": self.user_id is not None,
            "reported": self.reported is not None,
            "missing": self.missing,
        }


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
        own = self.user_id if self.is_certain else None
        return own or satellite_id or device_id or "household"


HOUSEHOLD: Final = Person(user_id=None, name="the household")
"""Any unknown speaker, such as a guest at a voice satellite, or an automation without a user."""


async def async_identify(
    hass: HomeAssistant,
    spoken: ConversationInput,
    satellites: Mapping[str, str],
    voice: Voice | None = None,
) -> Person:
    """Return the speaker of an utterance, or HOUSEHOLD if the speaker is unknown.

    A signed-in user comes first, then the person whose `voice` it is, then the user of the voice
    satellite, unless it is not that user's voice. `satellites`: registry id of a satellite -> user
    id.
    """
    if spoken.context.user_id is not None:
        return await async_user(hass, spoken.context.user_id)
    if voice is not None and voice.user_id is not None:
        return await async_user(hass, voice.user_id, KnownBy.VOICE)
    satellite = er.async_get(hass).async_get(spoken.satellite_id) if spoken.satellite_id else None
    owner = satellites.get(satellite.id) if satellite is not None else None
    if owner is None or (voice is not None and owner in voice.scores):
        return HOUSEHOLD
    return await async_user(hass, owner, KnownBy.SATELLITE)


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
