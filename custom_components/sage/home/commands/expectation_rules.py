"""The states that the words of commands stand for; no device, only domains and services."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from .goals import STATE, UNKNOWN, Goal


def is_one_of(*values: str) -> Goal:
    """Return the goal that the state is one of these."""
    return Goal(name=STATE, values=tuple(sorted(values)))


def is_none_of(*values: str) -> Goal:
    """Return the goal that the state is known, and none of these."""
    return Goal(name=STATE, not_values=frozenset({*values, *UNKNOWN}))


@dataclass(frozen=True, slots=True)
class Rule:
    """What a command leads to, and by which states."""

    goal: Goal | None
    on_the_way: frozenset[str] = field(default_factory=frozenset)


def _rule(goal: Goal | None, *on_the_way: str) -> Rule:
    return Rule(goal, frozenset(on_the_way))


ON: Final = _rule(is_one_of("on"))
OFF: Final = _rule(is_one_of("off"))
_NOT_OFF: Final = _rule(is_none_of("off", "standby"))
_ARMING: Final = ("arming", "pending")

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
"""`domain.service`, or the service for any domain -> what it leads to."""

TOGGLES: Final[Mapping[str, Mapping[bool, Rule]]] = {
    "cover": {True: RULES["cover.close_cover"], False: RULES["cover.open_cover"]},
    "valve": {True: RULES["valve.close_valve"], False: RULES["valve.open_valve"]},
}
AT_REST: Final = frozenset({"off", "closed", "closing", "standby"})
