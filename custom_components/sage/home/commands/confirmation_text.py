"""Sentences about commands that have not been sent yet: confirmation questions and plans.

The sentences name the exact devices, commands and values. If several devices have the same name,
device and area are added, e.g. "Lamp (Shelf, Kitchen)", and if that is not enough, the id.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from homeassistant.core import HomeAssistant, split_entity_id
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er

from ...text import Sentences, Verbatim, id_words, verbatim
from ..home_types import CommandTarget, RiskClass
from ..safety.authority import RiskyAction
from ..safety.risk import UNKNOWN
from ..values import HIDDEN, grouped, without_codes
from .spoken_values import VALUES, cleaned

_CLAUSES: Final[Mapping[str, str]] = {
    command: f"do_{clause}"
    for clause, commands in {
        "turn_on": "turn_on on",
        "turn_off": "turn_off off",
        "toggle": "toggle",
        "look": "look",
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
_UNKNOWN_REASONS: Final[Mapping[RiskClass, str]] = {
    RiskClass.UNRESOLVED: "confirm_unresolved",
    RiskClass.UNCLEAR: "confirm_unclear_risk",
    RiskClass.CHOSEN: "confirm_chosen",
    RiskClass.LOOK: "confirm_look",
}
"""Risk that the command itself does not tell -> key of the sentence with the reason to ask."""

_SET: Final = "set"  # word in the names of commands that set a value: `set_temperature`, `setLevel`
_LONGEST_QUESTION: Final = 290
_LONGEST_LIST: Final = 70  # maximum length of a list of names in a reason, in characters
_LABELLED: Final = frozenset({RiskClass.LIFE, RiskClass.FOOD, RiskClass.NETWORK, *UNKNOWN})
"""Risks whose reason can stand behind the name of a device."""

type _Clause = tuple[str, str, str]
"""(Key of the sentence, words of the command, values of the arguments)."""


def confirmation_question(
    sentences: Sentences,
    actions: Sequence[RiskyAction],
    *,
    pin: bool = False,
    longest: int | None = _LONGEST_QUESTION,
) -> Verbatim:
    """Return the question that asks to confirm these actions and, with `pin`, for the PIN.

    The question contains all values of the commands, however long. `longest`: maximum length of
    the rest, in characters. A longer question leaves out reasons first; then it counts devices
    instead of naming them, those with an unknown risk first. None: all are named.
    """
    clauses = [(_clause(sentences, each), each) for each in actions]
    # Equal values are said once.
    values = sum(len(details) for _, _, details in {clause for clause, _ in clauses})
    has_text = any(
        not isinstance(value, int | float) for each in actions for value in each.arguments.values()
    )
    said = Verbatim()
    for style in _STYLES:
        if style.names_no_command and has_text:
            break
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
    if style.names_no_command:
        clauses = [(("do_many", "", ""), action) for _, action in clauses]
    phrases = (
        _all_worded(sentences, part, partial(say, sentences))
        for say, is_vague in ((style.clear, False), (style.vague, True))
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
    if any(action.risk is RiskClass.OUTSIDE or action.is_tainted for action in actions):
        yield sentences.say("confirm_outside")
    for risk in dict.fromkeys(action.risk for action in actions):
        of_risk = [action for action in actions if action.risk is risk]
        if risk is RiskClass.FILE:
            yield sentences.say("confirm_file", devices=_counted(style, sentences, of_risk))
            continue
        key = _UNKNOWN_REASONS.get(risk)
        through = [
            action
            for action in of_risk
            if action.is_indirect and risk not in {RiskClass.OUTSIDE, RiskClass.UNRESOLVED}
        ]
        direct = [action for action in of_risk if action not in through]
        if direct and key and style.says_unknown:
            many = len(_names_of(direct)) > 1 and risk is RiskClass.UNRESOLVED
            devices = _counted(style, sentences, direct)
            yield sentences.say(f"{key}_many" if many else key, devices=devices)
        if through and (risk not in UNKNOWN or style.says_unknown or style.longest_list):
            reached = list(dict.fromkeys(name for action in through for name in action.reaches))
            reaches, most = say_names(sentences, reached), len(reached)
            while style.longest_list is not None and len(reaches) > style.longest_list and most > 2:
                most -= 1
                reaches = say_names(sentences, reached, most)
            yield sentences.say(
                f"confirm_reaches_{risk}",
                devices=_counted(style, sentences, through),
                reaches=reaches or sentences.say("confirm_something"),
            )


def _names_of(actions: Iterable[RiskyAction]) -> list[str]:
    names = {action.thing or action.device_name: action.device_name for action in actions}
    return [*names.values()]


def _counted(style: _Style, sentences: Sentences, actions: Iterable[RiskyAction]) -> str:
    """Return the device names as one phrase, or only their number if it would be too long."""
    names, longest = _names_of(actions), style.longest_list
    said = say_names(sentences, names)
    if len(names) < 2 or longest is None or len(said) <= longest:
        return said
    return sentences.say("confirm_count", count=str(len(names)))


def _named(sentences: Sentences, actions: Sequence[RiskyAction]) -> str:
    return sentences.joined(_names_of(actions))


def _labelled(sentences: Sentences, actions: Sequence[RiskyAction]) -> str:
    """Return the device names with their reasons: "Router (the network) and Freezer (food)"."""
    by_risk = grouped((action.risk, action) for action in actions)
    return sentences.joined(
        f"{_named(sentences, of_risk)} ({sentences.say(f'confirm_why_{risk}')})"
        if risk in _LABELLED and not any(action.is_indirect for action in of_risk)
        else _named(sentences, of_risk)
        for risk, of_risk in by_risk.items()
    )


def _only_counted(sentences: Sentences, actions: Sequence[RiskyAction]) -> str:
    return sentences.say("confirm_devices", count=str(len(_names_of(actions))))


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
    """Return "Lamp, TV and 4 more" for 6 names; `most`: maximum number of parts, here 3."""
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
    if key == "do_look":
        details = verbatim(_value(action.arguments.get("question", "")))
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
    """Return one phrase for all actions, with joint clauses; `say_devices` names the devices."""
    return sentences.joined(
        _worded(sentences, clause, say_devices(those)) for clause, those in grouped(clauses).items()
    )


def _worded(sentences: Sentences, clause: _Clause, devices: str) -> str:
    key, command, details = clause
    if key in {"do_look", "do_set"}:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Style:
    """How much a question says about the devices."""

    longest_list: int | None  # maximum characters of a list of names in a reason, if any
    clear: Callable[[Sentences, Sequence[RiskyAction]], str] = _labelled
    """Returns the devices with a known risk as one phrase."""

    vague: Callable[[Sentences, Sequence[RiskyAction]], str] = _labelled
    """Returns the devices with an unknown risk as one phrase."""

    says_unknown: bool = False  # whether there is a sentence about the devices with an unknown risk
    names_no_command: bool = False  # whether the question only counts the devices that change


_STYLES: Final = (
    _Style(longest_list=None, vague=_named, says_unknown=True),
    _Style(longest_list=_LONGEST_LIST, vague=_named, says_unknown=True),
    _Style(longest_list=_LONGEST_LIST),
    _Style(longest_list=0, clear=_named, vague=_only_counted, says_unknown=True),
    _Style(longest_list=0, clear=_only_counted, vague=_only_counted),
    _Style(longest_list=0, clear=_only_counted, vague=_only_counted, names_no_command=True),
)
"""All styles, in the order in which they become shorter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Thing:
    """An entity or device with a name."""

    id: str  # entity id or device id
    domain: str
    name: str
    device_id: str | None
    places: tuple[str, ...] = ()  # names of device and area, unless the name already contains them

    def is_apart_from(self, other: _Thing) -> bool:
        """Return whether two things of the same name need an addition to tell them apart.

        False for two entities of one device in different domains, such as a lock and its contact
        sensor: their common name cannot mean the wrong device.
        """
        if self.id == other.id:
            return False
        is_of_one = self.device_id is not None and self.device_id == other.device_id
        return not is_of_one or self.domain == other.domain


