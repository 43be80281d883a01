"""The results of commands in words. An unobserved effect is never described as done."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from homeassistant.const import ATTR_UNIT_OF_MEASUREMENT
from homeassistant.core import HomeAssistant
from homeassistant.helpers import config_validation as cv

from ...text import Sentences, fenced, quoted
from ..home_types import PUT_BACK, Outcome, OutcomeKind
from ..prompt_text import answers_with_text, is_free_text, options_of
from ..values import (
    NOT_KNOWN,
    STATE,
    grouped,
    is_secret,
    is_shown,
    item_attributes,
    names_entities,
    plain,
    without_codes,
)
from .expectation import NUMBERS, as_number, is_same
from .spoken_values import VALUES, answer_said, cleaned, state_name, title_played, translated

# ------------------------------------------------------------------ for the model

_SHOWN_CHANGES: Final = 8

_MEANINGS: Final[Mapping[OutcomeKind, str]] = {
    OutcomeKind.VERIFIED: "verified",
    OutcomeKind.ALREADY: "already so before",
    OutcomeKind.UNDER_WAY: "under way, not finished yet",
    OutcomeKind.SENT: "sent, cannot be observed",
    OutcomeKind.REACHED: "NOT AS WANTED, it reached another value, which the answer must say",
    OutcomeKind.NOT_CONFIRMED: "NOT CONFIRMED, do not say that it worked",
    OutcomeKind.REFUSED: "REFUSED, nothing was done",
    OutcomeKind.FAILED: "FAILED",
}


def describe_for_model(outcomes: Iterable[Outcome], *, shows_titles: bool = False) -> str:
    """Return the results of commands for the model, one English line each; or also what plays."""
    lines: list[str] = []
    for outcome in outcomes:
        shown = without_codes(outcome.arguments)
        arguments = ", ".join(f"{name}={plain(value)}" for name, value in shown.items())
        line = (
            f"- {outcome.device_name} ({outcome.component_id}) {outcome.command}({arguments}): "
            f"{_MEANINGS[outcome.kind]}"
        )
        if outcome.kind is OutcomeKind.VERIFIED and missed(outcome):
            line += ", as near as the device gets"
        if changed := ", ".join([*_changes(outcome)][:_SHOWN_CHANGES]):
            line += f"; {changed}"
        if error := outcome.reason_placeholders.get("error"):
            mark = fenced if answers_with_text(outcome.capability) else quoted
            line += f". Home Assistant says:\n{mark(error)}"
        else:
            line += f". {outcome.detail}" if outcome.detail else "."
            if response := outcome.response:
                line += f"\n{fenced(response)}" if outcome.is_free_text else f" {response}"
            if shows_titles and (title := title_played(outcome)):
                line += f"\n{fenced(title)}"
        lines.append(line)
    return "\n".join(lines)


def _changes(outcome: Outcome) -> Iterator[str]:
    """Yield the new values, and the old ones that differ: `state off -> on`.

    Colours are shown only if the command set a colour: a light that turns on reports its colour in
    five attributes, and small models repeat all of them.
    """
    before_values, arguments = as_percent(outcome.before), outcome.arguments
    sets_color = outcome.is_put_back or any("color" in name for name in arguments)
    for name, after in as_percent(outcome.after).items():
        before = before_values.get(name)
        # The remaining time of a timer would soon be wrong; `finishes_at` stays right.
        is_shown_value = name == STATE or (
            name != "remaining"
            and is_shown(outcome.capability, name)
            and ("color" not in name or sets_color)
            and not names_entities(after)
        )
        if not is_shown_value:
            continue
        own = (*arguments.values(), *outcome.wanted.get(name, ()))
        if is_text_of_others(outcome, name, before, after, trusted=own):
            yield f"{name} {'unchanged' if before == after else 'changed'}"
            continue
        values = (after,) if before == after else (before, after)
        texts = ("none" if value in (None, "") else str(plain(value, 60)) for value in values)
        yield f"{name} {' -> '.join(texts)}"


def is_text_of_others(
    outcome: Outcome, name: str, *values: object, trusted: Iterable[object] = ()
) -> bool:
    """Return whether one of the values of an attribute may be text from an untrusted source.

    Documented options are trusted, and the texts in `trusted`.
    """
    domain = outcome.capability
    if not any(is_free_text(domain, name, plain(value)) for value in values):
        # Options can only make more values trusted, and collecting them is slow.
        return False
    known = options_of(domain, outcome.restore) | {t for t in trusted if isinstance(t, str)}
    return any(is_free_text(domain, name, plain(value), known) for value in values)


def as_percent(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values with `brightness` (0..255) converted to `brightness_pct` (0..100)."""
    return {
        (name if name != "brightness" else "brightness_pct"): (
            round(value * 100 / 255)
            if name == "brightness" and isinstance(value, (int, float))
            else value
        )
        for name, value in values.items()
    }


