"""The household PIN: how it is kept and guarded against guessing (DESIGN 5)."""

import base64
import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

MIN_DIGITS: Final = 4
MAX_DIGITS: Final = 8

_SCHEME: Final = "scrypt"
_COST: Final = 2**14
_BLOCK: Final = 8
_LANES: Final = 1


def hash_pin(pin: str) -> str:
    """Return what is stored of a PIN: scheme, cost, salt and hash. Slow; for the executor."""
    salt = secrets.token_bytes(16)
    parts = (salt, _derive(pin, salt))
    encoded = "$".join(base64.b64encode(part).decode() for part in parts)
    return f"{_SCHEME}${_COST}${encoded}"


def verify(stored: str, text: str) -> bool:
    """Tell whether `text` is the PIN behind `stored`. Slow; for the executor."""
    if not (text.isdecimal() and MIN_DIGITS <= len(text) <= MAX_DIGITS):
        return False
    _, cost, salt, derived = stored.split("$")
    tried = _derive(text, base64.b64decode(salt), int(cost))
    return hmac.compare_digest(tried, base64.b64decode(derived))


def is_pin(text: str) -> bool:
    """Tell whether `text` may become a PIN."""
    return bool(re.fullmatch(rf"[0-9]{{{MIN_DIGITS},{MAX_DIGITS}}}", text))


@dataclass(slots=True)
class _Tries:
    """The wrong tries of one person."""

    wrong: int = 0
    locked_until: float = 0.0


class PinGuard:
    """Locks the PIN for whoever has guessed too often."""

    def __init__(
        self,
        *,
        tries: int = 5,
        lock_seconds: float = 600.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Allow so many wrong tries in a row, then none for so long."""
        self._allowed = tries
        self._lock_seconds = lock_seconds
        self._clock = clock
        self._tries: dict[str, _Tries] = {}

    def locked(self, key: str) -> bool:
        """Tell whether the person `key` may not try now."""
        tries = self._tries.get(key)
        return tries is not None and self._clock() < tries.locked_until

    def failed(self, key: str) -> None:
        """Note a wrong try."""
        tries = self._tries.setdefault(key, _Tries())
        tries.wrong += 1
        if tries.wrong >= self._allowed:
            self._tries[key] = _Tries(locked_until=self._clock() + self._lock_seconds)

    def succeeded(self, key: str) -> None:
        """Forget the wrong tries."""
        self._tries.pop(key, None)


def _derive(pin: str, salt: bytes, cost: int = _COST) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, n=cost, r=_BLOCK, p=_LANES)
