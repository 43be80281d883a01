"""The expected effect of a command to an entity.

An argument sets the attribute of the same name, e.g. `brightness`. A command such as `turn_on`
leads to a known state.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import probatio
from homeassistant.const import ATTR_ASSUMED_STATE
from homeassistant.core import State
from homeassistant.helpers import config_validation as cv
from homeassistant.util.color import color_hs_to_RGB, color_name_to_rgb, color_RGB_to_hs

from ..commands.expectation import UNOBSERVABLE, Expectation, Goal, fitted
from ..commands.value_comparison import UNKNOWN, as_number
from ..values import STATE


def is_one_of(*values: str) -> Goal:
    """Return a goal that is met if the state is one of `values`."""
    return Goal(name=STATE, values=tuple(sorted(values)))


def is_none_of(*values: str) -> Goal:
    """Return a goal that is met if the state is known and none of `values`."""
    return Goal(name=STATE, not_values=frozenset({*values, *UNKNOWN}))


@dataclass(frozen=True, slots=True)
class Rule:
    """The effect of a command: its goal, and intermediate states such as `opening`.

    `goal` is None if the effect is unknown.
    """

    goal: Goal | None
    on_the_way: frozenset[str] = field(default_factory=frozenset)


def _rule(goal: Goal | None, *on_the_way: str) -> Rule:
    return Rule(goal, frozenset(on_the_way))


ON: Final = _rule(is_one_of("on"))
OFF: Final = _rule(is_one_of("off"))
_NOT_OFF: Final = _rule(is_none_of("off", "standby"))
_ARMING: Final = ("arming", "pending")

_NOTHING_PLAYS: Final = frozenset({"idle", "off", "standby"})

_WITHOUT_EFFECT: Final[Mapping[str, frozenset[str]]] = {
    "media_player.media_pause": _NOTHING_PLAYS,
    "media_player.media_stop": _NOTHING_PLAYS,
    "media_player.media_next_track": _NOTHING_PLAYS,
    "media_player.media_previous_track": _NOTHING_PLAYS,
    "media_player.media_seek": _NOTHING_PLAYS,
    "vacuum.pause": frozenset({"docked", "idle", "paused"}),
    "vacuum.stop": frozenset({"docked", "idle"}),
    "vacuum.return_to_base": frozenset({"docked"}),
    "lawn_mower.pause": frozenset({"docked", "paused"}),
    "lawn_mower.dock": frozenset({"docked"}),
    "timer.pause": frozenset({"idle", "paused"}),
    "timer.cancel": frozenset({"idle"}),
    "timer.finish": frozenset({"idle"}),
}
"""Command -> states in which there is nothing to pause, stop or skip.

