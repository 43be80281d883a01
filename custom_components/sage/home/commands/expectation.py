"""The expected effect of a command on the values of a device, and its comparison with reports."""

import asyncio
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from homeassistant.core import State
from homeassistant.util.color import color_RGB_to_hs, color_xy_to_hs

from ..values import NOT_KNOWN, STATE, is_secret

type Values = Mapping[str, object]
"""Attribute name -> value of an entity or capability; empty while unavailable."""

_TOLERANCES: Final[Mapping[str, float]] = {
    name: tolerance
    for tolerance, names in {
        0.006: "volume_level",
        0.02: "xy_color",
        0.24: "temperature target_temp_high target_temp_low",
        0.5: "humidity",
        1.0: "percentage current_position current_tilt_position hue saturation level shadeLevel",
        1.5: "brightness",
        12.0: "rgb_color rgbw_color rgbww_color hs_color",
    }.items()
    for name in names.split()
}
"""Attribute -> accepted difference between wanted and reported value.

The differences are smaller than the smallest step of a request. Otherwise, an unchanged value could
count as success.
"""

KELVIN: Final = frozenset({"color_temp_kelvin", "colorTemperature"})

_FLAGS: Final = {"on": True, "true": True, "off": False, "false": False}


def reported_values(state: State | None) -> Values:
    """Return attributes and state of an entity; empty if the state is unavailable or unknown."""
    if state is None or state.state in NOT_KNOWN:
        return {}
    return {**state.attributes, STATE: state.state}


def is_same(
    name: str,
    wanted: object,
    value: object,
    tolerance: float | None = None,
    *,
    is_exact: bool = False,
) -> bool:
    """Return whether a reported value equals the wanted one.

    Numbers may differ by `tolerance`; None means the default tolerance of the attribute `name`.
    Texts may differ in case unless `is_exact`.
    """
    if isinstance(wanted, str) and wanted == value:
        return True
    if isinstance(wanted, Mapping):
        return isinstance(value, Mapping) and all(
            part in value and is_same(str(part), each, value[part]) for part, each in wanted.items()
        )
    if isinstance(value, Mapping):
        value = unwrapped(value)
    if isinstance(wanted, list | tuple):
        return (
            isinstance(value, list | tuple)
            and len(wanted) == len(value)
            and all(
                is_same(name, one, other, tolerance)
                for one, other in zip(wanted, value, strict=True)
            )
        )
    if isinstance(wanted, bool) or isinstance(value, bool):
        flags = [
            each if isinstance(each, bool) else _FLAGS.get(text_of(each).casefold())
            for each in (wanted, value)
        ]
        return None not in flags and flags[0] is flags[1]
    one, other = as_number(wanted), as_number(value)
    if one is not None and other is not None:
        if isinstance(wanted, str) and isinstance(value, str):
            return one == other
        allowed = tolerance_of(name, one) if tolerance is None else tolerance
        return abs(one - other) <= allowed
    texts = text_of(wanted), text_of(value)
    return texts[0] == texts[1] if is_exact else texts[0].casefold() == texts[1].casefold()


def distance(name: str, wanted: object, value: object) -> float | None:
    """Return the difference of two numbers or colours; None if they cannot be compared.

    A colour is a point on a disc: the hue is its angle, the saturation its distance from the
    centre.
    """
    if name in HUES:
        try:
            return math.dist(_point(name, wanted), _point(name, value))
        except TypeError, ValueError:
            return None
    one, other = as_number(wanted), as_number(value)
    return None if one is None or other is None else abs(one - other)


def _point(name: str, color: Any) -> tuple[float, float]:
    hue, saturation = HUES[name](*color)
    return saturation * math.cos(math.radians(hue)), saturation * math.sin(math.radians(hue))


HUES: Final[Mapping[str, Callable[..., tuple[float, float]]]] = {
    "rgb_color": color_RGB_to_hs,
    "hs_color": lambda hue, saturation: (hue, saturation),
    "xy_color": color_xy_to_hs,
}
"""Attribute with a colour -> function that returns its hue and saturation."""


