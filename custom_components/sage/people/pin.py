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

from .confirmation_words import confirmation_words
from .spoken_digits import MAX_DIGITS, MIN_DIGITS, number_alone, numbers_within
from .spoken_numbers import load_number_words

_SCHEME: Final = "scrypt"
COST: Final = 2**14
"""CPU and memory cost of new PIN hashes (parameter n of scrypt)."""

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


class Pin:
    """The PIN of the household: compares attempts with it, and replaces it in texts by `[PIN]`.

    Wrong attempts count for their speaker (`Person.speaker_key`); too many lock the PIN for them.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        pin_hash: str | None,
        wrong: Mapping[str, Sequence[float]] | None = None,
        store: Callable[[Mapping[str, list[float]]], None] | None = None,
        *,
        tries: int = 5,
        lock_seconds: float = 600.0,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Lock the PIN for `lock_seconds` after `tries` wrong attempts within `lock_seconds`.

        - `pin_hash`: hash of the PIN; None: no PIN is set
        - `wrong`: stored times of the wrong attempts of each speaker
        - `store`: function that stores these times, after each change
        """
        self._hass = hass
        self._hash = pin_hash
        self.is_set = pin_hash is not None
        """Whether the household has a PIN."""

        self._wrong = {speaker: list(times) for speaker, times in (wrong or {}).items()}
        self._store = store
        self._allowed = tries
        self._lock_seconds = lock_seconds
        self._clock = clock
        self._harmless: dict[str, deque[str]] = {}

    async def async_load(self) -> None:
        """Load the number words of all languages in advance, if a PIN is set."""
        if self.is_set:
            await self._hass.async_add_executor_job(load_number_words)

    # ------------------------------------------------------------- attempts

    def locked(self, speaker: str) -> bool:
        """Return whether the PIN is locked for a speaker."""
        return len(self._recent(speaker)) >= self._allowed

    def failed(self, speaker: str) -> None:
        """Count a wrong attempt of a speaker; lock the PIN if there were too many."""
        self._wrong[speaker] = [*self._recent(speaker), self._clock()][-self._allowed :]
        self._changed()

    def succeeded(self, speaker: str) -> None:
        """Reset the attempts and the lock of a speaker after the correct PIN."""
        if self._wrong.pop(speaker, None) is not None:
            self._changed()

    async def async_try(self, number: str, speaker: str) -> bool:
        """Return whether a number is the PIN, and count the attempt of the speaker.

        Call this only if the PIN is set, and not locked for the speaker.
        """
        is_right = await self._async_verify(number)
        (self.succeeded if is_right else self.failed)(speaker)
        return is_right

    async def async_in_reply(self, reply: str, languages: Sequence[str]) -> str | None:
        """Return the number in a reply that says the PIN and nothing else, such as "it is 4711".

        None for other replies, and if no PIN is set.
        """

        def find() -> str | None:
            # A PIN does not confirm if the reply has other words, such as "but not the garage".
            others = confirmation_words().words_with_pin(*languages)
            return number_alone(reply, languages, others)

        return await self._hass.async_add_executor_job(find) if self.is_set else None

    async def async_is_like(self, text: str, language: str) -> bool:
        """Return whether a text is only a number with at least 4 digits, like a PIN."""
        languages = (language, self._hass.config.language)
        number = await self._hass.async_add_executor_job(number_alone, text, languages)
        return number is not None and len(number) >= MIN_DIGITS

    async def _async_verify(self, number: str) -> bool:
        assert self._hash is not None
        return await self._hass.async_add_executor_job(verify, self._hash, number)

    def _recent(self, speaker: str) -> list[float]:
        """Return the attempts that count; a lock keeps all of them until it ends."""
        times, now = self._wrong.get(speaker, []), self._clock()
        if len(times) >= self._allowed:
            return times if now - times[-1] < self._lock_seconds else []
        return [at for at in times if now - at < self._lock_seconds]

    def _changed(self) -> None:
        self._wrong = {each: recent for each in self._wrong if (recent := self._recent(each))}
        if self._store is not None:
            self._store(self._wrong)

    # ------------------------------------------------------------- redaction

    async def async_redact(self, text: str, language: str, speaker: str, *, expected: bool) -> str:
        """Return an utterance with the PIN replaced by `[PIN]`; unchanged if no PIN is set.

        - Each number of 4 to 8 digits is compared with the PIN. A number that is not the PIN counts
          as a wrong attempt of the speaker. If the PIN is locked for the speaker, numbers are
          replaced without a comparison, except those that an earlier one has ruled out.
        - All numbers are replaced if one of them may be the PIN.
        - The whole text is replaced if the PIN may be in words, or if `expected`: the text is
          probably only the PIN.
        """
        if not self.is_set:
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
        if not self.is_set or not (numbers := await self._async_numbers(text, language)):
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
        harmless = self._harmless.setdefault(speaker, deque(maxlen=_HARMLESS))
        if number in harmless:
            return False
        if self.locked(speaker):
            return True
        if await self._async_verify(number):
            return True
        # SAGE's answer may reveal that this number was not redacted, so the comparison is a guess.
        self.failed(speaker)
        harmless.append(number)
        return False


def _numbers(text: str, languages: Sequence[str]) -> tuple[str, ...]:
    cleaned = _DATE_OR_TIME.sub(" - ", text)
    return numbers_within(cleaned, languages, shortest=MIN_DIGITS, longest=MAX_DIGITS)
