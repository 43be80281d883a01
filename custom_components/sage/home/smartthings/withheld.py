"""What of a raw device is never offered, whatever is exposed, and what is only noise.

Some capabilities go round every check: `execute` sends anything to a device, Bixby
obeys any sentence, `tag.factoryReset` wipes, `lockCodes` lets people in. Others tell who
lives in the home, where somebody is, or hold tokens and addresses of pictures.
"""

from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Final

from ...text.words import id_words

_NEVER: Final = frozenset({"execute", "ocf", "refresh", "healthCheck", "geolocation", "geofence"})
_NEVER_NAMESPACES: Final = frozenset({"sec", "samsungim"})
"""Namespaces that serve Samsung's own app: networks, onboarding, invitations."""

_NEVER_WORDS: Final = frozenset(
    {"bixby", "face", "factory", "geolocation", "geofence", "onboarding"}
)
_NEVER_PAIRS: Final = (
    frozenset({"driver", "version"}),
    frozenset({"software", "update"}),
    frozenset({"software", "version"}),
    frozenset({"software", "installation"}),
    frozenset({"wifi", "configuration"}),
)

_SECRET_WORDS: Final = frozenset(
    {
        "token",
        "password",
        "passcode",
        "passphrase",
        "secret",
        "credential",
        "credentials",
        "pin",
        "ssid",
        "url",
        "uri",
        "stream",
        "streams",
        "clip",
        "image",
        "serial",
        "eui",
        "location",
        "latitude",
        "longitude",
    }
)
_CODES: Final = frozenset({"code", "codes", "user", "users", "credentials", "schedules"})

_NOISE_NAMESPACES: Final = frozenset({"tag", "synthetic", "fakeCapability"})
_NOISE_WORDS: Final = frozenset(
    {
        "version",
        "firmware",
        "identification",
        "identifier",
        "configuration",
        "specification",
        "diagnostics",
        "unavailable",
        "supports",
        "dongle",
        "calibration",
        "defaults",
    }
)
_NOISE: Final = frozenset(
    {
        "custom.accessibility",
        "custom.error",
        "custom.energyType",
        "custom.jobBeginningStatus",
        "custom.periodicSensing",
        "custom.supportedOptions",
        "demandResponseLoadControl",
        "imageCapture",
        "powerConsumptionReport",
        "samsungce.alwaysOnSensing",
        "samsungce.buttonDisplayCondition",
        "samsungce.connectionState",
        "samsungce.detergentOrder",
        "samsungce.energyPlanner",
        "samsungce.errorAndAlarmState",
        "samsungce.quickControl",
        "samsungce.runestoneHomeContext",
        "samsungce.sacDisplayCondition",
        "samsungce.selfCheck",
        "samsungce.softenerOrder",
        "samsungce.silentAction",
        "samsungce.waterConsumptionReport",
        "samsungce.wifiKitSubDevices",
        "samsungvd.deviceCategory",
        "samsungvd.groupInfo",
        "samsungvd.audioGroupInfo",
        "samsungvd.thingStatus",
        "mediaGroup",
        "signalStrength",
        "videoCapture",
        "videoStream",
    }
)

_DESCRIBING: Final = frozenset(
    {"supported", "available", "range", "settable", "version", "min", "quantity"}
)
_DESCRIBING_MORE: Final = frozenset(
    {"max", "minimum", "maximum", "default", "report", "data", "type"}
)


@lru_cache(maxsize=2048)
def is_never_offered(capability: str) -> bool:
    """Tell whether a capability is neither read nor commanded, whatever is exposed."""
    namespace, _, name = capability.rpartition(".")
    words = frozenset(id_words(capability))
    return (
        _keeps_codes(words)
        or capability in _NEVER
        or namespace.partition(".")[0] in _NEVER_NAMESPACES
        or bool(words & _NEVER_WORDS)
        or any(pair <= words for pair in _NEVER_PAIRS)
        or (namespace == "custom" and name.startswith("disabled"))
    )


def _keeps_codes(words: AbstractSet[str]) -> bool:
    """Tell whether a capability keeps the codes of a lock: who may enter is no model's matter."""
    return "lock" in words and bool(words & _CODES)


@lru_cache(maxsize=4096)
def is_secret(capability: str, attribute: str) -> bool:
    """Tell whether an attribute is never read: names, codes, places, tokens, pictures."""
    of_capability, of_attribute = (
        frozenset(id_words(capability)),
        frozenset(id_words(attribute)),
    )
    words = of_capability | of_attribute
    guards_a_door = bool(words & {"lock", "unlock"})
    return bool(of_attribute & _SECRET_WORDS) or (guards_a_door and bool(words & _CODES))


@lru_cache(maxsize=2048)
def is_noise(capability: str) -> bool:
    """Tell whether a capability is left out of listings; it may be asked for by name."""
    words = set(id_words(capability))
    if capability in _NOISE or capability.partition(".")[0] in _NOISE_NAMESPACES:
        return True
    return bool(_NOISE_WORDS & words)


@lru_cache(maxsize=4096)
def tells_something(attribute: str) -> bool:
    """Tell whether an attribute is a value of its own, not one that describes another."""
    return not (_DESCRIBING | _DESCRIBING_MORE) & set(id_words(attribute))


@lru_cache(maxsize=2048)
def does_something(command: str) -> bool:
    """Tell whether a command is worth a listing; resetting a counter is not."""
    return "reset" not in id_words(command)
