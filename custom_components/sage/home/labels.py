"""Ids and names in prompts, on one line and of limited length."""

import unicodedata
from functools import lru_cache
from typing import Final

from homeassistant.util import slugify

from ..helpers import in_one_go
from ..text import NameIndex, content_words, words
from .home_types import Device

_LONGEST_ID: Final = 40


@lru_cache(maxsize=8192)
def slug(text: str) -> str:
    """Return the text as an id of at most 40 characters, e.g. `desk_lamp`; may be empty."""
    found = slugify(text)
    if found == "unknown" and text.casefold() != "unknown":
        return ""
    return found[:_LONGEST_ID].rstrip("_")


LONGEST_NAME: Final = 80
"""Maximum length of a name or alias of a device, component, area or floor."""

_JOINERS: Final = frozenset("\u200c\u200d")
"""Zero-width characters that some scripts and emoji need."""


@lru_cache(maxsize=8192)
def flat_name(name: str) -> str:
    """Return a name on one line, without invisible characters, cut to LONGEST_NAME characters."""
    if not (name.isascii() and name.isprintable()):
        name = "".join(map(_seen, name))
    return " ".join(name.split())[:LONGEST_NAME].rstrip()


def _seen(sign: str) -> str:
    if sign.isspace() or unicodedata.category(sign) == "Cc":
        return " "
    return sign if sign.isprintable() or sign in _JOINERS else ""


def quiet(name: str) -> str:
    """Return a name without line breaks and double quotes, so it cannot imitate prompt text."""
    return " ".join(name.replace('"', "'").split())


def label(device_id: str, name: str, area: str | None) -> str:
    """Return `id "name" (area)`, without a name or area whose words are in the id.

    Example: `kitchen_lamp` for the name "Lamp" and the area "Kitchen".
    """
    named = titled(device_id, name, area)
    if not area or set(slug(area).split("_")) <= set(device_id.split("_")):
        return named
    return f"{named} ({quiet(area)})"


def part_label(device: str, component_id: str) -> str:
    """Return `DEVICE component ID`; `device` is the label of the device (`label`), or its id."""
    return f"{device} component {component_id}"


def titled(device_id: str, name: str, area: str | None) -> str:
    """Return `id "name"`, or only the id if it already contains the name (`says_the_same`)."""
    return device_id if says_the_same(device_id, name, area) else f'{device_id} "{quiet(name)}"'


def says_the_same(device_id: str, name: str, area: str | None) -> bool:
    """Return whether an id consists of the words of a name, with or without words of the area.

    Example: True for `kitchen_lamp`, the name "Lamp" and the area "Kitchen".
    """
    said = set(device_id.split("_"))
    own = set(slug(name).split("_"))
    return own <= said <= own | set(slug(area or "").split("_"))


_HALF: Final = 0.5


def said_alias(name: str, aliases: tuple[str, ...], text: str) -> str:
    """Return the alias that a text uses instead of the name; empty if it uses none.

    It is the alias of which the text has most words: at least half, and more than of the name.
    """
    if not aliases or not text:
        return ""
    shares = {alias: _share(alias, text) for alias in aliases}
    best = max(shares, key=shares.__getitem__)
    return best if shares[best] > max(_share(name, text), _HALF - 0.01) else ""


def _share(name: str, text: str) -> float:
    """Return how much of a name a text has, between 0 (no word) and 1 (all words)."""
    own = content_words(name) or words(name)
    return sum(_likeness(word, text) for word in own) / max(1, len(own))


@lru_cache(maxsize=8192)
def _likeness(word: str, text: str) -> float:
    """Return the score of the word of a text that is most similar to `word`."""
    return _index_of(text).hits(word).get(0, 0.0)


@lru_cache(maxsize=128)
def _index_of(text: str) -> NameIndex:
    return in_one_go(NameIndex.build([[(1.0, content_words(text))]]))


def alias_of(device: Device, component_id: str | None, text: str) -> str:
    """Return the alias that a text uses for a component or the whole device; may be empty."""
    part = next((each for each in device.components if each.id == component_id), None)
    if part is None or len(device.components) == 1:
        return said_alias(device.name, device.aliases, text)
    return said_alias(device.spoken_name(part), part.aliases, text)


def called(name: str, alias: str) -> str:
    """Return `Salt lamp (Multisocket 2)` for this alias and name; the name without an alias."""
    return f"{alias} ({name})" if alias else name
