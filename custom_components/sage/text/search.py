"""Word search in names and in texts.

- `NameIndex` searches a few short documents, such as names of devices. It also finds other word
  forms, compounds and misspelt words.
- `TextIndex` searches many sentences and ranks them with Okapi BM25 (Robertson and Zaragoza 2009).
"""

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from ..helpers import Work
from .tokens import content_words, is_unspaced, related, words

# Scores of similar words; an identical word has 1.
FORM: Final = 0.95  # "lamps" for "lamp"
COMPOUND: Final = 0.8  # "deckenlicht" for "licht"
PART_OF_WORD: Final = 0.7  # one word contains the other
TYPING_ERROR: Final = 0.6  # score of a word with a typing error; an identical word has 1
_FIRST_CJK: Final = 0x2E80

_SATURATION: Final = 1.2  # parameter k1 of BM25: a higher one increases scores of repeated words
_LENGTH: Final = 0.75  # parameter b of BM25: a higher value reduces the score of long texts


type Document = Sequence[tuple[float, Iterable[str]]]
"""Texts with a weight, such as `(1.0, ["Desk lamp"])`; a word has the first weight it gets."""


@dataclass(slots=True)
class NameIndex:
    """A word index of short documents, such as names; documents are numbered from 0."""

    size: int = 0
    _postings: dict[str, dict[int, float]] = field(default_factory=dict)
    _by_pair: dict[str, set[str]] = field(default_factory=dict)
    """Pair of neighbouring letters -> indexed words that contain the pair."""

    @classmethod
    def build(cls, documents: Iterable[Document]) -> Work[NameIndex]:
        """Return a generator that builds the index; see `async_in_slices` and `in_one_go`."""
        index = cls()
        for document in documents:
            weighed: dict[str, float] = {}
            for weight, texts in document:
                for text in texts:
                    for word in words(text):
                        weighed.setdefault(word, weight)
            for word, weight in weighed.items():
                index._add(word, weight)
            index.size += 1
            yield
        return index

    def _add(self, word: str, weight: float) -> None:
        if (posting := self._postings.get(word)) is None:
            posting = self._postings[word] = {}
            for pair in _pairs(word):
                self._by_pair.setdefault(pair, set()).add(word)
        posting[self.size] = max(posting.get(self.size, 0.0), weight)

    def hits(self, word: str, least: float = 0.0) -> dict[int, float]:
        """Return document number -> score for the documents that contain `word` or a similar word.

        `word`: in lower case, without accents. `least`: minimum weight of the word in a document.
        """
        found: dict[int, float] = {}
        for similar, score in self._similar(word).items():
            for document, weight in self._postings[similar].items():
                if weight < least:
                    continue
                found[document] = max(found.get(document, 0.0), score * weight)
        return found

    def knows(self, word: str) -> bool:
        """Return whether the index contains `word` or another word form with the same stem."""
        return any(each in self._postings for each in related(word))

    def _similar(self, word: str) -> dict[str, float]:
        """Return indexed word -> score for `word`, its other forms and compounds.

        If there are none, return words that contain `word`, are parts of it, or are misspelt.
        """
        found = {each: FORM for each in related(word) if each in self._postings}
        if word in found:
            found[word] = 1.0
        # A compound ends with the word, such as `deckenlicht` with `licht`.
        for other in self._by_pair.get(f"{word[-1]}>", ()) if len(word) >= 5 else ():
            if other != word and other.endswith(word):
                found.setdefault(other, COMPOUND)
        return found or self._parts(word) or self._misspelt(word)

    def _parts(self, word: str) -> dict[str, float]:
        if not _is_long_enough(word):
            return {}
        return {
            other: PART_OF_WORD
            for other in self._sharing(word)
            if (other in word and _is_long_enough(other)) or word in other
        }

    def _misspelt(self, word: str) -> dict[str, float]:
        """Return indexed word -> score for words that equal `word` except for typing errors.

        In words of four letters, only swapped neighbours count as an error. A replaced letter
        often gives a different word, such as "mail" and "main".
        """
        if len(word) < 4:
            return {}
        allowed = 1 if len(word) < 8 else 2
        likely = len(_pairs(word)) - 3 * allowed
        return {
            other: TYPING_ERROR
            for other, shared in self._sharing(word).items()
            if shared >= likely
            and abs(len(other) - len(word)) <= allowed
            and (len(word) > 4 or sorted(other) == sorted(word))
            and _typing_errors(word, other) <= allowed
        }

    def _sharing(self, word: str) -> Counter[str]:
        return Counter(other for pair in _pairs(word) for other in self._by_pair.get(pair, ()))


