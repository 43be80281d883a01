"""Timeouts of the command pipeline."""

from dataclasses import dataclass


@dataclass(slots=True, kw_only=True)
class CommandWaits:
    """Timeouts in seconds; tests shorten them."""

    state_seconds: float = 3.0
    """Until an entity reports the new state."""

    call_seconds: float = 10.0
    """Until an action of Home Assistant returns; it continues in the background."""

    report_seconds: float = 4.0
    """Until a SmartThings device reports the new value."""

    request_seconds: float = 8.0
    """For one SmartThings request."""
