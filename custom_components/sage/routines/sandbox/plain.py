"""The gate for values that cross the border of the sandbox, in either direction.

What passes is made of new lists and dicts of exact types, so nothing that is shared, and
nothing that carries code, can cross.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from .sandbox_types import Scalar, Value

LARGEST_INTEGER: Final = 2**63 - 1
NODE_WEIGHT: Final = 8
"""Bytes that a number, a bool, a time or the frame of a list counts for."""


class PlainError(Exception):
    """A value that may not cross; the text says where it is and what would be right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeBudget:
    """How much may cross."""

    depth: int
    """Lists and dicts inside each other."""

    weight: int
    """Bytes: of texts and keys in UTF-8, and NODE_WEIGHT for everything else."""


ANSWER: Final = SizeBudget(depth=12, weight=512_000)
STATE: Final = SizeBudget(depth=8, weight=16_000)


class PlainGate:
    """Takes one value across."""

    def __init__(self, budget: SizeBudget) -> None:
        """Begin with the whole budget."""
        self._budget = budget
        self._left = budget.weight

    def take(self, value: object, where: str, depth: int = 0) -> Value:
        """Return a copy of exact types. Raises PlainError.

        Tuples become lists. `where` names the value in the error.
        """
        kind = type(value)
        if isinstance(value, str):
            return self._text(value, where)
        if value is None or kind is bool:
            self._pay(NODE_WEIGHT, where)
            return value  # type: ignore[return-value]
        if isinstance(value, (int, float)):
            self._pay(NODE_WEIGHT, where)
            return _number(value, where)
        if isinstance(value, datetime):
            self._pay(NODE_WEIGHT, where)
            return _moment(value, where)
        if depth >= self._budget.depth:
            raise PlainError(f"{where} is nested deeper than {self._budget.depth} levels.")
        if isinstance(value, (list, tuple)):
            self._pay(NODE_WEIGHT, where)
            return [self.take(item, f"{where}[{i}]", depth + 1) for i, item in enumerate(value)]
        if isinstance(value, Mapping):
            self._pay(NODE_WEIGHT, where)
            return {
                self._key(key, where): self.take(item, f"{where}[{key!r:.40}]", depth + 1)
                for key, item in value.items()
            }
        raise PlainError(f"{where} is a {kind.__name__}. {_instead(kind.__name__)}")

    def _text(self, value: str, where: str) -> str:
        text = str.__str__(value)
        try:
            self._pay(len(text) if text.isascii() else len(text.encode()), where)
        except UnicodeEncodeError:
            raise PlainError(f"{where} holds half a character, which no file can keep.") from None
        return text

    def _key(self, key: object, where: str) -> str:
        if not isinstance(key, str):
            raise PlainError(f"A key of {where} is a {type(key).__name__}; write str({key!r:.40}).")
        return self._text(key, f"a key of {where}")

    def _pay(self, weight: int, where: str) -> None:
        self._left -= weight
        if self._left < 0:
            raise PlainError(
                f"There is more in it than {self._budget.weight // 1000} kB, at {where:.80}."
            )


def to_plain(value: object, budget: SizeBudget, where: str = "the value") -> Value:
    """Return a copy of `value` that may cross. Raises PlainError."""
    return PlainGate(budget).take(value, where)


def to_state(value: object) -> dict[str, Value]:
    """Return the dict `state` as it may be kept. Raises PlainError."""
    state = to_plain(value, STATE, "state")
    if not isinstance(state, dict):
        raise PlainError("state has to stay a dict.")
    return state


def to_scalar(value: object) -> Scalar:
    """Return an argument of a condition function. Raises PlainError."""
    scalar = to_plain(value, SizeBudget(depth=0, weight=2000), "An argument")
    if isinstance(scalar, datetime):
        raise PlainError("An argument is a time.")
    return scalar  # type: ignore[return-value]


def _number(value: float, where: str) -> int | float:
    if isinstance(value, int):
        whole = int(value)
        if abs(whole) > LARGEST_INTEGER:
            raise PlainError(f"{where} is a number of more than 63 bits.")
        return whole
    number = float(value)
    if not math.isfinite(number):
        raise PlainError(f"{where} is no finite number.")
    return number


def _moment(value: datetime, where: str) -> datetime:
    if value.tzinfo is None or value.utcoffset() is None:
        raise PlainError(f"{where} is a time without a time zone. Keep now() instead.")
    return value if type(value) is datetime else datetime.fromisoformat(value.isoformat())


def _instead(kind: str) -> str:
    return {
        "set": "Keep sorted(...) of it, a list.",
        "date": "Keep its isoformat(), a text.",
        "time": "Keep its isoformat(), a text.",
        "timedelta": "Keep its total_seconds(), a number.",
    }.get(kind, "Texts, numbers, bools, None, aware datetimes, lists and dicts can be kept.")
