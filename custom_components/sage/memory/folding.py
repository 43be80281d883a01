"""When two texts are the same for memory."""

import hashlib
import re
import unicodedata
from typing import Final

_FINAL_PUNCTUATION: Final = ".,;:!?。、 "
_FIRST_PUNCTUATION: Final = "¿¡ "
_ASCII_WORD: Final = re.compile("[a-z0-9]+")
_FIRST_ACCENT: Final = 200
"""Combining classes from here on are marks above and below letters; smaller ones are parts of
letters of other scripts."""


def clean(text: str) -> str:
    """Return `text` as it can be stored: without surrounding space and broken characters."""
    paired = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return unicodedata.normalize("NFC", paired.replace("\0", "")).strip()


def duplicate_key(text: str, question: str | None) -> bytes:
    """Return 16 bytes, equal for the same words as a reply to the same question.

    Case, width of characters, white space and final punctuation make no difference;
    accents do, since they make other words.
    """
    folded = f"{_folded(text)}\0{_folded(question or '')}"
    return hashlib.blake2b(folded.encode(), digest_size=16).digest()


def plain_words(text: str) -> str:
    """Return the words of `text` with neither case, accents nor punctuation, for comparing."""
    if text.isascii():
        return " ".join(_ASCII_WORD.findall(text.lower()))
    letters = "".join(
        character
        for character in unicodedata.normalize("NFKD", text.casefold())
        if unicodedata.combining(character) < _FIRST_ACCENT
    )
    kept = (
        character if character.isalnum() or unicodedata.category(character)[0] == "M" else " "
        for character in unicodedata.normalize("NFC", letters)
    )
    return " ".join("".join(kept).split())


def has_words(text: str, question: str | None, words: str) -> bool:
    """Tell whether each of the plain `words` stands in text or question, or within a word."""
    place = plain_words(f"{text} {question or ''}")
    return all(word in place for word in words.split())


def _folded(text: str) -> str:
    words = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return words.rstrip(_FINAL_PUNCTUATION).lstrip(_FIRST_PUNCTUATION)
