"""Timeouts of the command pipeline."""

from dataclasses import dataclass


@dataclass(slots=True, kw_only=True)
class CommandWaits:
    """Timeouts in seconds; tests shorten them."""

    state_seconds: float = 3.0
    """Time for an entity to report the new state."""

    call_seconds: float = 10.0
    """Time for an action of Home Assistant to return; after it, the action keeps running."""

    report_seconds: float = 4.0
    """Time for a SmartThings device to report the new value."""

    request_seconds: float = 8.0
    """Time for one request to the SmartThings cloud."""
