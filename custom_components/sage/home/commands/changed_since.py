"""Detect whether somebody changed a value after a command had set it.

A routine that restores an earlier state must not overwrite a later manual change.
"""

from collections.abc import Collection, Container, Iterable
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """The values of one attribute before and after one or more commands."""

    before: object
    after: object
    wanted: tuple[object, ...] = ()
    """The accepted target values of the command, e.g. `("paused", "idle")`; empty if unknown."""

    def is_on_the_way(self, value: object) -> bool:
        """Return whether the device may still be changing to a target value of the command.

        True for a number between `after` (the value shortly after the command) and a value in
        `wanted`, e.g. 60 if `after` is 40 and `wanted` is `(80,)`.
        """
        now, begun = as_number(value), as_number(self.after)
        if now is None or begun is None:
            return False
        ends = [end for each in self.wanted if (end := as_number(each)) is not None]
        return any(min(begun, end) <= now <= max(begun, end) for end in ends)


def settings_of(outcomes: Iterable[Outcome]) -> dict[str, Setting]:
    """Return a dict for one component: attribute name -> values before and after all commands.

    `outcomes` are the outcomes of the commands, oldest first. An attribute is left out if it was
    still changing and its target value is unknown.
    """
    found: dict[str, Setting] = {}
    for each in outcomes:
        for name in each.after.keys() | each.wanted.keys():
            wanted = each.wanted.get(name)
            earlier = found.pop(name, None)
            if wanted is None or wanted:
                found[name] = Setting(
                    before=each.before.get(name) if earlier is None else earlier.before,
                    after=each.after.get(name),
                    wanted=tuple(wanted or ()),
                )
    return found


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
    return _not_put_back(
        changed,
        OutcomeKind.REFUSED,
        "Somebody else has changed it since, so it was not changed.",
        REFUSED_CHANGED_SINCE,
    )


def cannot_go_back(changed: Outcome, detail: str) -> Outcome:
    """Return the outcome `FAILED` of an impossible undo.

    `changed` is the outcome of the command to undo; `detail` is the explanation for the model.
    """
    return _not_put_back(changed, OutcomeKind.FAILED, detail, FAILED_NO_UNDO)


def _not_put_back(changed: Outcome, kind: OutcomeKind, detail: str, reason: str) -> Outcome:
    return Outcome(
        kind=kind,
        device_id=changed.device_id,
        device_name=changed.device_name,
        component_id=changed.component_id,
        capability=changed.capability,
        command=PUT_BACK,
        detail=detail,
        reason=reason,
        source=changed.source,
        raw_device_id=changed.raw_device_id,
        area=changed.area,
    )


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
    return any(
        not _holds(name, each, now)
        for name, each in settings_of(outcomes).items()
        if each.wanted
        or ((relevant is None or name in relevant) and not is_same(name, each.before, each.after))
    )


def _holds(name: str, setting: Setting, now: Values) -> bool:
    # A number that is still on the way to its target value counts as unchanged.
    known = [each for each in (setting.after, *setting.wanted) if each is not None]
    if not known or name not in now:
        return True
    value = now[name]
    return any(is_same(name, each, value) for each in known) or setting.is_on_the_way(
        unwrapped(value)
    )
