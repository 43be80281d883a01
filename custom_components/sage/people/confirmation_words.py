"""Yes and no in many languages: the words that may confirm something (DESIGN 2, exceptions).

`confirmation_words.json` is the one place for them. It holds short words and phrases that
are said to the code, by language, split at commas. Nothing else that a person says is
judged by words.
"""

import json
import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

_FILE: Final = Path(__file__).with_suffix(".json")

_QUESTION_MARKS: Final = frozenset("?;؟՞፧‽⸮¿꘏")
"""After NFKC, which makes `?` of the full-width one and `;` of the Greek one."""

_TYPOGRAPHY: Final = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u2010": "-"})
"""Signs that phones write where a keyboard has the plain ones."""


class Said(StrEnum):
    """The meaning of a word; the sections of the file."""

    YES = "yes"
    NO = "no"
    NEITHER = "neither"
    """Means something else in this language, though it is a yes in another."""


class ConfirmationWords:
    """What a reply to a question for a yes means."""

    def __init__(self, words: Mapping[str, Mapping[str, str]]) -> None:
        """`words`: section -> language -> words, split at commas."""
        self._said: dict[str, dict[str, Said]] = {}
        for said in Said:
            for language, listed in words[said].items():
                for word in listed.split(","):
                    self._said.setdefault(normalized(word), {})[language] = said

    def meaning(self, reply: str, *languages: str) -> Said:
        """Return what the whole reply means: yes, no or neither.

        A word counts as it is meant in the first of the `languages` that has it. In any
        other it is a yes only if no language says no by it. A question is neither.
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
    """Return the words; reads a file the first time, so for the executor."""
    return ConfirmationWords(json.loads(_FILE.read_text(encoding="utf-8")))


def base(language: str) -> str:
    """Return `de` for `de-CH`."""
    return language.replace("_", "-").split("-", maxsplit=1)[0].lower()


def normalized(text: str) -> str:
    """Return `text` without punctuation, in lower case, with single spaces."""
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_TYPOGRAPHY)
    words = (word.strip("'-") for word in "".join(map(_heard, plain)).split())
    return " ".join(filter(None, words))


def _heard(sign: str) -> str:
    kind = unicodedata.category(sign)
    if kind == "Cf":
        return ""
    # Vowels of many scripts are marks.
    return sign if kind[0] in "LMN" or sign in "'-" else " "
