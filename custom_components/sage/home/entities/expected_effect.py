"""The expected effect of a command to an entity.

An argument sets the attribute of the same name, e.g. `brightness`. A command such as `turn_on`
leads to a known state.
"""

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

import probatio
from homeassistant.const import ATTR_ASSUMED_STATE
from homeassistant.core import State
from homeassistant.helpers import config_validation as cv
from homeassistant.util.color import color_hs_to_RGB, color_name_to_rgb, color_RGB_to_hs

from ..commands.expectation import UNOBSERVABLE, Expectation, Goal, as_number, fitted
from ..values import NOT_KNOWN, STATE, names_in


def _becomes(*states: str, on_the_way: Collection[str] = ()) -> Expectation:
    goal = Goal(name=STATE, values=tuple(sorted(states)))
    return Expectation(goals=(goal,), on_the_way=frozenset(on_the_way))


def _leaves(*states: str, on_the_way: Collection[str] = ()) -> Expectation:
    goal = Goal(name=STATE, not_values=NOT_KNOWN.union(states))
    return Expectation(goals=(goal,), on_the_way=frozenset(on_the_way))


def _moves(name: str, direction: int) -> Expectation:
    return Expectation(goals=(Goal(name=name, direction=direction),))


_ON: Final = _becomes("on")
_OFF: Final = _becomes("off")
_PLAYS: Final = _becomes("playing", on_the_way=("buffering",))
_ARMING: Final = ("arming", "pending")

_DIFFERS: Final = Expectation(goals=(Goal(name=STATE, differs=True),))

_EFFECTS: Final[Mapping[str, Expectation]] = {
    "turn_on": _ON,
    "turn_off": _OFF,
    "climate.turn_on": _leaves("off", "standby"),
    "water_heater.turn_on": _leaves("off", "standby"),
    "media_player.turn_on": _leaves("off", "standby", on_the_way=("buffering",)),
    "media_player.turn_off": _becomes("off", "standby"),
    "media_player.media_play": _PLAYS,
    "media_player.media_next_track": Expectation(goals=(Goal(name="media_title", differs=True),)),
    "media_player.media_pause": _becomes("paused", "idle", "off", "standby"),
    "media_player.media_stop": _becomes("idle", "off", "standby", "on", "paused"),
    "camera.turn_on": Expectation(),
    "camera.turn_off": Expectation(),
    "vacuum.turn_on": _becomes("cleaning", "on"),
    "vacuum.turn_off": _becomes("docked", "idle", "off", on_the_way=("returning",)),
    "vacuum.start": _becomes("cleaning", "on"),
    "vacuum.clean_area": _becomes("cleaning", "on"),
    "vacuum.clean_spot": _becomes("cleaning", "on"),
    "vacuum.pause": _becomes("paused", "idle", "docked"),
    "vacuum.stop": _becomes("idle", "paused", "docked", "off"),
    "vacuum.return_to_base": _becomes("docked", on_the_way=("returning",)),
    "lawn_mower.start_mowing": _becomes("mowing"),
    "lawn_mower.pause": _becomes("paused", "docked"),
    "lawn_mower.dock": _becomes("docked", on_the_way=("returning",)),
    "lock.lock": _becomes("locked", on_the_way=("locking",)),
    "lock.unlock": _becomes("unlocked", "open", on_the_way=("unlocking", "opening")),
    "lock.open": _becomes("open", "unlocked", on_the_way=("opening", "unlocking")),
    "cover.open_cover": _becomes("open", on_the_way=("opening",)),
    "cover.close_cover": _becomes("closed", on_the_way=("closing",)),
    "cover.stop_cover": _leaves("opening", "closing"),
    "valve.open_valve": _becomes("open", on_the_way=("opening",)),
    "valve.close_valve": _becomes("closed", on_the_way=("closing",)),
    "valve.stop_valve": _leaves("opening", "closing"),
    **{
        f"alarm_control_panel.alarm_arm_{mode}": _becomes(f"armed_{mode}", on_the_way=_ARMING)
        for mode in ("away", "home", "night", "vacation", "custom_bypass")
    },
    "alarm_control_panel.alarm_disarm": _becomes("disarmed", on_the_way=("disarming",)),
    "alarm_control_panel.alarm_trigger": _becomes("triggered", on_the_way=("pending",)),
    "timer.start": _becomes("active"),
    "timer.pause": _becomes("paused", "idle"),
    "timer.cancel": _becomes("idle"),
    "timer.finish": _becomes("idle"),
    "select_next": _DIFFERS,
    "select_previous": _DIFFERS,
    "update.install": _becomes("off"),
    "counter.increment": _moves(STATE, 1),
    "counter.decrement": _moves(STATE, -1),
    "input_number.increment": _moves(STATE, 1),
    "input_number.decrement": _moves(STATE, -1),
    "media_player.volume_up": _moves("volume_level", 1),
    "media_player.volume_down": _moves("volume_level", -1),
    "fan.increase_speed": _moves("percentage", 1),
    "fan.decrease_speed": _moves("percentage", -1),
    "cover.open_cover_tilt": Expectation(
        goals=(Goal(name="current_tilt_position", values=(100,)),)
    ),
    "cover.close_cover_tilt": Expectation(goals=(Goal(name="current_tilt_position", values=(0,)),)),
}
"""Effects of actions; the key is `domain.service`, or `service` for any domain.

Where there is nothing to pause, an idle or docked device is as wanted.
"""

