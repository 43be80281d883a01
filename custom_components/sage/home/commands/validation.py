"""Validate a command against the documentation of its device.

Unambiguous values are converted to the documented type. For other values, an error says how to fix
them.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, Final

from ...text import id_key, nearest
from ..home_types import Argument, CommandDescription, Documentation, HomeError, NoCommandError
from ..safety.free_text import labels

_NUMBER: Final = re.compile(
    r"([-+]?\d+(?:[.,]\d+)?)\s*(%|°|k|kelvin|percent|prozent|[^\d]*)?", re.IGNORECASE
)
_TRUE: Final = frozenset({"true", "on", "yes", "1"})
_FALSE: Final = frozenset({"false", "off", "no", "0"})
_SHOWN: Final = 30
"""Maximum number of allowed values in an error."""


def command_named(documentation: Documentation, name: str) -> CommandDescription:
    """Return the command with this name from the documentation of its device.

    Raises NoCommandError, which lists similar names, if there is none.
    """
    wanted = id_key(name)
    for command in documentation.commands:
        if command.name == name:
            return command
    own = f"{documentation.capability}."
    for command in documentation.commands:
        if id_key(command.name) in {wanted, id_key(name.removeprefix(own))}:
            return command
    names = [command.name for command in documentation.commands]
    raise NoCommandError(
        f"{documentation.device_name} has no command {name}. "
        + (
            f"{_nearest(name, names)}It has: {_signatures(documentation)}. "
            "Use one of these, or say that this cannot be done."
            if names
            else "It has none: it can only be read. Say that this cannot be done."
        )
    )


def _signatures(documentation: Documentation) -> str:
    """Return all commands with the names of their arguments: `set_level(level, rate)`."""
    return ", ".join(
        f"{command.name}({', '.join(argument.name for argument in command.arguments)})"
        for command in documentation.commands
    )


def validated(command: CommandDescription, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments, converted to their documented types.

    Raises HomeError if an argument is unknown, missing or invalid.
    """
    known = {argument.name: argument for argument in command.arguments}
    values: dict[str, Any] = {}
    for name, value in arguments.items():
        argument = known.get(name) or _similar(known, name)
        if value is None and (argument is None or not argument.required):
            continue
        if argument is None:
            raise HomeError(_unknown(command, name, list(known)))
        if argument.name in values:
            raise HomeError(f"The argument {argument.name} of {command.name} is given twice.")
        values[argument.name] = _fitted(argument, value)
    missing = [each for each in command.arguments if each.required and each.name not in values]
    if missing and all(each.default is not None for each in missing):
        return values | {each.name: each.default for each in missing}
    missing = [each for each in missing if each.default is None]
    if missing:
        wanted = "; ".join(_wanted(each) for each in missing)
        raise HomeError(f"{command.name} needs {wanted}.")
    return values


def _unknown(command: CommandDescription, name: str, known: list[str]) -> str:
    if not known:
        return f"{command.name} takes no arguments; leave {name} out."
    return (
        f"{command.name} has no argument {name}. {_nearest(name, known)}It takes: {_listed(known)}."
    )


def _similar(known: Mapping[str, Argument], name: str) -> Argument | None:
    return next((known[each] for each in known if id_key(each) == id_key(name)), None)


def _fitted(argument: Argument, value: Any) -> Any:
    fitted: Any
    if argument.type in {"object", "list"}:
        value = _parsed(value)
    match argument.type:
        case "number" | "integer":
            fitted = _in_range(argument, _number(argument, value))
        case "boolean":
            fitted = _boolean(argument, value)
        case "list":
            fitted = _list(argument, value)
        case "object":
            fitted = value
        case _:
            fitted = _text(argument, value)
    return fitted


def _parsed(value: Any) -> Any:
    """Return the parsed object or list if the value is JSON text, else the value unchanged."""
    if isinstance(value, str) and value.strip().startswith(("{", "[")):
        with suppress(ValueError):
            return json.loads(value)
    return value