def unwrapped(value: object) -> object:
    """Return 20 for an object such as `{"value": 20, "unit": "C"}`; other values unchanged."""
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


def tolerance_of(name: str, value: float) -> float:
    """Return the accepted difference between a wanted and a reported number."""
    if (tolerance := _TOLERANCES.get(name)) is not None:
        return tolerance
    if name in KELVIN:
        return value * value / 1e6 + 2  # One mired: lamps step in mireds.
    return max(0.01, abs(value) * 0.001)


def text_of(value: object) -> str:
    """Return a value, or that of a member of an enumeration, as text."""
    return str(getattr(value, "value", value))


_SETTLED: Final = 0.5  # seconds without a report after which a value near the wanted one is final
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
points on a disc with the radius 100 (see `distance`).
"""

NUMBERS: Final = frozenset({"number", "input_number"})  # domains whose state is a number


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """The value that a command must give to one attribute, or the change that it must cause."""

    name: str  # name of the attribute, or `state`
    values: tuple[object, ...] = ()  # the accepted new values; one of them is enough
    not_values: frozenset[str] = frozenset()  # new values that do not meet the goal, e.g. `off`
    direction: int = 0
    """For a relative command: +1 if the number must grow, -1 if it must shrink; else 0."""

    is_among: bool = False
    """Whether the value is a list that must contain all `values`, and none of `not_values`."""

    differs: bool = False
    """Whether the goal is met by every new value that differs from the old one."""

    tolerance: float | None = None
    """Accepted difference of numbers; None for the default of the attribute."""

    is_exact: bool = False  # whether the comparison of texts is case-sensitive
    rounding: float = 0.0
    """Largest difference of numbers that the steps of the device explain (see `is_near`)."""

    instead: Goal | None = None
    """A goal that is enough if it is near, e.g. the position 0 for the state `closed`."""

    def is_met(self, before: Values, now: Values) -> bool:
        """Return whether the change from `before` to `now` meets the goal."""
        value, old = now.get(self.name), before.get(self.name)
        if self.is_among:
            members = {*value} if isinstance(value, list | tuple) else set()
            return {*self.values} <= members and self.not_values.isdisjoint(members)
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
            return text_of(value) not in self.not_values
        return any(
            is_same(self.name, wanted, value, self.tolerance, is_exact=self.is_exact)
            for wanted in self.values
        )

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
            (off := distance(self.name, wanted, value)) is not None and off <= most + 1e-6
            for wanted in (self.values if most else ())
        )

    def is_nearer(self, before: Values, now: Values) -> bool:
        """Return whether a number moved towards the single accepted value, but not beyond it."""
        old, new = as_number(before.get(self.name)), as_number(now.get(self.name))
        wanted = as_number(self.values[0]) if len(self.values) == 1 else None
        if old is None or new is None or wanted is None or old == new:
            return False
        return min(old, wanted) <= new <= max(old, wanted)


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
        tolerance = min(tolerance_of(goal.name, number), step * 0.49)
        return replace(goal, tolerance=tolerance, rounding=step * 0.999)
    rounding = _ROUNDING.get(goal.name, 0.0)
    if goal.name in KELVIN and number:
        low, high = (as_number(attributes.get(f"{end}_{goal.name}")) for end in ("min", "max"))
        rounding = max(3 * number * number / 1e6, ((high or 0.0) - (low or 0.0)) / 100)
    elif domain == "valve" and number == 0:
        # A valve that is not quite closed lets water through.
        rounding = 0.0
    return replace(goal, rounding=rounding) if rounding else goal


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """The expected values that prove the success of a command."""

    goals: tuple[Goal, ...] = ()
    """The expected values, e.g. `on` for the state; the command worked if all goals are met."""

    signs: tuple[Goal, ...] = ()
    """Changes of which one must also be seen: a changed value must meet one of these goals."""

    on_the_way: frozenset[str] = frozenset()
    """Intermediate states before the goals are met, such as `opening`."""

    approaches: bool = False  # whether a number that moves towards its goal counts as under way
    observable: bool = True
    """Whether a state shows the effect; False for scenes, buttons and assumed states."""

    extra_seconds: float = 0.0
    """Additional waiting time in seconds, e.g. for the transition of a light."""

    def is_met(self, before: Values, now: Values) -> bool:
        """Return whether the values `now` prove success; False while the device is unavailable."""
        is_sign_seen = bool(self.names_of_signs(before, now)) if self.signs else bool(self.goals)
        return is_sign_seen and all(goal.is_met(before, now) for goal in self.goals)

    def is_near(self, before: Values, now: Values) -> bool:
        """Return whether the device met all goals as well as its steps allow, and does not move."""
        is_moving = now.get(STATE) in self.on_the_way
        return (
            bool(self.goals)
            and not is_moving
            and (not self.signs or bool(self.names_of_signs(before, now)))
            and all(goal.is_near(before, now) for goal in self.goals)
        )

    def values(self, reported: Values) -> dict[str, object]:
        """Return the reported values that the command should set, by attribute name."""
        return {goal.name: reported.get(goal.name) for goal in self.all_goals}

    @property
    def wanted(self) -> dict[str, tuple[object, ...]]:
        """The target values, without secrets: attribute name -> accepted values."""
        return {
            each.name: each.values
            for each in self.all_goals
            if each.values and not each.is_among and not is_secret(each.name)
        }

    @property
    def all_goals(self) -> tuple[Goal, ...]:
        """The goals, and those that are enough instead of one of them."""
        return self.goals + tuple(each.instead for each in self.goals if each.instead is not None)

    def observed(self, before: Values, now: Values) -> Expectation:
        """Return the expectation without goals and signs that the device does not report."""
        goals, signs = (
            tuple(each for each in goals if each.name in before or each.name in now)
            for goals in (self.goals, self.signs)
        )
        if goals == self.goals and signs == self.signs:
            return self
        return replace(self, goals=goals, signs=signs, observable=bool(goals))

    def names_of_signs(self, before: Values, now: Values) -> list[str]:
        """Return attributes that differ between `before` and `now` and meet a goal in `signs`."""
        seen = {sign.name for sign in self.signs if sign.is_met(before, now)}
        return [name for name in now if name in seen and now[name] != before.get(name)]

    def was_met(self, before: Values) -> bool:
        """Return whether the device was as wanted before the command; False without goals."""
        return bool(self.goals) and self.is_met(before, before)

    def is_under_way(self, before: Values, now: Values, *, is_moving: bool = False) -> bool:
        """Return whether the device has started but not finished, e.g. a cover is `opening`.

        `is_moving`: whether values that the command should set have just changed.
        """
        if now.get("in_progress") or now.get(STATE) in self.on_the_way:
            return True
        left = [goal for goal in self.goals if not goal.is_met(before, now)]
        return bool(left) and all(
            str(now.get(goal.name)).casefold() in self.on_the_way
            or ((self.approaches or is_moving) and (goal.instead or goal).is_nearer(before, now))
            for goal in left
        )

    async def async_wait(
        self,
        news: asyncio.Event,
        reports: Callable[[], tuple[Values, Values]],
        has_seen: Callable[[], bool],
        seconds: float,
    ) -> bool:
        """Wait until the command has had the expected effect, at most `seconds`.

        A value that is only near the wanted one ends the wait when it no longer changes. Returns
        whether a value that the command should set still changed late in the wait.

        - `news`: set by each report of the device
        - `reports`: function that returns the values before the command and now
        - `has_seen`: function that returns whether the reports so far prove the success
        """
        loop, is_moving = asyncio.get_running_loop(), False
        deadline = loop.time() + seconds
        while not has_seen():
            before, now = reports()
            until = deadline
            if self.is_near(before, now):
                until = min(deadline, loop.time() + _SETTLED)
            news.clear()
            try:
                async with asyncio.timeout_at(until):
                    await news.wait()
            except TimeoutError:
                break
            has_changed = self.values(now) != self.values(reports()[1])
            is_moving = has_changed and loop.time() > deadline - seconds / 2
        return is_moving


UNOBSERVABLE: Final = Expectation(observable=False)
