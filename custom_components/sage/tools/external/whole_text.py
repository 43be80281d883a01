"""Texts in questions of the tools for outside sources."""

from collections.abc import Iterator
from typing import Final

from ...home.commands.spoken_names import cleaned

_PIECE: Final = 50


def whole_text(text: str) -> str:
    """Return a text for a question: complete, on one line, without invisible characters."""
    # `cleaned` shortens, so it gets one word after the other.
    return " ".join(filter(None, map(cleaned, _pieces(text))))


def _pieces(text: str) -> Iterator[str]:
    for word in text.split():
        yield from (word[at : at + _PIECE] for at in range(0, len(word), _PIECE))
