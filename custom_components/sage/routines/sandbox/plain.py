"""Validates values that enter or leave the sandbox, and copies them to built-in types."""

import math
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from .sandbox_types import ConditionFunction, FunctionCall, Scalar, Value

STATE_BYTES: Final = 16_000
"""Maximum size of the dict `state`: texts in UTF-8, and 8 bytes for each other value."""

RESULT_BYTES: Final = 512_000
"""Maximum size of a result of a condition function."""

LONGEST_ARGUMENT: Final = 256
_DEEPEST: Final = 12
_LARGEST_INTEGER: Final = 2**63 - 1
_KEPT: Final = "Texts, numbers, bools, None, aware datetimes, lists and dicts can be kept."
_INSTEAD: Final = {
    "set": "Keep sorted(...) of it, a list.",
    "date": "Keep its isoformat(), a text.",
    "time": "Keep its isoformat(), a text.",
    "timedelta": "Keep its total_seconds(), a number.",
}


class PlainError(Exception):
    """A value has a type or size that the sandbox does not allow."""


class _Gate:
    """Copies one value that enters or leaves the sandbox, up to a maximum size."""

    def __init__(self, most: int) -> None:
        self._most = self._left = most

    def copy(self, value: object, where: str, depth: int = 0) -> Value:
        """Return a copy of `value`; `where`: its name, with the keys that lead to it."""
        if isinstance(value, str):
            return self._text(value, where)
        self._pay(8, where)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int):
            if abs(value) > _LARGEST_INTEGER:
                raise PlainError(f"{where} is a number of more than 63 bits.")
            return int(value)
        if isinstance(value, float):
            if not math.isfinite(value):
                raise PlainError(f"{where} is no finite number.")
            return float(value)
        if isinstance(value, datetime):
            if value.utcoffset() is None:
                raise PlainError(f"{where} is a time without a time zone. Keep now() instead.")
            return value if type(value) is datetime else datetime.fromisoformat(value.isoformat())
        return self._container(value, where, depth)

    def _container(self, value: object, where: str, depth: int) -> Value:
        if depth >= _DEEPEST:
            raise PlainError(f"{where} is nested deeper than {_DEEPEST} levels.")
        if isinstance(value, (list, tuple)):
            return [self.copy(item, f"{where}[{i}]", depth + 1) for i, item in enumerate(value)]
        if isinstance(value, Mapping):
            return {
                self._key(key, where): self.copy(item, f"{where}[{key!r:.40}]", depth + 1)
                for key, item in value.items()
            }
        kind = type(value).__name__
        raise PlainError(f"{where} is a {kind}. {_INSTEAD.get(kind, _KEPT)}")

    def _key(self, value: object, where: str) -> str:
        if not isinstance(value, str):
            kind = type(value).__name__
            raise PlainError(f"A key of {where} is a {kind}; write str({value!r:.40}).")
        return self._text(value, where)

    def _text(self, value: str, where: str) -> str:
        try:
            self._pay(len(value.encode()), where)
        except UnicodeEncodeError:
            raise PlainError(f"{where} holds half a character, which no file can keep.") from None
        return str.__str__(value)

    def _pay(self, size: int, where: str) -> None:
        self._left -= size
        if self._left < 0:
            raise PlainError(f"There is more in it than {self._most // 1000} kB, at {where:.80}.")


def to_plain(value: object, most: int, where: str) -> Value:
    """Return a deep copy of `value` that has only built-in types; tuples become lists.

    Raises PlainError for unsupported types, and for values of more than `most` bytes. `where` is
    the name of the value in the error text.
    """
    return _Gate(most).copy(value, where)


def to_state(value: object) -> dict[str, Value]:
    """Return a copy of `value`, the dict `state` that condition code keeps between evaluations.

    Raises PlainError if `value` is not a dict, is too large, or contains an unsupported type.
    """
    state = to_plain(value, STATE_BYTES, "state")
    if not isinstance(state, dict):
        raise PlainError("state has to stay a dict.")
    return state


def to_call(
    function: ConditionFunction, arguments: tuple[Any, ...], named: Mapping[str, Any]
) -> FunctionCall:
    """Return a call of a condition function with all its arguments.

    Raises PlainError for a wrong number of arguments, and for an argument that is no bool, number,
    text or None, or is too large.
    """
    parameters = function.parameters
    names = [each.name for each in parameters]
    if len(arguments) > len(names) or not named.keys() <= set(names[len(arguments) :]):
        raise PlainError(f"{function.name} takes these arguments: {', '.join(names) or 'none'}.")
    values = dict(zip(names, arguments, strict=False)) | dict(named)
    for each in parameters:
        if each.required and each.name not in values:
            raise PlainError(f"{function.name} needs the argument {each.name}.")
    complete = (_scalar(values.get(each.name, each.default), each.name) for each in parameters)
    return FunctionCall(function.name, tuple(complete))


def _scalar(value: object, name: str) -> Scalar:
    if type(value) is str and len(value) > LONGEST_ARGUMENT:
        raise PlainError(f"{name} is longer than {LONGEST_ARGUMENT} characters.")
    if value is None or type(value) in (bool, str):
        return value  # type: ignore[return-value]
    if type(value) in (int, float):
        return to_plain(value, RESULT_BYTES, name)  # type: ignore[return-value]
    raise PlainError(f"{name} has to be a text, a number or a bool, not {type(value).__name__}.")
