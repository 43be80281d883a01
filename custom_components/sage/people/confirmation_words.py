"""Yes and no in many languages: the words that confirm or decline.

Only `confirmation_words.json` contains them: short words and phrases by language, separated by
commas. Code interprets nothing else that a person says by its words.
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
"""After NFKC, which maps the full-width mark to `?` and the Greek one to `;`."""

_TYPOGRAPHY: Final = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u2010": "-"})
"""Typographic signs that phones insert -> plain signs."""


class Said(StrEnum):
    """The meaning of a reply; each meaning is a section of `confirmation_words.json`."""

    YES = "yes"
    NO = "no"
    NEITHER = "neither"
    """As a section: words that mean yes in another language, but something else in this one."""


class ConfirmationWords:
    """Finds the meaning of a reply to a request for confirmation."""

    def __init__(self, words: Mapping[str, Mapping[str, str]]) -> None:
        """`words`: section -> language -> words, separated by commas."""
        self._said: dict[str, dict[str, Said]] = {}
        for said in Said:
            for language, listed in words[said].items():
                for word in listed.split(","):
                    self._said.setdefault(normalized(word), {})[language] = said

    def meaning(self, reply: str, *languages: str) -> Said:
        """Return the meaning of the whole reply: yes, no or neither.

        The first of `languages` that has the reply in its words decides. If none has it, the reply
        is a no if it means no in any language, else a yes if it means yes in any language. A
        question is neither.
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
    """Return the words of all languages. Reads a file at first: call it in the executor."""
    return ConfirmationWords(json.loads(_FILE.read_text(encoding="utf-8")))


def base(language: str) -> str:
    """Return the language without its region: `de` for `de-CH`."""
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
    # Keep marks: in many scripts they are vowels.
    return sign if kind[0] in "LMN" or sign in "'-" else " "
