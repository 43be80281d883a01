"""The identity of a speaker."""

# Do not import Home Assistant here, so that tests can use this module without it.
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


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
        return self.is_known and self.known_by is KnownBy.SIGN_IN


HOUSEHOLD: Final = Person(user_id=None, name="the household")
"""Any unknown speaker, such as a guest at a voice satellite, or an automation without a user."""
