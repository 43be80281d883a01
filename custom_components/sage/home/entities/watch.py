"""What is seen of an entity from before a command on (DESIGN 5, evidence)."""

import asyncio
import contextlib
from abc import ABC, abstractmethod
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

from ..commands.changed_since import wanted_values
from ..commands.expectation import Expectation
from ..commands.goals import STATE, values_of
from ..commands.step import Step
from ..home_types import Outcome, OutcomeKind
from ..safety.free_text import is_free_text, options_of
from ..values import is_secret

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
"""Attributes that change by themselves: no sign of a command."""


class Watch(ABC):
    """Sees what becomes of a thing, from before a command is sent until it is closed."""

    def __init__(self) -> None:
        """Expect news; a subclass listens for them."""
        self._news = asyncio.Event()

    @abstractmethod
    def close(self) -> None:
        """Stop listening."""

    @abstractmethod
    def has_seen(self, expectation: Expectation) -> bool:
        """Return whether what is expected was seen."""

    async def async_wait(self, expectation: Expectation, seconds: float) -> None:
        """Return when what is expected was seen, or after so many seconds."""
        deadline = asyncio.get_running_loop().time() + seconds
        while not self.has_seen(expectation):
            self._news.clear()
            try:
                async with asyncio.timeout_at(deadline):
                    await self._news.wait()
            except TimeoutError:
                return


class EntityWatch(Watch):
    """The state of one entity."""

    def __init__(self, hass: HomeAssistant, entity_id: str) -> None:
        """Note the state before, and listen from now on."""
        super().__init__()
        self._hass = hass
        self._entity_id = entity_id
        self.before = hass.states.get(entity_id)
        news = self._news

        # It must not keep the watch alive, which would be a cycle.
        @callback
        def changed(_event: Event[EventStateChangedData]) -> None:
            news.set()

        self._close = async_track_state_change_event(hass, entity_id, changed, HassJobType.Callback)

    def close(self) -> None:
        """Stop listening."""
        self._close()

    @property
    def now(self) -> State | None:
        """The state at this moment."""
        return self._hass.states.get(self._entity_id)

    @property
    def has_changed(self) -> bool:
        """Whether anything that a command may change is different from before."""
        return bool(changes(self.before, self.now)[1])

    async def async_wait_for_news(self, seconds: float) -> None:
        """Return when the entity has changed since the last call, or after `seconds`."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news.wait()
        self._news.clear()

    def has_seen(self, expectation: Expectation) -> bool:
        """Return whether the expectation is met; without goals any change will do."""
        if expectation.goals:
            return expectation.is_met(values_of(self.before), values_of(self.now))
        return self.has_changed


def judge(watch: EntityWatch, expectation: Expectation) -> OutcomeKind:
    """Return what the evidence says of a command that went through."""
    before, now = values_of(watch.before), values_of(watch.now)
    if not expectation.observable:
        return OutcomeKind.SENT
    if not now:
        return OutcomeKind.NOT_CONFIRMED
    if not expectation.goals:
        return OutcomeKind.VERIFIED if watch.has_changed else OutcomeKind.NOT_CONFIRMED
    if expectation.is_met(before, now):
        return expectation.kind_if_met(before, now)
    if expectation.is_under_way(before, now):
        return OutcomeKind.UNDER_WAY
    return OutcomeKind.NOT_CONFIRMED


def outcome_seen(
    step: Step, watch: EntityWatch, expectation: Expectation | None, kind: OutcomeKind
) -> Outcome:
    """Return the outcome with what changed, and with what was to change; None for no wishes."""
    goals = () if expectation is None else expectation.goals
    before, after = changes(watch.before, watch.now, {STATE, *(goal.name for goal in goals)})
    return step.outcome(
        kind,
        _detail(kind, watch),
        before=before,
        after=after,
        restore=dict(_values(watch.before)),
        wanted={} if expectation is None else wanted_values(expectation, after),
    )


def _detail(kind: OutcomeKind, watch: EntityWatch) -> str:
    """Return what the evidence says, for the model."""
    now = watch.now
    match kind:
        case OutcomeKind.SENT:
            return "Sent; whether it worked cannot be observed."
        case OutcomeKind.UNDER_WAY:
            return "It has begun, its end was not seen."
        case OutcomeKind.NOT_CONFIRMED if now is None or now.state == STATE_UNAVAILABLE:
            return "Sent, but the device has not been reachable since."
        case OutcomeKind.NOT_CONFIRMED:
            assert now is not None
            options = options_of(now.domain, now.attributes)
            is_free = is_free_text(now.domain, STATE, now.state, options)
            state = "another text" if is_free else now.state
            return f"Sent, but the expected change was not seen; the state is {state}."
    return ""


def changes(
    before: State | None, after: State | None, keep: Iterable[str] = ()
) -> tuple[dict[str, object], dict[str, object]]:
    """Return the values that differ, before and after; those of `keep` in any case."""
    old, new = _values(before), _values(after)
    names = [
        name
        for name in dict.fromkeys((*old, *new))
        if old.get(name) != new.get(name) or (name in keep and name in old | new)
    ]
    return (
        {name: old.get(name) for name in names} if before is not None else {},
        {name: new.get(name) for name in names} if after is not None else {},
    )


def _values(state: State | None) -> dict[str, Any]:
    if state is None:
        return {}
    values: dict[str, Any] = {STATE: state.state}
    for name, value in state.attributes.items():
        if name not in _VOLATILE and not is_secret(name):
            values[str(name)] = value
    return values
