"""Sentences about commands that have not been sent yet: confirmation questions and plans.

The sentences name the exact devices, commands and values.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from ...text.speech import Sentences
from ...text.words import id_words
from ..home_types import RiskClass, without_codes
from ..safety.authority import RiskyAction
from ..safety.risk import UNKNOWN
from ..values import HIDDEN
from .spoken_names import LONGEST, cleaned

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

_LONGEST_LIST: Final = 70
"""Maximum length of the names of devices with an unknown risk, in characters."""

_MOST_NAMES: Final = 8
"""Maximum number of device names in one clause; further devices are only counted."""

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
    longest: int | None = _LONGEST_LIST,
) -> str:
    """Return the question that asks to confirm these actions and, with `pin`, for the PIN.

    `longest`: maximum length of the names of devices with an unknown risk, in characters; further
    devices are only counted. None: all are named. Devices with a known risk are always named.
    """
    said = [*_reasons(sentences, actions, longest)]
    vague = [action for action in actions if action.risk in UNKNOWN]
    clear = [action for action in actions if action.risk not in UNKNOWN]
    phrases = (
        _all_worded(sentences, [(_clause_of(sentences, each), each) for each in part], names)
        for part, names in ((clear, say_names), (vague, partial(_some_names, longest=longest)))
        if part
    )
    said.append(sentences.say("confirm_question", actions=_joined(sentences, phrases)))
    if pin:
        said.append(sentences.say("say_pin"))
    return " ".join(said)


def _reasons(
    sentences: Sentences, actions: Sequence[RiskyAction], longest: int | None
) -> Iterator[str]:
    """Yield why these actions need confirmation; one sentence for all devices of unknown risk."""
    if any(action.risk is RiskClass.OUTSIDE for action in actions):
        yield sentences.say("confirm_outside")
    for action in actions:
        if action.risk is RiskClass.FILE:
            yield sentences.say("confirm_file", devices=action.device_name)
        elif action.is_indirect and action.risk not in {RiskClass.OUTSIDE, *UNKNOWN}:
            reaches = _joined(sentences, action.reaches) or sentences.say("confirm_something")
            yield sentences.say(
                f"confirm_reaches_{action.risk}", devices=action.device_name, reaches=reaches
            )
    for risk, key in _UNKNOWN_REASONS.items():
        of_risk = [action for action in actions if action.risk is risk]
        through = [each for each in of_risk if each.is_indirect and key != "confirm_unresolved"]
        if direct := _names_of(each for each in of_risk if each not in through):
            many = len(direct) > 1 and risk is RiskClass.UNRESOLVED
            devices = _counted(sentences, direct, longest)
            yield sentences.say(f"{key}_many" if many else key, devices=devices)
        if through:
            reached = dict.fromkeys(name for action in through for name in action.reaches)
            yield sentences.say(
                f"confirm_reaches_{risk}",
                devices=_counted(sentences, _names_of(through), longest),
                reaches=_some_names(sentences, reached, longest)
                or sentences.say("confirm_something"),
            )


def _names_of(actions: Iterable[RiskyAction]) -> list[str]:
    """Return the name of each device once; two devices may have the same name."""
    names = {action.thing or action.device_name: action.device_name for action in actions}
    return [*names.values()]


def _counted(sentences: Sentences, names: Sequence[str], longest: int | None) -> str:
    """Return the names as one phrase, or only their number if the phrase would be too long."""
    said = say_names(sentences, names)
    if len(names) < 2 or longest is None or len(said) <= longest:
        return said
    return sentences.say("confirm_count", count=str(len(names)))


def _some_names(sentences: Sentences, names: Iterable[str], longest: int | None) -> str:
    """Return as many names as `longest` permits, and the number of the others."""
    listed = list(names)
    said = say_names(sentences, listed)
    most = len(listed)
    while longest is not None and len(said) > longest and most > 2:
        most -= 1
        said = say_names(sentences, listed, most)
    return said


def say_commands(sentences: Sentences, commands: Iterable[NamedCommand]) -> str:
    """Return the commands as one phrase: "switch on Lamp and lock Front Door"."""
    clauses = [(_clause_without_risk(sentences, each), each) for each in commands]
    return _all_worded(sentences, clauses, partial(say_names, most=_MOST_NAMES))


def say_names(sentences: Sentences, names: Iterable[str], most: int | None = None) -> str:
    """Return the names as one phrase, e.g. "Lamp, TV and 4 more" for 6 names.

    `most`: maximum number of parts of the phrase, here 3 ("4 more" is one part); None: no limit.
    """
    listed = list(names)
    if most is not None and len(listed) > most:
        more = sentences.say("names_more", count=str(len(listed) - most + 1))
        listed = [*listed[: most - 1], more]
    return _joined(sentences, listed)


def _clause_of(sentences: Sentences, action: RiskyAction) -> _Clause:
    if action.risk is RiskClass.OUTSIDE:
        named = NamedCommand(
            thing=action.thing,
            device_name=action.device_name,
            command=action.command,
            arguments=action.arguments,
        )
        return _clause_without_risk(sentences, named)
    return _clause(sentences, action)


def _clause(sentences: Sentences, action: RiskyAction) -> _Clause:
    command = action.command.rpartition(".")[2]
    key = _CLAUSES.get(action.risk, {}).get(command) or _CLAUSES_OF_ALL.get(command)
    if action.is_indirect and command in {"turn_on", "toggle"}:
        key = "do_run"
    return (
        key or "do_other",
        " ".join(command.split("_")).replace("  ", " "),
        _details(sentences, action),
    )


def _clause_without_risk(sentences: Sentences, command: NamedCommand) -> _Clause:
    words = id_words(command.command.rpartition(".")[2])
    key = _CLAUSES_WITHOUT_RISK.get("_".join(words), "do_other")
    details = _joined(
        sentences,
        (
            _value_said(sentences, name, value)
            for name, value in without_codes(command.arguments).items()
            if value != HIDDEN
        ),
    )
    if key == "do_other" and details and _SET in words:
        key = "do_set"
    return key, " ".join(words), details


def _value_said(sentences: Sentences, name: str, value: object) -> str:
    key, scale = _VALUES.get(name, ("", 1))
    if key and isinstance(value, int | float) and not isinstance(value, bool):
        return sentences.say(key, value=f"{round(value * scale, 1):g}")
    return f"{' '.join(id_words(name))} {_value(value)}"


def _all_worded(
    sentences: Sentences,
    clauses: Iterable[tuple[_Clause, RiskyAction | NamedCommand]],
    say_devices: Callable[[Sentences, Iterable[str]], str],
) -> str:
    """Return one phrase for all actions; devices with the same clause are named together in it.

    `say_devices` returns the names of these devices as one phrase.
    """
    found: dict[_Clause, dict[str, str]] = {}
    for clause, each in clauses:
        # Two devices may have the same name; both must be named.
        found.setdefault(clause, {})[each.thing or each.device_name] = each.device_name
    return _joined(
        sentences,
        (
            _worded(sentences, clause, say_devices(sentences, things.values()))
            for clause, things in found.items()
        ),
    )


def _worded(sentences: Sentences, clause: _Clause, devices: str) -> str:
    key, command, details = clause
    if key == "do_set":
        return sentences.say(key, devices=devices, details=details)
    said = sentences.say(key, devices=devices, command=command)
    return sentences.say("do_with", action=said, details=details) if details else said


def _details(sentences: Sentences, action: RiskyAction) -> str:
    return _joined(
        sentences,
        (
            f"{name.replace('_', ' ')} {_value(value)}"
            for name, value in without_codes(action.arguments).items()
            if value != HIDDEN
        ),
    )


def _value(value: Any) -> str:
    if isinstance(value, str):
        return cleaned(value)
    if isinstance(value, list | tuple):
        return _cut(json.dumps([*map(_item, value)], default=str, ensure_ascii=False))
    return cleaned(json.dumps(value, default=str, ensure_ascii=False))


def _item(value: Any) -> Any:
    return cleaned(value) if isinstance(value, str) else value


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _joined(sentences: Sentences, parts: Iterable[str]) -> str:
    listed = list(parts)
    if len(listed) < 2:
        return "".join(listed)
    return sentences.say("list_and", first=", ".join(listed[:-1]), last=listed[-1])
