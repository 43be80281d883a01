"""Shows foreign text in a sentence of SAGE, character by character.

The chat and notifications of Home Assistant render Markdown. In a text with active Markdown, signs
such as the bars of a table disappear, and addresses become links. SAGE writes such a text as code,
which is shown unchanged and loads nothing.
"""

import re
import unicodedata
from itertools import pairwise
from typing import Final

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
