"""Times as a file keeps them: whole microseconds since 1970, UTC."""

from datetime import UTC, datetime, timedelta
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_UNIT: Final = timedelta(microseconds=1)

EVER: Final = (-(2**63), 2**63 - 1)
"""Before and after everything."""


def to_instant(at: datetime) -> int:
    """Return the microseconds of an aware time; raises ValueError for a naive one."""
    if at.tzinfo is None:
        raise ValueError("A time needs its time zone.")
    return (at - _EPOCH) // _UNIT


def from_instant(instant: int) -> datetime:
    """Return the time, aware, UTC."""
    return _EPOCH + instant * _UNIT
