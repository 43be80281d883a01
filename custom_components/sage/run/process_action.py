"""The action `sage.process`: a sentence of an automation, which may contain text from outside."""

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Final

import probatio
from homeassistant.components.conversation import async_converse
from homeassistant.core import Context, ServiceResponse
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers import entity_registry as er

from .service_caller import ActionRequest, SageAction, refusal

UNTRUSTED: Final = ContextVar("sage_untrusted", default=False)
"""Whether the utterance that an agent gets now may contain text from outside the home."""


async def _async_process(request: ActionRequest) -> ServiceResponse:
    """Pass the sentence to an agent; return the result like `conversation.process`.

    An untrusted sentence is processed for the household, in a conversation of its own. Raises
    ServiceValidationError if the agent is not one of SAGE.
    """
    hass, call, data = request.hass, request.call, request.data
    rows = er.async_entries_for_config_entry(er.async_get(hass), request.entry.entry_id)
    agents = [row.entity_id for row in rows if row.domain == "conversation"]
    agent = data.get("agent_id") or next(iter(agents), None)
    if agent not in agents:
        raise refusal("no_such_agent")
    is_untrusted = data["untrusted"]
    token = UNTRUSTED.set(is_untrusted)
    try:
        result = await async_converse(
            hass,
            data["text"],
            None,
            Context(parent_id=call.context.id) if is_untrusted else call.context,
            language=data.get("language"),
            agent_id=agent,
        )
    finally:
        UNTRUSTED.reset(token)
    return result.as_dict()


PROCESS_SERVICES: Final[Mapping[str, SageAction]] = {
    "process": SageAction(
        handle=_async_process,
        fields={
            probatio.Required("text"): cv.string,
            probatio.Optional("untrusted", default=False): cv.boolean,
            probatio.Optional("agent_id"): cv.entity_id,
            probatio.Optional("language"): cv.string,
        },
    )
}
