"""The speaker of an utterance; without Home Assistant, since routines are tested without it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


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
