"""SmartThings capabilities and attributes that SAGE hides from the language model.

Some bypass all checks, e.g. `execute`. Others are private, e.g. locations and tokens, or useless.
"""

import json
import math
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from ...text import id_words
from .. import values
from ..values import names_in, plain

_NEVER: Final = frozenset({"execute", "ocf", "refresh", "healthCheck", "geolocation", "geofence"})
_NEVER_NAMESPACES: Final = frozenset({"sec", "samsungim"})
"""Namespaces that serve Samsung's own app, for networks, onboarding and invitations."""

_NEVER_WORDS: Final = names_in(
    "bixby driver face factory firmware geofence geolocation onboarding software wifi"
)
_CODES: Final = frozenset({"code", "codes", "user", "users", "credentials", "schedules"})
"""Words for the codes of a lock, together with `lock`."""

_PRIVATE: Final = re.compile(
    r"^(lockCodes|scanCodes|codeChanged|codeReport|users?|userList|userName|userCode|userId"
    r"|unlockCodeName|invalidCode|encryptedKek|nonce|latitude|longitude|commandResult)$"
    r"|ssid|connecteduserid|serialnumber|macaddress|ipaddress|subscriberid|accesskey"
    r"|schedulesperuser|(uri|url)$|streams$|assaycode|setupid|mnid$",
    re.IGNORECASE,
)
_SECRET_WORDS: Final = frozenset({"clip", "eui", "image", "location", "serial", "stream", "url"})
_OF_PEOPLE: Final = re.compile(r"^(lockCredentials|lockUsers|lockSchedules|endToEndEncryption)$")
_COUNTS: Final = re.compile(r"^(min|max)|supported", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"^\s*[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_LONGEST: Final = 300
_LONGEST_ASKED: Final = 2000

_NOISE_NAMESPACES: Final = frozenset({"tag", "synthetic", "fakeCapability"})
_NOISE_WORDS: Final = names_in(
    "version identification identifier configuration specification diagnostics unavailable "
    "supports dongle calibration defaults"
)
_NOISE: Final = names_in(
    "custom.accessibility custom.error custom.energyType custom.jobBeginningStatus "
    "custom.periodicSensing custom.supportedOptions demandResponseLoadControl imageCapture "
    "powerConsumptionReport samsungce.alwaysOnSensing samsungce.buttonDisplayCondition "
    "samsungce.connectionState samsungce.detergentOrder samsungce.energyPlanner "
    "samsungce.errorAndAlarmState samsungce.quickControl samsungce.runestoneHomeContext "
    "samsungce.sacDisplayCondition samsungce.selfCheck samsungce.softenerOrder "
    "samsungce.silentAction samsungce.waterConsumptionReport samsungce.wifiKitSubDevices "
    "samsungvd.deviceCategory samsungvd.groupInfo samsungvd.audioGroupInfo "
    "samsungvd.thingStatus mediaGroup signalStrength videoCapture videoStream"
)

_OPTIONS: Final = ("supported", "available")

_DESCRIBING: Final = frozenset(
    {"supported", "available", "range", "settable", "version", "min", "max", "quantity"}
) | frozenset({"minimum", "maximum", "default", "report", "data", "type"})


@lru_cache(maxsize=2048)
def is_never_offered(capability: str) -> bool:
    """Return whether a capability is forbidden for everybody, regardless of permissions."""
    namespace, _, name = capability.rpartition(".")
    words = frozenset(id_words(capability))
    return (
        ("lock" in words and bool(words & _CODES))
        or capability in _NEVER
        or namespace.partition(".")[0] in _NEVER_NAMESPACES
        or bool(words & _NEVER_WORDS)
        or (namespace == "custom" and name.startswith("disabled"))
    )


@lru_cache(maxsize=4096)
def is_secret(capability: str, attribute: str) -> bool:
    """Return whether an attribute is hidden from everybody: lock codes, locations, tokens."""
    if values.is_secret(attribute) or _PRIVATE.search(attribute):
        return True
    if _OF_PEOPLE.match(capability) and not _COUNTS.search(attribute):
        return True
    names = frozenset(id_words(attribute))
    words = names.union(id_words(capability))
    guards_a_door = bool(words & {"lock", "unlock"})
    return bool(names & _SECRET_WORDS) or (guards_a_door and bool(words & _CODES))


@lru_cache(maxsize=2048)
def is_noise(capability: str) -> bool:
    """Return whether a capability is useless in the model's list; its id still works."""
    words = set(id_words(capability))
    if capability in _NOISE or capability.partition(".")[0] in _NOISE_NAMESPACES:
        return True
    return bool(_NOISE_WORDS & words)


@lru_cache(maxsize=4096)
def tells_something(attribute: str) -> bool:
    """Return whether an attribute is useful in the model's list: no range or list of values."""
    return not _DESCRIBING & set(id_words(attribute))


@lru_cache(maxsize=2048)
def does_something(command: str) -> bool:
    """Return whether a command is a reason to show its capability: no `resetFilter`."""
    return "reset" not in id_words(command)


def lists_options(attribute: str) -> bool:
    """Return whether an attribute lists options or a range: `supportedModes`, `levelRange`."""
    return attribute.startswith(_OPTIONS) or attribute.endswith("Range")


def own_value(value: object) -> object:
    """Return "eco" for `{"value": "eco", "settable": ["eco", "auto"]}`: without options."""
    if isinstance(value, Mapping) and "value" in value and "settable" in value:
        return value["value"]
    return value


def shown_value(value: object, *, everything: bool = False) -> object:
    """Return an attribute value as JSON for display; None if nothing may be shown.

    Removes URLs and secrets; shortens values of more than 300 characters (2000 with `everything`).
    """
    longest = _LONGEST_ASKED if everything else _LONGEST
    cleaned = _without_private(own_value(value))
    if not isinstance(cleaned, list | Mapping):
        return plain(cleaned, longest)
    if isinstance(cleaned, Mapping):
        shown = plain(cleaned)
        return shown if _size(shown) <= longest else f"an object with {', '.join(cleaned)[:80]}"
    shortened = list(cleaned)
    while len(shortened) > 1 and _size(shortened) > longest:
        shortened = shortened[: len(shortened) * 3 // 4]
    shown = [plain(each) for each in shortened]
    left = len(cleaned) - len(shortened)
    return [*shown, f"… {left} more"] if left else shown


def shown_options(value: object) -> object:
    """Return options for display, `["eco"]` for `[{"mode": "eco"}]`: texts and numbers."""
    if isinstance(value, list):
        value = [_plain_members(each) if isinstance(each, Mapping) else each for each in value]
    return shown_value(value, everything=True)


def _plain_members(value: Mapping[str, object]) -> object:
    members = {name: each for name, each in value.items() if isinstance(each, str | int | float)}
    return next(iter(members.values())) if len(members) == 1 else members


def _without_private(value: object) -> object:
    if isinstance(value, Mapping):
        return {
            str(name): inner
            for name, each in value.items()
            if not is_secret("", str(name)) and (inner := _without_private(each)) is not None
        }
    if isinstance(value, list):
        return [inner for each in value if (inner := _without_private(each)) is not None]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return None if isinstance(value, str) and _ADDRESS.match(value) else value


def _size(value: object) -> int:
    return len(json.dumps(value, default=str, ensure_ascii=False))
