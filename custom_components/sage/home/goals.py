"""One value that is to come true, and when it has (DESIGN 5, evidence)."""

import math
from dataclasses import dataclass
from typing import Any, Final

from homeassistant.core import State

STATE: Final = "state"
"""The name under which the state itself goes."""

UNKNOWN: Final = frozenset({"unavailable", "unknown"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """One value that is to come true."""

    name: str
    """Attribute, or `state`."""

    values: frozenset[str] = frozenset()
    """Texts of which it must be one; empty when a number or a list is wanted."""

    not_values: frozenset[str] = frozenset()
    number: float | None = None
    tolerance: float = 0.0
    """Far below the smallest step a person would ask for: else nothing done looks done."""

    or_number: float | None = None
    """What a device of few steps makes of the number."""

    numbers: tuple[float, ...] = ()
    """Components of a colour."""

    direction: int = 0
    """+1 or -1 for a relative command: where the number must have moved."""

    @property
    def alternatives(self) -> tuple[object, ...]:
        """The values of which one is wanted, as JSON has them; empty for a relative goal."""
        if self.numbers:
            return ([*self.numbers],)
        if self.number is not None:
            return (self.number,) if self.or_number is None else (self.number, self.or_number)
        return tuple(sorted(self.values))

    def is_met(self, before: State | None, now: State) -> bool:
        """Tell whether the goal holds in `now`."""
        value = value_of(now, self.name)
        if self.direction:
            old = None if before is None else as_number(value_of(before, self.name))
            new = as_number(value)
            return old is not None and new is not None and (new - old) * self.direction > 0
        if self.numbers:
            return _all_near(value, self.numbers, self.tolerance)
        if self.number is not None:
            new = as_number(value)
            wanted = (self.number, self.number if self.or_number is None else self.or_number)
            return new is not None and any(abs(new - each) <= self.tolerance for each in wanted)
        if value is None:
            return False
        text = as_text(value)
        return text not in self.not_values and (not self.values or text in self.values)


def value_of(state: State, name: str) -> Any:
    """Return an attribute, or the state itself."""
    return state.state if name == STATE else state.attributes.get(name)


def as_number(value: Any) -> float | None:
    """Return a value as a finite number; None when it is none."""
    if isinstance(value, bool):
        return None
    try:
        number = float(value)
    except TypeError, ValueError:
        return None
    return number if math.isfinite(number) else None


def as_text(value: Any) -> str:
    """Return a value as a state would be written."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(getattr(value, "value", value))


def _all_near(value: Any, wanted: tuple[float, ...], tolerance: float) -> bool:
    if not isinstance(value, list | tuple) or len(value) != len(wanted):
        return False
    numbers = [as_number(each) for each in value]
    return all(
        number is not None and abs(number - want) <= tolerance
        for number, want in zip(numbers, wanted, strict=True)
    )
