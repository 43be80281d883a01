"""What came in, and what kind of request it was."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any


class RequestKind(StrEnum):
    """What a request is about; faults are set up by it."""

    LOCATIONS = "locations"
    ROOMS = "rooms"
    DEVICES = "devices"
    """The list of devices, or one of them."""
    STATUS = "status"
    HEALTH = "health"
    COMMANDS = "commands"
    DEFINITION = "definition"
    SCENES = "scenes"
    SCENE = "scene"
    """Execution of a scene."""
    SUBSCRIPTION = "subscription"
    """Creation of one."""
    UNSUBSCRIPTION = "unsubscription"
    STREAM = "stream"
    """Opening of the event stream."""
    TOKEN = "token"  # noqa: S105
    """Renewal of the token."""
    OTHER = "other"


@dataclass(slots=True, kw_only=True)
class RecordedRequest:
    """A request as it came in."""

    method: str
    path: str
    kind: RequestKind
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    json: Any = None
    """The body; None when there is none or when it is no JSON."""

    at: float = 0
    """Time of arrival, `time.monotonic` seconds."""

    status: int | None = None
    """Status of the answer; None while there is none, or when there never was one."""

    @property
    def device_id(self) -> str | None:
        """Id of the device that it is about."""
        found = re.match(r"/v1/devices/([^/]+)", self.path)
        return found[1] if found else None


def matches(path: str, pattern: str) -> bool:
    """Return whether a path matches: `*` is one part, `**` anything."""
    return _compiled(pattern).fullmatch(path) is not None


@lru_cache
def _compiled(pattern: str) -> re.Pattern[str]:
    parts = re.split(r"(\*\*|\*)", pattern)
    regex = {"**": ".*", "*": "[^/]*"}
    return re.compile("".join(regex.get(part) or re.escape(part) for part in parts))
