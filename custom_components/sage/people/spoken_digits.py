"""Hearing a number, said in digits or in words: "4711", "four seven one one", "47 11"."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from .pin import MIN_DIGITS

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
_TEENS: Final = {
    "de": "zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
    "en": "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    "fr": "dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf",
}
_TENS: Final = {
    "de": "zwanzig dreissig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "fr": "vingt trente quarante cinquante soixante",
}
_FALL_BACK: Final = "en"

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


def _base(language: str) -> str:
    base = language.split("-", maxsplit=1)[0].lower()
    return base if base in _DIGIT_WORDS else _FALL_BACK


def _languages(first: str) -> Iterator[str]:
    base = _base(first)
    yield base
    yield from (each for each in _DIGIT_WORDS if each != base)


@cache
def _phrases(base: str) -> _Phrases:
    """Return the words of a language that say a number, with the digits that they mean."""
    units = _DIGIT_WORDS[base].split()
    said = {unit: str(digit) for digit, unit in enumerate(units)} | _OTHER_WORDS.get(base, {})
    teens = {word: str(10 + n) for n, word in enumerate(_TEENS.get(base, "").split())}
    said |= teens
    for n, tens in enumerate(_TENS.get(base, "").split(), start=2):
        said[tens] = f"{n}0"
        for digit, unit in enumerate(units[1:], start=1):
            said[_joined(base, tens, unit)] = f"{n}{digit}"
    if base == "en":
        said |= {f"double {unit}": str(digit) * 2 for digit, unit in enumerate(units)}
    if base == "fr":
        said |= _french(units, teens)
    return {tuple(_tokens(words)): digits for words, digits in said.items()}


def _joined(base: str, tens: str, unit: str) -> str:
    if base == "de":
        return f"{unit.removesuffix('s') if unit == 'eins' else unit}und{tens}"
    return f"{tens} et un" if unit == "un" else f"{tens} {unit}"


def _french(units: Sequence[str], teens: Mapping[str, str]) -> dict[str, str]:
    """Return the numbers from 70 to 99, which are counted by twenties."""
    said = {"quatre vingts": "80", "quatre vingt": "80", "soixante et onze": "71"}
    for word, digits in teens.items():
        said[f"soixante {word}"] = f"7{digits[1]}"
        said[f"quatre vingt {word}"] = f"9{digits[1]}"
    for digit, unit in enumerate(units[1:], start=1):
        said[f"quatre vingt {unit}"] = f"8{digit}"
    return said


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
