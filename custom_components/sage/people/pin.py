"""The PIN of the household: hashing, protection against guessing, removal from texts."""

import base64
import hashlib
import hmac
import re
import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from homeassistant.core import HomeAssistant

from .person import Person
from .spoken_digits import MAX_DIGITS, MIN_DIGITS, numbers_within

_SCHEME: Final = "scrypt"
COST: Final = 2**14
"""CPU and memory cost of new PIN hashes (parameter n of scrypt)."""

NO_ATTEMPTS: Final[Mapping[str, Sequence[float]]] = {}

_BLOCK: Final = 8
_LANES: Final = 1


def hash_pin(pin: str) -> str:
    """Return the hash of a PIN for storage, as text with scheme, cost and salt.

    Slow: must run in the executor.
    """
    salt = secrets.token_bytes(16)
    parts = (salt, _derive(pin, salt, COST))
    encoded = "$".join(base64.b64encode(part).decode() for part in parts)
    return f"{_SCHEME}${COST}${encoded}"


def verify(stored: str, text: str) -> bool:
    """Return whether `text` is the PIN with the hash `stored`. Slow: must run in the executor."""
    if not (text.isdecimal() and MIN_DIGITS <= len(text) <= MAX_DIGITS):
        return False
    _, cost, salt, derived = stored.split("$")
    tried = _derive(text, base64.b64decode(salt), int(cost))
    return hmac.compare_digest(tried, base64.b64decode(derived))


def is_pin(text: str) -> bool:
    """Return whether `text` has the form of a PIN: 4 to 8 ASCII digits."""
    return bool(re.fullmatch(rf"[0-9]{{{MIN_DIGITS},{MAX_DIGITS}}}", text))


def speaker_key(person: Person, satellite_id: str | None, device_id: str | None) -> str:
    """Return the key for counting a speaker's PIN attempts.

    It is the user id of a signed-in person, else the id of the voice satellite or device, else
    `household`.
    """
    if person.is_certain and person.user_id is not None:
        return person.user_id
    return satellite_id or device_id or "household"


