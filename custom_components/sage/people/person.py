"""Who speaks to SAGE."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """The person a run belongs to.

    The key is the Home Assistant user id, never a name (DESIGN 7 and 10).
    """

    user_id: str | None
    """Id of the Home Assistant user; None for the household."""

    name: str
    """What to call the person; never an identity."""

    @property
    def is_known(self) -> bool:
        """Whether the speaker is a known Home Assistant user."""
        return self.user_id is not None


HOUSEHOLD: Final = Person(user_id=None, name="the household")
"""An unknown speaker: a voice satellite, an automation with no user."""
