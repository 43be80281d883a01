"""Recognises numbers in digits or words, such as "4711", "four seven one one" or "47 11".

The number words come from Unicode CLDR through `unicode_rbnf`.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from unicode_rbnf import RbnfEngine

MIN_DIGITS: Final = 4
MAX_DIGITS: Final = 8
"""Maximum number of digits of a PIN."""

_LANGUAGES: Final = ("de", "en", "es", "fr", "it", "nl")
"""Languages in which number words are recognised, whatever the language of the home is."""

_FALL_BACK: Final = "en"

_NUMBERS: Final = "spellout-numbering"
"""CLDR rule set for a number without a noun: German `eins`, not `ein` or `eine`."""

_OTHER_WORDS: Final = {
    "de": {"zwo": "2", "fuenf": "5"},
    "en": {"oh": "0", "o": "0"},
    "fr": {"quatre-vingt": "80", "soixante-onze": "71"},
    "nl": {"één": "1"},
}
"""Language -> common number words that CLDR lacks -> digits."""

type _Phrases = Mapping[tuple[str, ...], str]


def number_alone(text: str, language: str, others: frozenset[str] = frozenset()) -> str | None:
    """Return the digits of an utterance that is only a number, such as "47 11"; otherwise None.

    `language` is tried before all other languages. `others`: words to ignore, such as `{"the",
    "pin", "is"}`.
    """
    for base in _languages(language):
        numbers = _numbers(text, base, others)
        if numbers and None not in numbers and (digits := "".join(filter(None, numbers))):
            return digits
    return None


def is_like_pin(text: str, language: str, others: frozenset[str] = frozenset()) -> bool:
    """Return whether an utterance is only a number with at least 4 digits, like a PIN.

    `others`: words to ignore, such as `{"the", "pin", "is"}`.
    """
    number = number_alone(text, language, others)
    return number is not None and len(number) >= MIN_DIGITS


def numbers_within(text: str, language: str, *, shortest: int, longest: int) -> tuple[str, ...]:
    """Return all numbers in a text that have `shortest` to `longest` digits.

    Neighbouring numbers are also joined: "47 11" contains 4711. Number words are recognised in all
    supported languages; results for `language` come first.
    """
    found: dict[str, None] = {}
    for base in _languages(language):
        for run in _runs(_numbers(text, base)):
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
    """Load the number words of all languages into the cache. Must run in the executor."""
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
    """Return the words of a number -> its digits, for numbers below 100 in the language `base`."""
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
    # Convert full-width digits and digits of other scripts to ASCII.
    plain = "".join(
        str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in text.casefold()
    )
    return re.findall(r"\d+|[^\W\d_]+", plain)


def _numbers(text: str, base: str, others: frozenset[str] = frozenset()) -> list[str | None]:
    """Return the words of `text` in order: digits for a number, None for any other word.

    The words in `others` are left out.
    """
    phrases, tokens = _phrases(base), _tokens(text)
    longest = max(map(len, phrases))
    numbers: list[str | None] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        if token.isdecimal():
            numbers.append(token)
            place += 1
            continue
        for length in range(longest, 0, -1):
            if (digits := phrases.get(tuple(tokens[place : place + length]))) is not None:
                numbers.append(digits)
                place += length
                break
        else:
            if token not in others:
                numbers.append(None)
            place += 1
    return numbers


def _runs(numbers: Sequence[str | None]) -> Iterator[list[str]]:
    """Yield the longest sequences of neighbouring numbers in the result of `_numbers`."""
    run: list[str] = []
    for digits in numbers:
        if digits is not None:
            run.append(digits)
        elif run:
            yield run
            run = []
    if run:
        yield run