class PinGuard:
    """Counts wrong PIN attempts per speaker, and locks the PIN after too many.

    A speaker is identified by the key from `speaker_key`.
    """

    def __init__(
        self,
        wrong: Mapping[str, Sequence[float]] = NO_ATTEMPTS,
        store: Callable[[Mapping[str, list[float]]], None] | None = None,
        *,
        tries: int = 5,
        lock_seconds: float = 600.0,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Lock the PIN for `lock_seconds` after `tries` wrong attempts within `lock_seconds`.

        - `wrong`: stored times of the wrong attempts of each speaker
        - `store`: function that stores these times, after each change
        """
        self._allowed = tries
        self._lock_seconds = lock_seconds
        self._clock = clock
        self._store = store
        self._wrong = {key: list(times) for key, times in wrong.items()}

    def locked(self, key: str) -> bool:
        """Return whether the PIN is locked for the speaker `key`."""
        return len(self._recent(key)) >= self._allowed

    def failed(self, key: str) -> None:
        """Count a wrong attempt of the speaker `key`; lock the PIN if there were too many."""
        self._wrong[key] = [*self._recent(key), self._clock()][-self._allowed :]
        self._changed()

    def succeeded(self, key: str) -> None:
        """Reset the attempts and the lock of the speaker `key` after the correct PIN."""
        if self._wrong.pop(key, None) is not None:
            self._changed()

    def _recent(self, key: str) -> list[float]:
        """Return the attempts that count; a lock keeps all of them until it ends."""
        times, now = self._wrong.get(key, []), self._clock()
        if len(times) >= self._allowed:
            return times if now - times[-1] < self._lock_seconds else []
        return [at for at in times if now - at < self._lock_seconds]

    def _changed(self) -> None:
        self._wrong = {key: recent for key in self._wrong if (recent := self._recent(key))}
        if self._store is not None:
            self._store(self._wrong)


def _derive(pin: str, salt: bytes, cost: int) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, n=cost, r=_BLOCK, p=_LANES)


REDACTED: Final = "[PIN]"

_NUMBERS: Final = re.compile(r"\d[\d\s.,-]*\d|\d")
_DATE_OR_TIME: Final = re.compile(
    r"(?<![\d:./-])(?:(?:[01]?\d|2[0-3])(?::[0-5]\d){1,2}"
    r"|\d{4}([./-])\d{1,2}\1\d{1,2}|\d{1,2}([./-])\d{1,2}\2\d{4})(?![:./-]?\d)"
)
"""Times and dates, such as 19:30 or 2026-11-22, which do not count as PINs."""

_HARMLESS: Final = 200
"""Maximum number of remembered numbers per speaker that are not the PIN.

A remembered number is not compared with the PIN again.
"""


# A speaker may learn whether a number was replaced, so each comparison counts like a PIN attempt.
class PinRedaction:
    """Replaces the PIN in utterances by `[PIN]`.

    Each number of 4 to 8 digits is compared with the PIN. A number that is not the PIN counts as a
    wrong attempt of the speaker. After too many wrong attempts, numbers are replaced without a
    comparison, except those that an earlier comparison has ruled out.
    """

    def __init__(self, hass: HomeAssistant, pin_hash: str | None, guard: PinGuard) -> None:
        """Store the hash of the PIN (None: there is no PIN) and the counter of PIN attempts.

        `guard` counts each comparison with a number that is not the PIN as a wrong attempt.
        """
        self._hass = hass
        self._pin_hash = pin_hash
        self._guard = guard
        self._harmless: dict[str, deque[str]] = {}

    async def async_redact(self, text: str, language: str, speaker: str, *, expected: bool) -> str:
        """Return an utterance with the PIN replaced by `[PIN]`; unchanged if no PIN is set.

        - All numbers are replaced if one of them may be the PIN.
        - The whole text is replaced if the PIN may be in words, or if `expected`: the text is
          probably only the PIN.
        - `speaker` is the key from `speaker_key`.
        """
        if self._pin_hash is None:
            return text
        if expected:
            return REDACTED
        for number in await self._async_numbers(text, language):
            if await self._async_may_be(number, speaker):
                return await self._async_without_numbers(text, language, {number})
        return text

    async def async_redact_all(self, text: str, language: str) -> str:
        """Replace all numbers that may be the PIN, without a comparison with it.

        For words that SAGE did not hear: their numbers are no attempts. Unchanged if no PIN is set.
        """
        if self._pin_hash is None or not (numbers := await self._async_numbers(text, language)):
            return text
        return await self._async_without_numbers(text, language, set(numbers))

    async def _async_without_numbers(self, text: str, language: str, numbers: set[str]) -> str:
        """Replace all digits, or the whole text if some of the numbers are in words."""
        rest = _NUMBERS.sub(REDACTED, text)
        in_words = numbers.difference(_numbers(text, ()))
        return REDACTED if in_words or await self._async_numbers(rest, language) else rest

    async def _async_numbers(self, text: str, language: str) -> tuple[str, ...]:
        languages = (language, self._hass.config.language)
        return await self._hass.async_add_executor_job(_numbers, text, languages)

    async def _async_may_be(self, number: str, speaker: str) -> bool:
        assert self._pin_hash is not None
        harmless = self._harmless.setdefault(speaker, deque(maxlen=_HARMLESS))
        if number in harmless:
            return False
        if self._guard.locked(speaker):
            return True
        if await self._hass.async_add_executor_job(verify, self._pin_hash, number):
            return True
        # SAGE's answer may reveal that this number was not redacted, so the comparison is a guess.
        self._guard.failed(speaker)
        harmless.append(number)
        return False


def _numbers(text: str, languages: Sequence[str]) -> tuple[str, ...]:
    cleaned = _DATE_OR_TIME.sub(" - ", text)
    return numbers_within(cleaned, languages, shortest=MIN_DIGITS, longest=MAX_DIGITS)
