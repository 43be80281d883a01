"""Words for yes and no in many languages, to confirm or decline an action.

The words are in `confirmation_words.json`.
"""

import json
import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

# Code interprets no other words of an utterance as an answer, except the digits of a PIN.
_FILE: Final = Path(__file__).with_suffix(".json")

_QUESTION_MARKS: Final = frozenset("?;؟՞፧‽⸮¿꘏")
"""Question marks of all scripts, after NFKC normalization."""

_TYPOGRAPHY: Final = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u2010": "-"})
"""Typographic apostrophes and hyphens -> ASCII signs, as a table for `str.translate`."""


class Said(StrEnum):
    """The meaning of a reply; each value is a section of `confirmation_words.json`."""

    YES = "yes"
    NO = "no"
    NEITHER = "neither"
    """Neither yes nor no.

    A word has to be listed here only if it means yes or no in another language. Example: "igen"
    means "again" in Danish, but "yes" in Hungarian.
    """


class ConfirmationWords:
    """Interprets replies to a request for confirmation."""

    def __init__(self, words: Mapping[str, Mapping[str, str]]) -> None:
        """Create the index from `words`: section -> language -> words separated by commas."""
        self._said: dict[str, dict[str, Said]] = {}
        for said in Said:
            for language, listed in words[said].items():
                for word in listed.split(","):
                    self._said.setdefault(normalized(word), {})[language] = said

    def meaning(self, reply: str, *languages: str) -> Said:
        """Return whether a reply means YES, NO or NEITHER; with a question mark, it is NEITHER.

        The whole reply is looked up in the word lists of `languages`, in this order, then in those
        of all other languages. If the other languages disagree, the result is NO.
        """
        if not _QUESTION_MARKS.isdisjoint(unicodedata.normalize("NFKC", reply)):
            return Said.NEITHER
        found = self._said.get(normalized(reply), {})
        for language in languages:
            if (said := found.get(base(language))) is not None:
                return said
        return next((each for each in (Said.NO, Said.YES) if each in found.values()), Said.NEITHER)


@cache
def confirmation_words() -> ConfirmationWords:
    """Return the confirmation words of all languages, cached.

    The first call reads a file and must run in the executor.
    """
    return ConfirmationWords(json.loads(_FILE.read_text(encoding="utf-8")))


def base(language: str) -> str:
    """Return a language code without its region, such as `de` for `de-CH`."""
    return language.replace("_", "-").split("-", maxsplit=1)[0].lower()


def normalized(text: str) -> str:
    """Return `text` in lower case with single spaces, without punctuation.

    Apostrophes and hyphens inside words are kept.
    """
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_TYPOGRAPHY)
    words = (word.strip("'-") for word in "".join(map(_normalized_sign, plain)).split())
    return " ".join(filter(None, words))


def _normalized_sign(sign: str) -> str:
    kind = unicodedata.category(sign)
    if kind == "Cf":
        return ""
    # Keep combining marks, which are vowels in many scripts.
    return sign if kind[0] in "LMN" or sign in "'-" else " "
