"""Sentences about the results of commands: for the person and for the model (in English).

An unobserved effect is never described as done.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers.translation import (
    async_get_cached_translations,
    async_get_translations,
)

from ...helpers.slices import Work, async_in_slices, in_one_go
from ...text.fence import fenced
from ...text.speech import Sentences
from ..home_types import PUT_BACK, Outcome, OutcomeKind, Source, without_codes
from ..safety.free_text import is_free_text, options_of
from ..values import is_shown, item_attributes, names_entities, plain
from .goals import STATE
from .spoken_names import CountedNames, written

_AWAY: Final = frozenset({"unavailable", "unknown"})
_SHOWN_CHANGES: Final = 8
_LONGEST_ANSWER: Final = 300


@dataclass(frozen=True, slots=True)
class _Value:
    """An attribute whose new value is mentioned in the sentence about an outcome.

    It is mentioned if the command is one of `commands` or has one of `arguments`, or if an undo
    changed the value.
    """

    attribute: str
    key: str
    arguments: tuple[str, ...]
    commands: tuple[str, ...] = ()
    scale: float = 1.0


VALUES: Final = (
    _Value(
        "brightness",
        "value_brightness",
        ("brightness", "brightness_pct", "brightness_step", "brightness_step_pct"),
        scale=100 / 255,
    ),
    _Value("color_temp_kelvin", "value_kelvin", ("color_temp_kelvin", "kelvin")),
    _Value("temperature", "value_temperature", ("temperature",)),
    _Value("humidity", "value_humidity", ("humidity",)),
    _Value(
        "percentage",
        "value_speed",
        ("percentage", "percentage_step"),
        ("increase_speed", "decrease_speed"),
    ),
    _Value("current_position", "value_position", ("position",)),
    _Value("current_tilt_position", "value_tilt", ("tilt_position",)),
    _Value(
        "volume_level",
        "value_volume",
        ("volume_level",),
        ("volume_up", "volume_down"),
        scale=100.0,
    ),
)


_TEXTS: Final[Mapping[str, str]] = {
    "media_content_id": "value_channel",
    "tvChannel": "value_channel",
    "tvChannelName": "value_channel",
    "source": "value_source",
}
"""Attribute with a text that a command can set -> key of the sentence for it."""


async def async_load_state_names(hass: HomeAssistant, language: str) -> None:
    """Load Home Assistant's translations of states into the cache that `say_outcomes` uses."""
    domains = {state.domain for state in hass.states.async_all()} & hass.config.components
    await async_get_translations(hass, _base(language), "entity_component", domains)


