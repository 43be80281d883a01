"""Fixed sentences that SAGE says or shows without the language model.

The sentences are translations of the category `common`. English replaces missing languages.

The chat and notifications of Home Assistant render Markdown. In a text with active Markdown, signs
such as the bars of a table disappear, and addresses become links. SAGE writes such a text in a
sentence as code, which is shown unchanged and loads nothing.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import timedelta
from itertools import pairwise
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers.translation import async_get_translations
from homeassistant.util.language import Dialect

from ..const import DOMAIN

_ACTIVE: Final = re.compile(
    # Code, escapes, entities, tags, links.
    r"`|\\(?=[!-/:-@\[-`{-~])|&(?=#?\w+;)|<(?=[A-Za-z/!?])|\](?=[(\[:])|://|\bwww\."
    # Emphasis; a sign between spaces and an underscore between letters are none.
    r"|(?<!\s)[*~]|[*~](?!\s)|(?<!\w)_|_(?!\w)"
    # Headings, quotes, lists, tables and code at the beginning of a line.
    r"|^[ \t]*(?:[#>+-]+|\d+[.)])[ \t]+\S|\n[ \t]*(?:[#>+*=|:-]|\d+[.)])|\n(?:\t| {4})"
)
"""The beginning of active Markdown or HTML.

It does not depend on the text around it: two texts together, such as `*a` and `b*`, are active.
"""

_TICKS: Final = re.compile(r"`+")
_JOINERS: Final = "\u200c\u200d\u200e\u200f"
"""Invisible parts of emoji and of many scripts, after a character that is not ASCII."""

_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u2800\u3164\uffa0")
"""Invisible characters whose Unicode category is letter, mark or symbol."""


class Verbatim(str):
    """A text in which each foreign part is already shown unchanged."""

    __slots__ = ()


def verbatim(text: str) -> Verbatim:
    """Return a text from outside for a sentence, so that the chat shows it unchanged.

    A text without active Markdown is returned unchanged; another becomes code in backticks.
    """
    if isinstance(text, Verbatim):
        return text
    if not _ACTIVE.search(text):
        return Verbatim(text)
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=0)
    if "\n" in text:
        fence = "`" * max(longest + 1, 3)
        return Verbatim(f"\n{fence}\n{text}\n{fence}\n")
    fence = "`" * (longest + 1)
    pad = " " if text[0] in "` " or text[-1] in "` " else ""
    return Verbatim(f"{fence}{pad}{text}{pad}{fence}")


def is_hidden(sign: str) -> bool:
    """Return whether a character is invisible, or changes how the characters around it look."""
    return (
        unicodedata.category(sign) in {"Cc", "Cf", "Cn", "Co", "Cs"}
        or sign in _BLANK
        or "\U000e0100" <= sign <= "\U000e01ef"
    )


def visible(text: str) -> str:
    """Return a text without the characters that a person cannot see; line breaks and tabs stay."""
    return "".join(
        sign
        for before, sign in pairwise(f" {text}")
        if sign in "\n\t" or not is_hidden(sign) or (sign in _JOINERS and not before.isascii())
    )


_CATEGORY = "common"
_TAG: Final = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,2}")
LANGUAGES: Final = frozenset({"en", "de", "fr"})
"""Languages with a translation file."""


class Sentences:
    """The fixed sentences in one language, by translation key."""

    def __init__(self, texts: Mapping[str, str], *, is_own_language: bool = True) -> None:
        self._texts = texts
        self.is_own_language = is_own_language
        """Whether the sentences are in the requested language; False if English is the fallback."""

    def say(self, key: str, **placeholders: str) -> Verbatim:
        """Return the sentence with this translation key; raises KeyError if there is none.

        Texts from outside enter sentences only here. The chat shows them unchanged.
        """
        shown = {name: verbatim(text) for name, text in placeholders.items()}
        return Verbatim(self._texts[key].format(**shown))

    def joined(self, parts: Iterable[str]) -> Verbatim:
        """Return the parts as one phrase, e.g. "a, b and c"."""
        shown = [*map(verbatim, parts)]
        if len(shown) < 2:
            return Verbatim("".join(shown))
        return self.say("list_and", first=Verbatim(", ".join(shown[:-1])), last=shown[-1])

    def duration(self, span: timedelta) -> Verbatim:
        """Return a duration in words: "1 hour and 30 minutes"."""
        seconds = round(span.total_seconds())
        counts = {"hours": seconds // 3600, "minutes": seconds // 60 % 60}
        if not any(counts.values()) or (seconds % 60 and seconds < 3600):
            counts["seconds"] = seconds % 60
        return self.joined(
            self.say(f"duration_{unit}_{'one' if count == 1 else 'many'}", count=str(count))
            for unit, count in counts.items()
            if count or unit == "seconds"
        )

    def __contains__(self, key: str) -> bool:
        """Return whether there is a sentence with this translation key."""
        return key in self._texts


def known_language(language: str) -> str:
    """Return `language` if it has the form of a language tag, otherwise `en`."""
    # Home Assistant reads and caches a file for each language, so reject other text.
    return language if _TAG.fullmatch(language) else "en"


async def async_load_sentences(hass: HomeAssistant, language: str) -> Sentences:
    """Return the fixed sentences in `language`, such as `de-CH`, or in English if untranslated."""
    base = Dialect.parse(language).language
    is_own = base in LANGUAGES
    loaded = await async_get_translations(hass, base if is_own else "en", _CATEGORY, [DOMAIN])
    prefix = f"component.{DOMAIN}.{_CATEGORY}."
    texts = {key.removeprefix(prefix): text for key, text in loaded.items()}
    return Sentences(texts, is_own_language=is_own)
