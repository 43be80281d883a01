"""Hearing a number, said in digits or in words: "4711", "four seven one one", "47 11".

The words come from Unicode CLDR, by `unicode_rbnf`: the conversation integration of Home
Assistant has it through hassil, which reads spoken numbers by it, too.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from unicode_rbnf import RbnfEngine

MIN_DIGITS: Final = 4
MAX_DIGITS: Final = 8
"""Lengths of a PIN."""

_LANGUAGES: Final = ("de", "en", "es", "fr", "it", "nl")
"""A PIN may be said in any of these, whatever the language of the home is."""

_FALL_BACK: Final = "en"

_NUMBERS: Final = "spellout-numbering"
"""The rules of Unicode CLDR for a number alone: `eins`, not `ein` or `eine`."""

_OTHER_WORDS: Final = {
    "de": {"zwo": "2", "fuenf": "5"},
    "en": {"oh": "0", "o": "0"},
    "fr": {"quatre-vingt": "80", "soixante-onze": "71"},
    "nl": {"één": "1"},
}
"""What people also say."""

type _Phrases = Mapping[tuple[str, ...], str]


def number_alone(text: str, language: str, others: frozenset[str] = frozenset()) -> str | None:
    """Return the digits of an utterance that is one number and nothing else, else None.

    `others` are words that may stand beside it, such as "the PIN is". The number may be
    said in any language that is known here.
    """
    for base in _languages(language):
        heard = _heard(text, base, others)
        if heard and None not in heard and (digits := "".join(filter(None, heard))):
            return digits
    return None


def is_like_pin(text: str, language: str, others: frozenset[str] = frozenset()) -> bool:
    """Return whether an utterance is only a number with the length of a PIN."""
    number = number_alone(text, language, others)
    return number is not None and len(number) >= MIN_DIGITS


def numbers_within(text: str, language: str, *, shortest: int, longest: int) -> tuple[str, ...]:
    """Return each number of so many digits that neighbouring words or digits form.

    All languages are listened for, since a PIN may be said in any.
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
    """Load the words of all languages, once; reads files, so for the executor."""
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
    """Return the words of a language that say a number below 100, with its digits."""
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
    # Other scripts' digits and full-width ones become the plain digits.
    plain = "".join(
        str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in text.casefold()
    )
    return re.findall(r"\d+|[^\W\d_]+", plain)


def _heard(text: str, base: str, others: frozenset[str] = frozenset()) -> list[str | None]:
    """Return the digits of each number in turn, None for each other word."""
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
    """Yield the digits that follow each other with no other word between."""
    run: list[str] = []
    for digits in heard:
        if digits is not None:
            run.append(digits)
        elif run:
            yield run
            run = []
    if run:
        yield run
