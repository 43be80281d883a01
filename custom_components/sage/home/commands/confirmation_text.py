"""Sentences about commands that have not been sent yet: confirmation questions and plans.

The sentences name the exact devices, commands and values.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from ...text.speech import Sentences, Verbatim, verbatim
from ...text.words import id_words
from ..home_types import RiskClass, without_codes
from ..safety.authority import RiskyAction
from ..safety.risk import UNKNOWN
from ..values import HIDDEN
from .spoken_names import cleaned

_CLAUSES: Final[Mapping[RiskClass, Mapping[str, str]]] = {
    RiskClass.UNLOCK: {"unlock": "do_unlock", "open": "do_open", "press": "do_press"},
    RiskClass.DISARM: {"alarm_disarm": "do_disarm"},
    RiskClass.OPEN: {
        "open_cover": "do_open",
        "open_valve": "do_open",
        "set_cover_position": "do_open",
        "set_valve_position": "do_open",
        "press": "do_press",
    },
    RiskClass.MAINTENANCE: {"install": "do_install", "press": "do_press"},
    RiskClass.UNRESOLVED: {"turn_on": "do_run", "press": "do_press"},
    RiskClass.FOREIGN: {},
}
_CLAUSES_OF_ALL: Final[Mapping[str, str]] = {
    "turn_on": "do_turn_on",
    "turn_off": "do_turn_off",
    "toggle": "do_toggle",
    "press": "do_press",
    "trigger": "do_run",
    "put_back": "do_put_back",
}
_CLAUSES_WITHOUT_RISK: Final[Mapping[str, str]] = {
    **_CLAUSES_OF_ALL,
    "on": "do_turn_on",
    "off": "do_turn_off",
    "lock": "do_lock",
    "unlock": "do_unlock",
    "open": "do_open",
    "open_cover": "do_open",
    "open_valve": "do_open",
    "close": "do_close",
    "close_cover": "do_close",
    "close_valve": "do_close",
    "alarm_disarm": "do_disarm",
}
_UNKNOWN_REASONS: Final[Mapping[RiskClass, str]] = {
    RiskClass.UNRESOLVED: "confirm_unresolved",
    RiskClass.UNCLEAR: "confirm_unclear_risk",
    RiskClass.CHOSEN: "confirm_chosen",
}
"""Unknown risk -> key of the sentence that gives the reason for the question."""

_SET: Final = "set"
"""Word in the names of commands that set a value: `set_temperature`, `setLevel`."""

_VALUES: Final[Mapping[str, tuple[str, float]]] = {
    "brightness_pct": ("value_brightness", 1),
    "color_temp_kelvin": ("value_kelvin", 1),
    "temperature": ("value_temperature", 1),
    "humidity": ("value_humidity", 1),
    "percentage": ("value_speed", 1),
    "position": ("value_position", 1),
    "tilt_position": ("value_tilt", 1),
    "volume_level": ("value_volume", 100),
}
"""Argument -> (key of its sentence, factor that converts the argument to the spoken number)."""

_LONGEST_QUESTION: Final = 290
_LONGEST_LIST: Final = 70
"""Maximum length of a list of names in a reason, in characters."""

_MOST_AREAS: Final = 3
"""Maximum number of areas that a question names instead of devices."""

_LABELLED: Final = frozenset({RiskClass.LIFE, RiskClass.FOOD, RiskClass.NETWORK, *UNKNOWN})
"""Risks whose reason can stand behind the name of a device."""

type _Clause = tuple[str, str, str]
"""(Key of the sentence, words of the command, values of the arguments)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedCommand:
    """A command with the name of its device, for a sentence."""

    thing: str
    """Unique key of the device or entity; two devices may have the same name."""

    device_name: str
    command: str
    arguments: Mapping[str, object]


