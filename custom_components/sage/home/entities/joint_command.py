"""One command for several entities: sent by one call, proven for each of them (DESIGN 5).

Where the call fails, each entity has the outcome that it would have had alone. Nothing is
sent twice, unless the error proves that no entity was reached.
"""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Final

from homeassistant.core import Context, HomeAssistant

from ...helpers.slices import Breaks
from ..commands.expectation import Expectation, expectation_of
from ..commands.prepared_command import PreparedCommand, failed_with
from ..commands.waits import CommandWaits
from ..home_types import Outcome, OutcomeKind
from .contents import contents_of
from .service_call import (
    async_ended,
    async_poll,
    errors_by_entity,
    reached_no_entity,
    service_call,
)
from .watch import EntityWatch, judge, outcome_seen

_LOGGER = logging.getLogger(__name__)

_SEEN: Final = frozenset({OutcomeKind.VERIFIED, OutcomeKind.ALREADY})
_UNKNOWN_ERROR: Final = "Home Assistant reports an error, not for which of the devices."


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """The entity of a command from before the call on, and what is to be seen of it."""

    command: PreparedCommand
    watch: EntityWatch
    expectation: Expectation


async def async_sights(
    hass: HomeAssistant, commands: Sequence[PreparedCommand], closing: ExitStack
) -> list[Sight]:
    """Return those of the commands that the state of their entity proves, whatever else happens.

    `closing` ends their watches.
    """
    sights: list[Sight] = []
    breaks = Breaks()
    for command in commands:
        if (sight := _sight(hass, command)) is not None:
            closing.callback(sight.watch.close)
            sights.append(sight)
        await breaks.async_take()
    return sights


def _sight(hass: HomeAssistant, command: PreparedCommand) -> Sight | None:
    state = hass.states.get(command.component_id)
    expectation = expectation_of(command.domain, command.service, command.arguments, state)
    if not expectation.goals or contents_of(command.domain):
        return None
    watch = EntityWatch(hass, command.component_id)
    return Sight(command=command, watch=watch, expectation=expectation)


async def async_command_together(
    hass: HomeAssistant, waits: CommandWaits, sights: Sequence[Sight], context: Context
) -> list[Outcome] | None:
    """Send a command to several entities at once, and return what became of each.

    All commands are alike but for the entity. Returns None if no entity was reached: then
    each command may be sent by itself.
    """
    first = sights[0].command
    ids = [each.command.component_id for each in sights]
    name = f"sage {first.domain}.{first.service}"
    work = service_call(hass, first, ids, context)
    call = await async_ended(hass, work, name, waits.call_seconds)
    if call is None or (not call.cancelled() and call.exception() is None):
        return await _async_seen(waits, sights)
    err = asyncio.CancelledError() if call.cancelled() else call.exception()
    assert err is not None
    if reached_no_entity(hass, first, ids, err):
        return None
    _LOGGER.debug("%s failed for some of %d entities", first.name, len(ids), exc_info=err)
    errors = errors_by_entity(err)
    others = [each for each in sights if each.command.component_id not in errors]
    await asyncio.gather(*(async_poll(hass, each.command.component_id) for each in others))
    seen = iter(await _async_seen(waits, others))
    if not errors:
        return [_with_unknown_error(each) for each in seen]
    return [
        failed_with(each.command, error)
        if (error := errors.get(each.command.component_id)) is not None
        else next(seen)
        for each in sights
    ]


async def _async_seen(waits: CommandWaits, sights: Sequence[Sight]) -> list[Outcome]:
    """Return what the evidence says of each command, when it is there or the time is over."""
    outcomes: list[Outcome] = []
    breaks = Breaks()
    for each in sights:
        outcomes.append(_seen(each))
        await breaks.async_take()
    waiting = [place for place, each in enumerate(outcomes) if each.kind not in _SEEN]
    await asyncio.gather(*(_async_wait(waits, sights[place]) for place in waiting))
    for place in waiting:
        outcomes[place] = _seen(sights[place])
    return outcomes


def _seen(sight: Sight) -> Outcome:
    kind = judge(sight.watch, sight.expectation)
    return outcome_seen(sight.command, sight.watch, sight.expectation, kind)


async def _async_wait(waits: CommandWaits, sight: Sight) -> None:
    seconds = waits.state_seconds + sight.expectation.extra_seconds
    await sight.watch.async_wait(sight.expectation, seconds)


def _with_unknown_error(outcome: Outcome) -> Outcome:
    if outcome.kind is not OutcomeKind.NOT_CONFIRMED:
        return outcome
    return replace(outcome, detail=f"{outcome.detail} {_UNKNOWN_ERROR}")
