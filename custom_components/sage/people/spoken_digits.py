"""Recognises numbers in digits or words, such as "4711", "four seven one one" or "47 11".

All functions may load the words of a language, so they must run in the executor.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, groupby, pairwise
from typing import Final

from homeassistant.util.language import Dialect

from .spoken_numbers import AND, NumberWords, folded, languages_with_numbers, number_words

MIN_DIGITS: Final = 4
MAX_DIGITS: Final = 8
"""Maximum number of digits of a PIN."""

_FALL_BACK: Final = "en"

_TOKEN: Final = re.compile(r"[0-9]+|[^0-9\s]+")
_UNSPACED: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Letters of scripts without spaces: Thai, Lao, Burmese, Khmer, Japanese and Chinese."""

_SHORT: Final = re.compile("[\u1100-\uffff]")
"""Letters of scripts in which a number word may have a single letter."""

_LONGEST_COMPOUND: Final = 100
"""Maximum number of letters of a number that is written as one word."""

_NO_WORDS: Final = NumberWords(
    values={}, heads=frozenset(), most_words=1, most_letters=0, prefix="", is_unspaced=False
)

type _Part = int | str | None
"""A number word (`NumberWords.values`), the digits of a number, or None for any other word."""


def number_alone(
    text: str, languages: Sequence[str], others: frozenset[str] = frozenset()
) -> str | None:
    """Return the digits of an utterance that is only a number, such as "47 11"; otherwise None.

    `languages` are tried before all other languages. `others`: words to ignore, such as `{"the",
    "pin", "is"}`.
    """
    tokens = _tokens(text)
    own = _own(languages)
    for words in chain(own, _others(own)):
        digits = ""
        for number in _numbers(_parts(tokens, words, others)):
            if number is None:
                break
            digits += number
        else:
            if digits:
                return digits
    return None


def numbers_within(
    text: str, languages: Sequence[str], *, shortest: int, longest: int
) -> tuple[str, ...]:
    """Return all numbers in a text that have `shortest` to `longest` digits.

    Neighbouring numbers are also joined: "47 11" contains 4711. Number words are recognised in all
    languages; in others than `languages`, only numbers of several words. Without `languages`, only
    digits are recognised.
    """
    numbers: dict[str, None] = {}
    tokens = _tokens(text)
    own = _own(languages)
    others = (words for words in _others(own) if _may_contain(tokens, words)) if languages else ()
    for words in chain(own, others):
        for run in _runs(_numbers(_parts(tokens, words))):
            for first in range(len(run)):
                for digits in accumulate(run[first : first + longest]):
                    if shortest <= len(digits) <= longest:
                        numbers[digits] = None
    return tuple(numbers)


def folded_words(text: str) -> frozenset[str]:
    """Return the words of a text in the form that `others` of `number_alone` needs."""
    return frozenset(_tokens(text))


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(folded(text))


def _own(languages: Sequence[str]) -> list[NumberWords]:
    bases = [Dialect.parse(each).language for each in languages]
    unique = dict.fromkeys((*bases, _FALL_BACK) if bases else ())
    return [words for base in unique if (words := number_words(base)) is not None] or [_NO_WORDS]


def _others(own: Sequence[NumberWords]) -> Iterator[NumberWords]:
    for language in languages_with_numbers():
        if (words := number_words(language)) is not None and words not in own:
            yield words


def _may_contain(tokens: Sequence[str], words: NumberWords) -> bool:
    """Return whether a text may contain a number of several words."""
    heads = words.heads
    return any(first in heads and second in heads for first, second in pairwise(tokens)) or (
        words.is_unspaced and any(map(_UNSPACED.search, tokens))
    )


