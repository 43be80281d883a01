"""Split a text into word pieces, exactly as in the training of BERT's uncased models.

- Control characters and accents are removed, and letters become lower case.
- Each Chinese character and each punctuation mark is a word.
- Each word is split, from left to right, into the longest pieces in the vocabulary (Wu et al. 2016;
  Devlin et al. 2018).
"""

import functools
import re
import unicodedata
from collections.abc import Sequence
from typing import Final

_UNKNOWN: Final = "[UNK]"
_BEGIN: Final = "[CLS]"
_END: Final = "[SEP]"
_SPECIAL: Final = re.compile(r"(\[(?:PAD|UNK|CLS|SEP|MASK)\])")  # also recognized within a word
_CONTINUES: Final = "##"
_LONGEST_WORD: Final = 100  # longer words, in characters, become the piece for unknown words
_DROPPED: Final = ("Cc", "Cf", "Co", "Cs")
"""Unicode categories of characters that are removed: control, format, private use, surrogate."""

_IDEOGRAPHS: Final = (
    range(0x3400, 0x4DC0),
    range(0x4E00, 0xA000),
    range(0xF900, 0xFB00),
    range(0x20000, 0x2A6E0),
    range(0x2A700, 0x2B820),
    range(0x2B920, 0x2CEB0),
    range(0x2F800, 0x2FA20),
)


class WordPieces:
    """Splits texts into the word pieces of a vocabulary; thread-safe."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._ids = {piece: number for number, piece in enumerate(vocabulary)}
        self._longest = max(map(len, vocabulary))
        self._unknown = self._ids[_UNKNOWN]

    def encode(self, text: str, *, limit: int) -> list[int]:
        """Return the word-piece ids of `text` with begin and end marks, at most `limit`."""
        room = limit - 2
        pieces: list[int] = []
        for part in _SPECIAL.split(text):
            if len(pieces) >= room:
                break
            if _SPECIAL.fullmatch(part):
                pieces.append(self._ids[part])
            else:
                self._add(pieces, part, room)
        return [self._ids[_BEGIN], *pieces[:room], self._ids[_END]]

    def _add(self, pieces: list[int], text: str, room: int) -> None:
        for word in words(text):
            if len(pieces) >= room:
                return
            pieces.extend(self._split(word))

    def _split(self, word: str) -> list[int]:
        """Return the word-piece ids of a word; only that for unknown words if it has others."""
        if (whole := self._ids.get(word)) is not None:
            return [whole]
        if len(word) > _LONGEST_WORD:
            return [self._unknown]
        pieces: list[int] = []
        begin = 0
        while begin < len(word):
            mark = _CONTINUES if begin else ""
            for end in range(min(len(word), begin + self._longest), begin, -1):
                if (piece := self._ids.get(mark + word[begin:end])) is not None:
                    pieces.append(piece)
                    begin = end
                    break
            else:
                return [self._unknown]
        return pieces


def words(text: str) -> list[str]:
    """Return the words of `text` in lower case without accents; each punctuation mark is a word."""
    cleaned = "".join(map(_cleaned, text))
    return "".join(map(_spelled, unicodedata.normalize("NFD", cleaned))).split()


@functools.cache
def _cleaned(character: str) -> str:
    if character in "\t\n\r":
        return " "
    if character == "\N{REPLACEMENT CHARACTER}" or unicodedata.category(character) in _DROPPED:
        return ""
    if character.isspace():
        return " "
    if any(ord(character) in block for block in _IDEOGRAPHS):
        return f" {character} "
    return character


@functools.cache
def _spelled(character: str) -> str:
    if unicodedata.category(character) == "Mn":
        return ""
    if _is_punctuation(character):
        return f" {character} "
    return character.lower()


def _is_punctuation(character: str) -> bool:
    """Return whether BERT sees punctuation: in ASCII all but letters, digits and space."""
    if character.isascii():
        return character.isprintable() and not character.isalnum() and character != " "
    return unicodedata.category(character).startswith("P")
