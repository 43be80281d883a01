"""The question by which a person is asked for a yes (DESIGN 5, confirmation).

It names the exact devices, what will be done and with which values.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from ..speech import Sentences
from .asked_names import LONGEST, cleaned
from .authority import RiskyAction
from .model import RiskClass, without_codes

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


def confirmation_question(
    sentences: Sentences, actions: Sequence[RiskyAction], *, pin: bool = False
) -> str:
    """Return the question about exactly these actions; with `pin` it asks for the PIN."""
    said: list[str] = []
    for action in actions:
        if action.risk is RiskClass.UNRESOLVED:
            said.append(sentences.say("confirm_unresolved", devices=action.device_name))
        elif action.risk is RiskClass.FILE:
            said.append(sentences.say("confirm_file", devices=action.device_name))
        elif action.is_indirect:
            said.append(_warning(sentences, action))
    clauses: dict[tuple[str, str, str], dict[str, str]] = {}
    for action in actions:
        # Two things of one name are two names.
        things = clauses.setdefault(_clause(sentences, action), {})
        things[action.thing or action.device_name] = action.device_name
    wanted = [
        _worded(sentences, key, command, details, things.values())
        for (key, command, details), things in clauses.items()
    ]
    said.append(sentences.say("confirm_question", actions=_joined(sentences, wanted)))
    if pin:
        said.append(sentences.say("confirm_pin"))
    return " ".join(said)


def _warning(sentences: Sentences, action: RiskyAction) -> str:
    reaches = _joined(sentences, action.reaches) or sentences.say("confirm_something")
    return sentences.say(
        f"confirm_reaches_{action.risk.value}", devices=action.device_name, reaches=reaches
    )


def _clause(sentences: Sentences, action: RiskyAction) -> tuple[str, str, str]:
    command = action.command.rpartition(".")[2]
    key = _CLAUSES.get(action.risk, {}).get(command) or _CLAUSES_OF_ALL.get(command)
    if action.is_indirect and command in {"turn_on", "toggle"}:
        key = "do_run"
    return (
        key or "do_other",
        " ".join(command.split("_")).replace("  ", " "),
        _details(sentences, action),
    )


def _worded(
    sentences: Sentences, key: str, command: str, details: str, names: Iterable[str]
) -> str:
    clause = sentences.say(key, devices=_joined(sentences, names), command=command)
    return sentences.say("do_with", action=clause, details=details) if details else clause


def _details(sentences: Sentences, action: RiskyAction) -> str:
    return _joined(
        sentences,
        (
            f"{name.replace('_', ' ')} {_value(value)}"
            for name, value in without_codes(action.arguments).items()
            if value != "***"
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
