"""What a command should lead to, as far as that can be told in general (DESIGN 5, evidence).

An argument is held against the attribute of its name, a command against the state
that its word stands for. Nothing here knows a device.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from homeassistant.core import State
from homeassistant.util.color import color_name_to_rgb

from .expectation_rules import AT_REST, OFF, ON, RULES, TOGGLES, Rule, is_one_of
from .goals import STATE, UNKNOWN, Goal, as_number, as_text, value_of

STATELESS_DOMAINS: Final = frozenset(
    {
        "scene",
        "button",
        "input_button",
        "notify",
        "event",
        "script",
        "image",
        "tts",
        "stt",
        "conversation",
        "assist_satellite",
        "persistent_notification",
        "infrared",
    }
)
"""Domains whose state tells when they were used, not what came of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """What is to be seen after a command."""

    goals: tuple[Goal, ...] = ()
    """All must be met; empty when any change of the entity will do."""

    on_the_way: frozenset[str] = frozenset()
    """States that lead to the goals."""

    observable: bool = True
    """False for scenes, buttons, notifications and what only guesses its state."""

    extra_seconds: float = 0.0
    """How much longer the command takes by its own arguments, such as a transition."""

    def is_met(self, before: State | None, now: State | None) -> bool:
        """Tell whether all goals hold; never of an entity that is away."""
        if now is None or now.state in UNKNOWN or not self.goals:
            return False
        return all(goal.is_met(before, now) for goal in self.goals)

    def has_moved(self, before: State | None, now: State | None) -> bool:
        """Return whether a state or option that a goal names has changed, such as idle to paused.

        Both values may meet the goal, but then the command has changed something. Numbers do
        not count: a goal for a number allows small differences.
        """
        return (
            before is not None
            and now is not None
            and any(
                as_text(value_of(before, goal.name)) != as_text(value_of(now, goal.name))
                for goal in self.goals
                if goal.values or goal.not_values
            )
        )

    def is_under_way(self, now: State | None) -> bool:
        """Tell whether the entity is visibly on its way to the goals."""
        if now is None:
            return False
        return now.state in self.on_the_way or bool(now.attributes.get("in_progress"))


UNOBSERVABLE: Final = Expectation(observable=False)


_STATE_ARGUMENTS: Final = frozenset(
    {
        "climate.hvac_mode",
        "water_heater.operation_mode",
        "select.option",
        "input_select.option",
        "number.value",
        "input_number.value",
        "text.value",
        "input_text.value",
        "counter.value",
    }
)
"""`domain.argument` that becomes the state itself."""

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
}
_COLOR_TOLERANCE: Final = 12.0

_IGNORED: Final = frozenset({"code", "transition", "flash", "variables", "entity_id", "duration"})
"""Arguments that leave no trace in the attributes."""


_FULLY_OPEN: Final = frozenset({"open_cover", "open_valve"})
"""A cover that was half open is `open`, too: its position tells."""


def expectation_of(
    domain: str, service: str, arguments: Mapping[str, Any], state: State | None
) -> Expectation:
    """Return what calling `domain.service` with these arguments should lead to.

    `state` is the one before the call; relative and toggling commands need it.
    """
    own = state.domain if state is not None and domain == "homeassistant" else domain
    if (state is not None and state.domain in STATELESS_DOMAINS and service != "turn_off") or (
        own in STATELESS_DOMAINS and service != "turn_off"
    ):
        return UNOBSERVABLE
    if state is not None and state.attributes.get("assumed_state"):
        return UNOBSERVABLE
    attributes: Mapping[str, Any] = state.attributes if state is not None else {}
    rule = _rule_of(own, service, state)
    goals = [rule.goal] if rule is not None and rule.goal is not None else []
    on_the_way = rule.on_the_way if rule is not None else frozenset()
    for name, value in arguments.items():
        if name in _IGNORED or value is None:
            continue
        named = name == "color_name"
        goal = _named_color(str(value)) if named else _goal_of(own, name, value, attributes)
        if goal is not None:
            goals.append(goal)
    if service in _FULLY_OPEN and "current_position" in attributes:
        goals.append(Goal(name="current_position", number=100, tolerance=5))
    if "position" in arguments or "tilt_position" in arguments:
        on_the_way |= {"opening", "closing"}
    return Expectation(
        goals=_consistent(goals),
        on_the_way=on_the_way,
        extra_seconds=_transition(arguments),
    )


