"""Number words of a language, from Unicode CLDR through `unicode_rbnf`."""

import contextlib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
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

_ARABIC_TENS: Final = ("عشرين", "ثلاثين", "أربعين", "خمسين", "ستين", "سبعين", "ثمانين", "تسعين")
_ARABIC_UNITS: Final = (
    *("واحد", "اثنين", "ثلاثة", "أربعة", "خمسة"),
    *("ستة", "سبعة", "ثمانية", "تسعة"),
)
_ARABIC_STEMS: Final = ("ثلاث", "أربع", "خمس", "ست", "سبع", "ثمان", "تسع")
_ARABIC: Final[Mapping[str, int]] = (
    {"اثنين": 2, "اتنين": 2, "تلاتة": 3, "تمانية": 8}
    | {"أحد عشر": 11, "وأحد عشر": 11, "إحدى عشرة": 11, "مئة": 100, "مئتان": 200}
    | {"مئتين": 200, "مائتين": 200, "ألفان": 2000, "ألفين": 2000}
    | {
        f"{before}{word}": tens * 10 + number
        for tens, word in enumerate(_ARABIC_TENS, 2)
        for number, before in enumerate(("", *(f"{unit} و" for unit in _ARABIC_UNITS)))
    }
    | {
        f"{stem}{hundred}": number * 100
        for number, stem in enumerate(_ARABIC_STEMS, 3)
        for hundred in ("مئة", "مائة")
    }
)
"""Forms that people write and say: CLDR has those of grammar books."""

_OTHER_WORDS: Final[Mapping[str, Mapping[str, int]]] = {
    "ar": _ARABIC,
    "de": {"zwo": 2, "fuenf": 5, "zwoelf": 12, "fuenfzehn": 15, "fuenfzig": 50, "und": AND},
    "en": {"oh": 0, "o": 0, "nought": 0, "and": AND},
    "es": {"un": 1, "treinta y un": 31},
    "fr": {"quatre-vingt": 80, "soixante-onze": 71, "et": AND},
    "it": {"cent": -100},
    "ja": {
        "ゼロ": 0, "れい": 0, "まる": 0, "いち": 1, "さん": 3, "よん": 4, "ご": 5, "ろく": 6,
        "なな": 7, "しち": 7, "はち": 8, "きゅう": 9, "じゅう": 10,
    },
    "ko": {"공": 0, "하나": 1, "둘": 2, "셋": 3, "넷": 4, "육": 6, "륙": 6},
    "nl": {"een": 1, "en": AND},
    "no": {"syv": 7, "tyve": 20, "tredve": 30},
    "pt": {"meia": 6, "e": AND},
    "ru": {"нуль": 0, "раз": 1},
    "sv": {"ett": 1, "en": 1, "noll": 0, "och": AND},
    "vi": {"không trăm": AND, "không trăm lẻ": AND, "linh": AND, "ngàn": -1000},
    "yue": {"一十": 10},
    "zh": {"一十": 10, "幺": 1, "两": 2, "兩": 2, "〇": 0},
}  # fmt: skip
"""Language -> common number words that CLDR lacks -> their values."""

_REPEATED: Final[Mapping[str, Mapping[str, int]]] = {
    "de": {"doppel": 2},
    "en": {"double": 2, "triple": 3},
    "es": {"doble": 2, "triple": 3},
    "fr": {"double": 2, "triple": 3},
    "it": {"doppio": 2, "triplo": 3},
    "nl": {"dubbel": 2},
    "pt": {"duplo": 2},
}
"""Language -> word before a digit that is said once for several -> how many."""


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


def _phrases(language: str, forms: Mapping[int, tuple[str, ...]]) -> dict[str, int | str]:
    """Return the folded phrases of single numbers -> their values."""
    phrases: dict[str, int | str] = {
        folded(phrase): value for phrase, value in _OTHER_WORDS.get(language, {}).items()
    }
    for number, spoken in forms.items():
        for phrase in spoken:
            phrases.setdefault(phrase, number)
    for word, times in _REPEATED.get(language, {}).items():
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
