"""Recall by words: Okapi BM25 over the memories of one person (Robertson and Zaragoza 2009).

It finds what vectors blur: names, numbers, and words that no model has learnt. Added to the cosine
of vectors it recalls more than either, as `python -m benchmark.recall` measures.
"""

import math
import re
import string
import threading
import unicodedata
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from .stop_words import STOP_WORDS

WEIGHT: Final = 0.7
"""What all words of a question are worth beside a cosine, which is at most 1."""

_SATURATION: Final = 1.2
"""How soon a word that is repeated counts no more (k1)."""

_LENGTH: Final = 0.75
"""How much a long memory has to say a word more often (b)."""

_BLANK: Final = ord(" ")
_ASCII_WORD: Final = re.compile("[a-z0-9]+")
_LEFT_OUT: Final = STOP_WORDS | frozenset(string.ascii_lowercase)
_LATIN_MARKS: Final = re.compile("[\u0300-\u036f]")
_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]"
)
"""Thai, Lao, Burmese, Khmer, Japanese and Chinese are written without blanks between words."""

_FEWEST_DEAD: Final = 1024
"""Removed memories that are worth a compaction, if they are half of all."""


class _Separators(dict[int, int]):
    """A table for `str.translate` that turns all but letters, digits and marks into blanks."""

    def __missing__(self, code: int) -> int:
        character = chr(code)
        spoken = character.isalnum() or unicodedata.category(character).startswith("M")
        self[code] = found = code if spoken else _BLANK
        return found


_SEPARATORS: Final = _Separators()


def words(text: str) -> list[str]:
    """Return the words of `text` that say what it is about, in order.

    Case, accents, stop words, single letters and the s of a plural are left out. Where a script
    has no blanks, each pair of neighbouring characters is a word.
    """
    folded = _folded(text)
    if folded.isascii():
        return _ascii_words(folded)
    found: list[str] = []
    for word in folded.translate(_SEPARATORS).split():
        if word.isascii():
            found.extend(_ascii_words(word))
        elif _UNSPACED.search(word):
            found.extend(word[at : at + 2] for at in range(max(1, len(word) - 1)))
        else:
            found.append(word)
    return found


def _folded(text: str) -> str:
    """Return `text` without case, accents and forms of width."""
    folded = text.casefold()
    if folded.isascii():
        return folded
    bare = _LATIN_MARKS.sub("", unicodedata.normalize("NFKD", folded))
    return unicodedata.normalize("NFKC", bare)


def _ascii_words(folded: str) -> list[str]:
    return [
        _singular(word) if word[-1] == "s" else word
        for word in _ASCII_WORD.findall(folded)
        if word not in _LEFT_OUT
    ]


