"""One raw attribute that is to take a value, and when it has (DESIGN 5, evidence)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ..goals import as_number
from .names import words_of

type Values = Mapping[str, object]
"""Attribute name -> value, of one capability of one component."""

_COARSE: Final = frozenset({"hue", "saturation", "level"})
"""Words of attributes that devices keep in coarser steps than they are asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """One attribute that is to change in a certain way."""

    attribute: str
    values: tuple[object, ...] = ()
    """Of which it must become one."""

    direction: int = 0
    """+1 or -1 for a relative command: where the number must have moved."""

    differs: bool = False
    """Any other value than before will do."""

    def is_met(self, before: Values, now: Values) -> bool:
        """Tell whether the goal holds in `now`."""
        value = now.get(self.attribute)
        if value is None:
            return False
        old = before.get(self.attribute)
        if self.direction:
            new_number, old_number = as_number(value), as_number(old)
            if new_number is None or old_number is None:
                return False
            return (new_number - old_number) * self.direction > 0
        if self.differs:
            return old is not None and value != old
        return any(is_same(self.attribute, wanted, value) for wanted in self.values)

    def is_kept(self, before: Values, now: Values) -> bool:
        """Return whether the value is the same as before.

        A goal with several values may be met by one before and by another one now.
        """
        old, new = before.get(self.attribute), now.get(self.attribute)
        return len(self.values) < 2 or is_same(self.attribute, old, new)

    def is_nearer(self, before: Values, now: Values) -> bool:
        """Tell whether the number has moved towards the only one wanted."""
        old, new = as_number(before.get(self.attribute)), as_number(now.get(self.attribute))
        wanted = as_number(self.values[0]) if len(self.values) == 1 else None
        if old is None or new is None or wanted is None or old == new:
            return False
        return min(old, wanted) <= new <= max(old, wanted)


def is_same(attribute: str, wanted: object, value: object) -> bool:
    """Tell whether an attribute has a value, as near as devices come to it."""
    if isinstance(wanted, Mapping):
        return isinstance(value, Mapping) and all(
            name in value and is_same(str(name), part, value[name]) for name, part in wanted.items()
        )
    if isinstance(value, Mapping) and "value" in value:
        return is_same(attribute, wanted, value["value"])
    if _is_list(wanted):
        return (
            _is_list(value)
            and len(wanted) == len(value)  # type: ignore[arg-type]
            and all(
                is_same(attribute, one, other)
                for one, other in zip(wanted, value, strict=True)  # type: ignore[call-overload]
            )
        )
    one, other = as_number(wanted), as_number(value)
    if one is not None and other is not None:
        return abs(one - other) <= _tolerance(attribute, one)
    return _text(wanted) == _text(value)


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _tolerance(attribute: str, value: float) -> float:
    words = words_of(attribute)
    if "color" in words and "temperature" in words:
        return value * value / 1e6 + 2  # one mired, the unit that lamps count in
    if _COARSE & set(words):
        return 1.0
    return max(0.01, abs(value) * 0.001)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value).casefold()
