"""Detect free text: values that may contain untrusted text by other people or services.

Numbers, times, ids, documented options that are as short as a name, and single short words are
trusted. Media titles, entries of calendars and lists, and text helpers are not. The response of a
script is as trusted as its sources.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date, time
from enum import Enum, StrEnum
from functools import lru_cache
from typing import Any, Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_component import EntityComponent
from homeassistant.helpers.template import is_template_string

from ..values import ENTITY_DOMAINS, STATE, is_possibility
from .action_sequence import mappings_in

_WRITTEN_BY_OTHERS: Final = frozenset({"calendar", "media_player", "todo"})
"""Domains with action responses that contain free text."""

_TEXT_HELPERS: Final = frozenset({"input_text", "text"})
_NAMED_PLACES: Final = frozenset({"device_tracker", "person"})
"""Domains with the name of a zone as state; the home's own names are trusted."""

_NUMBER_OR_ID: Final = re.compile(r"(?=.*\d)[\dA-Fa-fTZ:.,+\-/ %_]{1,64}|… \d+ more")
"""Numbers, times, addresses, hexadecimal ids, and the end mark of a shortened list."""

_WORD: Final = re.compile(r"(?!.{17})[^\W_]+(?:[_\-./][^\W_]+)?")
"""One word of a vocabulary, such as `heat_cool`, `2026.11.1` or `km/h`."""

_NAME: Final = re.compile(r"(?!.{41})[A-Za-z0-9_:\-]+(?:[ .][A-Za-z0-9_:\-]+)?")
"""The name of an attribute, or a key of a JSON object."""

_LABEL: Final = re.compile(r"(?!.{41})\S+(?: \S+){0,5}")
"""An option with the length of a name: at most 40 characters and 6 words.

Options come from devices and services, such as the stations of a radio.
"""

_SHORT: Final = 4
"""A text of at most this length, in characters, is too short for an instruction in any script."""

_MOST_WORDS: Final = 4
"""Maximum number of different words in one list; more could be a sentence."""

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
    if _is_written_by_others(domain, name):
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


@lru_cache(maxsize=4096)
def is_plain_name(name: str) -> bool:
    """Return whether the name of an attribute is too short and plain to be an instruction."""
    return bool(_NAME.fullmatch(name))


def answers_with_text(domain: str) -> bool:
    """Return whether responses and errors of a domain's actions may quote untrusted text."""
    return domain in _WRITTEN_BY_OTHERS or domain not in ENTITY_DOMAINS


def answer_is_free_text(domain: str, answer: object) -> bool:
    """Return whether an action's response may contain untrusted text.

    `domain` is the domain of the action; an unknown domain counts as untrusted.
    """
    if answers_with_text(domain):
        return any(not _NUMBER_OR_ID.fullmatch(each) for each in _texts(answer, ()))
    return _is_free(answer, ())


def _is_written_by_others(domain: str, name: str) -> bool:
    match domain:
        case "calendar":
            return name != STATE
        case "media_player":
            return name.startswith("media_")
        case "todo":
            return name != STATE
    return domain in _TEXT_HELPERS and name == STATE


# Only the form of a text counts, never its meaning.
def _is_free(value: object, options: Collection[object]) -> bool:
    # Members of an enumeration are defined in code, so they are trusted.
    if isinstance(value, str) and not isinstance(value, Enum):
        text = value.strip()
        known = not text or _is_option(text, options) or _NUMBER_OR_ID.fullmatch(text)
        return not known and not _is_word(text)
    words = {each for each in _texts(value, options) if not _NUMBER_OR_ID.fullmatch(each)}
    if len(words) > _MOST_WORDS_IN_ALL or not all(map(_is_word, words)):
        return True
    return any(len(each & words) > _MOST_WORDS for each in _rows(value))


def _is_option(text: str, options: Collection[object]) -> bool:
    return text in options and is_label(text)


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
        if text and not _is_option(text, options):
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


_MOST_NESTED: Final = 12
_OTHERS_IN_TEMPLATE: Final = re.compile(r"\b(?:calendar|media_player|todo|input_text|text)\.\w")
"""An entity in a template whose state or attributes may be text by other people."""


class AnswerSource(StrEnum):
    """The source of a script's response."""

    SCRIPT = "script"
    """The household wrote it into the script."""

    HOME = "home"
    """Templates, or the forecast of a weather entity."""

    OUTSIDE = "outside"
    """The response of another action, such as a web request, or an unknown source."""


def answer_source(hass: HomeAssistant, entity_id: str, depth: int = 0) -> AnswerSource | None:
    """Return the source of a script's response; None if the script returns no response."""
    component = hass.data.get("script")
    entity = component.get_entity(entity_id) if isinstance(component, EntityComponent) else None
    script = getattr(entity, "script", None)
    steps = [*mappings_in([*getattr(script, "sequence", ()), getattr(script, "variables", None)])]
    if not any("stop" in each and each.get("response_variable") for each in steps):
        return None
    if depth > _MOST_NESTED or any(_is_outside(hass, each, depth) for each in steps):
        return AnswerSource.OUTSIDE
    values = [value for each in steps for value in (*each.keys(), *each.values())]
    texts = [str(getattr(each, "template", each)) for each in _leaves(values)]
    templates = [each for each in texts if is_template_string(each)]
    if any(map(_OTHERS_IN_TEMPLATE.search, templates)):
        return AnswerSource.OUTSIDE
    fetches = any(map(_fetched, steps))
    return AnswerSource.HOME if templates or fetches else AnswerSource.SCRIPT


def _is_outside(hass: HomeAssistant, step: Mapping[str, Any], depth: int) -> bool:
    """Return whether a step may bring text from outside the home into a variable."""
    if "wait_for_trigger" in step:
        return True
    action = _fetched(step)
    domain, _, name = str(action or "").lower().partition(".")
    if domain == "script":
        called = f"script.{name}"
        return answer_source(hass, called, depth + 1) in {None, AnswerSource.OUTSIDE}
    return action is not None and domain != "weather"


def _fetched(step: Mapping[str, Any]) -> object | None:
    """Return the action whose response the step stores, else None."""
    return (step.get("action") or step.get("service")) if step.get("response_variable") else None


def _leaves(value: object) -> Iterator[object]:
    """Yield the items of nested lists."""
    if isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)
    else:
        yield value
