"""Observe an entity during a command, and judge the command by what was seen."""

import asyncio
import contextlib
from collections.abc import Collection
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

from ..commands.expectation import Values, reported_values
from ..commands.pipeline import ValidatedCommand
from ..home_types import Outcome, OutcomeKind
from ..prompt_text import is_free_text_of
from ..values import STATE, is_secret, names_in
from .expected_effect import expectation_of, expectation_of_state
from .restoring import state_to_set

_VOLATILE: Final = names_in(
    "assumed_state context entity_picture entity_picture_local friendly_name icon "
    "last_triggered media_position media_position_updated_at current linkquality power energy "
    "current_power_w"
)
"""Attributes that also change without a command, so a change proves no effect of a command."""


_DETAILS: Final = {
    OutcomeKind.SENT: "Sent; whether it worked cannot be observed.",
    OutcomeKind.UNDER_WAY: "It has begun, its end was not seen.",
}
"""Kind of an outcome -> sentence for the model."""


class EntityWatch:
    """A command and its expected effect; it observes the entity."""

    def __init__(self, hass: HomeAssistant, command: ValidatedCommand) -> None:
        """Start to observe; call this before the command is sent, and `close` at the end."""
        self._hass = hass
        self.command = command
        self.before = before = hass.states.get(command.component_id)
        self.expectation = (
            expectation_of_state(state_to_set(command), before)
            if command.sets_state
            else expectation_of(*command.action, command.arguments, before)
        )
        self._is_moving = False  # whether a value to set still changed late in the wait
        self._news = news = asyncio.Event()

        # This function must not refer to self, which would create a reference cycle.
        @callback
        def changed(_event: Event[EventStateChangedData]) -> None:
            news.set()

        self.close = async_track_state_change_event(
            hass, command.component_id, changed, HassJobType.Callback
        )

    def _reports(self) -> tuple[Values, Values]:
        now = self._hass.states.get(self.command.component_id)
        return reported_values(self.before), reported_values(now)

    def has_seen(self) -> bool:
        """Return whether the entity shows the expected effect of the command.

        If no values are expected, every change counts, except those of attributes that change by
        themselves, such as `media_position`.
        """
        if self.expectation.goals:
            return self.expectation.is_met(*self._reports())
        return bool(self._changes()[1])

    async def async_wait_for_news(self, seconds: float) -> None:
        """Wait until the entity changes, at most `seconds`."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news.wait()
        self._news.clear()

    async def async_wait_for_effect(self, seconds: float) -> None:
        """Wait for the expected effect, at most `seconds` and the time that the command takes."""
        if self.expectation.observable:
            self._is_moving = await self.expectation.async_wait(
                self._news, self._reports, self.has_seen, seconds + self.expectation.extra_seconds
            )

    def _judge(self) -> OutcomeKind:
        before, now = self._reports()
        if not self.expectation.observable:
            return OutcomeKind.SENT
        if not now:
            return OutcomeKind.NOT_CONFIRMED
        expectation = self.expectation.observed(before, now)
        has_changed = bool(self._changes()[1])
        # A player that reports no title may play something else than before.
        is_unseen = bool(self.expectation.signs) and not expectation.signs and not has_changed
        if (self.expectation.goals and not expectation.goals) or is_unseen:
            return OutcomeKind.SENT
        if not expectation.goals:
            # The effect of the action is unknown, such as that of `vacuum.locate`.
            return OutcomeKind.VERIFIED if has_changed else OutcomeKind.SENT
        if expectation.is_met(before, now):
            # A television that plays another channel was playing before, too.
            is_new = has_changed or not expectation.was_met(before)
            return OutcomeKind.VERIFIED if is_new else OutcomeKind.ALREADY
        has_moved = bool(before) and expectation.values(before) != expectation.values(now)
        if expectation.is_near(before, now):
            return OutcomeKind.VERIFIED if has_moved else OutcomeKind.ALREADY
        if expectation.is_under_way(before, now, is_moving=self._is_moving):
            return OutcomeKind.UNDER_WAY
        return OutcomeKind.REACHED if has_moved else OutcomeKind.NOT_CONFIRMED

    def outcome(self, kind: OutcomeKind | None = None) -> Outcome:
        """Return the outcome with the changed values; `kind` is needed after an error."""
        kind = kind or self._judge()
        is_undo = self.command.restores is not None
        goals = () if is_undo else self.expectation.all_goals
        before, after = self._changes({STATE, *(goal.name for goal in goals)})
        detail = _DETAILS.get(kind, "")
        if kind is OutcomeKind.NOT_CONFIRMED:
            detail = _unconfirmed(self._hass.states.get(self.command.component_id))
        return self.command.outcome(
            kind,
            detail,
            before=before,
            after=after,
            restore=dict(_values(self.before)),
            wanted={} if is_undo else self.expectation.wanted,
        )

    def _changes(self, keep: Collection[str] = ()) -> tuple[dict[str, object], dict[str, object]]:
        """Return values that changed, with `keep`, without secrets and self-changing attributes."""
        now = self._hass.states.get(self.command.component_id)
        old, new = _values(self.before, keep), _values(now, keep)
        names = [
            name
            for name in dict.fromkeys((*old, *new))
            if old.get(name) != new.get(name) or (name in keep and name in old | new)
        ]
        return (
            {name: old.get(name) for name in names} if self.before is not None else {},
            {name: new.get(name) for name in names} if now is not None else {},
        )


def _unconfirmed(now: State | None) -> str:
    if now is None or now.state == STATE_UNAVAILABLE:
        return "Sent, but the device has not been reachable since."
    state = "another text" if is_free_text_of(now, STATE, now.state) else now.state
    return f"Sent, but the expected change was not seen; the state is {state}."


def _values(state: State | None, keep: Collection[str] = ()) -> dict[str, Any]:
    if state is None:
        return {}
    values: dict[str, Any] = {STATE: state.state}
    for name, value in state.attributes.items():
        if (name not in _VOLATILE or name in keep) and not is_secret(name):
            values[str(name)] = value
    return values
