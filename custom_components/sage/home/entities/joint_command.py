"""Send one command to several entities with one service call, and verify each entity."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Final

from homeassistant.core import Context, HomeAssistant

from ...helpers.slices import Breaks
from ..commands.changed_since import missed
from ..commands.expectation import Expectation
from ..commands.pipeline import CommandWaits
from ..home_types import Outcome, OutcomeKind
from ..values import item_attributes
from .entity_commands import PreparedCommand
from .expected_effect import expectation_of
from .service_call import (
    EntityWatch,
    async_ended,
    failed_with,
    judge,
    outcome_seen,
    service_call,
)

_LOGGER = logging.getLogger(__name__)

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
