"""The sentences that README, docs and the demo propose to say to SAGE, read from where they stand.

The marking is that of the documents: straight double quotes are around what a person says to SAGE,
curly ones around everything else, such as SAGE's answers, names and parts of sentences. In code,
`--say "..."` is a sentence; elsewhere so is `**You:** ...`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scripts.demonstration.furnished_homes import HOMES

ROOT: Final = Path(__file__).parents[1]

_CODE: Final = re.compile(r"^```.*?^```|`[^`\n]+`", re.MULTILINE | re.DOTALL)
_SAY: Final = re.compile(r'--say "([^"]+)"')
_QUOTED: Final = re.compile(r'"([^"]+)"')
_YOU: Final = re.compile(r"\*\*You:\*\* (.+?)\\?$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """What somebody may say to SAGE, and the places that propose it."""

    text: str
    places: tuple[str, ...]


def proposed(root: Path = ROOT) -> tuple[Sentence, ...]:
    """Return all proposed sentences, each once, in the order of the documents."""
    texts: dict[str, str] = {}
    places: dict[str, list[str]] = {}
    for place, text in _all(root):
        key = key_of(text)
        texts.setdefault(key, text)
        if place not in places.setdefault(key, []):
            places[key].append(place)
    return tuple(Sentence(text=text, places=tuple(places[key])) for key, text in texts.items())


def key_of(text: str) -> str:
    """Return what is equal for two spellings of one sentence."""
    return " ".join(text.split()).casefold()


def _all(root: Path) -> Iterator[tuple[str, str]]:
    for page in (root / "README.md", *sorted((root / "docs").glob("*.md"))):
        for text in sentences_of(page.read_text(encoding="utf-8")):
            yield page.name, text
    for home in HOMES.values():
        for text in home.suggestions:
            yield f"scripts/demo --home {home.name}", text


def sentences_of(page: str) -> list[str]:
    """Return the sentences that a page in Markdown proposes."""
    prose = _CODE.sub("", page)
    found = [*_QUOTED.findall(prose), *_YOU.findall(prose), *_SAY.findall(page)]
    return [" ".join(text.split()) for text in found]
