"""The expected value of one attribute, and its comparison with a reported value."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from homeassistant.core import State

STATE: Final = "state"
"""Key of an entity's state in `Values`."""

UNKNOWN: Final = frozenset({"unavailable", "unknown"})

type Values = Mapping[str, object]
"""Attribute name -> value of an entity or SmartThings capability; empty while unavailable."""

_TOLERANCES: Final[Mapping[str, float]] = {
    "brightness": 1.5,
    "temperature": 0.24,
    "target_temp_high": 0.24,
    "target_temp_low": 0.24,
    "humidity": 0.5,
    "percentage": 1.0,
    "current_position": 1.0,
    "current_tilt_position": 1.0,
    "volume_level": 0.006,
    "rgb_color": 12.0,
    "rgbw_color": 12.0,
    "rgbww_color": 12.0,
    "hs_color": 12.0,
    "xy_color": 0.02,
    "hue": 1.0,
    "saturation": 1.0,
    "level": 1.0,
    "shadeLevel": 1.0,
}
"""Attribute -> accepted difference between wanted and reported value.

The differences are smaller than the smallest step of a request. Otherwise, an unchanged value could
count as success.
"""

_KELVIN: Final = frozenset({"color_temp_kelvin", "colorTemperature"})

_FLAGS: Final = {"on": True, "true": True, "off": False, "false": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """The value that a command must give to one attribute, or the change that it must cause."""

    name: str
    """Name of the attribute, or `state`."""

    values: tuple[object, ...] = ()
    """The accepted new values; one of them is enough."""

    not_values: frozenset[str] = frozenset()
    """New values that do not meet the goal, e.g. `off`."""

    direction: int = 0
    """For a relative command: +1 if the number must grow, -1 if it must shrink; else 0."""

    differs: bool = False
    """Whether the goal is met by every new value that differs from the old one."""

    tolerance: float | None = None
    """Accepted difference of numbers; None for the default of the attribute."""

    is_exact: bool = False
    """Whether the comparison of texts is case-sensitive."""

    def is_met(self, before: Values, now: Values) -> bool:
        """Return whether the change from `before` to `now` meets the goal."""
        value, old = now.get(self.name), before.get(self.name)
        if value is None:
            return False
        if self.direction:
            new_number, old_number = as_number(value), as_number(old)
            if new_number is None or old_number is None:
                return False
            return (new_number - old_number) * self.direction > 0
        if self.differs:
            return old is not None and value != old
        if self.not_values:
            return _text(value) not in self.not_values
        return any(self._is_same(wanted, value) for wanted in self.values)

    def is_met_by_same_value(self, before: Values, now: Values) -> bool:
        """Return whether the same accepted value meets the goal before and now.

        False if, for example, `idle` and `paused` are accepted, and `idle` became `paused`. Call
        this only if the goal is met both before and now.
        """
        old, new = before.get(self.name), now.get(self.name)
        has_one = len(self.values) == 1 or self.direction or self.differs
        return bool(has_one) or self._is_same(old, new)

    def is_nearer(self, before: Values, now: Values) -> bool:
        """Return whether a number moved towards the single accepted value, but not beyond it."""
        old, new = as_number(before.get(self.name)), as_number(now.get(self.name))
        wanted = as_number(self.values[0]) if len(self.values) == 1 else None
        if old is None or new is None or wanted is None or old == new:
            return False
        return min(old, wanted) <= new <= max(old, wanted)

    def _is_same(self, wanted: object, value: object) -> bool:
        if self.is_exact and isinstance(wanted, str) and isinstance(value, str):
            number = as_number(wanted)
            return wanted == value or (number is not None and number == as_number(value))
        return is_same(self.name, wanted, value, self.tolerance)


def reported_values(state: State | None) -> Values:
    """Return attributes and state of an entity; empty if the state is unavailable or unknown."""
    if state is None or state.state in UNKNOWN:
        return {}
    return {**state.attributes, STATE: state.state}


def is_same(name: str, wanted: object, value: object, tolerance: float | None = None) -> bool:
    """Return whether a reported value equals the wanted one, ignoring case.

    Numbers may differ by `tolerance`; None means the default tolerance of the attribute `name`.
    """
    if isinstance(wanted, Mapping):
        return isinstance(value, Mapping) and all(
            part in value and is_same(str(part), each, value[part]) for part, each in wanted.items()
        )
    value = unwrapped(value)
    if _is_list(wanted):
        return (
            _is_list(value)
            and len(wanted) == len(value)  # type: ignore[arg-type]
            and all(
                is_same(name, one, other, tolerance)
                for one, other in zip(wanted, value, strict=True)  # type: ignore[call-overload]
            )
        )
    if isinstance(wanted, bool) or isinstance(value, bool):
        flag = _flag(wanted)
        return flag is not None and flag is _flag(value)
    one, other = as_number(wanted), as_number(value)
    if one is not None and other is not None:
        if isinstance(wanted, str) and isinstance(value, str):
            return one == other
        allowed = _tolerance(name, one) if tolerance is None else tolerance
        return abs(one - other) <= allowed
    return _text(wanted).casefold() == _text(value).casefold()


def unwrapped(value: object) -> object:
    """Return the value in an object such as `{"value": 20, "unit": "C"}`: 20.

    Other values are returned unchanged.
    """
    return value["value"] if isinstance(value, Mapping) and "value" in value else value


def as_number(value: Any) -> float | None:
    """Return a value as a finite float; None if it is not a number."""
    if isinstance(value, bool):
        return None
    try:
        number = float(value)
    except TypeError, ValueError:
        return None
    return number if math.isfinite(number) else None


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _tolerance(name: str, value: float) -> float:
    if (tolerance := _TOLERANCES.get(name)) is not None:
        return tolerance
    if name in _KELVIN:
        return value * value / 1e6 + 2  # One mired: lamps step in mireds.
    return max(0.01, abs(value) * 0.001)


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else _FLAGS.get(_text(value).casefold())


def _text(value: object) -> str:
    return str(getattr(value, "value", value))
