"""The home's texts in prompts: ids and names on one line, and which values may be free text.

Free text is what other people or services may have written. Numbers, times, ids, documented options
that are as short as a name, and single short words are trusted. Media titles, entries of calendars
and lists, and text helpers are not.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from datetime import date, time
from enum import Enum
from functools import lru_cache
from typing import Final

from homeassistant.core import State
from homeassistant.util import slugify

from ..helpers import in_one_go
from ..text import NameIndex, content_words, words
from .values import ENTITY_DOMAINS, STATE, TEXTS, is_possibility

_LONGEST_ID: Final = 40


@lru_cache(maxsize=8192)
def slug(text: str) -> str:
    """Return the text as an id of at most 40 characters, e.g. `desk_lamp`; may be empty."""
    found = slugify(text)
    if found == "unknown" and text.casefold() != "unknown":
        return ""
    return found[:_LONGEST_ID].rstrip("_")


LONGEST_NAME: Final = 80  # maximum length of a name or alias of a device, component, area or floor
_JOINERS: Final = frozenset("\u200c\u200d")  # zero-width, needed by some scripts and emoji


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
    """Return `id "name" (area)`, without a name or area whose words are in the id."""
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
    own = content_words(name) or words(name)
    return sum(_likeness(word, text) for word in own) / max(1, len(own))


@lru_cache(maxsize=8192)
def _likeness(word: str, text: str) -> float:
    return _index_of(text).hits(word).get(0, 0.0)


@lru_cache(maxsize=128)
def _index_of(text: str) -> NameIndex:
    return in_one_go(NameIndex.build([[(1.0, content_words(text))]]))


def called(name: str, alias: str) -> str:
    """Return `Salt lamp (Multisocket 2)` for this alias and name; the name without an alias."""
    return f"{alias} ({name})" if alias else name


# ------------------------------------------------------------ free text

_WRITTEN_BY_OTHERS: Final = frozenset({"calendar", "media_player", "todo"})
"""Domains with action responses that contain free text."""

_NAMED_PLACES: Final = frozenset({"device_tracker", "person"})
"""Domains with the name of a zone as state; the home's own names are trusted."""

_NUMBER_OR_ID: Final = re.compile(r"(?=.*\d)[\dA-Fa-fTZ:.,+\-/ %_]{1,64}|… \d+ more")
"""Numbers, times, addresses, hexadecimal ids, and the end mark of a shortened list."""

_WORD: Final = re.compile(r"(?!.{17})[^\W_]+(?:[_\-./][^\W_]+)?")
"""One word of a vocabulary, such as `heat_cool`, `2026.11.1` or `km/h`."""

_NAME: Final = re.compile(r"(?!.{41})[A-Za-z0-9_:\-]+(?:[ .][A-Za-z0-9_:\-]+)?")
"""The name of an attribute, or a key of a JSON object."""

_LABEL: Final = re.compile(r"(?!.{41})\S+(?: \S+){0,5}")
"""An option, such as a radio's station, as long as a name: at most 40 characters, 6 words."""

_SHORT: Final = 4  # characters of a text that are too few for an instruction in any script
_MOST_WORDS: Final = 4  # maximum number of different words in one list; more could be a sentence
_MOST_WORDS_IN_ALL: Final = 20
_LAST_LATIN: Final = 0x24F


def is_free_text(domain: str, name: str, value: object, options: Collection[object] = ()) -> bool:
    """Return whether the value of an attribute may be text from an untrusted source.

    `domain` is the domain of the entity, `name` the name of the attribute. `options` are the
    documented values of the attribute; those that are as short as a name are trusted.
    """
    # The name could be an instruction: no value is trusted.
    if not is_plain_name(name):
        return value is not None
    if value is None or isinstance(value, bool | int | float):
        return False
    if isinstance(value, list | tuple) and all(isinstance(each, int | float) for each in value):
        # A light reports its colour in four lists of numbers.
        return False
    if domain in _NAMED_PLACES and name == STATE:
        return False
    is_by_others = name.startswith("media_") if domain == "media_player" else name != STATE
    if (domain in _WRITTEN_BY_OTHERS and is_by_others) or (domain in TEXTS and name == STATE):
        return any(not _NUMBER_OR_ID.fullmatch(each) for each in _texts(value, options))
    return _is_free(value, options)


def labels(options: Iterable[str]) -> tuple[str, ...]:
    """Return the options that may be shown without marks: those that are as short as a name."""
    return tuple(option for option in options if not option or is_label(option))


@lru_cache(maxsize=4096)
def is_label(text: str) -> bool:
    """Return whether an option is as short as a name, on one line."""
    return bool(_LABEL.fullmatch(text))


def options_of(domain: str, attributes: Mapping[str, object]) -> frozenset[str]:
    """Return the options that attributes list, such as the items of `hvac_modes`."""
    return frozenset(
        str(option)
        for name, listed in attributes.items()
        if is_possibility(domain, name) and isinstance(listed, list | tuple | set | frozenset)
        for option in listed
    )


def is_free_text_of(state: State, name: str, value: object) -> bool:
    """Return whether a value of an entity may be untrusted text; its own options are trusted."""
    return is_free_text(state.domain, name, value, options_of(state.domain, state.attributes))


@lru_cache(maxsize=4096)
def is_plain_name(name: str) -> bool:
    """Return whether the name of an attribute is too short and plain to be an instruction."""
    return bool(_NAME.fullmatch(name))


def answers_with_text(domain: str) -> bool:
    """Return whether responses and errors of a domain's actions may quote untrusted text."""
    return domain in _WRITTEN_BY_OTHERS or domain not in ENTITY_DOMAINS


def answer_is_free_text(domain: str, answer: object) -> bool:
    """Return whether an action's response may be untrusted text, as that of unknown domains."""
    if answers_with_text(domain):
        return any(not _NUMBER_OR_ID.fullmatch(each) for each in _texts(answer, ()))
    return _is_free(answer, ())


# Only the form of a text counts, never its meaning.
def _is_free(value: object, options: Collection[object]) -> bool:
    # Members of an enumeration are defined in code, so they are trusted.
    if isinstance(value, str) and not isinstance(value, Enum):
        text = value.strip()
        is_option = text in options and is_label(text)
        known = not text or is_option or _NUMBER_OR_ID.fullmatch(text)
        return not known and not _is_word(text)
    words = {each for each in _texts(value, options) if not _NUMBER_OR_ID.fullmatch(each)}
    if len(words) > _MOST_WORDS_IN_ALL or not all(map(_is_word, words)):
        return True
    return any(len(each & words) > _MOST_WORDS for each in _rows(value))


def _is_word(text: str) -> bool:
    if len(text) <= _SHORT:
        return True
    return bool(_WORD.fullmatch(text)) and all(ord(each) <= _LAST_LATIN for each in text)


def _texts(value: object, options: Collection[object]) -> Iterable[str]:
    """Yield the texts in a value, and dict keys that could be an instruction."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            if not is_plain_name(str(key)):
                yield str(key)
            yield from _texts(each, options)
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _texts(each, options)
    elif value and not isinstance(value, bool | int | float | date | time | Enum):
        text = str(value).strip()
        if text and not (text in options and is_label(text)):
            yield text


def _rows(value: object) -> Iterable[frozenset[str]]:
    """Yield the set of texts in each list or dict; together they could form a sentence."""
    if isinstance(value, Mapping):
        members = list(value.values())
    elif isinstance(value, list | tuple | set | frozenset):
        members = list(value)
    else:
        return
    yield frozenset(each.strip() for each in members if isinstance(each, str))
    for each in members:
        yield from _rows(each)
