"""Find a known number that a text says in words, such as "about twenty degrees".

The words come from Unicode CLDR through `unicode_rbnf`, in about 90 languages.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.util.language import Dialect
from unicode_rbnf import RbnfEngine

_ENGLISH: Final = "en"
_WORD: Final = re.compile(r"[\u0e00-\u0eff\u3005-\u30ff\u3400-\u9fff]|[^\W\d_]+|\d+")
"""A word; one character in scripts without spaces between words."""

_COUNTED: Final = (*range(101), 1_000, 1_000_000, -1, 0.5)
"""Numbers whose words are all words of which numbers are made."""


@dataclass(frozen=True, slots=True)
class _Words:
    engine: RbnfEngine
    minus: tuple[str, ...]  # the word in front of a negative number
    parts: frozenset[str]  # all words of which numbers are made


_LOADED: Final[dict[str, _Words | None]] = {}  # language -> its words; None if CLDR has none


async def async_load_numbers(hass: HomeAssistant, language: str) -> None:
    """Load the number words of a language, if there are any, and of English."""
    if Dialect.parse(language).language not in _LOADED:
        await hass.async_add_executor_job(load_numbers, language)


def load_numbers(language: str) -> None:
    """Load the number words of a language, and of English. Must run in the executor."""
    for base in (_ENGLISH, Dialect.parse(language).language):
        if base in _LOADED:
            continue
        if base not in RbnfEngine.get_supported_languages():
            _LOADED[base] = None
            continue
        engine = RbnfEngine.for_language(base)
        one, less = (next(_spelled(engine, number), ()) for number in (1, -1))
        minus = less[: -len(one)] if one and less[-len(one) :] == one else less[:1]
        parts = {
            word for number in _COUNTED for words in _spelled(engine, number) for word in words
        }
        _LOADED[base] = _Words(engine, minus, frozenset(parts))


def is_number(word: str, language: str) -> bool:
    """Return whether a word means a number, such as "two". Must run in the executor."""
    load_numbers(language)
    bases = (Dialect.parse(language).language, _ENGLISH)
    return any(word in words.parts for base in bases if (words := _LOADED.get(base)))


def with_digits(text: str, numbers: Iterable[float], language: str) -> str:
    """Return the text with digits for the words of one of `numbers`, and `-` for "minus".

    Other numbers in words make the result the unchanged text: "twenty-five" is not 20.
    """
    candidates = tuple(numbers)
    for base in dict.fromkeys((Dialect.parse(language).language, _ENGLISH)):
        if (words := _LOADED.get(base)) is not None:
            text = _with_minus(text, words)
            for number in candidates:
                for spelled in _spelled(words.engine, number):
                    if (replaced := _replaced(text, spelled, number, words)) is not None:
                        return replaced
    return text


def _with_minus(text: str, words: _Words) -> str:
    for run, _, after in _places(text, words.minus):
        if after and after[0][0].isdecimal():
            return f"{text[: run[0].start()]}-{text[after[0].start() :]}"
    return text


def _replaced(text: str, spelled: tuple[str, ...], number: float, words: _Words) -> str | None:
    for run, before, after in _places(text, spelled):
        if not any(each[0].casefold() in words.parts for each in (*before, *after)):
            return f"{text[: run[0].start()]}{number:.10g}{text[run[-1].end() :]}"
    return None


def _places(text: str, words: tuple[str, ...]) -> Iterator[tuple[list[re.Match[str]], ...]]:
    """Yield where words stand next to each other in a text, with the words before and after."""
    own, size = list(_WORD.finditer(text)), len(words)
    for start in range(len(own) - size + 1 if size else 0):
        run = own[start : start + size]
        if all(each[0].casefold() == word for each, word in zip(run, words, strict=True)):
            yield run, own[:start], own[start + size :]


def _spelled(engine: RbnfEngine, number: float) -> Iterator[tuple[str, ...]]:
    """Yield the words of a number, for each of its forms in the language."""
    try:
        forms = engine.format_number(number).text_by_ruleset.values()
    except ValueError, ArithmeticError:
        return
    for form in dict.fromkeys(forms):
        # CLDR writes soft hyphens where a long word may be divided.
        yield tuple(_WORD.findall(form.replace("\u00ad", "").casefold()))
