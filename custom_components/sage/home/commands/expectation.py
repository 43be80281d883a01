"""The expected effect of a command on the values of a device, and the wait for it."""

import asyncio
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Final

from ..home_types import OutcomeKind
from .goals import STATE, Goal, Values

_SETTLED: Final = 0.5
"""Seconds without a report after which a value near the wanted one is the final value.

A cover may report positions while it moves.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """The expected values that prove the success of a command."""

    goals: tuple[Goal, ...] = ()
    """The expected values, e.g. `on` for the state; the command worked if all goals are met.

    If empty, the command worked if a change meets a goal in `signs`.
    """

    signs: tuple[Goal, ...] = ()
    """Weaker proofs for a command without `goals`: a changed value must meet one of these."""

    on_the_way: frozenset[str] = frozenset()
    """Intermediate states before the goals are met, such as `opening`."""

    approaches: bool = False
    """Whether a number that moves towards its goal counts as under way."""

    observable: bool = True
    """Whether a state shows the effect; False for scenes, buttons and assumed states."""

    extra_seconds: float = 0.0
    """Additional waiting time in seconds, e.g. for the transition of a light."""

    def is_met(self, before: Values, now: Values) -> bool:
        """Return whether the values `now` prove the success of the command.

        `before` are the values before the command. False while the device is unavailable.
        """
        if self.goals:
            return all(goal.is_met(before, now) for goal in self.goals)
        return bool(self.names_of_signs(before, now))

    def is_near(self, before: Values, now: Values) -> bool:
        """Return whether the device met all goals as well as its steps allow, and does not move."""
        is_moving = now.get(STATE) in self.on_the_way
        return (
            bool(self.goals)
            and not is_moving
            and all(goal.is_near(before, now) for goal in self.goals)
        )

    def is_elsewhere(self, before: Values, now: Values) -> bool:
        """Return whether a value that the command should set has changed.

        If the goals are not met, the device has reached another value.
        """
        return bool(before and now) and self.values(before) != self.values(now)

    def values(self, reported: Values) -> dict[str, object]:
        """Return the reported values that the command should set, by attribute name."""
        return {goal.name: reported.get(goal.name) for goal in self.all_goals}

    @property
    def all_goals(self) -> tuple[Goal, ...]:
        """The goals, and those that are enough instead of one of them."""
        return self.goals + tuple(each.instead for each in self.goals if each.instead is not None)

    def observed(self, before: Values, now: Values) -> Expectation:
        """Return the expectation without goals for attributes that the device does not report.

        A cover may accept a position without reporting one.
        """
        goals = tuple(each for each in self.goals if each.name in before or each.name in now)
        has_all = len(goals) == len(self.goals)
        return self if has_all else replace(self, goals=goals, observable=bool(goals))

    def names_of_signs(self, before: Values, now: Values) -> list[str]:
        """Return the names of attributes whose change is a sign of success.

        These attributes differ between `before` and `now`, and meet a goal in the field `signs`.
        """
        seen = {sign.name for sign in self.signs if sign.is_met(before, now)}
        return [name for name in now if name in seen and now[name] != before.get(name)]

    def was_met(self, before: Values) -> bool:
        """Return whether the device was in the wanted state before the command.

        False if `goals` is empty.
        """
        return bool(self.goals) and self.is_met(before, before)

    def kind_if_met(self, before: Values) -> OutcomeKind:
        """Return `ALREADY` if the wanted state existed before the command, else `VERIFIED`.

        Call this only if `is_met` is True.
        """
        return OutcomeKind.ALREADY if self.was_met(before) else OutcomeKind.VERIFIED

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


UNOBSERVABLE: Final = Expectation(observable=False)


class Watch(ABC):
    """Observer of the values of one device or entity.

    Create it before the command is sent; call `close` at the end.
    """

    def __init__(self) -> None:
        """Create the event that subclasses set for each report of the device."""
        self._news = asyncio.Event()
        self.is_moving = False
        """Whether a value that the command should set still changed late in the wait."""

    @abstractmethod
    def close(self) -> None:
        """Stop listening."""

    @property
    @abstractmethod
    def reports(self) -> tuple[Values, Values]:
        """The values before the command and now; empty while the device is unavailable."""

    @abstractmethod
    def has_seen(self, expectation: Expectation) -> bool:
        """Return whether the values reported so far prove the success of the command."""

    async def async_wait(self, expectation: Expectation, seconds: float) -> None:
        """Wait until the command has had the expected effect, at most `seconds`.

        A value that is only near the wanted one ends the wait when it no longer changes.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while not self.has_seen(expectation):
            before, now = self.reports
            is_near = expectation.is_near(before, now)
            until = min(deadline, loop.time() + _SETTLED) if is_near else deadline
            self._news.clear()
            try:
                async with asyncio.timeout_at(until):
                    await self._news.wait()
            except TimeoutError:
                return
            has_changed = expectation.values(now) != expectation.values(self.reports[1])
            self.is_moving = has_changed and loop.time() > deadline - seconds / 2
