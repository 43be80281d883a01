"""Recognise a number in digits or words: "4711", "four seven one one", "47 11".

The words come from Unicode CLDR through `unicode_rbnf`, which Home Assistant's conversation
integration installs with hassil.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from unicode_rbnf import RbnfEngine

MIN_DIGITS: Final = 4
MAX_DIGITS: Final = 8
"""MIN_DIGITS and MAX_DIGITS limit the length of a PIN."""

_LANGUAGES: Final = ("de", "en", "es", "fr", "it", "nl")
"""Languages in which a PIN may be said, whatever the language of the home."""

_FALL_BACK: Final = "en"

_NUMBERS: Final = "spellout-numbering"
"""The CLDR rules for a number alone: `eins`, not `ein` or `eine`."""

_OTHER_WORDS: Final = {
    "de": {"zwo": "2", "fuenf": "5"},
    "en": {"oh": "0", "o": "0"},
    "fr": {"quatre-vingt": "80", "soixante-onze": "71"},
    "nl": {"één": "1"},
}
"""Common variants that CLDR lacks."""

type _Phrases = Mapping[tuple[str, ...], str]


def number_alone(text: str, language: str, others: frozenset[str] = frozenset()) -> str | None:
    """Return the digits of an utterance that is only one number, else None.

    `others` are words that may accompany the number, such as "the PIN is". The number may be said
    in any of the known languages.
    """
    for base in _languages(language):
        heard = _heard(text, base, others)
        if heard and None not in heard and (digits := "".join(filter(None, heard))):
            return digits
    return None


def is_like_pin(text: str, language: str, others: frozenset[str] = frozenset()) -> bool:
    """Return whether an utterance is only a number of MIN_DIGITS or more digits."""
    number = number_alone(text, language, others)
    return number is not None and len(number) >= MIN_DIGITS


def numbers_within(text: str, language: str, *, shortest: int, longest: int) -> tuple[str, ...]:
    """Return all numbers of `shortest` to `longest` digits that neighbouring words form.

    All known languages are checked, since a PIN may be said in any of them.
    """
    found: dict[str, None] = {}
    for base in _languages(language):
        for run in _runs(_heard(text, base)):
            for first in range(len(run)):
                joined = ""
                for part in run[first : first + longest]:
                    joined += part
                    if len(joined) > longest:
                        break
                    if len(joined) >= shortest:
                        found[joined] = None
    return tuple(found)


def load_number_words() -> None:
    """Load the words of all languages once. Reads files: call it in the executor."""
    for base in _LANGUAGES:
        _phrases(base)


def _languages(first: str) -> Iterator[str]:
    base = first.split("-", maxsplit=1)[0].lower()
    if base not in _LANGUAGES:
        base = _FALL_BACK
    yield base
    yield from (each for each in _LANGUAGES if each != base)


@cache
def _phrases(base: str) -> _Phrases:
    """Return the words for numbers below 100 in a language -> digits."""
    engine = RbnfEngine.for_language(base)
    said = {
        engine.format_number(number, ruleset_names=[_NUMBERS]).text: str(number)
        for number in range(100)
    }
    if base == "en":
        said |= {f"double {unit}": digit * 2 for unit, digit in said.items() if len(digit) == 1}
    said |= _OTHER_WORDS.get(base, {})
    return {tuple(_tokens(words)): digits for words, digits in said.items()}


def _tokens(text: str) -> list[str]:
    # Digits of other scripts and full-width digits become ASCII digits.
    plain = "".join(
        str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in text.casefold()
    )
    return re.findall(r"\d+|[^\W\d_]+", plain)


def _heard(text: str, base: str, others: frozenset[str] = frozenset()) -> list[str | None]:
    """Return the digits of each number, in order, and None for each other word."""
    phrases, tokens = _phrases(base), _tokens(text)
    longest = max(map(len, phrases))
    heard: list[str | None] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        if token.isdecimal():
            heard.append(token)
            place += 1
            continue
        for length in range(longest, 0, -1):
            if (digits := phrases.get(tuple(tokens[place : place + length]))) is not None:
                heard.append(digits)
                place += length
                break
        else:
            if token not in others:
                heard.append(None)
            place += 1
    return heard


def _runs(heard: Sequence[str | None]) -> Iterator[list[str]]:
    """Yield sequences of digits without another word in between."""
    run: list[str] = []
    for digits in heard:
        if digits is not None:
            run.append(digits)
        elif run:
            yield run
            run = []
    if run:
        yield run