Covers and valves are missing: many do not report that they move.
"""


def has_no_effect(domain: str, service: str, state: State) -> bool:
    """Return whether the entity is in a state in which the command has nothing to act on."""
    if state.attributes.get(ATTR_ASSUMED_STATE):
        return False
    return state.state in _WITHOUT_EFFECT.get(f"{domain}.{service}", ())


RULES: Final[Mapping[str, Rule]] = {
    "turn_on": ON,
    "turn_off": OFF,
    "climate.turn_on": _NOT_OFF,
    "water_heater.turn_on": _NOT_OFF,
    "media_player.turn_on": _rule(is_none_of("off", "standby"), "buffering"),
    "media_player.turn_off": _rule(is_one_of("off", "standby")),
    "media_player.media_play": _rule(is_one_of("playing"), "buffering"),
    "media_player.play_media": _rule(is_one_of("playing"), "buffering"),
    "media_player.media_pause": _rule(is_one_of("paused", "idle")),
    "media_player.media_stop": _rule(is_one_of("idle", "off", "standby", "on", "paused")),
    "camera.turn_on": _rule(None),
    "camera.turn_off": _rule(None),
    "vacuum.turn_on": _rule(is_one_of("cleaning", "on")),
    "vacuum.turn_off": _rule(is_one_of("docked", "idle", "off"), "returning"),
    "vacuum.start": _rule(is_one_of("cleaning", "on")),
    "vacuum.clean_area": _rule(is_one_of("cleaning", "on")),
    "vacuum.clean_spot": _rule(is_one_of("cleaning", "on")),
    "vacuum.pause": _rule(is_one_of("paused", "idle")),
    "vacuum.stop": _rule(is_one_of("idle", "paused", "docked", "off")),
    "vacuum.return_to_base": _rule(is_one_of("docked"), "returning"),
    "lawn_mower.start_mowing": _rule(is_one_of("mowing")),
    "lawn_mower.pause": _rule(is_one_of("paused")),
    "lawn_mower.dock": _rule(is_one_of("docked"), "returning"),
    "lock.lock": _rule(is_one_of("locked"), "locking"),
    "lock.unlock": _rule(is_one_of("unlocked", "open"), "unlocking", "opening"),
    "lock.open": _rule(is_one_of("open", "unlocked"), "opening", "unlocking"),
    "cover.open_cover": _rule(is_one_of("open"), "opening"),
    "cover.close_cover": _rule(is_one_of("closed"), "closing"),
    "cover.stop_cover": _rule(is_none_of("opening", "closing")),
    "valve.open_valve": _rule(is_one_of("open"), "opening"),
    "valve.close_valve": _rule(is_one_of("closed"), "closing"),
    "valve.stop_valve": _rule(is_none_of("opening", "closing")),
    "alarm_control_panel.alarm_arm_away": _rule(is_one_of("armed_away"), *_ARMING),
    "alarm_control_panel.alarm_arm_home": _rule(is_one_of("armed_home"), *_ARMING),
    "alarm_control_panel.alarm_arm_night": _rule(is_one_of("armed_night"), *_ARMING),
    "alarm_control_panel.alarm_arm_vacation": _rule(is_one_of("armed_vacation"), *_ARMING),
    "alarm_control_panel.alarm_arm_custom_bypass": _rule(
        is_one_of("armed_custom_bypass"), *_ARMING
    ),
    "alarm_control_panel.alarm_disarm": _rule(is_one_of("disarmed"), "disarming"),
    "alarm_control_panel.alarm_trigger": _rule(is_one_of("triggered"), "pending"),
    "timer.start": _rule(is_one_of("active")),
    "timer.pause": _rule(is_one_of("paused")),
    "timer.cancel": _rule(is_one_of("idle")),
    "timer.finish": _rule(is_one_of("idle")),
    "select_next": _rule(Goal(name=STATE, differs=True)),
    "select_previous": _rule(Goal(name=STATE, differs=True)),
    "update.install": _rule(is_one_of("off")),
    "water_heater.turn_off": OFF,
    "counter.increment": _rule(Goal(name=STATE, direction=1)),
    "counter.decrement": _rule(Goal(name=STATE, direction=-1)),
    "input_number.increment": _rule(Goal(name=STATE, direction=1)),
    "input_number.decrement": _rule(Goal(name=STATE, direction=-1)),
    "media_player.volume_up": _rule(Goal(name="volume_level", direction=1)),
    "media_player.volume_down": _rule(Goal(name="volume_level", direction=-1)),
    "fan.increase_speed": _rule(Goal(name="percentage", direction=1)),
    "fan.decrease_speed": _rule(Goal(name="percentage", direction=-1)),
    "cover.open_cover_tilt": _rule(Goal(name="current_tilt_position", values=(100,))),
    "cover.close_cover_tilt": _rule(Goal(name="current_tilt_position", values=(0,))),
}
"""Effects of actions; the key is `domain.service`, or `service` for any domain."""

TOGGLES: Final[Mapping[str, Mapping[bool, Rule]]] = {
    "cover": {True: RULES["cover.close_cover"], False: RULES["cover.open_cover"]},
    "valve": {True: RULES["valve.close_valve"], False: RULES["valve.open_valve"]},
}
AT_REST: Final = frozenset({"off", "closed", "closing", "standby"})


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
"""Domains whose state does not show whether a command worked.

Example: the state of a button is the time when it was last pressed. Exception: after `turn_off`,
e.g. of a script, the state shows the effect.
"""


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
"""Arguments (`domain.argument`) whose value becomes the state of the entity."""

_IGNORED: Final = frozenset({"code", "transition", "flash", "variables", "entity_id", "duration"})
"""Arguments without a corresponding attribute."""

_COLORS: Final = frozenset({"color_name", "rgb_color"})


_FULLY_OPEN: Final = frozenset({"open_cover", "open_valve"})
"""Commands that also expect position 100, because a half-open cover is `open`, too."""


def expectation_of(
    domain: str, service: str, arguments: Mapping[str, Any], state: State | None
) -> Expectation:
    """Return the expected effect of the action `domain.service` with these arguments.

    `state` is the state before the call, needed for actions such as `toggle`.
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
        goal = _color(value) if name in _COLORS else _goal_of(own, name, value, attributes)
        if goal is not None:
            goals.append(goal)
    goals += _more_goals(own, service, arguments, attributes)
    if "position" in arguments or "tilt_position" in arguments:
        on_the_way |= {"opening", "closing"}
    return Expectation(
        goals=tuple(fitted(each, own, attributes) for each in _consistent(goals)),
        on_the_way=on_the_way,
        approaches=_transition(arguments) >= _LONGEST_TRANSITION,
        extra_seconds=_transition(arguments),
    )


