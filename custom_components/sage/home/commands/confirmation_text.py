"""Sentences about commands that have not been sent yet: confirmation questions and plans.

The sentences name the exact devices, commands and values. If several devices have the same name,
the area is added, e.g. "Lamp (Kitchen)", and if that is not enough, the id.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er

from ...text import Sentences, Verbatim, id_words, verbatim
from ..home_types import CommandTarget, RiskClass
from ..safety.authority import RiskyAction
from ..safety.risk import UNKNOWN
from ..values import HIDDEN, without_codes
from .spoken_values import VALUES, cleaned

_CLAUSES: Final[Mapping[str, str]] = {
    command: f"do_{clause}"
    for clause, commands in {
        "turn_on": "turn_on on",
        "turn_off": "turn_off off",
        "toggle": "toggle",
        "press": "press",
        "run": "trigger",
        "put_back": "put_back",
        "install": "install",
        "lock": "lock",
        "unlock": "unlock",
        "open": "open open_cover open_valve",
        "close": "close close_cover close_valve",
        "disarm": "alarm_disarm disarm",
    }.items()
    for command in commands.split()
}
_DIRECT_REASONS: Final[Mapping[RiskClass, str]] = {
    RiskClass.UNRESOLVED: "confirm_unresolved",
    RiskClass.UNCLEAR: "confirm_unclear_risk",
    RiskClass.CHOSEN: "confirm_chosen",
    RiskClass.FILE: "confirm_file",
}
"""Risk of a device itself -> key of the sentence that gives the reason for the question."""

_SET: Final = "set"
"""Word in the names of commands that set a value: `set_temperature`, `setLevel`."""

_LONGEST_QUESTION: Final = 290

_LABELLED: Final = frozenset({RiskClass.LIFE, RiskClass.FOOD, RiskClass.NETWORK})
"""Risks whose reason stands behind the name of a device."""

type _Clause = tuple[str, str, str]
"""(Key of the sentence, words of the command, values of the arguments)."""


class _Style(IntEnum):
    """What a question counts instead of naming it: each style is shorter than the one before."""

    NAMED = 0
    """Nothing."""
    COUNTS_UNKNOWN = 1
    """The devices with an unknown risk."""
    COUNTS_ALL = 2
    """All devices."""
    NAMES_NO_COMMAND = 3
    """All devices; the commands are left out."""


def confirmation_question(
    sentences: Sentences,
    actions: Sequence[RiskyAction],
    *,
    pin: bool = False,
    longest: int | None = _LONGEST_QUESTION,
) -> Verbatim:
    """Return the question that asks to confirm these actions and, with `pin`, for the PIN.

    The question contains all values of the commands, however long. `longest`: maximum length of
    the rest, in characters. A longer question counts devices instead of naming them, those with an
    unknown risk first. None: all are named.
    """
    clauses = [(_clause(sentences, each), each) for each in actions]
    # Equal values are said once.
    values = sum(len(details) for _, _, details in {clause for clause, _ in clauses})
    has_text = any(
        not isinstance(value, int | float) for each in actions for value in each.arguments.values()
    )
    said = Verbatim()
    for style in _Style:
        if style is _Style.NAMES_NO_COMMAND:
            if has_text:
                break
            clauses = [(("do_many", "", ""), action) for _, action in clauses]
        said = _question_in(style, sentences, clauses, pin=pin)
        if longest is None or len(said) - values <= longest:
            break
    return said


def _question_in(
    style: _Style,
    sentences: Sentences,
    clauses: Sequence[tuple[_Clause, RiskyAction]],
    *,
    pin: bool,
) -> Verbatim:
    def counted(actions: Sequence[RiskyAction]) -> str:
        least = _Style.COUNTS_UNKNOWN if actions[0].risk in UNKNOWN else _Style.COUNTS_ALL
        names = _names_of(actions)
        if style < least or len(names) < 2:
            return _labelled(sentences, actions)
        return sentences.say("confirm_devices", count=str(len(names)))

    phrases = (
        _all_worded(sentences, part, counted)
        for is_vague in (False, True)
        if (part := [each for each in clauses if (each[1].risk in UNKNOWN) is is_vague])
    )
    actions = [action for _, action in clauses]
    key = "confirm_rest" if any(action.is_rest for action in actions) else "confirm_question"
    said = [*_reasons(style, sentences, actions)]
    said.append(sentences.say(key, actions=sentences.joined(phrases)))
    if pin:
        said.append(sentences.say("say_pin"))
    return Verbatim(" ".join(said))


def _reasons(style: _Style, sentences: Sentences, actions: Sequence[RiskyAction]) -> Iterator[str]:
    """Yield why these actions need confirmation; one sentence for all devices of one reason."""

    def named(some: Sequence[RiskyAction]) -> str:
        names = _names_of(some)
        if style is _Style.NAMED or len(names) < 2:
            return say_names(sentences, names)
        return sentences.say("confirm_count", count=str(len(names)))

    if any(action.risk is RiskClass.OUTSIDE or action.is_tainted for action in actions):
        yield sentences.say("confirm_outside")
    for risk in dict.fromkeys(action.risk for action in actions):
        of_risk = [action for action in actions if action.risk is risk]
        is_said = risk not in UNKNOWN or style <= _Style.COUNTS_UNKNOWN
        through = [
            action
            for action in of_risk
            if action.is_indirect
            and risk not in {RiskClass.OUTSIDE, RiskClass.UNRESOLVED, RiskClass.FILE}
        ]
        direct = [action for action in of_risk if action not in through]
        if direct and is_said and (key := _DIRECT_REASONS.get(risk)):
            many = len(_names_of(direct)) > 1 and risk is RiskClass.UNRESOLVED
            yield sentences.say(f"{key}_many" if many else key, devices=named(direct))
        if through and is_said:
            reached = list(dict.fromkeys(name for action in through for name in action.reaches))
            reaches = say_names(sentences, reached, None if style is _Style.NAMED else 2)
            yield sentences.say(
                f"confirm_reaches_{risk}",
                devices=named(through),
                reaches=reaches or sentences.say("confirm_something"),
            )


def _names_of(actions: Iterable[RiskyAction]) -> list[str]:
    """Return the name of each device once; two devices may have the same name."""
    names = {action.thing or action.device_name: action.device_name for action in actions}
    return [*names.values()]


def _labelled(sentences: Sentences, actions: Sequence[RiskyAction]) -> str:
    """Return the device names with their reasons: "Router (the network) and Freezer (food)"."""
    by_risk: dict[RiskClass, list[RiskyAction]] = {}
    for action in actions:
        by_risk.setdefault(action.risk, []).append(action)
    labelled: list[str] = []
    for risk, of_risk in by_risk.items():
        named = say_names(sentences, _names_of(of_risk))
        if risk in _LABELLED and not any(action.is_indirect for action in of_risk):
            named = f"{named} ({sentences.say(f'confirm_why_{risk}')})"
        labelled.append(named)
    return sentences.joined(labelled)


def say_commands(
    sentences: Sentences, commands: Iterable[RiskyAction], most_names: int | None
) -> str:
    """Return the commands as one phrase: "switch on Lamp and lock Front Door".

    `most_names`: maximum number of names in one clause; further devices are only counted.
    """
    clauses = [(_clause(sentences, each), each) for each in commands]
    return _all_worded(
        sentences, clauses, lambda those: say_names(sentences, _names_of(those), most_names)
    )


def say_names(sentences: Sentences, names: Iterable[str], most: int | None = None) -> str:
    """Return the names as one phrase, e.g. "Lamp, TV and 4 more" for 6 names.

    `most`: maximum number of parts of the phrase, here 3 ("4 more" is one part); None: no limit.
    """
    listed = list(names)
    if most is not None and len(listed) > most:
        more = sentences.say("names_more", count=str(len(listed) - most + 1))
        listed = [*listed[: most - 1], more]
    return sentences.joined(listed)


def _clause(sentences: Sentences, action: RiskyAction) -> _Clause:
    words = id_words(action.command.rpartition(".")[2])
    name = "_".join(words)
    is_run = action.is_indirect or action.risk is RiskClass.UNRESOLVED
    key = "do_run" if is_run and name in {"turn_on", "toggle"} else _CLAUSES.get(name, "do_other")
    details = sentences.joined(
        _value_said(sentences, name, value)
        for name, value in without_codes(action.arguments).items()
        if value != HIDDEN
    )
    # With another risk, the words of the command tell more: "set lock usercode".
    says_all = action.risk is RiskClass.OUTSIDE or action.arguments.keys() <= VALUES.keys()
    if key == "do_other" and details and _SET in words and says_all:
        key = "do_set"
    return key, " ".join(words), details


def _value_said(sentences: Sentences, name: str, value: object) -> Verbatim:
    key, scale = VALUES.get(name, ("", 1))
    # A question contains exact values; the percentage of 0 to 255 would be rounded.
    if scale >= 1 and key and isinstance(value, int | float) and not isinstance(value, bool):
        return sentences.say(key, value=f"{value * scale:.12g}")
    return Verbatim(f"{' '.join(id_words(name))} {verbatim(_value(value))}")


def _all_worded(
    sentences: Sentences,
    clauses: Iterable[tuple[_Clause, RiskyAction]],
    say_devices: Callable[[Sequence[RiskyAction]], str],
) -> str:
    """Return one phrase for all actions; devices with the same clause are named together in it.

    `say_devices` returns the devices of these actions as one phrase.
    """
    by_clause: dict[_Clause, list[RiskyAction]] = {}
    for clause, action in clauses:
        by_clause.setdefault(clause, []).append(action)
    return sentences.joined(
        _worded(sentences, clause, say_devices(those)) for clause, those in by_clause.items()
    )


def _worded(sentences: Sentences, clause: _Clause, devices: str) -> str:
    key, command, details = clause
    if key == "do_set":
        return sentences.say(key, devices=devices, details=details)
    said = sentences.say(key, devices=devices, command=command)
    return sentences.say("do_with", action=said, details=details) if details else said


def _value(value: object) -> str:
    """Return the whole value; lists and mappings as in JSON, but their texts without escapes."""
    match value:
        case str():
            return value
        case list() | tuple():
            return f"[{', '.join(map(_item, value))}]"
        case Mapping():
            return f"{{{', '.join(f'{_item(name)}: {_item(value[name])}' for name in value)}}}"
    return json.dumps(value, default=str, ensure_ascii=False)


def _item(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else _value(value)


class ConfirmationNames:
    """Finds unique names of entities and devices for questions."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Index all entities by name."""
        self._hass = hass
        self._entities, self._devices = er.async_get(hass), dr.async_get(hass)
        self._ids_by_name: dict[str, list[str]] = {}
        for state in hass.states.async_all():
            self._ids_by_name.setdefault(_key(state.name), []).append(state.entity_id)

    def of_entity(
        self, entity_id: str, registry_id: str | None, otherwise: str, alias: str = ""
    ) -> str:
        """Return the unique name of an entity, or `otherwise` if the entity no longer exists.

        With `registry_id`, an entity is found even if its entity id has changed. An `alias` stands
        before the name.
        """
        row = self._entities.entities.get_entry(registry_id) if registry_id else None
        if row is not None:
            entity_id = row.entity_id
        state = self._hass.states.get(entity_id)
        if row is None and (registry_id is not None or state is None):
            return cleaned(otherwise) or entity_id
        row = row or self._entities.async_get(entity_id)
        name = er.async_get_full_entity_name(self._hass, row) if row is not None else ""
        name = name or (state.name if state is not None else entity_id.partition(".")[2])
        same = self._ids_by_name.get(_key(name), ())
        others = [each for each in same if not self._is_one(entity_id, each)]
        own, areas = self._area_of(entity_id), map(self._area_of, others)
        return self._unique_name(name, entity_id, own, areas, alias)

    def of(self, target: CommandTarget, registry_id: str | None = None, alias: str = "") -> str:
        """Return the unique name of an entity, or of a component of an extension's device."""
        if target.source_id is None:
            return self.of_entity(target.component_id, registry_id, target.device_name, alias)
        device = self._devices.async_get_device({(target.source, target.source_id)})
        if device is None:
            return cleaned(target.device_name)
        whole = _key(device.name_by_user or device.name or target.device_name)
        areas = [
            self._area(dr.async_get_effective_area_id(self._hass, each))
            for each in self._devices.devices
            if each.id != device.id and _key(each.name_by_user or each.name or "") == whole
        ]
        for entity_id in self._ids_by_name.get(_key(target.device_name), ()):
            row = self._entities.async_get(entity_id)
            if row is None or row.device_id != device.id:
                areas.append(self._area_of(entity_id))
        own = self._area(dr.async_get_effective_area_id(self._hass, device))
        return self._unique_name(target.device_name, device.id, own, areas)

    def _is_one(self, entity_id: str, other_id: str) -> bool:
        """Return whether two entities of the same name are the same one, or parts of one device.

        Two entities of one device in different domains, such as a lock and its contact sensor, are:
        their common name cannot mean the wrong device.
        """
        one, other = map(self._entities.async_get, (entity_id, other_id))
        if entity_id == other_id or one is None or other is None or one.device_id is None:
            return entity_id == other_id
        return one.device_id == other.device_id and one.domain != other.domain

    def _unique_name(
        self, name: str, thing_id: str, area: str, areas: Iterable[str], alias: str = ""
    ) -> str:
        """Return the name; with the area if others have the name, and the id if that is not enough.

        `areas`: those of the others.
        """
        others = [*areas]
        is_told_apart = not others or (area and area not in others)
        shown = cleaned(name) or thing_id
        details = [area] if others and _key(area) not in _key(name) else []
        details += [] if is_told_apart else [thing_id]
        first, *details = filter(None, (cleaned(alias), shown, *details))
        return f"{first} ({', '.join(details)})" if details else first

    def _area_of(self, entity_id: str) -> str:
        row = self._entities.async_get(entity_id)
        return self._area(er.async_get_effective_area_id(self._hass, row) if row else None)

    def _area(self, area_id: str | None) -> str:
        area = ar.async_get(self._hass).async_get_area(area_id) if area_id else None
        return cleaned(area.name) if area is not None else ""


def _key(name: str) -> str:
    return cleaned(name).casefold()
