"""Taking a PIN out of what a person said, before anything reads it (DESIGN 5)."""

import re
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from homeassistant.core import HomeAssistant

from .pin import MAX_DIGITS, MIN_DIGITS, verify
from .spoken_digits import digits_in, numbers_within

REDACTED: Final = "[PIN]"

_NUMBERS: Final = re.compile(r"\d[\d\s.,-]*\d|\d")


@dataclass(slots=True)
class _Heard:
    """The numbers that one person has said unasked."""

    harmless: deque[str]
    """Not the PIN, as was found out once."""

    found_out: deque[float] = field(default_factory=deque)
    """When the last of them were found out."""


class PinRedaction:
    """Knows a PIN when it hears one, without helping to guess it.

    Whether a number was redacted can be heard in the answer. So only few numbers are
    held against the PIN in a while; beyond that, all that might be it are redacted.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        pin_hash: str | None,
        *,
        numbers: int = 20,
        seconds: float = 600.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Find out so many numbers of each person in so many seconds."""
        self._hass = hass
        self._pin_hash = pin_hash
        self._numbers = numbers
        self._seconds = seconds
        self._clock = clock
        self._heard: dict[str | None, _Heard] = {}

    async def async_redact(
        self, text: str, language: str, user_id: str | None, *, expected: bool
    ) -> str:
        """Return `text` as memory, trace and model may see it.

        Where the PIN is expected, any digits make the whole text secret: a wrong PIN is
        often nearly the right one. Otherwise the text is kept unless it holds the PIN.
        """
        if self._pin_hash is None:
            return text
        if expected and digits_in(text, language):
            return REDACTED
        numbers = _numbers(text, language)
        if expected and numbers:
            return REDACTED
        for number in numbers:
            if await self._async_may_be(number, user_id):
                rest = _NUMBERS.sub(REDACTED, text)
                return REDACTED if number in _numbers(rest, language) else rest
        return text

    async def _async_may_be(self, number: str, user_id: str | None) -> bool:
        assert self._pin_hash is not None
        heard = self._heard.setdefault(user_id, _Heard(deque(maxlen=10 * self._numbers)))
        if number in heard.harmless:
            return False
        now = self._clock()
        while heard.found_out and now - heard.found_out[0] >= self._seconds:
            heard.found_out.popleft()
        if len(heard.found_out) >= self._numbers:
            return True
        heard.found_out.append(now)
        if await self._hass.async_add_executor_job(verify, self._pin_hash, number):
            return True
        heard.harmless.append(number)
        return False


def _numbers(text: str, language: str) -> tuple[str, ...]:
    return numbers_within(text, language, shortest=MIN_DIGITS, longest=MAX_DIGITS)
