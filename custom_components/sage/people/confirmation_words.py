"""Words for yes and no in many languages, to confirm or decline an action.

The words are in `confirmation_words.json`.
"""

import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Final

from homeassistant.components.frontend.storage import async_user_store
from homeassistant.core import HomeAssistant
from homeassistant.util.language import Dialect

from .person import Person
from .spoken_digits import folded_words

# Code interprets no other words of an utterance as an answer, except the digits of a PIN.
_FILE: Final = Path(__file__).with_suffix(".json")

_MOST_WORDS: Final = 12
"""Maximum number of words of a reply that means yes or no."""

_QUESTION_MARKS: Final = frozenset("?;؟՞፧‽⸮¿꘏")
"""Question marks of all scripts, after NFKC normalization; the Greek one is then a semicolon."""

_TYPOGRAPHY: Final = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u2010": "-"})
"""Typographic apostrophes and hyphens -> ASCII signs, as a table for `str.translate`."""


class Said(StrEnum):
    """The meaning of a reply, or of a phrase in it; each is a section of the file."""

    YES = "yes"
    NO = "no"
    NEITHER = "neither"
    """Neither yes nor no.

    A word has to be listed here only if it means yes or no in another language. Example: "igen"
    means "again" in Danish, but "yes" in Hungarian.
    """

    COURTESY = "courtesy"
    """Phrases next to a yes or no that do not change it, such as "please"."""


class ConfirmationWords:
    """Interprets replies to a request for confirmation."""

    def __init__(self, sections: Mapping[str, Any]) -> None:
        """Create the index from the sections of the file.

        A section maps a language to its phrases, separated by commas. The section `everywhere`
        lists the phrases that mean yes in all languages; `words_with_pin` maps a language to words
        in a sentence with a PIN.
        """
        self._words_with_pin: Mapping[str, str] = sections["words_with_pin"]
        self._everywhere = frozenset(map(normalized, sections["everywhere"].split(",")))
        self._said: dict[str, dict[str, Said]] = {}
        for said in Said:
            for language, listed in sections[said].items():
                phrases = self._said.setdefault(language, {})
                phrases.update((normalized(phrase), said) for phrase in listed.split(","))
        listed_phrases = (phrase for phrases in self._said.values() for phrase in phrases)
        self._longest = max(phrase.count(" ") + 1 for phrase in listed_phrases)

    def meaning(self, reply: str, *languages: str) -> Said:
        """Return whether a reply means YES, NO or NEITHER; with a question mark, it is NEITHER.

        The whole reply must consist of listed phrases of one language; those of `languages` count,
        in this order. In any other language, NO counts, and YES counts only with a phrase that is
        a yes in all languages: "da" means yes in Russian and "there" in German.
        """
        if has_question_mark(reply):
            return Said.NEITHER
        words = normalized(reply).split()
        if len(words) > _MOST_WORDS:
            return Said.NEITHER
        for language in (Dialect.parse(each).language for each in languages):
            if phrases := self._phrases(words, language):
                return self._joint(phrases, language)
        others = {
            self._joint(phrases, language)
            for language in self._said
            if (phrases := self._phrases(words, language))
            and (
                self._joint(phrases, language) is Said.NO
                or not self._everywhere.isdisjoint(phrases)
            )
        }
        return next((said for said in (Said.NO, Said.YES) if said in others), Said.NEITHER)

    def words_with_pin(self, *languages: str) -> frozenset[str]:
        """Return the words that a reply with the PIN may also contain, such as "my" and "yes"."""
        bases = {Dialect.parse(each).language for each in languages}
        listed = (
            phrase
            for language in bases
            for phrase, said in self._said.get(language, {}).items()
            if said is Said.COURTESY or (said is Said.YES and " " not in phrase)
        )
        own = (self._words_with_pin.get(language, "") for language in bases)
        return folded_words(" ".join((*listed, *own, *self._everywhere)).replace(",", " "))

    def _phrases(self, words: list[str], language: str) -> list[str] | None:
        """Return the listed phrases that the words consist of; None if there are other words."""
        listed = self._said.get(language, {})
        rests: list[list[str] | None] = [[]]
        for start in reversed(range(len(words))):
            # The longest phrase counts: "of course not" before "of course".
            splits = (
                [phrase, *rest]
                for end in range(min(start + self._longest, len(words)), start, -1)
                if (rest := rests[len(words) - end]) is not None
                and ((phrase := " ".join(words[start:end])) in listed or phrase in self._everywhere)
            )
            rests.append(next(splits, None))
        return rests[-1]

    def _joint(self, phrases: Iterable[str], language: str) -> Said:
        """Return the meaning of phrases together; NEITHER if some mean yes and others no."""
        listed = self._said.get(language, {})
        meanings = {listed.get(phrase, Said.YES) for phrase in phrases} - {Said.COURTESY}
        return meanings.pop() if len(meanings) == 1 else Said.NEITHER


@cache
def confirmation_words() -> ConfirmationWords:
    """Return the confirmation words of all languages, cached.

    The first call reads a file and must run in the executor.
    """
    return ConfirmationWords(json.loads(_FILE.read_text(encoding="utf-8")))


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


async def async_languages(hass: HomeAssistant, person: Person) -> tuple[str, ...]:
    """Return the language of a person's profile, if it is known, and that of the household."""
    chosen: object = None
    if person.user_id is not None:
        store = await async_user_store(hass, person.user_id)
        chosen = store.data.get("language")
    own = chosen.get("language") if isinstance(chosen, Mapping) else None
    household = hass.config.language
    return (own, household) if isinstance(own, str) else (household,)


async def async_meaning(hass: HomeAssistant, reply: str, languages: Sequence[str]) -> Said:
    """Return whether a reply means yes, no or neither (`ConfirmationWords.meaning`)."""
    words = await hass.async_add_executor_job(confirmation_words)
    return words.meaning(reply, *languages)


def has_question_mark(text: str) -> bool:
    """Return whether a text contains a question mark of any script."""
    return not _QUESTION_MARKS.isdisjoint(unicodedata.normalize("NFKC", text))