def confirmation_question(
    sentences: Sentences,
    actions: Sequence[RiskyAction],
    *,
    pin: bool = False,
    longest: int | None = _LONGEST_QUESTION,
) -> Verbatim:
    """Return the question that asks to confirm these actions and, with `pin`, for the PIN.

    The question contains all values of the commands, however long. `longest`: maximum length of
    the rest, in characters. A longer question leaves out reasons first; then it counts the devices
    of each area instead of naming them, those with an unknown risk first. None: all are named.
    """
    said, values = Verbatim(), _length_of_values(sentences, actions)
    has_text = any(map(_has_text, actions))
    for style in _STYLES:
        if style.clause is _one_clause and has_text:
            break
        said = _question_in(style, sentences, actions, pin=pin)
        if longest is None or len(said) - values <= longest:
            break
    return said


def _length_of_values(sentences: Sentences, actions: Sequence[RiskyAction]) -> int:
    """Return the number of characters of the values in a question; equal ones are said once."""
    return sum(len(details) for _, _, details in {_clause(sentences, each) for each in actions})


def _has_text(action: RiskyAction) -> bool:
    """Return whether a value of the command is not only a number."""
    return not all(isinstance(value, int | float) for value in action.arguments.values())


def _question_in(
    style: _Style, sentences: Sentences, actions: Sequence[RiskyAction], *, pin: bool
) -> Verbatim:
    vague = [action for action in actions if action.risk in UNKNOWN]
    clear = [action for action in actions if action.risk not in UNKNOWN]
    phrases = (
        _all_worded(
            sentences,
            [(style.clause(sentences, action), action) for action in part],
            partial(say, sentences),
        )
        for part, say in ((clear, style.clear), (vague, style.vague))
        if part
    )
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
            reached = dict.fromkeys(name for action in through for name in action.reaches)
            reaches = _some_names(sentences, reached, style.longest_list)
            yield sentences.say(
                f"confirm_reaches_{risk}",
                devices=_counted(style, sentences, through),
                reaches=reaches or sentences.say("confirm_something"),
            )


def _names_of(actions: Iterable[RiskyAction | NamedCommand]) -> list[str]:
    """Return the name of each device once; two devices may have the same name."""
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
    return say_names(sentences, _names_of(actions))


def _labelled(sentences: Sentences, actions: Sequence[RiskyAction]) -> str:
    """Return the device names with their reasons: "Router (the network) and Freezer (food)"."""
    by_risk: dict[RiskClass, list[RiskyAction]] = {}
    for action in actions:
        by_risk.setdefault(action.risk, []).append(action)
    return sentences.joined(
        (
            f"{_named(sentences, of_risk)} ({sentences.say(f'confirm_why_{risk}')})"
            if risk in _LABELLED and not any(action.is_indirect for action in of_risk)
            else _named(sentences, of_risk)
            for risk, of_risk in by_risk.items()
        ),
    )


def _by_area(sentences: Sentences, actions: Sequence[RiskyAction]) -> str:
    """Return the number of devices, and how many of them each area has: the largest first."""
    areas: dict[str, int] = {}
    for action in {action.thing or action.device_name: action for action in actions}.values():
        areas[cleaned(action.area)] = areas.get(cleaned(action.area), 0) + 1
    largest = sorted(filter(None, areas), key=areas.__getitem__, reverse=True)[:_MOST_AREAS]
    parts = [
        sentences.say("confirm_in_area", area=area, count=str(areas[area])) for area in largest
    ]
    total = sum(areas.values())
    if rest := total - sum(areas[area] for area in largest):
        parts.append(sentences.say("confirm_elsewhere", count=str(rest)))
    said = sentences.say("confirm_devices", count=str(total))
    return f"{said} ({', '.join(parts)})" if largest else said


def _some_names(sentences: Sentences, names: Iterable[str], longest: int | None) -> str:
    """Return as many names as `longest` permits, and the number of the others."""
    listed = list(names)
    said = say_names(sentences, listed)
    most = len(listed)
    while longest is not None and len(said) > longest and most > 2:
        most -= 1
        said = say_names(sentences, listed, most)
    return said


