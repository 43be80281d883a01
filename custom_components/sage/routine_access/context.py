"""The context of a firing: ties what a routine did to the routine, in the logbook."""

from hashlib import sha256
from typing import Final

from homeassistant.util.ulid import bytes_to_ulid

from ..routines.model import Firing

_TIME_BYTES: Final = 6
_OTHER_BYTES: Final = 10
"""What a ULID is made of: https://github.com/ulid/spec."""


def firing_context_id(firing: Firing) -> str:
    """Return the id of the context in which all happens that a firing leads to.

    The same for the same firing, also after a restart; a ULID, as the recorder wants it.
    The commands of the routine have this id and the user id of its person; what everybody
    is told about the firing has this id alone.
    """
    milliseconds = int(firing.at.timestamp() * 1000)
    other = sha256(f"{firing.routine_id} {firing.id}".encode()).digest()[:_OTHER_BYTES]
    return bytes_to_ulid(milliseconds.to_bytes(_TIME_BYTES) + other)
