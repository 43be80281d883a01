"""Websocket commands: read your own traces, answer questions of your routines.

Home Assistant records the data of actions, but not of websocket commands, so an answer may be the
PIN.
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

from ..const import DOMAIN
from ..delivery.open_questions import NoSuchQuestionError, async_answer
from ..routines.api.switch_numbers import routine_id_of
from ..run.runtime import Prefixes


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
    """Send the caller's own traces, newest last."""
    traces: list[dict[str, Any]] = []
    for entry in hass.config_entries.async_loaded_entries(DOMAIN):
        traces += entry.runtime_data.runs.traces(connection.user.id)
    connection.send_result(msg["id"], {"traces": traces})


@websocket_command(
    {
        probatio.Required("type"): "sage/answer_routine",
        probatio.Required("routine"): str,
        # Accept anything: Home Assistant logs values that a schema refuses, and this may be a PIN.
        probatio.Required("answer"): object,
    }
)
@async_response
async def _async_answer_routine(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
) -> None:
    """Answer a question of a routine of the caller or the household; it may be the PIN."""
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
    """Send the progress of evaluating prefixes, for each agent that evaluates them in advance."""
    prefixes: list[Prefixes] = []
    for entry in hass.config_entries.async_entries(
        DOMAIN, include_ignore=False, include_disabled=False
    ):
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
