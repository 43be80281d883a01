"""Calls of Home Assistant's services: for one entity, or for several at once (DESIGN 5)."""

import asyncio
import logging
from collections.abc import Collection, Coroutine, Mapping
from traceback import walk_tb
from typing import Any, Final

import probatio
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import ServiceNotSupported, Unauthorized
from homeassistant.helpers.entity_component import EntityComponent

from ..commands.prepared_command import PreparedCommand

_LOGGER = logging.getLogger(__name__)

_HELPER: Final = "homeassistant.helpers.service"
_COLLECTOR: Final = "_async_handle_entity_calls"
"""The function of Home Assistant's helper that runs a call on several entities.

It waits for all entities and raises only the first error, although others may have failed, too.
"""


def service_call(
    hass: HomeAssistant,
    command: PreparedCommand,
    target: str | list[str],
    context: Context,
    *,
    answer: bool = False,
) -> Coroutine[Any, Any, Any]:
    """Return the call of the command's service for one entity or several."""
    return hass.services.async_call(
        command.domain,
        command.service,
        dict(command.arguments),
        blocking=True,
        context=context,
        target={"entity_id": target},
        return_response=answer,
    )


async def async_ended(
    hass: HomeAssistant, work: Coroutine[Any, Any, Any], name: str, seconds: float
) -> asyncio.Task[Any] | None:
    """Return the call when it has ended; None if it takes longer than `seconds`.

    It is left to itself then: to cancel it would stop a script halfway.
    """
    call = hass.async_create_task(work, name)
    if not call.done():
        await asyncio.wait({call}, timeout=seconds)
    if call.done():
        return call
    call.add_done_callback(_note_late_end)
    return None


def reached_no_entity(
    hass: HomeAssistant, command: PreparedCommand, entity_ids: Collection[str], err: BaseException
) -> bool:
    """Return whether the error proves that a call for these entities has reached none of them.

    Home Assistant checks data, permissions and features of all entities before it begins. An
    error of the same type may also come from a call that an entity has made: only one about
    these very entities is a proof.
    """
    if isinstance(err, Unauthorized):
        return err.entity_id in entity_ids
    if isinstance(err, ServiceNotSupported):
        named = err.translation_placeholders or {}
        is_same = (err.domain, err.service) == (command.domain, command.service)
        return is_same and named.get("entity_id") in entity_ids
    return isinstance(err, probatio.Invalid) and not _is_valid(hass, command, entity_ids)


def errors_by_entity(err: BaseException) -> Mapping[str, BaseException]:
    """Return entity id -> its error, after a call for several; empty where that is not known.

    Home Assistant raises the first error only; its traceback leads to all of them.
    """
    for frame, _ in walk_tb(err.__traceback__):
        if frame.f_code.co_qualname == _COLLECTOR and frame.f_globals["__name__"] == _HELPER:
            found = frame.f_locals
            entities, results = found.get("entities") or (), found.get("results") or ()
            return {
                entity.entity_id: result
                for entity, result in zip(entities, results, strict=False)
                if isinstance(result, BaseException)
            }
    return {}


async def async_poll(hass: HomeAssistant, entity_id: str) -> None:
    """Update an entity that Home Assistant polls.

    It does so itself after a call for several entities, but not if one of them failed.
    """
    component = hass.data.get(entity_id.partition(".")[0])
    entity = component.get_entity(entity_id) if isinstance(component, EntityComponent) else None
    if entity is not None and entity.should_poll:
        await entity.async_update_ha_state(force_refresh=True)


def _is_valid(hass: HomeAssistant, command: PreparedCommand, entity_ids: Collection[str]) -> bool:
    service = hass.services.async_services_for_domain(command.domain).get(command.service)
    if service is None or service.schema is None:
        return True
    try:
        service.schema({**command.arguments, "entity_id": [*entity_ids]})
    except probatio.Invalid:
        return False
    return True


def _note_late_end(call: asyncio.Task[Any]) -> None:
    if not call.cancelled() and (err := call.exception()) is not None:
        _LOGGER.warning("A command that took long failed in the end: %s", err)
