"""Words of a text for all searches; a *folded* word has no capitals and no accents."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Final

_ASCII_WORD: Final = re.compile("[a-z0-9]+")
_IDENTIFIER_WORD: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_IDENTIFIER_SIGN: Final = re.compile(r"[^a-z0-9.]")
_BLANK: Final = ord(" ")
_FIRST_ACCENT: Final = 200  # Unicode combining class of accents; lower ones are parts of letters
_LETTERS: Final = str.maketrans({"ı": "i", "ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe"})
"""Letters that Unicode normalization does not decompose -> ASCII letters."""

_SUFFIXES: Final = ("es", "en", "er", "s", "e", "n", "x")
_SHORT_PLURALS: Final = frozenset({"tvs", "acs"})
_UMLAUTS: Final = (("ae", "a"), ("oe", "o"), ("ue", "u"))
"""Spelling of a German umlaut with two letters -> folded umlaut."""

_STOP_WORDS: Final = frozenset(
    " ".join(
        json.loads(Path(__file__).with_name("stop_words.json").read_text(encoding="utf-8")).values()
    ).split()
)
"""Words that searches ignore, such as "the", in lower case and without accents.

The set does not contain a word that is a noun in another of the languages. Example: French "son"
("his") is missing because of the English noun "son".
"""

_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]"
)
"""Scripts without spaces between words: Thai, Lao, Burmese, Khmer, Japanese and Chinese."""


class _Separators(dict[int, int]):
    """Table for `str.translate`: maps all except letters, digits and combining marks to spaces."""

    def __missing__(self, code: int) -> int:
        character = chr(code)
        in_word = character.isalnum() or unicodedata.category(character).startswith("M")
        self[code] = found = code if in_word else _BLANK
        return found


_SEPARATORS: Final = _Separators()


def fold(text: str) -> str:
    """Return `text` in lower case without accents; `ﬁ` becomes `fi`, and `Ａ` becomes `a`."""
    text = text.casefold()
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    bare = "".join(sign for sign in decomposed if unicodedata.combining(sign) < _FIRST_ACCENT)
    return unicodedata.normalize("NFC", bare)


def words(text: str) -> tuple[str, ...]:
    """Return folded words of a text in order, without spaces, punctuation and `_`."""
    folded = fold(text)
    if folded.isascii():
        return tuple(_ASCII_WORD.findall(folded))
    return tuple(folded.translate(_SEPARATORS).split())


def key(text: str) -> str:
    """Return a comparison key, equal for `Kitchen Light`, `kitchen_light` and `kitchen-light`."""
    return " ".join(words(text)) or text.strip()


def content_words(text: str) -> tuple[str, ...]:
    """Return folded words in order, without stop words ("the") and single letters."""
    return tuple(
        word
        for word in words(text)
        if word not in _STOP_WORDS and (len(word) > 1 or word.isdigit() or is_unspaced(word))
    )


def is_unspaced(word: str) -> bool:
    """Return whether `word` has letters of a script without word spaces, such as Chinese."""
    return not word.isascii() and _UNSPACED.search(word) is not None


@lru_cache(maxsize=16384)
def forms(word: str) -> frozenset[str]:
    """Return a folded word and its possible stems, such as `lamps` and `lamp`."""
    found = {word}
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and (len(word) - len(suffix) >= 3 or word in _SHORT_PLURALS):
            found.add(word.removesuffix(suffix))
    if word.endswith("ies") and len(word) > 5:
        found.add(f"{word[:-3]}y")
    for written, meant in _UMLAUTS:
        if written in word and len(word) > 3:
            found.add(word.replace(written, meant))
    return frozenset(found)


@lru_cache(maxsize=1024)
def related(word: str) -> frozenset[str]:
    """Return all possible words with the same stem: for `lamp` also `lamps`, `lampe`, `lampen`.

    `word` is in lower case and without accents. The result may contain words that do not exist.
    """
    stems = forms(word)
    found = {f"{stem}{suffix}" for stem in stems for suffix in ("", *_SUFFIXES)}
    found |= {f"{stem[:-1]}ies" for stem in stems if stem.endswith("y")}
    found |= {stem.replace(meant, written) for stem in stems for written, meant in _UMLAUTS}
    return frozenset(each for each in found if not stems.isdisjoint(forms(each)))


@lru_cache(maxsize=4096)
def id_words(identifier: str) -> tuple[str, ...]:
    """Return an identifier's words after its last dot: `dishwasher`, `washing`, `course`."""
    return tuple(map(str.lower, _IDENTIFIER_WORD.findall(identifier.rpartition(".")[2])))


def id_key(identifier: str) -> str:
    """Return a comparison key, equal for `setTvChannel`, `set_tv_channel` and `Set TV channel`."""
    folded = fold(identifier)
    return _IDENTIFIER_SIGN.sub("", folded) or folded


def nearest(
    name: str, names: Iterable[str], count: int = 3, likeness: float = 0.5
) -> tuple[str, ...]:
    """Return up to `count` similar `names`, best first; `likeness`: minimum `difflib` ratio."""
    by_spelling = {fold(each): each for each in names}
    close = get_close_matches(fold(name), by_spelling, n=count, cutoff=likeness)
    return tuple(by_spelling[each] for each in close)


def with_most_words[T](wanted: str, items: Sequence[T], text_of: Callable[[T], str]) -> list[T]:
    """Return the items whose texts contain the most words of `wanted`; empty if none has any."""
    sought = [related(word) for word in content_words(wanted) or words(wanted)]
    counts = [
        sum(not each.isdisjoint(said) for each in sought)
        for said in (frozenset(words(text_of(item))) for item in items)
    ]
    most = max(counts, default=0)
    return [item for item, count in zip(items, counts, strict=True) if count == most and most]