def say_commands(
    sentences: Sentences, commands: Iterable[NamedCommand], most_names: int | None
) -> str:
    """Return the commands as one phrase: "switch on Lamp and lock Front Door".

    `most_names`: maximum number of names in one clause; further devices are only counted.
    """
    clauses = [(_clause_without_risk(sentences, each), each) for each in commands]
    return _all_worded(
        sentences, clauses, lambda named: say_names(sentences, _names_of(named), most_names)
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


def _one_clause(_sentences: Sentences, _action: RiskyAction) -> _Clause:
    return "do_many", "", ""


def _clause(sentences: Sentences, action: RiskyAction) -> _Clause:
    if action.risk is RiskClass.OUTSIDE:
        return _clause_without_risk(sentences, action)
    command = action.command.rpartition(".")[2]
    key = _CLAUSES.get(action.risk, {}).get(command) or _CLAUSES_OF_ALL.get(command)
    if action.is_indirect and command in {"turn_on", "toggle"}:
        key = "do_run"
    return (
        key or "do_other",
        " ".join(command.split("_")).replace("  ", " "),
        _details(sentences, action.arguments, _value_named),
    )


def _clause_without_risk(sentences: Sentences, command: RiskyAction | NamedCommand) -> _Clause:
    words = id_words(command.command.rpartition(".")[2])
    key = _CLAUSES_WITHOUT_RISK.get("_".join(words), "do_other")
    details = _details(sentences, command.arguments, partial(_value_said, sentences))
    if key == "do_other" and details and _SET in words:
        key = "do_set"
    return key, " ".join(words), details


def _value_said(sentences: Sentences, name: str, value: object) -> Verbatim:
    key, scale = _VALUES.get(name, ("", 1))
    if key and isinstance(value, int | float) and not isinstance(value, bool):
        return sentences.say(key, value=f"{value * scale:.12g}")
    return _value_named(name, value)


def _value_named(name: str, value: object) -> Verbatim:
    return Verbatim(f"{' '.join(id_words(name))} {verbatim(_value(value))}")


def _all_worded[A: RiskyAction | NamedCommand](
    sentences: Sentences,
    clauses: Iterable[tuple[_Clause, A]],
    say_devices: Callable[[Sequence[A]], str],
) -> str:
    """Return one phrase for all actions; devices with the same clause are named together in it.

    `say_devices` returns the devices of these actions as one phrase.
    """
    found: dict[_Clause, list[A]] = {}
    for clause, each in clauses:
        found.setdefault(clause, []).append(each)
    return sentences.joined(
        _worded(sentences, clause, say_devices(things)) for clause, things in found.items()
    )


def _worded(sentences: Sentences, clause: _Clause, devices: str) -> str:
    key, command, details = clause
    if key == "do_set":
        return sentences.say(key, devices=devices, details=details)
    said = sentences.say(key, devices=devices, command=command)
    return sentences.say("do_with", action=said, details=details) if details else said


def _details(
    sentences: Sentences, arguments: Mapping[str, object], say: Callable[[str, object], Verbatim]
) -> Verbatim:
    return sentences.joined(
        say(name, value) for name, value in without_codes(arguments).items() if value != HIDDEN
    )


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

    longest_list: int | None
    """Maximum length of a list of names in a reason, in characters; None: no maximum."""

    says_unknown: bool = True
    """Whether there is a sentence about the devices with an unknown risk."""

    clear: Callable[[Sentences, Sequence[RiskyAction]], str] = _labelled
    """Returns the devices with a known risk as one phrase."""

    vague: Callable[[Sentences, Sequence[RiskyAction]], str] = _named
    """Returns the devices with an unknown risk as one phrase."""

    clause: Callable[[Sentences, RiskyAction], _Clause] = _clause


_STYLES: Final = (
    _Style(longest_list=None),
    _Style(longest_list=_LONGEST_LIST),
    _Style(longest_list=_LONGEST_LIST, says_unknown=False, vague=_labelled),
    _Style(longest_list=_LONGEST_LIST, says_unknown=False, clear=_named),
    _Style(longest_list=0, says_unknown=False, clear=_named),
    _Style(longest_list=0, vague=_by_area),
    _Style(longest_list=0, says_unknown=False, clear=_named, vague=_by_area),
    _Style(longest_list=0, says_unknown=False, clear=_by_area, vague=_by_area),
    _Style(longest_list=0, says_unknown=False, clear=_by_area, vague=_by_area, clause=_one_clause),
)
"""All styles, in the order in which they become shorter."""