TOGGLES: Final = frozenset({"toggle", "media_play_pause"})
"""Actions that mean one of two others, by the state."""

_AT_REST: Final = frozenset({"off", "closed", "closing", "standby"})
_OPENED: Final = frozenset({"cover", "valve"})

_STATELESS: Final = names_in(
    "scene button input_button notify event script image tts stt conversation "
    "assist_satellite persistent_notification infrared"
)
"""Domains whose state does not show whether a command worked.

Example: the state of a button is the time when it was last pressed. Exception: after `turn_off`,
e.g. of a script, the state shows the effect.
"""


_STATE_ARGUMENTS: Final = names_in(
    "climate.hvac_mode water_heater.operation_mode select.option input_select.option "
    "number.value input_number.value text.value input_text.value counter.value"
)
"""Arguments (`domain.argument`) whose value becomes the state of the entity."""

_IGNORED: Final = frozenset({"code", "transition", "flash", "variables", "entity_id", "duration"})
"""Arguments without a corresponding attribute."""

_OFF_AT_ZERO: Final = frozenset({"brightness", "percentage"})  # become 0 when switched off
_COLORS: Final = frozenset({"color_name", "rgb_color"})


_FULLY_OPEN: Final = frozenset({"open_cover", "open_valve"})
"""Commands that also expect position 100, because a half-open cover is `open`, too."""


_LONGEST_TRANSITION: Final = 10.0  # maximum additional waiting time for a transition, in seconds


def expectation_of(
    domain: str, service: str, arguments: Mapping[str, Any], state: State | None
) -> Expectation:
    """Return the expected effect of `domain.service`; `state` is that before the call."""
    own = state.domain if state is not None and domain == "homeassistant" else domain
    domains = {own} if state is None else {own, state.domain}
    attributes: Mapping[str, Any] = state.attributes if state is not None else {}
    is_shown = service == "turn_off" or domains.isdisjoint(_STATELESS)
    if not is_shown or attributes.get(ATTR_ASSUMED_STATE):
        return UNOBSERVABLE
    effect = _effect_of(own, service, arguments, state)
    goals, on_the_way = [*effect.goals], effect.on_the_way
    for name, value in arguments.items():
        if name in _IGNORED or value is None:
            continue
        goal = _color(value) if name in _COLORS else _goal_of(own, name, value, attributes)
        if goal is not None:
            goals.append(goal)
    if service in _FULLY_OPEN and "current_position" in attributes:
        goals.append(Goal(name="current_position", values=(100,), tolerance=5))
    if own == "cover" and arguments.get("position") == 0:
        goals += _becomes("closed").goals
    if (own, service) == ("timer", "start") and (span := _span(arguments.get("duration"))):
        goals.append(Goal(name="duration", values=(span,)))
    # The last goal for an attribute counts.
    by_name = {goal.name: goal for goal in goals}
    if any(goal.values[:1] == (0.0,) for goal in goals if goal.name in _OFF_AT_ZERO):
        by_name = {STATE: _OFF.goals[0]}
    if "position" in arguments or "tilt_position" in arguments:
        on_the_way |= {"opening", "closing"}
    transition = arguments.get("transition")
    seconds = min(transition, _LONGEST_TRANSITION) if isinstance(transition, int | float) else 0.0
    return replace(
        effect,
        goals=tuple(fitted(each, own, attributes) for each in by_name.values()),
        on_the_way=on_the_way,
        approaches=seconds >= _LONGEST_TRANSITION,
        extra_seconds=seconds,
    )


