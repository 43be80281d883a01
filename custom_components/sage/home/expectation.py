"""What a command should lead to, as far as that can be told in general (DESIGN 5, evidence).

An argument is held against the attribute of its name, a command against the state
that its word stands for. Nothing here knows a device.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from homeassistant.core import State
from homeassistant.util.color import color_name_to_rgb

STATE: Final = "state"

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

_UNKNOWN: Final = frozenset({"unavailable", "unknown"})


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

    def is_met(self, before: State | None, now: State) -> bool:
        """Tell whether the goal holds in `now`."""
        value = value_of(now, self.name)
        if self.direction:
            old = None if before is None else _as_number(value_of(before, self.name))
            new = _as_number(value)
            return old is not None and new is not None and (new - old) * self.direction > 0
        if self.numbers:
            return _all_near(value, self.numbers, self.tolerance)
        if self.number is not None:
            new = _as_number(value)
            wanted = (self.number, self.number if self.or_number is None else self.or_number)
            return new is not None and any(abs(new - each) <= self.tolerance for each in wanted)
        if value is None:
            return False
        text = _as_text(value)
        return text not in self.not_values and (not self.values or text in self.values)


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
        if now is None or now.state in _UNKNOWN or not self.goals:
            return False
        return all(goal.is_met(before, now) for goal in self.goals)

    def is_under_way(self, now: State | None) -> bool:
        """Tell whether the entity is visibly on its way to the goals."""
        if now is None:
            return False
        return now.state in self.on_the_way or bool(now.attributes.get("in_progress"))


UNOBSERVABLE: Final = Expectation(observable=False)


def value_of(state: State, name: str) -> Any:
    """Return an attribute, or the state itself."""
    return state.state if name == STATE else state.attributes.get(name)


def _is(*values: str) -> Goal:
    return Goal(name=STATE, values=frozenset(values))


def _isnt(*values: str) -> Goal:
    return Goal(name=STATE, not_values=frozenset({*values, *_UNKNOWN}))


@dataclass(frozen=True, slots=True)
class _Rule:
    goal: Goal | None
    on_the_way: frozenset[str] = field(default_factory=frozenset)


def _rule(goal: Goal | None, *on_the_way: str) -> _Rule:
    return _Rule(goal, frozenset(on_the_way))


_ON: Final = _rule(_is("on"))
_OFF: Final = _rule(_is("off"))
_NOT_OFF: Final = _rule(_isnt("off", "standby"))
_ARMING: Final = ("arming", "pending")

_RULES: Final[Mapping[str, _Rule]] = {
    "turn_on": _ON,
    "turn_off": _OFF,
    "climate.turn_on": _NOT_OFF,
    "water_heater.turn_on": _NOT_OFF,
    "media_player.turn_on": _rule(_isnt("off", "standby"), "buffering"),
    "media_player.turn_off": _rule(_is("off", "standby")),
    "media_player.media_play": _rule(_is("playing"), "buffering"),
    "media_player.play_media": _rule(_is("playing"), "buffering"),
    "media_player.media_pause": _rule(_is("paused", "idle")),
    "media_player.media_stop": _rule(_is("idle", "off", "standby", "on", "paused")),
    "camera.turn_on": _rule(None),
    "camera.turn_off": _rule(None),
    "vacuum.turn_on": _rule(_is("cleaning", "on")),
    "vacuum.turn_off": _rule(_is("docked", "idle", "off"), "returning"),
    "vacuum.start": _rule(_is("cleaning", "on")),
    "vacuum.clean_area": _rule(_is("cleaning", "on")),
    "vacuum.clean_spot": _rule(_is("cleaning", "on")),
    "vacuum.pause": _rule(_is("paused", "idle")),
    "vacuum.stop": _rule(_is("idle", "paused", "docked", "off")),
    "vacuum.return_to_base": _rule(_is("docked"), "returning"),
    "lawn_mower.start_mowing": _rule(_is("mowing")),
    "lawn_mower.pause": _rule(_is("paused")),
    "lawn_mower.dock": _rule(_is("docked"), "returning"),
    "lock.lock": _rule(_is("locked"), "locking"),
    "lock.unlock": _rule(_is("unlocked", "open"), "unlocking", "opening"),
    "lock.open": _rule(_is("open", "unlocked"), "opening", "unlocking"),
    "cover.open_cover": _rule(_is("open"), "opening"),
    "cover.close_cover": _rule(_is("closed"), "closing"),
    "cover.stop_cover": _rule(_isnt("opening", "closing")),
    "valve.open_valve": _rule(_is("open"), "opening"),
    "valve.close_valve": _rule(_is("closed"), "closing"),
    "valve.stop_valve": _rule(_isnt("opening", "closing")),
    "alarm_control_panel.alarm_arm_away": _rule(_is("armed_away"), *_ARMING),
    "alarm_control_panel.alarm_arm_home": _rule(_is("armed_home"), *_ARMING),
    "alarm_control_panel.alarm_arm_night": _rule(_is("armed_night"), *_ARMING),
    "alarm_control_panel.alarm_arm_vacation": _rule(_is("armed_vacation"), *_ARMING),
    "alarm_control_panel.alarm_arm_custom_bypass": _rule(_is("armed_custom_bypass"), *_ARMING),
    "alarm_control_panel.alarm_disarm": _rule(_is("disarmed"), "disarming"),
    "alarm_control_panel.alarm_trigger": _rule(_is("triggered"), "pending"),
    "timer.start": _rule(_is("active")),
    "timer.pause": _rule(_is("paused")),
    "timer.cancel": _rule(_is("idle")),
    "timer.finish": _rule(_is("idle")),
    "update.install": _rule(_is("off")),
    "water_heater.turn_off": _OFF,
    "counter.increment": _rule(Goal(name=STATE, direction=1)),
    "counter.decrement": _rule(Goal(name=STATE, direction=-1)),
    "input_number.increment": _rule(Goal(name=STATE, direction=1)),
    "input_number.decrement": _rule(Goal(name=STATE, direction=-1)),
    "todo.add_item": _rule(Goal(name=STATE, direction=1)),
    "media_player.volume_up": _rule(Goal(name="volume_level", direction=1)),
    "media_player.volume_down": _rule(Goal(name="volume_level", direction=-1)),
    "fan.increase_speed": _rule(Goal(name="percentage", direction=1)),
    "fan.decrease_speed": _rule(Goal(name="percentage", direction=-1)),
    "cover.open_cover_tilt": _rule(Goal(name="current_tilt_position", number=100, tolerance=1)),
    "cover.close_cover_tilt": _rule(Goal(name="current_tilt_position", number=0, tolerance=1)),
}
"""`domain.service`, or the service for any domain -> what it leads to."""

_TOGGLES: Final[Mapping[str, Mapping[bool, _Rule]]] = {
    "cover": {True: _RULES["cover.close_cover"], False: _RULES["cover.open_cover"]},
    "valve": {True: _RULES["valve.close_valve"], False: _RULES["valve.open_valve"]},
}
_AT_REST: Final = frozenset({"off", "closed", "closing", "standby"})

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
    if "position" in arguments or "tilt_position" in arguments:
        on_the_way |= {"opening", "closing"}
    return Expectation(
        goals=_consistent(goals),
        on_the_way=on_the_way,
        extra_seconds=_transition(arguments),
    )


def expectation_of_state(state: State) -> Expectation:
    """Return what reproducing a state should lead to; for undo."""
    goals = [_is(state.state)]
    goals += [
        goal
        for name, value in state.attributes.items()
        if value is not None and (goal := _like(name, value)) is not None
    ]
    moving = {"opening", "closing", "locking", "unlocking", "arming", "pending", "returning"}
    return Expectation(goals=tuple(goals), on_the_way=frozenset(moving - {state.state}))


def _rule_of(domain: str, service: str, state: State | None) -> _Rule | None:
    if service == "toggle":
        if state is None:
            return None
        active = state.state not in _AT_REST
        return _TOGGLES.get(domain, {True: _OFF, False: _ON})[active]
    if service == "media_play_pause" and state is not None:
        other = "media_pause" if state.state == "playing" else "media_play"
        return _RULES[f"media_player.{other}"]
    return _RULES.get(f"{domain}.{service}", _RULES.get(service))


def _consistent(goals: Sequence[Goal]) -> tuple[Goal, ...]:
    """Drop what an argument says more exactly: `turn_on` with a brightness of 0 is off."""
    by_name = {goal.name: goal for goal in goals}
    if (dark := by_name.get("brightness")) is not None and dark.number == 0:
        return (_is("off"),)
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
        number = _as_number(value)
        return Goal(name=_STEPS[name], direction=1 if number > 0 else -1) if number else None
    if name == "brightness_pct" and (number := _as_number(value)) is not None:
        return Goal(name="brightness", number=number * 2.55, tolerance=_TOLERANCES["brightness"])
    attribute = _ATTRIBUTES.get(name, name)
    # Attributes of what is off are often absent: they come with the state.
    if attribute not in attributes and attribute not in _TOLERANCES:
        return None
    number = _as_number(value)
    if attribute == "percentage" and number is not None:
        return _stepped(attribute, number, attributes.get("percentage_step"))
    return _like(attribute, value)


def _stepped(name: str, value: float, step: Any) -> Goal:
    """Return the goal for a value that the device rounds up to one of its steps."""
    width = _as_number(step) or 1.0
    snapped = min(100.0, math.ceil(value / width - 1e-6) * width)
    return Goal(name=name, number=value, or_number=snapped, tolerance=1.0)


def _state_goal(value: Any) -> Goal:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Goal(name=STATE, number=float(value), tolerance=max(0.01, abs(value) * 0.001))
    return _is(str(value))


def _named_color(name: str) -> Goal | None:
    try:
        return _like("rgb_color", tuple(color_name_to_rgb(name)))
    except ValueError:
        return None


def _like(name: str, value: Any) -> Goal | None:
    """Return the goal that an attribute becomes this value, as near as devices come."""
    if isinstance(value, bool):
        return Goal(name=name, values=frozenset({_as_text(value)}))
    if isinstance(value, int | float):
        tolerance = _TOLERANCES.get(name, max(0.01, abs(value) * 0.001))
        if name == "color_temp_kelvin":
            tolerance = value * value / 1e6 + 2  # one mired, the unit that lamps count in
        return Goal(name=name, number=float(value), tolerance=tolerance)
    if isinstance(value, str):
        return Goal(name=name, values=frozenset({value}))
    if isinstance(value, list | tuple) and value:
        numbers = [_as_number(each) for each in value]
        if all(number is not None for number in numbers):
            tolerance = 0.02 if name == "xy_color" else _COLOR_TOLERANCE
            kept = tuple(number for number in numbers if number is not None)
            return Goal(name=name, numbers=kept, tolerance=tolerance)
    return None


def _transition(arguments: Mapping[str, Any]) -> float:
    seconds = arguments.get("transition")
    return min(float(seconds), 10.0) if isinstance(seconds, int | float) else 0.0


def _as_number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        number = float(value)
    except TypeError, ValueError:
        return None
    return number if math.isfinite(number) else None


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(getattr(value, "value", value))


def _all_near(value: Any, wanted: tuple[float, ...], tolerance: float) -> bool:
    if not isinstance(value, list | tuple) or len(value) != len(wanted):
        return False
    numbers = [_as_number(each) for each in value]
    return all(
        number is not None and abs(number - want) <= tolerance
        for number, want in zip(numbers, wanted, strict=True)
    )
