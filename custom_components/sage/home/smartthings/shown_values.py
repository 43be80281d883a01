"""Values of raw attributes as a model may see them: short, local times, nothing private.

The definitions mark nothing as sensitive, so names and forms have to tell.
"""

import json
import math
import re
from collections.abc import Mapping
from typing import Final

from ..values import is_secret, plain
from .narrowing import own_value

_PRIVATE: Final = re.compile(
    r"^(lockCodes|scanCodes|codeChanged|codeReport|users?|userList|userName|userCode|userId|credentials"
    r"|unlockCodeName|invalidCode|encryptedKek|nonce|latitude|longitude|commandResult)$"
    r"|password|passphrase|passcode|credential$|apikey|accesskey|ssid|connecteduserid"
    r"|serialnumber|macaddress|ipaddress|subscriberid|schedulesperuser"
    r"|(uri|url)$|assaycode|setupid|mnid$",
    re.IGNORECASE,
)
_OF_PEOPLE: Final = re.compile(r"^(lockCredentials|lockUsers|lockSchedules|endToEndEncryption)$")
_COUNTS: Final = re.compile(r"^(min|max)|supported", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"^\s*[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_LONGEST: Final = 300
_LONGEST_ASKED: Final = 2000


def is_private(capability: str, attribute: str) -> bool:
    """Tell whether no model may see an attribute: codes, names at the door, tokens, addresses."""
    if is_secret(attribute) or _PRIVATE.search(attribute):
        return True
    return bool(_OF_PEOPLE.match(capability)) and not _COUNTS.search(attribute)


def shown_value(value: object, *, everything: bool = False) -> object:
    """Return the value as JSON has it; None when there is none that may be shown.

    Addresses hold tokens and say nothing; long lists are cut, and say so.
    """
    longest = _LONGEST_ASKED if everything else _LONGEST
    cleaned = _without_private(own_value(value))
    if not isinstance(cleaned, list | Mapping):
        return plain(cleaned, longest)
    if isinstance(cleaned, Mapping):
        told = plain(cleaned)
        return told if _size(told) <= longest else f"an object with {', '.join(cleaned)[:80]}"
    kept = list(cleaned)
    while len(kept) > 1 and _size(kept) > longest:
        kept = kept[: len(kept) * 3 // 4]
    told = [plain(each) for each in kept]
    left = len(cleaned) - len(kept)
    return [*told, f"… {left} more"] if left else told


def _without_private(value: object) -> object:
    if isinstance(value, Mapping):
        return {
            str(name): inner
            for name, each in value.items()
            if not is_private("", str(name)) and (inner := _without_private(each)) is not None
        }
    if isinstance(value, list):
        return [inner for each in value if (inner := _without_private(each)) is not None]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return None if isinstance(value, str) and _ADDRESS.match(value) else value


def _size(value: object) -> int:
    return len(json.dumps(value, default=str, ensure_ascii=False))