def _more_goals(
    domain: str, service: str, arguments: Mapping[str, Any], attributes: Mapping[str, Any]
) -> Iterator[Goal]:
    """Yield the goals that neither the action nor one of its arguments names."""
    if service in _FULLY_OPEN and "current_position" in attributes:
        yield Goal(name="current_position", values=(100,), tolerance=5)
    if domain == "cover" and arguments.get("position") == 0:
        yield is_one_of("closed")
    if (domain, service) == ("timer", "start") and (span := _span(arguments.get("duration"))):
        yield Goal(name="duration", values=(span,))


def expectation_of_state(state: State, now: State | None = None) -> Expectation:
    """Return the expected effect of a command that restores `state` (undo).

    `now`: the current state of the entity, with the steps of its values.
    """
    attributes = state.attributes if now is None else now.attributes
    goals = [Goal(name=STATE, values=(state.state,), is_exact=True)]
    goals += [
        goal
        for name, value in state.attributes.items()
        if value is not None and (goal := goal_like(name, value)) is not None
    ]
    moving = {"opening", "closing", "locking", "unlocking", "arming", "pending", "returning"}
    return Expectation(
        goals=tuple(fitted(each, state.domain, attributes) for each in goals),
        on_the_way=frozenset(moving - {state.state}),
    )


def _span(value: Any) -> str | None:
    """Return a duration as a timer reports it, such as `0:05:00`; None if it is not valid."""
    try:
        return str(cv.time_period(value))
    except probatio.Invalid:
        return None


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
    """Return one goal for each name; brightness 0 or speed 0 is replaced by the state `off`."""
    by_name = {goal.name: goal for goal in goals}
    if any(
        by_name[name].values[:1] == (0.0,)
        for name in ("brightness", "percentage")
        if name in by_name
    ):
        return (is_one_of("off"),)
    return tuple(by_name.values())


_ATTRIBUTES: Final[Mapping[str, str]] = {
    "position": "current_position",
    "tilt_position": "current_tilt_position",
    "seek_position": "media_position",
}
"""Argument -> attribute, where the names differ."""

_WITH_STATE: Final = frozenset(
    {
        "brightness",
        "temperature",
        "target_temp_high",
        "target_temp_low",
        "humidity",
        "percentage",
        "current_position",
        "current_tilt_position",
        "volume_level",
    }
)
"""Attributes that entities omit while they are off."""

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
        return Goal(name="brightness", values=(number * 2.55,))
    attribute = _ATTRIBUTES.get(name, name)
    is_omitted = attribute in _WITH_STATE and domain != "siren"
    if attribute not in attributes and not is_omitted:
        return None
    number = as_number(value)
    if attribute == "percentage" and number is not None:
        return _stepped(attribute, number, attributes.get("percentage_step"))
    return goal_like(attribute, value)


def _stepped(name: str, value: float, step: Any) -> Goal:
    """Return the goal for a value that the device may round up to a multiple of `step`."""
    width = as_number(step) or 1.0
    snapped = min(100.0, math.ceil(value / width - 1e-6) * width)
    return Goal(name=name, values=(value, snapped))


def _state_goal(value: Any) -> Goal:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    wanted = float(value) if is_number else str(value)
    return Goal(name=STATE, values=(wanted,), is_exact=True)


def _color(color: Any) -> Goal | None:
    """Return the goal for a CSS color name or [red, green, blue].

    A light that stores hue and saturation reports the color at full brightness: [0, 255, 0] for
    [0, 128, 0], which is CSS "green".
    """
    try:
        red, green, blue = color_name_to_rgb(color) if isinstance(color, str) else color
        bright = color_hs_to_RGB(*color_RGB_to_hs(red, green, blue))
    except TypeError, ValueError:
        return None
    return Goal(name="rgb_color", values=tuple(dict.fromkeys(((red, green, blue), bright))))


def goal_like(name: str, value: Any) -> Goal | None:
    """Return the goal that the attribute `name` has this value; numbers may differ slightly.

    None for a value that cannot be compared, e.g. None, a mapping or a list of texts.
    """
    if isinstance(value, bool | str):
        return Goal(name=name, values=(value,))
    if isinstance(value, int | float):
        return Goal(name=name, values=(float(value),))
    if isinstance(value, list | tuple) and value:
        numbers = [as_number(each) for each in value]
        if all(number is not None for number in numbers):
            return Goal(name=name, values=([*numbers],))
    return None


_LONGEST_TRANSITION: Final = 10.0
"""Maximum additional waiting time for a transition, in seconds."""


def _transition(arguments: Mapping[str, Any]) -> float:
    seconds = arguments.get("transition")
    return min(float(seconds), _LONGEST_TRANSITION) if isinstance(seconds, int | float) else 0.0