def missed(outcome: Outcome) -> dict[str, tuple[object, object]]:
    """Return values set differently: name -> (reached, wanted, or None if several are)."""
    return {
        name: (outcome.after[name], None if len(wanted) > 1 and name == STATE else wanted[0])
        for name, wanted in outcome.wanted.items()
        if name in outcome.after
        and outcome.after[name] not in wanted
        and not any(is_same(name, each, outcome.after[name]) for each in wanted)
    }


# ------------------------------------------------------------------ for people

_SET_BY: Final[Mapping[str, tuple[str, ...]]] = {
    "brightness": ("brightness", "brightness_pct", "brightness_step", "brightness_step_pct"),
    "color_temp_kelvin": ("color_temp_kelvin", "kelvin"),
    "temperature": ("temperature",),
    "humidity": ("humidity",),
    "percentage": ("percentage", "percentage_step", "increase_speed", "decrease_speed"),
    "current_position": ("position", "stop_cover", "stop_valve"),
    "current_tilt_position": ("tilt_position",),
    "volume_level": ("volume_level", "volume_up", "volume_down"),
}
"""Attribute -> arguments and commands that set it; its new value is then mentioned."""

_TEXTS: Final[Mapping[str, str]] = {
    "media_content_id": "value_channel",
    "tvChannel": "value_channel",
    "tvChannelName": "value_channel",
    "source": "value_source",
    "fan_speed": "value_level",
}
"""Attribute with a text that a command can set -> key of the sentence for it."""

_SPANS: Final = {"start": "duration", "change": "remaining", "media_seek": "media_position"}
"""Command of a timer or media player -> attribute with the duration that it sets."""

_SETTERS: Final = frozenset(name for names in _SET_BY.values() for name in names)
_LOW, _HIGH = "target_temp_low", "target_temp_high"
_COLORS: Final = ("color_name", "rgb_color", "hs_color", "xy_color", "rgbw_color", "rgbww_color")
_MODES: Final = frozenset({"hvac_mode", "operation_mode"})  # arguments that set the state, too
_OTHERWISE_SAID: Final = _SETTERS | {
    *(STATE, _LOW, _HIGH),
    *(*_COLORS, *_MODES, *_TEXTS, *_SPANS.values()),
}
"""Arguments with a sentence of their own; the others are said with Home Assistant's names."""