def expectation_of_state(state: State) -> Expectation:
    """Return what reproducing a state should lead to; for undo."""
    goals = [is_one_of(state.state)]
    goals += [
        goal
        for name, value in state.attributes.items()
        if value is not None and (goal := goal_like(name, value)) is not None
    ]
    moving = {"opening", "closing", "locking", "unlocking", "arming", "pending", "returning"}
    return Expectation(goals=tuple(goals), on_the_way=frozenset(moving - {state.state}))


def _rule_of(domain: str, service: str, state: State | None) -> Rule | None:
    if service == "toggle":
        if state is None:
            return None
        active = state.state not in AT_REST
        return TOGGLES.get(domain, {True: OFF, False: ON})[active]
    if service == "media_play_pause" and state is not None:
        other = "media_pause" if state.state == "playing" else "media_play"
        return RULES[f"media_player.{other}"]
    return RULES.get(f"{domain}.{service}", RULES.get(service))


def _consistent(goals: Sequence[Goal]) -> tuple[Goal, ...]:
    """Drop what an argument says more exactly: `turn_on` with a brightness of 0 is off."""
    by_name = {goal.name: goal for goal in goals}
    if (dark := by_name.get("brightness")) is not None and dark.number == 0:
        return (is_one_of("off"),)
    return tuple(by_name.values())


_ATTRIBUTES: Final[Mapping[str, str]] = {
    "position": "current_position",
    "tilt_position": "current_tilt_position",
}
"""Arguments whose attribute has another name."""

_STEPS: Final[Mapping[str, str]] = {
    "brightness_step": "brightness",
    "brightness_step_pct": "brightness",
    "volume_step": "volume_level",
}


def _goal_of(domain: str, name: str, value: Any, attributes: Mapping[str, Any]) -> Goal | None:
    if f"{domain}.{name}" in _STATE_ARGUMENTS:
        return _state_goal(value)
    if name in _STEPS:
        number = as_number(value)
        return Goal(name=_STEPS[name], direction=1 if number > 0 else -1) if number else None
    if name == "brightness_pct" and (number := as_number(value)) is not None:
        return Goal(name="brightness", number=number * 2.55, tolerance=_TOLERANCES["brightness"])
    attribute = _ATTRIBUTES.get(name, name)
    # Attributes of what is off are often absent: they come with the state.
    if attribute not in attributes and attribute not in _TOLERANCES:
        return None
    number = as_number(value)
    if attribute == "percentage" and number is not None:
        return _stepped(attribute, number, attributes.get("percentage_step"))
    return goal_like(attribute, value)


def _stepped(name: str, value: float, step: Any) -> Goal:
    """Return the goal for a value that the device rounds up to one of its steps."""
    width = as_number(step) or 1.0
    snapped = min(100.0, math.ceil(value / width - 1e-6) * width)
    return Goal(name=name, number=value, or_number=snapped, tolerance=1.0)


def _state_goal(value: Any) -> Goal:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Goal(name=STATE, number=float(value), tolerance=max(0.01, abs(value) * 0.001))
    return is_one_of(str(value))


def _named_color(name: str) -> Goal | None:
    try:
        return goal_like("rgb_color", tuple(color_name_to_rgb(name)))
    except ValueError:
        return None


def goal_like(name: str, value: Any) -> Goal | None:
    """Return the goal that an attribute becomes this value, as near as devices come.

    None for what no goal tells, such as no value at all.
    """
    if isinstance(value, bool):
        return Goal(name=name, values=frozenset({as_text(value)}))
    if isinstance(value, int | float):
        tolerance = _TOLERANCES.get(name, max(0.01, abs(value) * 0.001))
        if name == "color_temp_kelvin":
            tolerance = value * value / 1e6 + 2  # one mired, the unit that lamps count in
        return Goal(name=name, number=float(value), tolerance=tolerance)
    if isinstance(value, str):
        return Goal(name=name, values=frozenset({value}))
    if isinstance(value, list | tuple) and value:
        numbers = [as_number(each) for each in value]
        if all(number is not None for number in numbers):
            tolerance = 0.02 if name == "xy_color" else _COLOR_TOLERANCE
            kept = tuple(number for number in numbers if number is not None)
            return Goal(name=name, numbers=kept, tolerance=tolerance)
    return None


def _transition(arguments: Mapping[str, Any]) -> float:
    seconds = arguments.get("transition")
    return min(float(seconds), 10.0) if isinstance(seconds, int | float) else 0.0