class ConfirmationNames:
    """Finds unique names of entities and devices for questions."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._entities = er.async_get(hass)
        states = hass.states.async_all()
        self._ids_by_name = grouped((_key(state.name), state.entity_id) for state in states)

    def of_entity(
        self, entity_id: str, registry_id: str | None, otherwise: str, alias: str = ""
    ) -> str:
        """Return the unique name of an entity, or `otherwise` if the entity no longer exists.

        With `registry_id`, an entity is found even if its entity id has changed. An `alias` stands
        before the name.
        """
        entry = self._entities.entities.get_entry(registry_id) if registry_id else None
        if entry is not None:
            entity_id = entry.entity_id
        elif registry_id is not None or self._hass.states.get(entity_id) is None:
            return cleaned(otherwise) or entity_id
        return self._unique_name(self._entity(entity_id), alias=alias)

    def of(self, target: CommandTarget, registry_id: str | None = None, alias: str = "") -> str:
        """Return the unique name of an entity, or of a component of an extension's device."""
        if target.source_id is None:
            return self.of_entity(target.component_id, registry_id, target.device_name, alias)
        devices = dr.async_get(self._hass)
        device = devices.async_get_device({(target.source, target.source_id)})
        if device is None:
            return cleaned(target.device_name)
        whole = _key(device.name_by_user or device.name or target.device_name)
        same = (
            self._device(each, each.name_by_user or each.name or "")
            for each in devices.devices
            if each.id != device.id and _key(each.name_by_user or each.name or "") == whole
        )
        return self._unique_name(self._device(device, target.device_name), same)

    def _unique_name(self, thing: _Thing, more: Iterable[_Thing] = (), alias: str = "") -> str:
        entities = (self._entity(each) for each in self._ids_by_name.get(_key(thing.name), ()))
        others = [each for each in (*entities, *more) if thing.is_apart_from(each)]
        details = list(thing.places) if others else []
        if others and (not details or any(each.places == thing.places for each in others)):
            details.append(thing.id)
        first, *details = filter(None, (cleaned(alias), cleaned(thing.name) or thing.id, *details))
        return f"{first} ({', '.join(details)})" if details else first

    def _entity(self, entity_id: str) -> _Thing:
        domain, object_id = split_entity_id(entity_id)
        entry = self._entities.async_get(entity_id)
        state = self._hass.states.get(entity_id)
        name = er.async_get_full_entity_name(self._hass, entry) if entry is not None else ""
        name = name or (state.name if state is not None else object_id)
        device = dr.async_get(self._hass).async_get(entry.device_id or "") if entry else None
        area_id = er.async_get_effective_area_id(self._hass, entry) if entry else None
        return _Thing(
            id=entity_id,
            domain=domain,
            name=name,
            device_id=device.id if device else None,
            places=self._places(name, device, area_id),
        )

    def _device(self, device: dr.DeviceEntry, name: str) -> _Thing:
        area_id = dr.async_get_effective_area_id(self._hass, device)
        places = self._places(name, device, area_id)
        return _Thing(id=device.id, domain="", name=name, device_id=device.id, places=places)

    def _places(
        self, name: str, device: dr.AnyDeviceEntry | None, area_id: str | None
    ) -> tuple[str, ...]:
        area = ar.async_get(self._hass).async_get_area(area_id) if area_id else None
        found = (
            (device.name_by_user or device.name) if device is not None else None,
            area.name if area is not None else None,
        )
        shown = (cleaned(each) for each in found if each)
        return tuple(each for each in shown if each and _key(each) not in _key(name))


def _key(name: str) -> str:
    return cleaned(name).casefold()
