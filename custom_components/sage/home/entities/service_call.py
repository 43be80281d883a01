"""Call the service of a command for one or several entities."""

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from typing import Any, Final

from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import Unauthorized
from homeassistant.helpers import entity_registry as er

from ..commands.pipeline import FAILED_ERROR, REFUSED_NOT_PERMITTED
from ..home_types import Outcome, OutcomeKind
from .entity_commands import PreparedCommand
from .restoring import Restoration, async_restore

_LOGGER = logging.getLogger(__name__)

_NO_DICTIONARY: Final = "service_reponse_invalid"
"""Translation key of Home Assistant's error about a response that is no dictionary."""


def service_call(
    hass: HomeAssistant,
    step: PreparedCommand,
    entity_ids: Sequence[str],
    context: Context,
    *,
    answer: bool,
) -> Coroutine[Any, Any, Any]:
    """Return the coroutine that calls the service of a step, with its response if `answer`.

    Only the action of the script itself, `script.<name>`, returns a response; `script.turn_on`
    does not wait for the end of the script.
    """
    if isinstance(step, Restoration):
        return async_restore(hass, step.state, context)
    service, data = step.service, dict(step.arguments)
    target: dict[str, Any] | None = {
        "entity_id": [*entity_ids] if len(entity_ids) > 1 else entity_ids[0]
    }
    if step.is_script and answer:
        # The name of the action stays if the entity id changes.
        entry = er.async_get(hass).async_get(step.component_id)
        service = entry.unique_id if entry else step.component_id.partition(".")[2]
        target = None
    elif step.is_script and data:
        data = {"variables": data}
    return hass.services.async_call(
        step.domain,
        service,
        data,
        blocking=True,
        context=context,
        target=target,
        return_response=answer,
    )


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


def error_of(call: asyncio.Task[Any]) -> BaseException | None:
    """Return the error with which a finished call ended; None after success."""
    return asyncio.CancelledError("It was cancelled.") if call.cancelled() else call.exception()


def failed(step: PreparedCommand, err: BaseException) -> Outcome:
    """Return the outcome of a command whose service call raised `err`.

    `REFUSED` if the person lacks the permission in Home Assistant, else `FAILED`.
    """
    if isinstance(err, Unauthorized):
        return step.outcome(
            OutcomeKind.REFUSED,
            "Home Assistant refused it: this person lacks the permission.",
            reason=REFUSED_NOT_PERMITTED,
        )
    if getattr(err, "translation_key", None) == _NO_DICTIONARY:
        return step.outcome(
            OutcomeKind.SENT, "It ran. Its answer is no dictionary, so it cannot be passed on."
        )
    _LOGGER.debug("%s failed", step.name, exc_info=err)
    text = str(err) or type(err).__name__
    return step.outcome(
        OutcomeKind.FAILED,
        f"Home Assistant says: {text}",
        reason=FAILED_ERROR,
        reason_placeholders={"error": text.rstrip(".")},
    )