def say_outcomes(
    hass: HomeAssistant, sentences: Sentences, outcomes: Sequence[Outcome], language: str
) -> str:
    """Return the outcomes as sentences in the person's language; empty if there are none."""
    groups: dict[_Sentence, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(_sentence(hass, sentences, outcome, language), []).append(outcome)
    names = CountedNames(outcomes)
    said = [sentence.said(sentences, names.count(each)) for sentence, each in groups.items()]
    said += [
        sentences.say("outcome_answer", device=each.device_name, answer=_answer_said(each.response))
        for each in outcomes
        if each.response and not each.is_read
    ]
    return " ".join(said)


def _answer_said(response: str) -> str:
    """Return a response for speech: `bin green, day Tuesday`; the value alone if it is the only."""
    try:
        found = json.loads(response)
    except ValueError:
        found = response
    if isinstance(found, dict) and len(found) == 1:
        (found,) = found.values()
    return " ".join(_said_value(found).split())[:_LONGEST_ANSWER]


def _said_value(value: object) -> str:
    match value:
        case dict():
            return ", ".join(
                f"{name.replace('_', ' ')} {_said_value(each)}" for name, each in value.items()
            )
        case list():
            return ", ".join(map(_said_value, value))
    return str(value).rstrip(".")


@dataclass(frozen=True, slots=True)
class _Sentence:
    """Key and placeholders of a sentence about an outcome, without the names of devices."""

    key: str
    """Key of the sentence, without its suffix `_one` or `_many`."""

    placeholders: tuple[tuple[str, str], ...] = ()

    def said(self, sentences: Sentences, counted: Mapping[str, int]) -> str:
        number = "one" if sum(counted.values()) == 1 else "many"
        said = sentences.say(
            f"{self.key}_{number}",
            devices=_joined(sentences, written(counted)),
            **dict(self.placeholders),
        )
        return said[:1].upper() + said[1:]


def _sentence(
    hass: HomeAssistant, sentences: Sentences, outcome: Outcome, language: str
) -> _Sentence:
    match outcome.kind:
        case OutcomeKind.SENT:
            return _Sentence("outcome_sent")
        case OutcomeKind.REFUSED | OutcomeKind.FAILED:
            return _reason(sentences, outcome)
        case OutcomeKind.UNDER_WAY:
            return _under_way(sentences, outcome)
        case OutcomeKind.NOT_CONFIRMED:
            return _not_confirmed(hass, sentences, outcome, language)
    base = "outcome_already" if outcome.kind is OutcomeKind.ALREADY else "outcome_verified"
    if outcome.is_read or outcome.response:
        return _Sentence("outcome_verified_done")
    return _reached(hass, sentences, outcome, language, base)


def _reached(
    hass: HomeAssistant, sentences: Sentences, outcome: Outcome, language: str, base: str
) -> _Sentence:
    """Return the sentence of a verified command, such as `Kitchen Light is now on`."""
    values = _values_of(sentences, outcome)
    state = outcome.after.get(STATE)
    if _has_contents(outcome):
        return _Sentence(f"{base}_done")
    if values and outcome.before.get(STATE) == state:
        return _Sentence(f"{base}_values", (("values", values),))
    added = sentences.say("outcome_at_values", values=values) if values else ""
    if not isinstance(state, str) or state in _AWAY:
        return _Sentence(f"{base}_done")
    if (key := f"state_{state}") in sentences:
        return _Sentence(base, (("state", sentences.say(key)), ("values", added)))
    name = _named_state(hass, outcome, state, language)
    return _Sentence(f"{base}_mode", (("state", name), ("values", added)))


def _under_way(sentences: Sentences, outcome: Outcome) -> _Sentence:
    key = f"moving_{outcome.after.get(STATE)}"
    if key in sentences:
        return _Sentence("outcome_under_way_moving", (("moving", sentences.say(key)),))
    return _Sentence("outcome_under_way")


def _not_confirmed(
    hass: HomeAssistant, sentences: Sentences, outcome: Outcome, language: str
) -> _Sentence:
    if outcome.reason is not None:
        return _reason(sentences, outcome)
    state = outcome.after.get(STATE)
    if not isinstance(state, str) or state in _AWAY or _has_contents(outcome):
        return _Sentence("outcome_not_confirmed_away")
    key = f"state_{state}"
    name = sentences.say(key) if key in sentences else _named_state(hass, outcome, state, language)
    return _Sentence("outcome_not_confirmed", (("state", name),))


def _has_contents(outcome: Outcome) -> bool:
    """Return whether the outcome contains entries of a to-do list or calendar.

    The state of a list or calendar is only a count or a time, so it is not mentioned.
    """
    names = item_attributes(outcome.component_id.partition(".")[0])
    return not outcome.after.keys().isdisjoint(names)


def _reason(sentences: Sentences, outcome: Outcome) -> _Sentence:
    away = outcome.kind is OutcomeKind.NOT_CONFIRMED
    usual = "outcome_not_confirmed_away" if away else f"outcome_{outcome.kind.value}"
    key = outcome.reason or usual
    if f"{key}_one" not in sentences:
        key = usual
    return _Sentence(key, tuple(sorted(outcome.reason_placeholders.items())))


def _values_of(sentences: Sentences, outcome: Outcome) -> str:
    texts = []
    command = outcome.command.rpartition(".")[2]
    for value in VALUES:
        if not _is_changed_by(value, outcome, command):
            continue
        number = outcome.after.get(value.attribute)
        if isinstance(number, int | float) and not isinstance(number, bool):
            scaled = number * value.scale
            rounded = round(scaled, 1) if value.scale == 1.0 else round(scaled)
            texts.append(sentences.say(value.key, value=f"{rounded:g}"))
    texts += [sentences.say(_TEXTS[name], value=text) for name, text in _texts_set(outcome)]
    return _joined(sentences, texts)


def _texts_set(outcome: Outcome) -> Iterator[tuple[str, str]]:
    """Yield the attributes of `_TEXTS` that the command set and that now have this text.

    The content of a media player is left out unless it is a television channel.
    """
    given = dict(outcome.arguments)
    media = given.get("media")
    given |= media if isinstance(media, dict) else {}
    if given.get("media_content_type") != "channel":
        given.pop("media_content_id", None)
    for name in _TEXTS:
        text = given.get(name)
        is_same = outcome.command == PUT_BACK and text == outcome.before.get(name)
        if isinstance(text, str) and text == outcome.after.get(name) and not is_same:
            yield name, text


def _is_changed_by(value: _Value, outcome: Outcome, command: str) -> bool:
    if command == PUT_BACK:
        return outcome.before.get(value.attribute) != outcome.after.get(value.attribute)
    return command in value.commands or not outcome.arguments.keys().isdisjoint(value.arguments)


def _named_state(hass: HomeAssistant, outcome: Outcome, state: str, language: str) -> str:
    return state_name(hass, outcome.component_id, state, language) or state.replace("_", " ")


def state_name(hass: HomeAssistant, component_id: str, state: str, language: str) -> str:
    """Return Home Assistant's translation of a state; empty if there is none."""
    domain = component_id.partition(".")[0]
    names = async_get_cached_translations(hass, _base(language), "entity_component", domain)
    own = hass.states.get(component_id)
    kind = own.attributes.get("device_class") if own is not None else None
    for each in (kind, "_"):
        if name := names.get(f"component.{domain}.entity_component.{each}.state.{state}"):
            return name
    return ""


def _joined(sentences: Sentences, parts: Iterable[str]) -> str:
    listed = list(parts)
    if len(listed) < 2:
        return "".join(listed)
    return sentences.say("list_and", first=", ".join(listed[:-1]), last=listed[-1])


def _base(language: str) -> str:
    return language.split("-", maxsplit=1)[0].lower()


# ------------------------------------------------------------------ for the model


def describe_for_model(outcomes: Sequence[Outcome]) -> str:
    """Return the results of commands as text for the model: one English line for each command."""
    return in_one_go(_observation(outcomes))


async def async_describe_for_model(outcomes: Sequence[Outcome]) -> str:
    """Return the text of `describe_for_model`, without blocking the event loop."""
    return await async_in_slices(_observation(outcomes))


def _observation(outcomes: Sequence[Outcome]) -> Work[str]:
    lines: list[str] = []
    for outcome in outcomes:
        lines.append(_described(outcome))
        yield
    return "\n".join(lines)


_MEANINGS: Final[Mapping[OutcomeKind, str]] = {
    OutcomeKind.VERIFIED: "verified",
    OutcomeKind.ALREADY: "already so before",
    OutcomeKind.UNDER_WAY: "under way, not finished yet",
    OutcomeKind.SENT: "sent, cannot be observed",
    OutcomeKind.NOT_CONFIRMED: "NOT CONFIRMED, do not say that it worked",
    OutcomeKind.REFUSED: "REFUSED, nothing was done",
    OutcomeKind.FAILED: "FAILED",
}


def _described(outcome: Outcome) -> str:
    shown = without_codes(outcome.arguments)
    given = ", ".join(f"{name}={plain(value)}" for name, value in shown.items())
    line = (
        f"- {outcome.device_name} ({outcome.component_id}) {outcome.command}({given}): "
        f"{_MEANINGS[outcome.kind]}"
    )
    if changed := _changes(outcome):
        line += f"; {changed}"
    line = f"{line}. {outcome.detail}" if outcome.detail else f"{line}."
    if outcome.is_free_text:
        return f"{line}\n{fenced(outcome.response)}"
    return f"{line} {outcome.response}" if outcome.response else line


def _changes(outcome: Outcome) -> str:
    texts = []
    before_values, after_values = _as_percent(outcome.before), _as_percent(outcome.after)
    for name, after in after_values.items():
        if name != STATE and (not _is_worth_telling(outcome, name) or names_entities(after)):
            continue
        before = before_values.get(name)
        if _is_text_of_others(outcome, name, before, after):
            texts.append(f"{name} {'unchanged' if before == after else 'changed'}")
            continue
        texts.append(f"{name} {_short(after)}" if before == after else _moved(name, before, after))
    return ", ".join(texts[:_SHOWN_CHANGES])


def _is_text_of_others(outcome: Outcome, name: str, *values: object) -> bool:
    """Return whether one of the values is text from an untrusted source.

    Documented options and arguments of the command are trusted.
    """
    if outcome.source is not Source.HOME_ASSISTANT:
        domain = outcome.capability
    else:
        domain = outcome.component_id.partition(".")[0]
    if not any(is_free_text(domain, name, plain(value)) for value in values):
        # Options can only make more values trusted, and collecting them is slow.
        return False
    given = (*outcome.arguments.values(), *outcome.wanted.get(name, ()))
    known = options_of(domain, outcome.restore) | {each for each in given if isinstance(each, str)}
    return any(is_free_text(domain, name, plain(value), known) for value in values)


def _as_percent(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values with `brightness` (0..255) converted to `brightness_pct` (0..100)."""
    return {
        (name if name != "brightness" else "brightness_pct"): (
            round(value * 100 / 255)
            if name == "brightness" and isinstance(value, (int, float))
            else value
        )
        for name, value in values.items()
    }


def _is_worth_telling(outcome: Outcome, name: str) -> bool:
    """Return whether to show a changed attribute to the model.

    Colours are shown only if the command set a colour: a light that turns on reports its colour in
    five attributes, and small models repeat all of them.
    """
    if not is_shown(outcome.component_id.partition(".")[0], name):
        return False
    asked = outcome.command == PUT_BACK or any("color" in each for each in outcome.arguments)
    return asked or "color" not in name


def _moved(name: str, before: Any, after: Any) -> str:
    return f"{name} {_short(before)} -> {_short(after)}"


def _short(value: Any) -> str:
    return "none" if value in (None, "") else str(plain(value, 60))
