"""Finding things by words: case, accents, plurals, compounds and slips of the keyboard.

Pure text; knows no device. A word of a request is looked up in the vocabulary
of an index. What is similar is graded: the same word or another form of it, a
part of a compound, a slip.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from ..helpers.slices import Work

FORM: Final = 0.95
COMPOUND: Final = 0.8
PART: Final = 0.7
SLIP: Final = 0.6
"""How much of an exact match a similar word is worth."""

_WORD: Final = re.compile(r"[^\W_]+")
_SUFFIXES: Final = ("es", "en", "er", "s", "e", "n", "x")
_FIRST_CJK: Final = 0x2E80

_EMPTY_TEXT: Final = """
a an and are at be by can could every for from have i in is it its me my near next now of
on onto our over please that the their there this to turn under up was which while with
you your
aber alle allen am an auch auf aus bei bitte da das dass dem den der des die dort du ein
eine einem einen einer es fur hast hat ich im ins ist kannst mal mein meine mich mir mit
oder schalt schalte sind so und unter vom von was welche wo zu zum zur
au aux avec ce ces cette dans de du elle en est et il je la le les ma mes moi mon ou par
pour qui quelle quelles que sa se son sont sur ton tu un une veux vous
"""
_EMPTY_WORDS: Final = frozenset(_EMPTY_TEXT.split())
"""Words of a sentence that name nothing (English, German, French)."""


def fold(text: str) -> str:
    """Return the text without case and accents; other scripts stay as they are."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return unicodedata.normalize("NFC", bare)


def words(text: str) -> tuple[str, ...]:
    """Return the folded words of a text in their order.

    Not cached: requests and values never end, and a person may have a request forgotten.
    """
    return tuple(_WORD.findall(fold(text)))


@lru_cache(maxsize=8192)
def name_words(name: str) -> tuple[str, ...]:
    """Return the folded words of a name of the home, as `words` does."""
    return words(name)


def content_words(text: str) -> tuple[str, ...]:
    """Return the words that may name something, each once, in their order."""
    found = (word for word in words(text) if word not in _EMPTY_WORDS)
    return tuple(dict.fromkeys(word for word in found if len(word) > 1 or word.isdigit()))


def is_empty_word(word: str) -> bool:
    """Tell whether a folded word names nothing."""
    return word in _EMPTY_WORDS


def key(name: str) -> str:
    """Return what is equal for `Kitchen Light`, `kitchen_light` and `kitchen-light`."""
    return " ".join(name_words(name)) or name.strip()


def key_of_request(text: str) -> str:
    """Return the `key` of a text that is no name, without caching it."""
    return " ".join(words(text)) or text.strip()


@lru_cache(maxsize=16384)
def forms(word: str) -> frozenset[str]:
    """Return the word and what may be its stem, so that plurals meet their singular."""
    found = {word}
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and (len(word) - len(suffix) >= 3 or word in {"tvs", "acs"}):
            found.add(word.removesuffix(suffix))
    if word.endswith("ies") and len(word) > 5:
        found.add(f"{word[:-3]}y")
    for written, meant in (("ae", "a"), ("oe", "o"), ("ue", "u")):
        if written in word and len(word) > 3:
            found.add(word.replace(written, meant))
    return frozenset(found)


def slips(first: str, second: str) -> int:
    """Return the number of typing slips between two words.

    Optimal string alignment: insert, delete, replace, swap of neighbours.
    """
    before: list[int] = []
    row = list(range(len(second) + 1))
    for i, char in enumerate(first, 1):
        before, above, row = row, before, [i]
        for j, other in enumerate(second, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (char != other))
            if i > 1 and j > 1 and char == second[j - 2] and first[i - 2] == other:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
    return row[-1]


def _pairs(word: str) -> set[str]:
    padded = f"<{word}>"
    return {padded[i : i + 2] for i in range(len(padded) - 1)}


def _is_long_enough(part: str) -> bool:
    return len(part) >= (2 if ord(part[0]) >= _FIRST_CJK else 4)


@dataclass(slots=True)
class WordIndex:
    """Which documents hold which words, and how much each word says there."""

    size: int = 0
    _postings: dict[str, dict[int, float]] = field(default_factory=dict)
    _forms: dict[str, set[str]] = field(default_factory=dict)
    _by_pair: dict[str, set[str]] = field(default_factory=dict)

    @classmethod
    def build(cls, documents: Iterable[Mapping[str, float]]) -> Work[WordIndex]:
        """Return the index of documents, each a mapping word -> weight."""
        index = cls()
        for document in documents:
            for word, weight in document.items():
                index._add(word, weight)
            index.size += 1
            yield
        return index

    def _add(self, word: str, weight: float) -> None:
        if (posting := self._postings.get(word)) is None:
            posting = self._postings[word] = {}
            for form in forms(word):
                self._forms.setdefault(form, set()).add(word)
            for pair in _pairs(word):
                self._by_pair.setdefault(pair, set()).add(word)
        posting[self.size] = max(posting.get(self.size, 0.0), weight)

    def similar(self, word: str) -> dict[str, float]:
        """Return the words of the vocabulary that mean this word, with their worth.

        Parts of compounds and slips are tried only for words that are not known.
        """
        found = {same: FORM for form in forms(word) for same in self._forms.get(form, ())}
        if word in self._postings:
            found[word] = 1.0
        for longer in self._compounds(word) if len(word) >= 5 else ():
            found.setdefault(longer, COMPOUND)
        return found or self._parts(word) or self._slips(word)

    def knows(self, word: str) -> bool:
        """Tell whether the word, or another form of it, is in the vocabulary."""
        return any(form in self._forms for form in forms(word))

    def hits(self, word: str) -> dict[int, float]:
        """Return the documents that hold the word or one like it, with the worth."""
        found: dict[int, float] = {}
        for same, worth in self.similar(word).items():
            for document, weight in self._postings[same].items():
                found[document] = max(found.get(document, 0.0), worth * weight)
        return found

    def _compounds(self, word: str) -> list[str]:
        """Return the words that end with this word, as `deckenlicht` with `licht`."""
        closing = self._by_pair.get(f"{word[-1]}>", set())
        return [other for other in closing if other != word and other.endswith(word)]

    def _parts(self, word: str) -> dict[str, float]:
        found: dict[str, float] = {}
        if not _is_long_enough(word):
            return found
        counted = Counter(other for pair in _pairs(word) for other in self._by_pair.get(pair, ()))
        for other in counted:
            if (other in word and _is_long_enough(other)) or word in other:
                found[other] = PART
        return found

    def _slips(self, word: str) -> dict[str, float]:
        if len(word) < 4:
            return {}
        allowed = 1 if len(word) < 8 else 2
        pairs = _pairs(word)
        counted = Counter(other for pair in pairs for other in self._by_pair.get(pair, ()))
        return {
            other: SLIP
            for other, shared in counted.items()
            if shared >= len(pairs) - 3 * allowed
            and abs(len(other) - len(word)) <= allowed
            and slips(word, other) <= allowed
        }


def weigh(fields: Sequence[tuple[float, Iterable[str]]]) -> dict[str, float]:
    """Return word -> weight of a document from its fields, the heaviest field first."""
    weighed: dict[str, float] = {}
    for weight, texts in fields:
        for text in texts:
            for word in name_words(text):
                weighed.setdefault(word, weight)
    return weighed