def say_outcomes(
    hass: HomeAssistant, sentences: Sentences, outcomes: Sequence[Outcome], language: str
) -> str:
    """Return the outcomes as sentences in the person's language; empty if there are none."""
    groups = grouped(
        (_Words(hass, sentences, each, language).sentence(), each)
        for each in outcomes
        if not (each.is_read and each.has_looked and each.response)
    )
    areas = Counter(name for name, _ in {(each.device_name, each.area) for each in outcomes})
    ambiguous = {name for name, count in areas.items() if count > 1}
    said: list[str] = []
    for sentence, alike in groups.items():
        counted = _counted(alike, ambiguous)
        number = "one" if sum(counted.values()) == 1 else "many"
        names = (name if many == 1 else f"{many} × {name}" for name, many in counted.items())
        text = sentences.say(
            f"{sentence.key}_{number}",
            devices=sentences.joined(names),
            **dict(sentence.placeholders),
        )
        said.append(text[:1].upper() + text[1:])
    said += [
        sentences.say("outcome_answer", device=cleaned(each.device_name), answer=answer)
        for each in outcomes
        if (each.response and (not each.is_read or each.has_looked))
        and (answer := answer_said(sentences, each.response))
    ]
    return " ".join(said)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """Key and placeholders of a sentence about an outcome, without the names of devices."""

    key: str  # key of the sentence, without its suffix `_one` or `_many`
    placeholders: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Words:
    """Words about one outcome in the person's language."""

    hass: HomeAssistant
    sentences: Sentences
    outcome: Outcome
    language: str

    def sentence(self) -> _Sentence:
        outcome = self.outcome
        match outcome.kind:
            case OutcomeKind.SENT:
                return _Sentence("outcome_sent")
            case OutcomeKind.REFUSED | OutcomeKind.FAILED:
                return self._reason()
            case OutcomeKind.UNDER_WAY:
                key = f"moving_{outcome.after.get(STATE)}"
                if key not in self.sentences:
                    return _Sentence("outcome_under_way")
                moving = self.sentences.say(key)
                return _Sentence("outcome_under_way_moving", (("moving", moving),))
            case OutcomeKind.NOT_CONFIRMED:
                return self._not_confirmed()
            case OutcomeKind.REACHED:
                return self._elsewhere()
        if outcome.is_read or outcome.response:
            return _Sentence("outcome_verified_done")
        is_old = outcome.kind is OutcomeKind.ALREADY
        return self._reached("outcome_already" if is_old else "outcome_verified")

    def _reached(self, base: str) -> _Sentence:
        outcome, texts = self.outcome, [*self._values()]
        state = outcome.after.get(STATE)
        if self._has_contents:
            if not outcome.command.endswith("add_item"):
                return _Sentence(f"{base}_done")
            return _Sentence("outcome_added", (("item", str(plain(outcome.arguments["item"]))),))
        for name, value in outcome.arguments.items():
            if (flag := f"state_{name}_{value}".lower()) in self.sentences:
                return _Sentence(base, (("state", self.sentences.say(flag)), ("values", "")))
        if (
            state not in outcome.wanted.get(STATE, (state,))
            and (near := missed(outcome).get(STATE))
            and self.outcome.capability not in NUMBERS
        ):
            # A cover that is nearly closed reports `open`.
            state = near[1]
            texts = texts or [self._said(name) for name in outcome.wanted if name != STATE]
        values = self.sentences.joined(texts)
        # A heating that is off may heat later: "is now off, at 22 degrees".
        has_news = outcome.before.get(STATE) != state or not _MODES.isdisjoint(outcome.arguments)
        if values and not has_news and state != "off":
            return _Sentence(f"{base}_values", (("values", values),))
        added = self.sentences.say("outcome_at_values", values=values) if values else ""
        if not isinstance(state, str) or state in NOT_KNOWN:
            return _Sentence(f"{base}_done")
        key = base if f"state_{state}" in self.sentences else f"{base}_mode"
        title = title_played(outcome) if "media_title" in outcome.after else ""
        said = self._state(state) + (f": {title}" if title else "")
        return _Sentence(key, (("state", said), ("values", added)))

    def _not_confirmed(self) -> _Sentence:
        state = self.outcome.after.get(STATE)
        if self.outcome.reason is not None:
            return self._reason()
        if not isinstance(state, str) or state in NOT_KNOWN or self._has_contents:
            return _Sentence("outcome_not_confirmed_away")
        name = self._state(state)
        if values := self.sentences.joined(self._values()):
            name += self.sentences.say("outcome_at_values", values=values)
        return _Sentence("outcome_not_confirmed", (("state", name),))

    def _elsewhere(self) -> _Sentence:
        outcome, texts, values = self.outcome, list[str](), missed(self.outcome)
        if len(values) > 1 and outcome.before.get(STATE) == outcome.after.get(STATE):
            # The position says enough of a cover that stays open.
            values.pop(STATE, None)
        for name, (_, wanted) in values.items():
            reached = self._said(name)
            instead = "" if wanted is None else self._value_said(name, wanted)
            texts.append(
                self.sentences.say("value_instead", reached=reached, wanted=instead)
                if instead and instead != reached
                else reached
            )
        texts = texts or [*self._values()] or [self._said(STATE)]
        return _Sentence("outcome_reached", (("values", self.sentences.joined(texts)),))

    def _reason(self) -> _Sentence:
        outcome = self.outcome
        is_away = outcome.kind is OutcomeKind.NOT_CONFIRMED
        usual = "outcome_not_confirmed_away" if is_away else f"outcome_{outcome.kind.value}"
        key = outcome.reason or usual
        if f"{key}_one" not in self.sentences:
            key = usual
        return _Sentence(key, tuple(sorted(outcome.reason_placeholders.items())))

    @property
    def _has_contents(self) -> bool:
        """Whether the outcome has entries of a list or calendar, whose state is not mentioned."""
        return not self.outcome.after.keys().isdisjoint(item_attributes(self.outcome.capability))

    def _values(self) -> Iterator[str]:
        outcome, command = self.outcome, self.outcome.command.rpartition(".")[2]
        if not outcome.arguments and command not in {PUT_BACK, *_SETTERS}:
            return
        for name, setters in _SET_BY.items():
            is_set = not {command, *outcome.arguments}.isdisjoint(setters)
            if command == PUT_BACK:
                is_set = outcome.before.get(name) != outcome.after.get(name)
            if is_set and as_number(outcome.after.get(name)) is not None:
                yield self._said(name)
        yield from self._spans(command)
        for name, text in _texts_set(outcome):
            yield self.sentences.say(_TEXTS[name], value=text)
        for name in _COLORS:
            if (color := outcome.arguments.get(name)) and outcome.kind in _AS_WANTED:
                key = f"color_{color}" if isinstance(color, str) else "value_color"
                yield self.sentences.say(key) if key in self.sentences else str(color)
        # The names of extensions, and those of an undo, are not for people.
        has_names = outcome.is_entity and command != PUT_BACK
        for name, wanted in outcome.arguments.items() if has_names else ():
            now = outcome.after.get(name)
            is_unsaid = name not in _OTHERWISE_SAID and not is_secret(name) and now is not None
            if (
                is_unsaid
                and is_same(name, wanted, now)
                and not isinstance(now, list | tuple | dict)
            ):
                yield self._said(name)

    def _spans(self, command: str) -> Iterator[str]:
        """Yield the range of temperatures or the duration that the command set."""
        outcome = self.outcome
        is_range_set = not outcome.arguments.keys().isdisjoint((_LOW, _HIGH))
        ends = [as_number(outcome.after.get(name)) for name in (_LOW, _HIGH)]
        if (is_range_set or command == PUT_BACK) and None not in ends:
            low, high = (f"{round(end, 1):g}" for end in ends if end is not None)
            yield self.sentences.say("value_range", low=low, high=high)
        if (span := _SPANS.get(command)) in outcome.after and outcome.kind in _AS_WANTED:
            yield self._said(str(span))

    def _said(self, name: str) -> str:
        return self._value_said(name, self.outcome.after.get(name))

    def _value_said(self, name: str, value: object) -> str:
        sentences = self.sentences
        if name == STATE:
            return self._state(str(value))
        number = None if isinstance(value, bool) else as_number(value)
        if number is not None and name in VALUES:
            key, scale = VALUES[name]
            rounded = round(number * scale, 1) if scale == 1 else round(number * scale)
            return sentences.say(key, value=f"{rounded:g}")
        if name in _SPANS.values() and self.outcome.capability in ("timer", "media_player"):
            return sentences.duration(cv.time_period(value))
        if name in _COLORS:
            return sentences.say("value_other_color")
        if name in _TEXTS:
            return sentences.say(_TEXTS[name], value=str(value))
        if value is None:
            return sentences.say("state_unknown")
        if (key := f"value_{name}_{str(value).lower()}") in sentences:
            return sentences.say(key)
        language = self.language if sentences.is_own_language else "en"
        entity_id, key = self.outcome.component_id, f"state_attributes.{name}"
        label = translated(self.hass, entity_id, f"{key}.name", language) or name.replace("_", " ")
        text = translated(self.hass, entity_id, f"{key}.state.{str(value).lower()}", language)
        return sentences.say("value_named", name=label, value=text or str(plain(value, 60)))

    def _state(self, state: str) -> str:
        if (key := f"state_{state}") in self.sentences:
            return self.sentences.say(key)
        if self.outcome.capability in NUMBERS and (number := as_number(state)) is not None:
            own = self.hass.states.get(self.outcome.component_id)
            unit = own.attributes.get(ATTR_UNIT_OF_MEASUREMENT) if own is not None else None
            return f"{plain(number)} {unit}" if unit else str(plain(number))
        name = state_name(self.hass, self.outcome.component_id, state, self.language)
        return name or str(plain(state)).replace("_", " ")


_AS_WANTED: Final = frozenset({OutcomeKind.VERIFIED, OutcomeKind.ALREADY})


def _texts_set(outcome: Outcome) -> Iterator[tuple[str, str]]:
    """Yield `_TEXTS` that the command set, of a media player only a television channel."""
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


def _counted(outcomes: Iterable[Outcome], ambiguous: Container[str]) -> Mapping[str, int]:
    """Return name -> number of devices or components; `ambiguous` ones with their area."""
    parts: dict[str, dict[str, set[str]]] = {}
    for each in outcomes:
        name = cleaned(each.device_name)
        name = f"{name} ({each.area})" if each.area and name in ambiguous else name
        of_device = parts.setdefault(name, {}).setdefault(each.device_id, set())
        # An entity and the further capabilities of the same device count once.
        if each.is_entity:
            of_device.add(each.component_id)
    return {
        name: sum(max(1, len(components)) for components in devices.values())
        for name, devices in parts.items()
    }
