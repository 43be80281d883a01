"""Observe an entity during a command, and judge the command by what was seen."""

import asyncio
import contextlib
from collections.abc import Iterable
from typing import Any, Final

from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import (
    Event,
    EventStateChangedData,
    HassJobType,
    HomeAssistant,
    State,
    callback,
)
from homeassistant.helpers.event import async_track_state_change_event

from ..commands.expectation import Expectation, Watch
from ..commands.pipeline import ValidatedCommand
from ..commands.value_comparison import Values, reported_values
from ..home_types import Outcome, OutcomeKind
from ..safety.free_text import is_free_text, options_of
from ..values import STATE, is_secret
from .expected_effect import expectation_of, expectation_of_state

RUN_SCRIPT: Final = ("script", "turn_on")
"""The action that runs a script; the arguments of the command are the fields of the script."""


def action_of(command: ValidatedCommand) -> tuple[str, str]:
    """Return the domain and the name of the Home Assistant action: `("light", "turn_on")`.

    The name of a command starts with the domain of the action only if the entity has another one.
    """
    domain, _, service = command.description.name.rpartition(".")
    return domain or command.capability, service


def state_to_set(command: ValidatedCommand) -> State:
    """Return the state that an undo sets; its arguments are the state and the attributes."""
    attributes = {name: value for name, value in command.arguments.items() if name != STATE}
    return State(command.component_id, command.arguments[STATE], attributes)


_VOLATILE: Final = frozenset(
    {
        "assumed_state",
        "context",
        "entity_picture",
        "entity_picture_local",
        "friendly_name",
        "icon",
        "last_triggered",
        "media_position",
        "media_position_updated_at",
        "current",
        "linkquality",
        "power",
        "energy",
        "current_power_w",
    }
)
"""Attributes that also change without a command, so a change proves no effect of a command."""


_DETAILS: Final = {
    OutcomeKind.SENT: "Sent; whether it worked cannot be observed.",
    OutcomeKind.UNDER_WAY: "It has begun, its end was not seen.",
}
"""Kind of an outcome -> sentence for the model."""


class EntityWatch(Watch):
    """A command and its expected effect; it observes the entity."""

    def __init__(self, hass: HomeAssistant, command: ValidatedCommand) -> None:
        """Start to observe; call this before the command is sent, and `close` at the end."""
        super().__init__()
        self._hass = hass
        self.command = command
        self.before = before = hass.states.get(command.component_id)
        self.expectation = (
            expectation_of(*action_of(command), command.arguments, before)
            if command.restores is None
            else expectation_of_state(state_to_set(command), before)
        )
        news = self._news

        # This function must not refer to self, which would create a reference cycle.
        @callback
        def changed(_event: Event[EventStateChangedData]) -> None:
            news.set()

        self._stop = async_track_state_change_event(
            hass, command.component_id, changed, HassJobType.Callback
        )

    def close(self) -> None:
        """Stop listening."""
        self._stop()

    @property
    def now(self) -> State | None:
        """The current state; None if the entity does not exist."""
        return self._hass.states.get(self.command.component_id)

    @property
    def reports(self) -> tuple[Values, Values]:
        """The state and attributes before the command and now; empty while unavailable."""
        return reported_values(self.before), reported_values(self.now)

    @property
    def has_changed(self) -> bool:
        """Whether the state or an attribute has changed since the start of this watch.

        Attributes that change by themselves, such as `media_position`, do not count.
        """
        return bool(_changes(self.before, self.now)[1])

    async def async_wait_for_news(self, seconds: float) -> None:
        """Wait until the entity changes, at most `seconds`."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news.wait()
        self._news.clear()

    def has_seen(self, expectation: Expectation) -> bool:
        """Return whether the entity shows the expected effect of the command.

        If `expectation` has no goals (expected values), every change counts.
        """
        if expectation.goals:
            return expectation.is_met(*self.reports)
        return self.has_changed

    async def async_wait_for_effect(self, seconds: float) -> None:
        """Wait for the expected effect, at most `seconds` and the time that the command takes."""
        if self.expectation.observable:
            await self.async_wait(self.expectation, seconds + self.expectation.extra_seconds)

    def judge(self) -> OutcomeKind:
        """Judge the command by comparing the states before the call and now.

        Call this only if the action raised no error.
        """
        before, now = self.reports
        if not self.expectation.observable:
            return OutcomeKind.SENT
        if not now:
            return OutcomeKind.NOT_CONFIRMED
        expectation = self.expectation.observed(before, now)
        if self.expectation.goals and not expectation.goals:
            return OutcomeKind.SENT
        if not expectation.goals:
            # The effect of the action is unknown, such as that of `vacuum.locate`.
            return OutcomeKind.VERIFIED if self.has_changed else OutcomeKind.SENT
        if expectation.is_met(before, now):
            # A television that plays another channel was playing before, too.
            return OutcomeKind.VERIFIED if self.has_changed else expectation.kind_if_met(before)
        has_moved = expectation.is_elsewhere(before, now)
        if expectation.is_near(before, now):
            return OutcomeKind.VERIFIED if has_moved else OutcomeKind.ALREADY
        if expectation.is_under_way(before, now, is_moving=self.is_moving):
            return OutcomeKind.UNDER_WAY
        return OutcomeKind.REACHED if has_moved else OutcomeKind.NOT_CONFIRMED

    def outcome(self, kind: OutcomeKind) -> Outcome:
        """Return an outcome of this kind, with the values that have changed."""
        is_undo = self.command.restores is not None
        goals = () if is_undo else self.expectation.all_goals
        before, after = _changes(self.before, self.now, {STATE, *(goal.name for goal in goals)})
        detail = _DETAILS.get(kind, "")
        if kind is OutcomeKind.NOT_CONFIRMED:
            detail = _unconfirmed(self.now)
        return self.command.outcome(
            kind,
            detail,
            before=before,
            after=after,
            restore=dict(_values(self.before)),
            wanted={} if is_undo else self.expectation.wanted(after),
        )


def _unconfirmed(now: State | None) -> str:
    """Return the sentence for the model about a command without the expected change."""
    if now is None or now.state == STATE_UNAVAILABLE:
        return "Sent, but the device has not been reachable since."
    options = options_of(now.domain, now.attributes)
    is_free = is_free_text(now.domain, STATE, now.state, options)
    state = "another text" if is_free else now.state
    return f"Sent, but the expected change was not seen; the state is {state}."


def _changes(
    before: State | None, after: State | None, keep: Iterable[str] = ()
) -> tuple[dict[str, object], dict[str, object]]:
    """Return the values that differ between two states, as two dicts: before and after.

    Values named in `keep` are always included. Secrets, and other attributes that change by
    themselves (`media_position`), are left out.
    """
    old, new = _values(before, keep), _values(after, keep)
    names = [
        name
        for name in dict.fromkeys((*old, *new))
        if old.get(name) != new.get(name) or (name in keep and name in old | new)
    ]
    return (
        {name: old.get(name) for name in names} if before is not None else {},
        {name: new.get(name) for name in names} if after is not None else {},
    )


def _values(state: State | None, keep: Iterable[str] = ()) -> dict[str, Any]:
    if state is None:
        return {}
    values: dict[str, Any] = {STATE: state.state}
    for name, value in state.attributes.items():
        if (name not in _VOLATILE or name in keep) and not is_secret(name):
            values[str(name)] = value
    return values