def _effect_on_player(
    service: str, arguments: Mapping[str, Any], state: State
) -> Expectation | None:
    """Return the effect of playing something or of grouping; None for other actions."""
    match service:
        case "play_media" if arguments.get("announce") or arguments.get("enqueue") in _QUEUED:
            return UNOBSERVABLE
        case "play_media":
            return replace(_PLAYS, signs=_signs_of_playing(arguments, state))
        case "join":
            members = tuple(arguments.get("group_members") or ())
            goal = Goal(name="group_members", values=members, is_among=True)
            return Expectation(goals=(goal,))
        case "unjoin":
            return Expectation(goals=(_group((), state),))
    return None


_QUEUED: Final = frozenset({"add", "next", "replace_next"})  # `enqueue`: what plays now stays


def _group(members: Iterable[str], now: State) -> Goal:
    others = {*map(str, now.attributes.get("group_members") or ())}.difference(members)
    return Goal(
        name="group_members",
        values=tuple(members),
        not_values=frozenset(others - {now.entity_id}),
        is_among=True,
    )


def _signs_of_playing(arguments: Mapping[str, Any], state: State) -> tuple[Goal, ...]:
    """Return the changes that show that a player plays something else than before.

    None for what it plays already. The id that it reports may differ from the one it was given: for
    an album, it may be that of the first track.
    """
    media = arguments.get("media")
    wanted = media.get("media_content_id") if isinstance(media, Mapping) else None
    if wanted is not None and wanted == state.attributes.get("media_content_id"):
        return ()
    return (
        *(Goal(name=name, not_values=NOT_KNOWN) for name in ("media_title", "media_content_id")),
        Goal(name="media_position", direction=-1),
    )


def expectation_of_state(state: State, now: State | None = None) -> Expectation:
    """Return the effect of restoring `state` (undo); `now` has the steps of its values."""
    attributes = state.attributes if now is None else now.attributes
    goals = [Goal(name=STATE, values=(state.state,), is_exact=True)]
    if "group_members" in state.attributes:
        goals.append(_group(state.attributes["group_members"], now or state))
    goals += [
        goal
        for name, value in state.attributes.items()
        if value is not None and (goal := _goal_like(name, value)) is not None
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


def toggled(domain: str, service: str, state: str) -> str:
    """Return the action that one of `TOGGLES` means for an entity in this state."""
    if service == "media_play_pause":
        return "media_pause" if state == "playing" else "media_play"
    is_off = state in _AT_REST
    if domain in _OPENED:
        return f"open_{domain}" if is_off else f"close_{domain}"
    return "turn_on" if is_off else "turn_off"


def _effect_of(
    domain: str, service: str, arguments: Mapping[str, Any], state: State | None
) -> Expectation:
    """Return the effect of an action, except of arguments that set attributes of the same name.

    It is without goals if it is unknown.
    """
    if state is not None and state.domain == "media_player":
        effect = _effect_on_player(service, arguments, state)
        if effect is not None:
            return effect
    if service in TOGGLES and state is not None:
        service, is_toggle = toggled(domain, service, state.state), service == "toggle"
        domain = "" if is_toggle and domain not in _OPENED else domain
    return _EFFECTS.get(f"{domain}.{service}") or _EFFECTS.get(service) or Expectation()


_ATTRIBUTES: Final[Mapping[str, str]] = {
    "position": "current_position",
    "tilt_position": "current_tilt_position",
    "seek_position": "media_position",
}
"""Argument -> attribute, where the names differ."""

_WITH_STATE: Final = names_in(
    "brightness temperature target_temp_high target_temp_low humidity percentage "
    "current_position current_tilt_position volume_level"
)
"""Attributes that entities omit while they are off."""

_STEPS: Final[Mapping[str, str]] = {
    "brightness_step": "brightness",
    "brightness_step_pct": "brightness",
    "volume_step": "volume_level",
}


def _goal_of(domain: str, name: str, value: Any, attributes: Mapping[str, Any]) -> Goal | None:
    if f"{domain}.{name}" in _STATE_ARGUMENTS:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        wanted = float(value) if is_number else str(value)
        return Goal(name=STATE, values=(wanted,), is_exact=True)
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
        # The device may round up to a multiple of its step.
        width = as_number(attributes.get("percentage_step")) or 1.0
        snapped = min(100.0, math.ceil(number / width - 1e-6) * width)
        return Goal(name=attribute, values=(number, snapped))
    return _goal_like(attribute, value)


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


def _goal_like(name: str, value: Any) -> Goal | None:
    """Return the goal of about this attribute value; None if it cannot be compared."""
    if isinstance(value, bool | str):
        return Goal(name=name, values=(value,))
    if isinstance(value, int | float):
        return Goal(name=name, values=(float(value),))
    if isinstance(value, list | tuple) and value:
        numbers = [as_number(each) for each in value]
        if all(number is not None for number in numbers):
            return Goal(name=name, values=([*numbers],))
    return None
