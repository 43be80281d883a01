"""Detect whether somebody changed a value after a command had set it.

A routine that restores an earlier state must not overwrite a later manual change.
"""

from collections.abc import Collection, Container, Iterable, Sequence
from typing import Final

from ..home_types import PUT_BACK, Outcome, OutcomeKind
from ..values import is_secret
from .expectation import Expectation
from .goals import STATE, Values, as_number, is_same, unwrapped

FAILED_NO_UNDO: Final = "outcome_failed_no_undo"
"""`Outcome.reason` if no command can restore the earlier state."""

REFUSED_CHANGED_SINCE: Final = "outcome_refused_changed_since"
"""`Outcome.reason` if a value was not restored, because somebody has changed it since."""

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


def wanted_values(
    expectation: Expectation, after: Collection[str]
) -> dict[str, tuple[object, ...]]:
    """Return the target values of a command: attribute name -> accepted values.

    `after`: names of the attributes that have changed so far. If the command has a transition time,
    e.g. for a light that dims slowly, the attributes in `after` without a target may still be
    changing. The dict then contains them with an empty tuple, which means that the target is
    unknown.
    """
    wanted = {
        goal.name: goal.values
        for goal in expectation.all_goals
        if goal.values and not is_secret(goal.name)
    }
    goals = {goal.name for goal in expectation.all_goals}
    changing = {name: () for name in after if name not in goals}
    return (changing if expectation.extra_seconds else {}) | wanted


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