def _pairs(word: str) -> set[str]:
    padded = f"<{word}>"
    return {padded[i : i + 2] for i in range(len(padded) - 1)}


def _typing_errors(first: str, second: str) -> int:
    """Return the optimal string alignment distance: letters added, lost, replaced, swapped."""
    before: list[int] = []
    row = list(range(len(second) + 1))
    for i, letter in enumerate(first, 1):
        before, above, row = row, before, [i]
        for j, other in enumerate(second, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == second[j - 2] and first[i - 2] == other:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
    return row[-1]


def _is_long_enough(part: str) -> bool:
    return len(part) >= (2 if ord(part[0]) >= _FIRST_CJK else 4)


class TextIndex:
    """A word index of texts by id, ranked with BM25; not thread-safe."""

    def __init__(self, texts: Iterable[tuple[int, str]] = ()) -> None:
        """Create an index of `texts`, pairs of id and text."""
        # Each text has a slot (a number); `_places` holds, for each word, the slot of each
        # occurrence, ascending. `remove` only marks slots.
        self._places: dict[str, array[int]] = {}
        self._ids = array("q")
        self._lengths = array("I")
        self._alive = bytearray()
        self._slots: dict[int, int] = {}
        self._words = 0
        for text_id, text in texts:
            self.add(text_id, text)

    def __len__(self) -> int:
        return len(self._slots)

    def add(self, text_id: int, text: str) -> None:
        """Add a text, or replace the text with the same id."""
        self.remove(text_id)
        terms = _terms(text)
        slot = len(self._ids)
        self._slots[text_id] = slot
        self._ids.append(text_id)
        self._lengths.append(len(terms))
        self._alive.append(True)
        self._words += len(terms)
        for word in terms:
            if (places := self._places.get(word)) is None:
                places = self._places[word] = array("I")
            places.append(slot)

    def remove(self, text_id: int) -> None:
        """Remove the text with this id; an unknown id is ignored."""
        slot = self._slots.pop(text_id, None)
        if slot is None:
            return
        self._alive[slot] = False
        self._words -= self._lengths[slot]

    def score(self, query: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
        """Return ids and scores of the texts that have a word in common with `query`.

        The ids are in the order of adding. A score is the BM25 score divided by the highest
        possible score, between 0 and 1. Takes a few ms for 100,000 texts.
        """
        ids = np.frombuffer(self._ids, np.int64)
        lengths = np.frombuffer(self._lengths, np.uint32)
        average = self._words / max(1, len(self._slots)) or 1.0
        scores = np.zeros(len(ids))
        reachable = 0.0
        for spellings in dict.fromkeys(self._spellings(word) for word in _terms(query)):
            slots, times = self._found(spellings)
            # The inverse document frequency.
            rarity = math.log(1 + (len(self._slots) - len(slots) + 0.5) / (len(slots) + 0.5))
            needed = 1 - _LENGTH + _LENGTH / average * lengths[slots]
            scores[slots] += rarity * times / (times + _SATURATION * needed)
            reachable += rarity
        matching = np.flatnonzero(scores)
        shares = scores[matching] / (reachable or 1.0)
        return ids[matching], shares.astype(np.float32)

    def _spellings(self, word: str) -> tuple[str, ...]:
        """Return the indexed forms of `word`; if there are none, only `word`."""
        return tuple(sorted(each for each in related(word) if each in self._places)) or (word,)

    def _found(
        self, spellings: Sequence[str]
    ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.intp]]:
        """Return the slots of texts with any of these words, and how often each has them."""
        places = np.concatenate(
            [np.frombuffer(self._places.get(each, array("I")), np.uint32) for each in spellings]
        )
        places = places[np.frombuffer(self._alive, np.bool)[places]]
        if len(spellings) > 1:
            places.sort(kind="stable")
        begins = np.flatnonzero(np.diff(places, prepend=np.uint32(0xFFFFFFFF)))
        return places[begins], np.diff(begins, append=len(places))


def _terms(text: str) -> list[str]:
    """Return a text's words without stop words, or pairs of characters without spaces."""
    terms: list[str] = []
    for word in content_words(text):
        if is_unspaced(word):
            terms.extend(word[at : at + 2] for at in range(max(1, len(word) - 1)))
        else:
            terms.append(word)
    return terms
