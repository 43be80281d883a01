"""Call a service of Home Assistant for one or several entities, and observe each of them."""

import asyncio
import contextlib
import logging
from collections.abc import Coroutine, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, Final

from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import (
    Context,
    Event,
    EventStateChangedData,
    HassJobType,
    HomeAssistant,
    State,
    callback,
)
from homeassistant.exceptions import Unauthorized
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.event import async_track_state_change_event

from ...helpers.slices import Breaks
from ...people.person import Person
from ..commands.changed_since import missed, wanted_values
from ..commands.expectation import Expectation, Watch
from ..commands.goals import STATE, Values, reported_values
from ..commands.pipeline import (
    FAILED_ERROR,
    FAILED_GONE,
    REFUSED_NOT_PERMITTED,
    CommandWaits,
)
from ..commands.steps import Step
from ..home_types import Outcome, OutcomeKind
from ..safety.fields import without_hidden
from ..safety.free_text import is_free_text, options_of
from ..safety.gate import Gate
from ..values import is_secret, item_attributes
from .entity_commands import PreparedCommand
from .expected_effect import expectation_of

_LOGGER = logging.getLogger(__name__)

_NO_DICTIONARY: Final = "service_reponse_invalid"
"""Translation key of Home Assistant's error about a response that is no dictionary."""

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


def service_call(
    hass: HomeAssistant,
    command: PreparedCommand,
    target: str | list[str],
    context: Context,
    *,
    answer: bool = False,
) -> Coroutine[Any, Any, Any]:
    """Return the coroutine that calls the command's service for one or several entities.

    With `answer`, the coroutine returns the response of the service. Only the action of the script
    itself, `script.<name>`, returns one; `script.turn_on` does not wait for the end of the script.
    """
    service, data = command.service, dict(command.arguments)
    wanted: dict[str, Any] | None = {"entity_id": target}
    if command.is_script and answer:
        service, wanted = script_action(hass, command.component_id), None
    elif command.is_script and data:
        data = {"variables": data}
    return hass.services.async_call(
        command.domain,
        service,
        data,
        blocking=True,
        context=context,
        target=wanted,
        return_response=answer,
    )


def script_action(hass: HomeAssistant, entity_id: str) -> str:
    """Return `<name>` in the action `script.<name>` of a script; it stays if the id changes."""
    entry = er.async_get(hass).async_get(entity_id)
    return entry.unique_id if entry is not None else entity_id.partition(".")[2]


async def async_ended(
    hass: HomeAssistant, work: Coroutine[Any, Any, Any], name: str, seconds: float
) -> asyncio.Task[Any] | None:
    """Run `work` as a task; return the task, or None if it has not ended after `seconds`.

    The task continues after a timeout.
    """
    call = hass.async_create_task(work, name)
    if not call.done():
        await asyncio.wait({call}, timeout=seconds)
    if call.done():
        return call
    # Do not cancel the task: this could stop a script halfway.
    call.add_done_callback(_note_late_end)
    return None


def _note_late_end(call: asyncio.Task[Any]) -> None:
    if not call.cancelled() and (err := call.exception()) is not None:
        _LOGGER.warning("A command failed after its timeout: %s", err)


def result_of(command: PreparedCommand, call: asyncio.Task[Any]) -> Outcome | Any:
    """Return the response of a finished call; after an error, an outcome `FAILED` or `REFUSED`."""
    if call.cancelled():
        return command.outcome(OutcomeKind.FAILED, "It was cancelled.", reason=FAILED_GONE)
    err = call.exception()
    return call.result() if err is None else failed_with(command, err)


