"""The context of a firing, which connects changes with their routine in the logbook."""

from hashlib import sha256
from typing import Final

from homeassistant.util.ulid import bytes_to_ulid

from ..routines.model import Firing

_TIME_BYTES: Final = 6
_OTHER_BYTES: Final = 10
"""Parts of a ULID: https://github.com/ulid/spec."""


def firing_context_id(firing: Firing) -> str:
    """Return the context id of a firing.

    A ULID, as the recorder requires, and the same after a restart. The commands of the routine
    have this id and the user id of its person; public events of the firing have only this id.
    """
    milliseconds = int(firing.at.timestamp() * 1000)
    other = sha256(f"{firing.routine_id} {firing.id}".encode()).digest()[:_OTHER_BYTES]
    return bytes_to_ulid(milliseconds.to_bytes(_TIME_BYTES) + other)
