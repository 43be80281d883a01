"""Removes the PIN from an utterance before anything else reads it (DESIGN 5)."""

import re
from collections import deque
from typing import Final

from homeassistant.core import HomeAssistant

from .pin import MAX_DIGITS, MIN_DIGITS, PinGuard, verify
from .spoken_digits import numbers_within

REDACTED: Final = "[PIN]"

_NUMBERS: Final = re.compile(r"\d[\d\s.,-]*\d|\d")
_DATE_OR_TIME: Final = re.compile(
    r"(?<![\d:./-])(?:\d{1,2}:\d{2}(?::\d{2})?|\d{1,4}([./-])\d{1,2}\1\d{1,4})(?![:./-]?\d)"
)
"""Times and dates such as 19:30 or 2026-11-22, which are not PINs."""

_HARMLESS: Final = 200
"""Most numbers per speaker that are stored as not being the PIN."""


class PinRedaction:
    """Removes the PIN from utterances without helping anybody to guess it.

    The answer can reveal whether a number was redacted. So each comparison with the PIN counts
    as an attempt, like a reply to the question for the PIN. If a speaker has no attempt left,
    all numbers that could be a PIN are redacted.
    """

    def __init__(self, hass: HomeAssistant, pin_hash: str | None, guard: PinGuard) -> None:
        """Redact the PIN with the hash `pin_hash`; None for no PIN. `guard` counts the attempts."""
        self._hass = hass
        self._pin_hash = pin_hash
        self._guard = guard
        self._harmless: dict[str, deque[str]] = {}

    async def async_redact(self, text: str, language: str, speaker: str, *, expected: bool) -> str:
        """Return `text` as memory, trace and model may see it; `speaker`: see `speaker_key`.

        If a PIN is expected, the whole text is secret, even if it is wrong or not understood.
        Otherwise only the PIN in the text is replaced.
        """
        if self._pin_hash is None:
            return text
        if expected:
            return REDACTED
        for number in _numbers(text, language):
            if await self._async_may_be(number, speaker):
                rest = _NUMBERS.sub(REDACTED, text)
                return REDACTED if number in _numbers(rest, language) else rest
        return text

    async def _async_may_be(self, number: str, speaker: str) -> bool:
        assert self._pin_hash is not None
        harmless = self._harmless.setdefault(speaker, deque(maxlen=_HARMLESS))
        if number in harmless:
            return False
        if self._guard.locked(speaker):
            return True
        if await self._hass.async_add_executor_job(verify, self._pin_hash, number):
            return True
        self._guard.failed(speaker)
        harmless.append(number)
        return False


def _numbers(text: str, language: str) -> tuple[str, ...]:
    told = _DATE_OR_TIME.sub(" - ", text)
    return numbers_within(told, language, shortest=MIN_DIGITS, longest=MAX_DIGITS)