def failed_with(command: PreparedCommand, err: BaseException) -> Outcome:
    """Return the outcome of a command whose service call raised `err`.

    `REFUSED` if the person lacks the permission in Home Assistant, else `FAILED`.
    """
    if isinstance(err, Unauthorized):
        return command.outcome(
            OutcomeKind.REFUSED,
            "Home Assistant refused it: this person lacks the permission.",
            reason=REFUSED_NOT_PERMITTED,
        )
    if getattr(err, "translation_key", None) == _NO_DICTIONARY:
        return command.outcome(
            OutcomeKind.SENT, "It ran. Its answer is no dictionary, so it cannot be passed on."
        )
    _LOGGER.debug("%s failed", command.name, exc_info=err)
    text = str(err) or type(err).__name__
    return command.outcome(
        OutcomeKind.FAILED,
        f"Home Assistant says: {text}",
        reason=FAILED_ERROR,
        reason_placeholders={"error": text.rstrip(".")},
    )


def with_visible_error(
    hass: HomeAssistant, gate: Gate, person: Person, outcome: Outcome
) -> Outcome:
    """Replace the error text if it names an entity that the person may not read."""
    if outcome.reason != FAILED_ERROR or without_hidden(hass, gate, person, outcome.detail):
        return outcome
    return replace(
        outcome, detail="Home Assistant reports an error.", reason=None, reason_placeholders={}
    )


class EntityWatch(Watch):
    """Observes the state of one entity."""

    def __init__(self, hass: HomeAssistant, entity_id: str) -> None:
        """Store the current state as `before` and listen for changes."""
        super().__init__()
        self._hass = hass
        self._entity_id = entity_id
        self.before = hass.states.get(entity_id)
        news = self._news

        # This function must not refer to self, which would create a reference cycle.
        @callback
        def changed(_event: Event[EventStateChangedData]) -> None:
            news.set()

        self._close = async_track_state_change_event(hass, entity_id, changed, HassJobType.Callback)

    def close(self) -> None:
        """Stop listening."""
        self._close()

    @property
    def now(self) -> State | None:
        """The current state; None if the entity does not exist."""
        return self._hass.states.get(self._entity_id)

    @property
    def reports(self) -> tuple[Values, Values]:
        """The state and attributes before the command and now; empty while unavailable."""
        return reported_values(self.before), reported_values(self.now)

    @property
    def has_changed(self) -> bool:
        """Whether the state or an attribute has changed since the start of this watch.

        Attributes that change by themselves, such as `media_position`, do not count.
        """
        return bool(changes(self.before, self.now)[1])

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


def judge(watch: EntityWatch, expectation: Expectation) -> OutcomeKind:
    """Judge a command by comparing the entity's states before the call and now.

    Call this only if the service call raised no error.
    """
    before, now = watch.reports
    if not expectation.observable:
        return OutcomeKind.SENT
    if not now:
        return OutcomeKind.NOT_CONFIRMED
    has_goals, expectation = bool(expectation.goals), expectation.observed(before, now)
    if has_goals and not expectation.goals:
        return OutcomeKind.SENT
    if not expectation.goals:
        # The effect of the action is unknown, such as that of `vacuum.locate`.
        return OutcomeKind.VERIFIED if watch.has_changed else OutcomeKind.SENT
    if expectation.is_met(before, now):
        # A television that plays another channel was playing before, too.
        return OutcomeKind.VERIFIED if watch.has_changed else expectation.kind_if_met(before, now)
    has_moved = expectation.is_elsewhere(before, now)
    if expectation.is_near(before, now):
        return OutcomeKind.VERIFIED if has_moved else OutcomeKind.ALREADY
    if expectation.is_under_way(before, now, is_moving=watch.is_moving):
        return OutcomeKind.UNDER_WAY
    return OutcomeKind.REACHED if has_moved else OutcomeKind.NOT_CONFIRMED


def outcome_seen(
    step: Step, watch: EntityWatch, expectation: Expectation | None, kind: OutcomeKind
) -> Outcome:
    """Return an outcome of this kind, with the changed values of the watched entity.

    `expectation`: fills `Outcome.wanted` (target values); None leaves it empty.
    """
    goals = () if expectation is None else expectation.all_goals
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
    """Return `Outcome.detail`: a sentence for the model, or an empty text."""
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


