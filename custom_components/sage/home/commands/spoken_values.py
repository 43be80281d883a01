"""Names and values of devices for people: cleaned, and in the person's language."""

import html
import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers.translation import async_get_cached_translations, async_get_translations
from homeassistant.util.language import Dialect

from ...text import Sentences, is_hidden
from ..home_types import EARLIER, Fact, Outcome, Reading
from ..values import ENTITY_DOMAINS, PAST, STATE, plain

_LONGEST: Final = 60  # maximum length of a name in a question, in characters
_PLAIN: Final = re.compile(r"[A-Za-z0-9]+(?: [A-Za-z0-9]+)*")
_TAG: Final = re.compile(r"<[^<>]*>|://")
_MARKUP: Final = frozenset("<>*_`~|[]{}\\#")


VALUES: Final[Mapping[str, tuple[str, float]]] = {
    "brightness": ("value_brightness", 100 / 255),
    "brightness_pct": ("value_brightness", 1),
    "color_temp_kelvin": ("value_kelvin", 1),
    "temperature": ("value_temperature", 1),
    "humidity": ("value_humidity", 1),
    "percentage": ("value_speed", 1),
    "current_position": ("value_position", 1),
    "position": ("value_position", 1),
    "current_tilt_position": ("value_tilt", 1),
    "tilt_position": ("value_tilt", 1),
    "volume_level": ("value_volume", 100),
}
"""Attribute or argument -> (key of its sentence, factor that converts it to the spoken number)."""

_CLOCK: Final = re.compile(r"(\d+):(\d\d):(\d\d)")
_UNDATED: Final = frozenset({"at", "until", "since", "unavailable", "value"})
"""Values of a period that stand behind another one of the same period."""

_LONGEST_ANSWER: Final = 300
_SHOWN_VALUES: Final = 8
_SHOWN_ENTRIES: Final = 12

NUMBERS: Final = {name: key for name, (key, scale) in VALUES.items() if scale == 1}
"""Attribute of a reading -> key of the sentence for its number."""


@lru_cache(maxsize=8192)
def cleaned(text: str) -> str:
    """Return a text on one line, without markup and invisible characters, cut to 60 characters."""
    if not (len(text) <= _LONGEST and _PLAIN.fullmatch(text)):
        shown = _TAG.sub(" ", html.unescape(unicodedata.normalize("NFC", text)))
        text = " ".join("".join(map(_seen, shown)).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST].rstrip()}…"


def title_played(outcome: Outcome) -> str:
    """Return what a player plays since a command that chose it; empty after other commands."""
    if outcome.command.rpartition(".")[2] != "play_media":
        return ""
    names = ("media_title", "media_artist")
    return ", ".join(cleaned(str(outcome.after[name])) for name in names if outcome.after.get(name))


def _seen(sign: str) -> str:
    if sign in _MARKUP or sign.isspace() or unicodedata.category(sign) == "Cc":
        return " "
    return "" if is_hidden(sign) else sign


async def async_load_state_names(hass: HomeAssistant, language: str) -> None:
    """Load Home Assistant's translations of states into the cache that `say_outcomes` uses."""
    domains = hass.config.components & ENTITY_DOMAINS
    await async_get_translations(
        hass, Dialect.parse(language).language, "entity_component", domains
    )


def say_readings(
    hass: HomeAssistant, sentences: Sentences, readings: Sequence[Reading], language: str
) -> list[str]:
    """Return sentences with the values of readings, e.g. "Lamp: on, 80 percent brightness.".

    There is one sentence for each reading that has values; it contains at most 8 of them. Equal
    sentences are returned only once.
    """
    said: dict[str, None] = {}
    for reading in readings:
        values: list[str] = []
        has_state = reading.fact(STATE) is not None
        for fact in reading.attributes if reading.available else ():
            name, value = fact.name.removeprefix(EARLIER), fact.value
            is_earlier = name != fact.name
            is_main = name == STATE or name in NUMBERS or isinstance(value, list)
            is_empty = value in (None, "", []) or name.endswith("_until")
            if is_empty or not (is_main or is_earlier or not has_state):
                continue
            text = _value_read(hass, sentences, reading, fact, language)
            values.append(sentences.say("seen_earlier", value=text) if is_earlier else text)
        if not reading.available:
            values = [sentences.say("state_unavailable")]
        if values:
            device, state = cleaned(reading.device_name), ", ".join(values[:_SHOWN_VALUES])
            said[sentences.say("seen_state", device=device, state=state)] = None
    return list(said)