def _singular(word: str) -> str:
    """Return an English plural without its s (Harman 1991); German and French lose little."""
    if len(word) < 4 or word.endswith(("ss", "us", "is")):
        return word
    return f"{word[:-3]}y" if word.endswith("ies") and len(word) > 4 else word[:-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches:
    """The memories that share a word with a question."""

    ids: npt.NDArray[np.int64]
    """Shape (matches,), in the order in which they were added."""

    scores: npt.NDArray[np.float32]
    """Shape (matches,): BM25, divided by what no memory can reach. Above 0, below 1."""

    @property
    def gains(self) -> npt.NDArray[np.float32]:
        """What each memory gains beside its cosine, shape (matches,)."""
        return np.float32(WEIGHT) * self.scores

    def best(self, limit: int) -> dict[int, float]:
        """Return the scores of the best `limit` ids, best first; the earlier added wins a tie."""
        order = np.argsort(-self.scores, kind="stable")[:limit]
        pairs = zip(self.ids[order].tolist(), self.scores[order].tolist(), strict=True)
        return dict(pairs)


class LexicalIndex:
    """An inverted index that grows and shrinks with the memories. Safe to use from threads.

    Every memory has a slot. A word's list holds the slot of each place where the word occurs,
    ascending, so that the slot of a memory that repeats it stands there as often. Removing only
    marks the slot, until half of all are marked.
    """

    def __init__(self, memories: Iterable[tuple[int, str]] = ()) -> None:
        """Hold pairs of id and text."""
        self._lock = threading.Lock()
        self._clear()
        for memory_id, text in memories:
            self._add(memory_id, words(text))

    def _clear(self) -> None:
        self._places: dict[str, array[int]] = {}
        self._ids = array("q")
        self._lengths = array("I")
        self._alive = bytearray()
        self._slots: dict[int, int] = {}
        self._words = 0

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, memory_id: int) -> bool:
        return memory_id in self._slots

    def add(self, memory_id: int, text: str) -> None:
        """Hold a memory; one of the same id is replaced."""
        found = words(text)
        with self._lock:
            self._add(memory_id, found)

    def _add(self, memory_id: int, found: list[str]) -> None:
        self._remove(memory_id)
        slot = len(self._ids)
        self._slots[memory_id] = slot
        self._ids.append(memory_id)
        self._lengths.append(len(found))
        self._alive.append(True)
        self._words += len(found)
        for word in found:
            if (places := self._places.get(word)) is None:
                places = self._places[word] = array("I")
            places.append(slot)

    def remove(self, memory_id: int) -> None:
        """Forget a memory; nothing happens when it is not held."""
        with self._lock:
            self._remove(memory_id)

    def _remove(self, memory_id: int) -> None:
        slot = self._slots.pop(memory_id, None)
        if slot is None:
            return
        self._alive[slot] = False
        self._words -= self._lengths[slot]
        dead = len(self._ids) - len(self._slots)
        if dead >= max(_FEWEST_DEAD, len(self._slots)):
            self._compact()

    def _compact(self) -> None:
        """Give the remaining memories new slots, and drop what belonged to the others."""
        alive = np.frombuffer(self._alive, np.bool)
        moved = np.cumsum(alive, dtype=np.uint32) - 1
        kept: dict[str, array[int]] = {}
        for word, places in self._places.items():
            slots = np.frombuffer(places, np.uint32)
            if (slots := slots[alive[slots]]).size:
                kept[word] = array("I", moved[slots].tobytes())
        self._places = kept
        self._ids = array("q", np.frombuffer(self._ids, np.int64)[alive].tobytes())
        self._lengths = array("I", np.frombuffer(self._lengths, np.uint32)[alive].tobytes())
        self._alive = bytearray(b"\x01" * len(self._ids))
        self._slots = {memory_id: slot for slot, memory_id in enumerate(self._ids)}

    def score(self, query: str) -> Matches:
        """Return how well each memory fits the words of `query`; a few ms for 100,000."""
        asked = dict.fromkeys(words(query))
        with self._lock:
            ids = np.frombuffer(self._ids, np.int64)
            alive = np.frombuffer(self._alive, np.bool)
            lengths = np.frombuffer(self._lengths, np.uint32)
            average = self._words / max(1, len(self._slots)) or 1.0
            scores = np.zeros(len(ids))
            reachable = 0.0
            for word in asked:
                slots, times = self._found(word, alive)
                rarity = self._rarity(len(slots))
                needed = 1 - _LENGTH + _LENGTH / average * lengths[slots]
                scores[slots] += rarity * times / (times + _SATURATION * needed)
                reachable += rarity
            matching = np.flatnonzero(scores)
            shares = scores[matching] / (reachable or 1.0)
            return Matches(ids=ids[matching], scores=shares.astype(np.float32))

    def _found(
        self, word: str, alive: npt.NDArray[np.bool]
    ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.intp]]:
        """Return the slots of the memories that have `word`, and how often each has it."""
        places = np.frombuffer(self._places.get(word, array("I")), np.uint32)
        places = places[alive[places]]
        begins = np.flatnonzero(np.diff(places, prepend=np.uint32(0xFFFFFFFF)))
        return places[begins], np.diff(begins, append=len(places))

    def _rarity(self, holders: int) -> float:
        """Return the weight of a word that `holders` memories have (inverse frequency)."""
        return math.log(1 + (len(self._slots) - holders + 0.5) / (holders + 0.5))
