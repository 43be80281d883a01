"""Taking a PIN out of what a person said, before anything reads it (DESIGN 5)."""

import re
from typing import Final

from homeassistant.core import HomeAssistant

from .pin import digits_in, verify

REDACTED: Final = "[PIN]"


async def async_without_pin(
    hass: HomeAssistant, text: str, language: str, *, pin_hash: str | None, expected: bool
) -> str:
    """Return `text` as memory, trace and model may see it.

    When a PIN was asked for, any digits make the whole reply secret: a wrong
    PIN is often nearly the right one. Otherwise the text is kept unless it
    holds the PIN.
    """
    if pin_hash is None or not (tried := digits_in(text, language)):
        return text
    if expected:
        return REDACTED
    for digits in tried:
        if await hass.async_add_executor_job(verify, pin_hash, digits):
            return re.sub(r"\d[\d\s.,-]*\d|\d", REDACTED, text) if digits in text else REDACTED
    return text