def _number(argument: Argument, value: Any) -> float:
    if isinstance(value, str) and (found := _NUMBER.fullmatch(value.strip())):
        value = float(found[1].replace(",", "."))
    if isinstance(value, bool) or not isinstance(value, int | float) or not _is_finite(value):
        raise HomeError(f"{_wanted(argument)} is wanted, not {value!r}.")
    if argument.type == "integer" and float(value) != int(value):
        raise HomeError(f"{_wanted(argument)} is wanted, not {value!r}: no fraction.")
    return int(value) if float(value) == int(value) else float(value)


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _in_range(argument: Argument, value: float) -> float:
    low, high = argument.minimum, argument.maximum
    if argument.values and value not in map(_maybe_number, argument.values):
        raise HomeError(f"{argument.name} cannot be {value:g}: {_wanted(argument)} is wanted.")
    if (low is not None and value < low) or (high is not None and value > high):
        raise HomeError(f"{value:g} is out of range: {_wanted(argument)} is wanted.")
    return value


def _boolean(argument: Argument, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    text = str(value).strip().casefold()
    if text in _TRUE | _FALSE:
        return text in _TRUE
    raise HomeError(f"{_wanted(argument)} is wanted, not {value!r}.")


def _list(argument: Argument, value: Any) -> list[Any]:
    if isinstance(value, str):
        value = [part.strip() for part in value.strip("[]() ").split(",") if part.strip()]
        value = [_maybe_number(part) for part in value]
    if isinstance(value, Mapping):
        raise HomeError(f"{_wanted(argument)} is wanted, not {dict(value)!r}.")
    items = list(value) if isinstance(value, Iterable) else [value]
    return [_option(argument, each) for each in items] if argument.values else items


def _maybe_number(text: str) -> Any:
    try:
        number = float(text)
    except ValueError:
        return text
    if not math.isfinite(number):
        return text
    return int(number) if number == int(number) else number


def _text(argument: Argument, value: Any) -> Any:
    if argument.values:
        return _option(argument, value)
    if isinstance(value, Mapping | list | tuple):
        # References may be lists; the gate checks each item.
        if argument.is_reference:
            return value
        raise HomeError(f"{_wanted(argument)} is wanted, not {value!r}.")
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _option(argument: Argument, value: Any) -> str:
    wanted = "on" if value is True else "off" if value is False else str(value).strip()
    if isinstance(value, bool) and "true" in argument.values:
        wanted = str(value).lower()
    for same in (str, str.casefold, id_key):
        # Options may differ only in symbols or accents: accept a loose match only if unique.
        fitting = [option for option in argument.values if same(option) == same(wanted)]
        if len(fitting) == 1:
            return fitting[0]
    nearest = _nearest(str(value), argument.values)
    raise HomeError(
        f"{argument.name} cannot be {value!r}. {nearest}It must be one of: "
        f"{_listed(argument.values)}."
    )


def _wanted(argument: Argument) -> str:
    """Return an argument with its type and range: `brightness_pct (number, 0..100 %)`."""
    kind = argument.type
    if argument.values:
        kind = f"one of {_listed(argument.values)}"
    elif argument.minimum is not None or argument.maximum is not None:
        low = "" if argument.minimum is None else f"{argument.minimum:g}"
        high = "" if argument.maximum is None else f"{argument.maximum:g}"
        kind = f"{kind}, {low}..{high}"
    return f"{argument.name} ({kind}{f' {argument.unit}' if argument.unit else ''})"


def _nearest(name: str, names: Iterable[str]) -> str:
    close = labels(nearest(name, names))
    return f"Nearest: {', '.join(close)}. " if close else ""


def _listed(values: Iterable[str]) -> str:
    listed = list(values)
    shown = labels(listed)[:_SHOWN]
    more = f", and {len(listed) - len(shown)} more" if len(listed) > len(shown) else ""
    return ", ".join(shown) + more