def _value_read(
    hass: HomeAssistant, sentences: Sentences, reading: Reading, fact: Fact, language: str
) -> str:
    name, value = fact.name.removeprefix(EARLIER), fact.value
    if PAST in name:
        return past_said(hass, sentences, reading.component_id, fact, language)
    if isinstance(value, list):
        return entries_said(value)
    if name in NUMBERS and isinstance(value, int | float):
        return sentences.say(NUMBERS[name], value=f"{value:g}")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:g} {fact.unit}" if fact.unit else f"{value:g}"
    text = str(value)
    if name == STATE and reading.is_entity:
        name_in_language = state_name(hass, reading.component_id, text, language)
        key = f"state_{text}"
        return name_in_language or (sentences.say(key) if key in sentences else text)
    return text if name == STATE else f"{name.replace('_', ' ')} {plain(value, 60)}"


def past_said(
    hass: HomeAssistant | None, sentences: Sentences, component_id: str, fact: Fact, language: str
) -> str:
    """Return a value of a period for speech: `on for 3 h 12 min, 2026-03-09`."""
    name, _, period = fact.name.partition(PAST)
    measure, _, state = name.removesuffix("_or_before").partition("_")
    said = state_name(hass, component_id, state, language) if hass is not None else ""
    own = f"state_{state}"
    if isinstance(fact.value, int | float):
        value = f"{fact.value:g} {fact.unit}" if fact.unit else f"{fact.value:g}"
    elif isinstance(fact.value, list):
        value = entries_said(fact.value)
    elif clock := _CLOCK.fullmatch(value := str(fact.value)):
        hours, minutes, seconds = map(int, clock.groups())
        value = f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds} s"
    else:
        value = value[:16]
    if said.casefold() in ("", state):
        said = sentences.say(own) if own in sentences else state.replace("_", " ")
    text = sentences.say(f"past_{measure}", state=said, value=value).strip(" :")
    start = period.removesuffix("..now")
    if measure in _UNDATED or not start:
        return text
    shown = start.replace("T", " ").replace("..", " - ")
    return sentences.say("past_in" if start == period else "past_from", text=text, period=shown)


def entries_said(entries: Sequence[object]) -> str:
    """Return the entries of a to-do list or calendar for speech: `Milk, Eggs`."""
    parts = ([*e.values()] if isinstance(e, Mapping) else [e] for e in entries[:_SHOWN_ENTRIES])
    return ", ".join(" ".join(map(str, part)) for part in parts)


def state_name(hass: HomeAssistant, component_id: str, state: str, language: str) -> str:
    """Return Home Assistant's translation of a state; empty if there is none."""
    return translated(hass, component_id, f"state.{state}", language)


def translated(hass: HomeAssistant, component_id: str, place: str, language: str) -> str:
    """Return the translation for the device class of an entity, else for its domain."""
    domain = component_id.partition(".")[0]
    names = async_get_cached_translations(
        hass, Dialect.parse(language).language, "entity_component", domain
    )
    own = hass.states.get(component_id)
    kind = own.attributes.get("device_class") if own is not None else None
    for each in (kind, "_"):
        if name := names.get(f"component.{domain}.entity_component.{each}.{place}"):
            return name
    return ""


def answer_said(sentences: Sentences, response: str) -> str:
    """Return a response for speech: `bin green, day Tuesday`; the value alone if it is the only."""
    try:
        answer = json.loads(response)
    except ValueError:
        # A long response is cut, so that it is no JSON.
        answer = response.translate(_NO_SYNTAX)
    if isinstance(answer, dict) and len(answer) == 1:
        (answer,) = answer.values()
    text = " ".join(_said_value(sentences, answer).split())
    return text if len(text) <= _LONGEST_ANSWER else f"{text[:_LONGEST_ANSWER].rstrip()}…"


_NO_SYNTAX: Final = str.maketrans(dict.fromkeys('{}[]"'))


def _said_value(sentences: Sentences, value: object) -> str:
    match value:
        case dict():
            texts = [(f"{name.replace('_', ' ')} ", value[name]) for name in value]
        case list():
            texts = [("", each) for each in value]
        case bool():
            return sentences.say("routine_yes" if value else "routine_no").lower()
        case _:
            return "" if value is None else str(value).rstrip(".")
    said = [(name, _said_value(sentences, each)) for name, each in texts]
    return ", ".join(name + text for name, text in said if text)