def _parts(
    tokens: Sequence[str], words: NumberWords, others: frozenset[str] = frozenset()
) -> Iterator[_Part]:
    """Yield the number words and digits in order, and None for any word that is not in `others`."""
    tokens = list(_split(tokens, words))
    start = 0
    while start < len(tokens):
        token = tokens[start]
        if token.isdecimal():
            yield token
            start += 1
            continue
        for end in range(min(start + words.most_words, len(tokens)), start, -1):
            if (value := words.values.get("".join(tokens[start:end]))) is not None:
                yield value
                start = end
                break
        else:
            if (compound := _compound(token, words)) is not None:
                yield from compound
            elif token not in others:
                yield from _scanned(token, words)
            start += 1


def _split(tokens: Iterable[str], words: NumberWords) -> Iterator[str]:
    """Yield the tokens; Arabic and Hebrew "and", which is a prefix, becomes a token of its own."""
    for token in tokens:
        if words.prefix and token.startswith(words.prefix) and token[1:] in words.heads:
            yield words.prefix
            yield token[1:]
        else:
            yield token


def _compound(token: str, words: NumberWords) -> list[int | str] | None:
    """Return the fewest number words that a word consists of; None if it has other letters."""
    parts: dict[int, list[int | str]] = {0: []}
    for start in range(min(len(token), _LONGEST_COMPOUND)):
        if start not in parts:
            continue
        shortest = 1 if _SHORT.match(token[start]) else 2
        for end in range(start + shortest, min(start + words.most_letters, len(token)) + 1):
            value = words.values.get(token[start:end])
            so_far = parts.get(end)
            if value is not None and (so_far is None or len(so_far) >= len(parts[start]) + 1):
                parts[end] = [*parts[start], value]
    compound = parts.get(len(token))
    return None if compound is None or set(compound) == {AND} else compound


def _scanned(token: str, words: NumberWords) -> Iterator[_Part]:
    """Yield the number words in a text without spaces, such as Chinese; None for other signs."""
    if not (words.is_unspaced and _UNSPACED.search(token)):
        yield None
        return
    start = 0
    while start < len(token):
        for end in range(min(start + words.most_letters, len(token)), start, -1):
            if (value := words.values.get(token[start:end])) is not None:
                yield value
                start = end
                break
        else:
            yield None
            start += 1


def _numbers(parts: Iterable[_Part]) -> Iterator[str | None]:
    """Yield the digits of each number that the parts form; None for any other word.

    Example: 12, -100, 34 ("twelve hundred thirty-four") form "1234".
    """
    total: int | None = None
    for said, following in pairwise(chain(parts, (None,))):
        part = said
        if isinstance(said, str) and not said.startswith("0"):
            is_multiplied = isinstance(following, int) and following < AND
            # "12 hundred 34" is 1234, but "12 34" are two numbers.
            if is_multiplied or (total is not None and total >= 100 and len(said) <= 2):
                part = int(said)
        if total is not None and isinstance(part, int):
            # "one hundred and one", and Chinese "one hundred zero one"
            if part in (AND, 0) and total >= 100 and _sum(total, following) is not None:
                continue
            if (larger := _sum(total, part)) is not None:
                total = larger
                continue
        if total is not None:
            yield str(total)
            total = None
        if isinstance(part, int) and part != AND:
            total = abs(part)
        else:
            yield part if isinstance(part, str) else None
    if total is not None:
        yield str(total)


def _sum(total: int, part: _Part) -> int | None:
    """Return a number that continues with `part`, such as "hundred"; None if it does not."""
    if not isinstance(part, int) or part in (AND, 0) or total == 0:
        return None
    if part < AND and (rest := total % -part):
        grown = total - rest - rest * part
        is_last = (total - rest) % 10 ** len(str(rest * -part)) == 0
        return grown if is_last and grown < 10**MAX_DIGITS else None
    value = abs(part)
    fits = total >= 100 and total > value and total % 10 ** len(str(value)) == 0
    return total + value if fits else None


def _runs(numbers: Iterable[str | None]) -> Iterator[list[str]]:
    """Yield the longest sequences of neighbouring numbers in the result of `_numbers`."""
    for _, run in groupby(numbers, bool):
        if found := [*filter(None, run)]:
            yield found
