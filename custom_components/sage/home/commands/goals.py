"""The expected value of one attribute, and its comparison with a reported value."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from homeassistant.core import State
from homeassistant.util.color import color_RGB_to_hs, color_xy_to_hs

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

_STEPS: Final[Mapping[str, str]] = {
    "temperature": "target_temp_step",
    "target_temp_high": "target_temp_step",
    "target_temp_low": "target_temp_step",
    "humidity": "target_humidity_step",
    "percentage": "percentage_step",
    STATE: "step",
}
"""Attribute -> attribute with the step of its values, which many devices report."""

_ROUNDING: Final[Mapping[str, float]] = {
    "brightness": 2.6,
    "volume_level": 0.026,
    "current_position": 5.0,
    "current_tilt_position": 5.0,
    "media_position": 5.0,
    "hs_color": 18.0,
    "rgb_color": 18.0,
    "xy_color": 18.0,
}
"""Attribute -> usual rounding of devices that do not report a step.

Dimmers have 100 levels, amplifiers 40. Covers stop up to 5 % off, at both ends, too. Colours are
points on a disc with the radius 100 (see `_distance`).
"""

NUMBERS: Final = frozenset({"number", "input_number"})
"""Domains whose state is a number."""

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

    rounding: float = 0.0
    """Largest difference of numbers that the steps of the device explain (see `is_near`)."""

    instead: Goal | None = None
    """A goal that is enough if it is near, e.g. the position 0 for the state `closed`."""

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

    def is_near(self, before: Values, now: Values) -> bool:
        """Return whether the device met the goal as well as its steps allow.

        A value that has not changed must be within half a step: a device that rounds would choose
        it again.
        """
        if self.is_met(before, now):
            return True
        if self.instead is not None and self.instead.is_near(before, now):
            return True
        value, has_changed = now.get(self.name), now.get(self.name) != before.get(self.name)
        most = self.rounding if has_changed else self.rounding / 2
        return any(
            (distance := _distance(self.name, wanted, value)) is not None
            and distance <= most + 1e-6
            for wanted in (self.values if most else ())
        )

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


def fitted(goal: Goal, domain: str, attributes: Mapping[str, Any]) -> Goal:
    """Return the goal with the rounding of an entity, and a tolerance below the step of its values.

    `attributes`: those of the entity, which may contain the step of the values. A cover counts as
    closed if its position is nearly 0.
    """
    is_closed = goal.name == STATE and goal.values == ("closed",)
    if is_closed and domain in ("cover", "valve"):
        position = Goal(name="current_position", values=(0.0,), tolerance=0.0)
        return replace(goal, instead=fitted(position, domain, attributes))
    if not goal.values:
        return goal
    number, has_step = as_number(goal.values[0]), goal.name != STATE or domain in NUMBERS
    step = as_number(attributes.get(_STEPS.get(goal.name, ""))) if has_step else None
    if step is not None and number is not None:
        # A device may round up or down, so that the difference is less than one step.
        tolerance = min(_tolerance(goal.name, number), step * 0.49)
        return replace(goal, tolerance=tolerance, rounding=step * 0.999)
    rounding = _rounding(goal.name, number, domain, attributes)
    return replace(goal, rounding=rounding) if rounding else goal


def _rounding(name: str, number: float | None, domain: str, attributes: Mapping[str, Any]) -> float:
    if name in _KELVIN and number:
        ends = [as_number(attributes.get(f"{end}_{name}")) or 0.0 for end in ("min", "max")]
        return max(3 * number * number / 1e6, (ends[1] - ends[0]) / 100)
    # A valve that is not quite closed lets water through.
    is_shut_valve = domain == "valve" and number == 0
    return 0.0 if is_shut_valve else _ROUNDING.get(name, 0.0)


def _distance(name: str, wanted: object, value: object) -> float | None:
    """Return the difference of two numbers or colours; None if they cannot be compared.

    A colour is a point on a disc: the hue is its angle, the saturation its distance from the
    centre.
    """
    if name in _HUES:
        try:
            return math.dist(_point(name, wanted), _point(name, value))
        except TypeError, ValueError:
            return None
    one, other = as_number(wanted), as_number(value)
    return None if one is None or other is None else abs(one - other)


def _point(name: str, color: Any) -> tuple[float, float]:
    hue, saturation = _HUES[name](*color)
    return saturation * math.cos(math.radians(hue)), saturation * math.sin(math.radians(hue))


_HUES: Final[Mapping[str, Callable[..., tuple[float, float]]]] = {
    "hs_color": lambda hue, saturation: (hue, saturation),
    "rgb_color": color_RGB_to_hs,
    "xy_color": color_xy_to_hs,
}
"""Attribute with a colour -> function that returns its hue and saturation."""


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