_SEEN: Final = frozenset({OutcomeKind.VERIFIED, OutcomeKind.ALREADY})
_UNPROVEN: Final = frozenset({OutcomeKind.NOT_CONFIRMED, OutcomeKind.REACHED})
_UNKNOWN_ERROR: Final = "Home Assistant reports an error, not for which of the devices."


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedCommand:
    """A command, with its expected effect and the observer of its entity."""

    command: PreparedCommand
    watch: EntityWatch
    expectation: Expectation


async def async_watch_commands(
    hass: HomeAssistant, commands: Sequence[PreparedCommand], closing: ExitStack
) -> list[WatchedCommand]:
    """Start one observer for the entity of each command; `closing` stops them.

    Commands whose effect is not visible in the state are left out.
    """
    watched: list[WatchedCommand] = []
    breaks = Breaks()
    for command in commands:
        if (each := _watched(hass, command)) is not None:
            closing.callback(each.watch.close)
            watched.append(each)
        await breaks.async_take()
    return watched


def _watched(hass: HomeAssistant, command: PreparedCommand) -> WatchedCommand | None:
    state = hass.states.get(command.component_id)
    expectation = expectation_of(command.domain, command.service, command.arguments, state)
    if not expectation.goals or item_attributes(command.domain):
        return None
    watch = EntityWatch(hass, command.component_id)
    return WatchedCommand(command=command, watch=watch, expectation=expectation)


async def async_command_together(
    hass: HomeAssistant, waits: CommandWaits, watched: Sequence[WatchedCommand], context: Context
) -> list[Outcome]:
    """Send the commands with one service call; return one outcome for each command.

    The commands must differ only in their entity.
    """
    first = watched[0].command
    ids = [each.command.component_id for each in watched]
    name = f"sage {first.domain}.{first.service}"
    work = service_call(hass, first, ids, context)
    call = await async_ended(hass, work, name, waits.call_seconds)
    if call is None or (not call.cancelled() and call.exception() is None):
        return await _async_seen(waits, watched)
    err = asyncio.CancelledError() if call.cancelled() else call.exception()
    assert err is not None
    _LOGGER.debug("%s failed for some of %d entities", first.name, len(ids), exc_info=err)
    seen = await _async_seen(waits, watched)
    unproven = [place for place, each in enumerate(seen) if each.kind in _UNPROVEN]
    for place in unproven:
        # Home Assistant raises a single error without the entity that caused it.
        seen[place] = (
            failed_with(watched[place].command, err)
            if len(unproven) == 1
            else replace(seen[place], detail=f"{seen[place].detail} {_UNKNOWN_ERROR}")
        )
    return seen


async def _async_seen(waits: CommandWaits, watched: Sequence[WatchedCommand]) -> list[Outcome]:
    """Wait for the expected effects or the timeout; return the outcome of each command."""
    outcomes: list[Outcome] = []
    breaks = Breaks()
    for each in watched:
        outcomes.append(_seen(each))
        await breaks.async_take()
    # A value that is only near the wanted one may still change.
    waiting = [
        place for place, each in enumerate(outcomes) if each.kind not in _SEEN or missed(each)
    ]
    await asyncio.gather(*(_async_wait(waits, watched[place]) for place in waiting))
    for place in waiting:
        outcomes[place] = _seen(watched[place])
    return outcomes


def _seen(watched: WatchedCommand) -> Outcome:
    kind = judge(watched.watch, watched.expectation)
    return outcome_seen(watched.command, watched.watch, watched.expectation, kind)


async def _async_wait(waits: CommandWaits, watched: WatchedCommand) -> None:
    seconds = waits.state_seconds + watched.expectation.extra_seconds
    await watched.watch.async_wait(watched.expectation, seconds)
