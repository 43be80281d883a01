"""What a person may do over the websocket: read their own traces, answer their routines.

Unlike what an action is given, what comes this way is not recorded by Home Assistant.
"""

from dataclasses import asdict
from typing import Any

import probatio
from homeassistant.components.websocket_api import async_register_command
from homeassistant.components.websocket_api.connection import ActiveConnection
from homeassistant.components.websocket_api.const import ERR_NOT_FOUND
from homeassistant.components.websocket_api.decorators import async_response, websocket_command
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant, callback

from .const import DOMAIN
from .delivery.open_questions import NoSuchQuestionError, async_answer
from .routine_access.switches import routine_id_of
from .runtime import Prefixes


def async_register_websocket(hass: HomeAssistant) -> None:
    """Register the commands."""
    async_register_command(hass, _async_traces)
    async_register_command(hass, _async_answer_routine)
    async_register_command(hass, _prefixes)


@websocket_command({probatio.Required("type"): "sage/traces"})
@async_response
async def _async_traces(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
) -> None:
    """Send the caller's own traces, newest last; nobody sees another person's."""
    traces: list[dict[str, Any]] = []
    for entry in hass.config_entries.async_loaded_entries(DOMAIN):
        traces += entry.runtime_data.runs.traces(connection.user.id)
    connection.send_result(msg["id"], {"traces": traces})


@websocket_command(
    {
        probatio.Required("type"): "sage/answer_routine",
        probatio.Required("routine"): str,
        # Whatever it is: Home Assistant logs what a schema does not take, and it may be a PIN.
        probatio.Required("answer"): object,
    }
)
@async_response
async def _async_answer_routine(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
) -> None:
    """Answer what a routine of the caller asks, or one of the household; it may be the PIN."""
    named = routine_id_of(hass, msg["routine"])
    try:
        await async_answer(hass, connection.user.id, named, str(msg["answer"]))
    except NoSuchQuestionError:
        connection.send_error(msg["id"], ERR_NOT_FOUND, "No such question waits for your answer.")
    else:
        connection.send_result(msg["id"])


@websocket_command({probatio.Required("type"): "sage/prefixes"})
@callback
def _prefixes(hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]) -> None:
    """Send, for each agent whose prefixes are evaluated ahead, how far that is."""
    prefixes: list[Prefixes] = []
    for entry in hass.config_entries.async_entries(DOMAIN, include_disabled=False):
        if entry.state is not ConfigEntryState.LOADED:
            prefixes.append(Prefixes())
            continue
        runtime = entry.runtime_data
        prefixes += [
            runtime.prefixes.get(agent_id, Prefixes())
            for agent_id, agent in runtime.agents.items()
            if agent.warmed_model is not None
        ]
    connection.send_result(msg["id"], {"prefixes": [asdict(each) for each in prefixes]})
