"""How long the pipeline waits for a command and for its evidence."""

from dataclasses import dataclass


@dataclass(slots=True, kw_only=True)
class CommandWaits:
    """Times in seconds; tests shorten those of their home."""

    state_seconds: float = 3.0
    """For the state of an entity to change."""

    call_seconds: float = 10.0
    """For a service of Home Assistant to return; it goes on by itself after that."""

    report_seconds: float = 4.0
    """For the report of a SmartThings device."""

    request_seconds: float = 8.0
    """For one request to SmartThings."""
