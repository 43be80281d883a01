"""The household PIN: how it is kept, heard and guarded against guessing (DESIGN 5)."""

import base64
import hashlib
import hmac
import re
import secrets
import time
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

MIN_DIGITS: Final = 4
MAX_DIGITS: Final = 8

_SCHEME: Final = "scrypt"
_COST: Final = 2**14
_BLOCK: Final = 8
_LANES: Final = 1

_DIGIT_WORDS: Final = {
    "de": "null eins zwei drei vier fünf sechs sieben acht neun",
    "en": "zero one two three four five six seven eight nine",
    "es": "cero uno dos tres cuatro cinco seis siete ocho nueve",
    "fr": "zéro un deux trois quatre cinq six sept huit neuf",
    "it": "zero uno due tre quattro cinque sei sette otto nove",
    "nl": "nul een twee drie vier vijf zes zeven acht negen",
}
_OTHER_WORDS: Final = {
    "de": {"zwo": "2", "fuenf": "5"},
    "en": {"oh": "0", "o": "0"},
    "nl": {"één": "1"},
}
_FEWEST_AMONG_WORDS: Final = 3
"""Digits among other words; fewer are rather a number of something."""


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


def digits_in(text: str, language: str) -> tuple[str, ...]:
    """Return the digit strings of an utterance that may be meant as a PIN.

    Digits that follow each other, spoken as words or written apart, count as one string:
    "one two three four", "12 34" and "1.234" are all "1234". Short numbers among other
    words ("30 percent") are left out.
    """
    words = _words_of(language)
    runs = list(_runs(text, words))
    alone = len(runs) == 1 and not _without_digits(text, words)
    found: list[str] = []
    for run in runs:
        joined = "".join(run)
        if alone or len(joined) >= _FEWEST_AMONG_WORDS:
            found.append(joined)
        if len(run) > 1:
            found += [part for part in run if len(part) >= MIN_DIGITS]
    return tuple(dict.fromkeys(found))


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


def _words_of(language: str) -> dict[str, str]:
    base = language.split("-", maxsplit=1)[0].lower()
    if base not in _DIGIT_WORDS:
        base = "en"
    words = {word: str(digit) for digit, word in enumerate(_DIGIT_WORDS[base].split())}
    return words | _OTHER_WORDS.get(base, {})


def _tokens(text: str) -> list[str]:
    # Other scripts' digits and full-width ones become the plain digits.
    plain = "".join(
        str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in text.casefold()
    )
    return re.findall(r"\d+|[^\W\d_]+", plain)


def _runs(text: str, words: dict[str, str]) -> Iterator[list[str]]:
    """Yield the digits that follow each other with no other word between."""
    run: list[str] = []
    for token in _tokens(text):
        digits = token if token.isdecimal() else words.get(token)
        if digits is not None:
            run.append(digits)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _without_digits(text: str, words: dict[str, str]) -> list[str]:
    return [token for token in _tokens(text) if not token.isdecimal() and token not in words]
