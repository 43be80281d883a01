"""Number words of a language, from Unicode CLDR through `unicode_rbnf`."""

import contextlib
import json
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Final

from unicode_rbnf import RbnfEngine
from unicode_rbnf.engine import FormatPurpose, RbnfError

AND: Final = -1
"""Value of a word that connects parts of a number, such as "and" in "one hundred and one"."""

_CONNECTED: Final = ((101, 100, 1), (120, 100, 20), (1001, 1000, 1), (1100, 1000, 100))
"""Numbers that may have a word such as "and" between their two parts."""

_SPOKEN: Final = (
    *range(100),
    *range(100, 1000, 100),
    *range(1000, 10_000, 1000),
    *(10_000, 20_000),
    *(whole for whole, _, _ in _CONNECTED),
)
_SCALES: Final = (100, 1000, 10_000)
_CODES: Final = {"nb": "no", "tl": "fil", "iw": "he", "in": "id"}
"""Language -> the code for it in `unicode_rbnf`, where they differ."""

_DISTINCT: Final = 0.9
"""Minimum share of distinct phrases in a usable rule set of CLDR."""

_PREFIXES: Final = {"ar": "و", "he": "ו"}
_UNSPACED: Final = frozenset({"ja", "km", "lo", "my", "th", "yue", "zh"})

_FILE: Final = Path(__file__).with_name("number_words.json")
"""Words that CLDR lacks, by language.

- `phrases`: a common phrase -> its value, as in `NumberWords.values`
- `repeated`: a word before a digit that is said once for several -> how many
"""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumberWords:
    """The number words of one language. Keys are folded phrases without spaces."""

    values: Mapping[str, int | str]
    """Phrase -> value of 0 to 9000; `AND`; or a negative scale, such as -100 for "hundred".

    A text, such as "44" for "double four", is digits that are said in one phrase.
    """

    heads: frozenset[str]
    """The first word of each phrase."""

    most_words: int
    most_letters: int
    prefix: str
    """The word "and" if it is written as the first letter of the next word; otherwise empty."""

    is_unspaced: bool
    """Whether the language has no spaces between words."""


class _Signs(dict[int, str]):
    """Table for `str.translate`: keeps letters, marks and digits; digits become ASCII."""

    def __missing__(self, code: int) -> str:
        sign = chr(code)
        kind = unicodedata.category(sign)
        if sign.isdecimal():
            self[code] = str(unicodedata.decimal(sign))
        elif kind == "Cf" or unicodedata.combining(sign) >= 200:
            self[code] = ""
        else:
            self[code] = sign if kind[0] in "LMN" else " "
        return self[code]


_SIGNS: Final = _Signs()


def folded(text: str) -> str:
    """Return lower-case words without accents, separated by spaces; all digits are ASCII."""
    plain = unicodedata.normalize("NFKD", text.casefold()).translate(_SIGNS)
    return unicodedata.normalize("NFC", plain)


@cache
def languages_with_numbers() -> tuple[str, ...]:
    """Return the codes of all languages that `unicode_rbnf` has, without regions."""
    codes = RbnfEngine.get_supported_languages()
    return tuple(dict.fromkeys(code.partition("_")[0] for code in codes))


@cache
def number_words(language: str) -> NumberWords | None:
    """Return the number words of a language code without its region; None if unknown.

    The first call for a language reads files and must run in the executor.
    """
    language = _CODES.get(language, language)
    forms = _forms(language)
    if not forms:
        return None
    phrases = _phrases(language, forms)
    values: dict[str, int | str] = {}
    for phrase, value in phrases.items():
        values.setdefault(joined(phrase), value)
    for scale in _SCALES:
        for word in _scale_words(forms, scale):
            if values.get(word, scale) == scale:
                values[word] = -scale
    for word in _connectors(forms):
        values.setdefault(word, AND)
    prefix = _PREFIXES.get(language, "")
    return NumberWords(
        values=values,
        heads=frozenset(phrase.split()[0] for phrase in phrases),
        most_words=max(phrase.count(" ") + 1 for phrase in phrases) + bool(prefix),
        most_letters=max(map(len, values)),
        prefix=prefix,
        is_unspaced=language in _UNSPACED,
    )


@cache
def _more_words() -> Mapping[str, Mapping[str, Mapping[str, int]]]:
    words: Mapping[str, Mapping[str, Mapping[str, int]]]
    words = json.loads(_FILE.read_text(encoding="utf-8"))
    return words


def _phrases(language: str, forms: Mapping[int, tuple[str, ...]]) -> dict[str, int | str]:
    """Return the folded phrases of single numbers -> their values."""
    phrases: dict[str, int | str] = {
        folded(phrase): value
        for phrase, value in _more_words()["phrases"].get(language, {}).items()
    }
    for number, spoken in forms.items():
        for phrase in spoken:
            phrases.setdefault(phrase, number)
    for word, times in _more_words()["repeated"].get(language, {}).items():
        for digit in range(10):
            phrases |= {f"{word} {phrase}": str(digit) * times for phrase in forms[digit]}
    return phrases


def load_number_words() -> None:
    """Load the number words of all languages into the cache. Must run in the executor."""
    for language in languages_with_numbers():
        number_words(language)


def joined(phrase: str) -> str:
    """Return a folded phrase without spaces."""
    return phrase.replace(" ", "")


def _forms(language: str) -> dict[int, tuple[str, ...]]:
    """Return number -> its folded phrases in all genders and cases, the usual one first."""
    forms: dict[int, tuple[str, ...]] = {}
    for code in RbnfEngine.get_supported_languages():
        if code.partition("_")[0] != language:
            continue
        engine = RbnfEngine.for_language(code)
        for name, ruleset in engine.rulesets.items():
            is_cardinal = FormatPurpose.from_ruleset_name(name) is FormatPurpose.CARDINAL
            if ruleset.is_private or not is_cardinal:
                continue
            with contextlib.suppress(RbnfError):
                spoken = [folded(_spelled(engine, name, number)).strip() for number in _SPOKEN]
                # Some rules write only a part of a number, and so the same for several.
                is_spelled = not any(map(str.isdecimal, "".join(spoken)))
                if is_spelled and len(set(spoken)) > _DISTINCT * len(_SPOKEN):
                    for number, phrase in zip(_SPOKEN, spoken, strict=True):
                        words = " ".join(phrase.split())
                        forms[number] = tuple(dict.fromkeys((*forms.get(number, ()), words)))
    return forms


def _spelled(engine: RbnfEngine, ruleset: str, number: int) -> str:
    spelled: str = engine.format_number(number, ruleset_names=[ruleset]).text
    return spelled


def _scale_words(forms: Mapping[int, tuple[str, ...]], scale: int) -> Iterator[str]:
    """Yield the words for a scale after a number, such as "hundred" of "two hundred"."""
    for digit in range(1, 10):
        for phrase in map(joined, forms.get(digit * scale, ())):
            rests = {
                phrase.removeprefix(unit)
                for unit in map(joined, forms[digit])
                if phrase.startswith(unit) and phrase != unit
            }
            yield from rests
            if digit == 1 and not rests:
                yield phrase


def _connectors(forms: Mapping[int, tuple[str, ...]]) -> Iterator[str]:
    """Yield the words between the parts of a number, such as "and" of "one hundred and one"."""
    for whole, first, last in _CONNECTED:
        for phrase, start, end in product(
            *(map(joined, forms[part]) for part in (whole, first, last))
        ):
            if phrase.startswith(start) and phrase.endswith(end):
                yield from filter(None, [phrase[len(start) : -len(end)]])
