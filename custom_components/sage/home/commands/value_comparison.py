"""Compare reported values of a device: with wanted values, and with those after a command.

A routine that restores an earlier state must not overwrite a later manual change.
"""

import math
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Any, Final

from homeassistant.core import State
from homeassistant.util.color import color_RGB_to_hs, color_xy_to_hs

from ..home_types import PUT_BACK, REFUSED_CHANGED_SINCE, Outcome, OutcomeKind
from ..values import STATE

UNKNOWN: Final = frozenset({"unavailable", "unknown"})

type Values = Mapping[str, object]
"""Attribute name -> value of an entity or capability; empty while unavailable."""

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

KELVIN: Final = frozenset({"color_temp_kelvin", "colorTemperature"})

_FLAGS: Final = {"on": True, "true": True, "off": False, "false": False}


FAILED_NO_UNDO: Final = "outcome_failed_no_undo"
"""`Outcome.reason` if no command can restore the earlier state."""

SET_BY_PEOPLE: Final = frozenset(
    {
        STATE,
        "brightness",
        "color_temp_kelvin",
        "rgb_color",
        "effect",
        "temperature",
        "target_temp_high",
        "target_temp_low",
        "humidity",
        "percentage",
        "preset_mode",
        "fan_mode",
        "swing_mode",
        "mode",
        "operation_mode",
        "away_mode",
        "oscillating",
        "direction",
        "current_position",
        "current_tilt_position",
        "volume_level",
        "is_volume_muted",
        "source",
        "sound_mode",
        "fan_speed",
    }
)
"""Entity attributes that change only by commands or by people, not by themselves."""


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
        flag = _flag(wanted)
        return flag is not None and flag is _flag(value)
    one, other = as_number(wanted), as_number(value)
    if one is not None and other is not None:
        if isinstance(wanted, str) and isinstance(value, str):
            return one == other
        allowed = tolerance_of(name, one) if tolerance is None else tolerance
        return abs(one - other) <= allowed
    return text_of(wanted).casefold() == text_of(value).casefold()


def distance(name: str, wanted: object, value: object) -> float | None:
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


def tolerance_of(name: str, value: float) -> float:
    """Return the accepted difference between a wanted and a reported number."""
    if (tolerance := _TOLERANCES.get(name)) is not None:
        return tolerance
    if name in KELVIN:
        return value * value / 1e6 + 2  # One mired: lamps step in mireds.
    return max(0.01, abs(value) * 0.001)


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else _FLAGS.get(text_of(value).casefold())


def text_of(value: object) -> str:
    """Return a value, or that of a member of an enumeration, as text."""
    return str(getattr(value, "value", value))


def missed(outcome: Outcome) -> dict[str, tuple[object, object]]:
    """Return the values that a command set differently: name -> (reached value, wanted value).

    The wanted value is None if the command accepts several states.
    """
    return {
        name: (outcome.after[name], None if len(wanted) > 1 and name == STATE else wanted[0])
        for name, wanted in outcome.wanted.items()
        if wanted
        and name in outcome.after
        and outcome.after[name] not in wanted
        and not any(is_same(name, each, outcome.after[name]) for each in wanted)
    }


def left_as_it_is(changed: Outcome) -> Outcome:
    """Return the outcome `REFUSED` of an undo that was skipped, because somebody changed the value.

    `changed` is the outcome of the command to undo.
    """
    return changed.outcome(
        OutcomeKind.REFUSED,
        "Somebody else has changed it since, so it was not changed.",
        command=PUT_BACK,
        reason=REFUSED_CHANGED_SINCE,
    )


def cannot_go_back(changed: Outcome, detail: str) -> Outcome:
    """Return the outcome `FAILED` of an impossible undo.

    `changed` is the outcome of the command to undo; `detail` is the explanation for the model.
    """
    return changed.outcome(OutcomeKind.FAILED, detail, command=PUT_BACK, reason=FAILED_NO_UNDO)


def is_changed_since(
    outcomes: Iterable[Outcome],
    restore: Values,
    now: Values,
    *,
    relevant: Container[str] | None = None,
) -> bool:
    """Return whether somebody changed a component after SAGE's commands on it.

    - `outcomes`: the outcomes of the commands, oldest first
    - `restore`: the values before the commands
    - `now`: the current values
    - `relevant`: names of the attributes to check, if the commands changed them; None means all
      that the commands changed

    The attributes that the commands were meant to set (`Outcome.wanted`) are always checked. False
    if `now` is empty, or if each value in `restore` is also the current value.
    """
    if not now or all(
        name in now and is_same(name, value, now[name]) for name, value in restore.items()
    ):
        return False
    changes: dict[str, tuple[object, object, Sequence[object]]] = {}
    for each in outcomes:
        for name in each.after.keys() | each.wanted.keys():
            wanted = each.wanted.get(name)
            before, *_ = changes.pop(name, (each.before.get(name),))
            # An empty sequence: the value is still changing, and its target is unknown.
            if wanted is None or wanted:
                changes[name] = before, each.after.get(name), wanted or ()
    return any(
        not _holds(name, after, wanted, now)
        for name, (before, after, wanted) in changes.items()
        if wanted or ((relevant is None or name in relevant) and not is_same(name, before, after))
    )


def _holds(name: str, after: object, wanted: Sequence[object], now: Values) -> bool:
    """Return whether a value is still the one after the command, or on the way to its target."""
    known = [each for each in (after, *wanted) if each is not None]
    if not known or name not in now or any(is_same(name, each, now[name]) for each in known):
        return True
    value, begun = as_number(unwrapped(now[name])), as_number(after)
    if value is None or begun is None:
        return False
    ends = [end for each in wanted if (end := as_number(each)) is not None]
    return any(min(begun, end) <= value <= max(begun, end) for end in ends)
