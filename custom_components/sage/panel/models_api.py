"""Websocket commands of the panel's Models view; only for administrators."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

import probatio
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers import entity_registry as er

from ..config import (
    Connection,
    agent_connection,
    decision_format,
    second_connection,
    second_id,
)
from ..const import CONF_PRICES
from ..model import usage_of
from ..run import ActionRequest, SageAction, refusal

_DAYS: Final = 30
_HIGHEST_PRICE: Final = 100_000.0


async def _async_list(request: ActionRequest) -> dict[str, Any]:
    """Return each agent with its model, price and daily usage; likewise its second model."""
    rows: list[dict[str, Any]] = []
    for agent_id, agent in request.entry.runtime_data.agents.items():
        data = request.entry.subentries[agent_id].data
        row = partial(_row, request, agent.settings.name)
        rows.append(row(agent_id, agent_connection(request.entry, data), data))
        if (second := second_connection(request.entry, data)) is not None:
            rows.append(row(second_id(agent_id), second, {}))
    return {
        "agents": rows,
        "currency": request.hass.config.currency,
    }


def _row(
    request: ActionRequest,
    name: str,
    agent_id: str,
    connection: Connection,
    settings: Mapping[str, Any],
) -> dict[str, Any]:
    used = usage_of(request.hass).of(agent_id, request.data["days"])
    return {
        "id": agent_id,
        "name": name,
        "model": connection.model,
        "server": _place(request, connection),
        "format": decision_format(connection, settings),
        "formats": list(connection.formats),
        "price": request.entry.options.get(CONF_PRICES, {}).get(agent_id),
        "days": [{"day": day.isoformat(), **asdict(each)} for day, each in used.items()],
    }


def _place(request: ActionRequest, connection: Connection) -> str | None:
    """Return the host name of the model's server, or the id of the AI Task entity."""
    if connection.ai_task:
        return er.async_resolve_entity_id(er.async_get(request.hass), connection.ai_task)
    # Omit user name, path and query of the URL, because these may be secret.
    return urlsplit(connection.base_url).hostname


async def _async_set_price(request: ActionRequest) -> None:
    """Store the price per million tokens of an agent's model; without prices, delete the entry."""
    agent_id, data = request.data["agent"], request.data
    agents = request.entry.runtime_data.agents
    seconds = {second_id(own) for own, agent in agents.items() if agent.second_model is not None}
    if agent_id not in agents and agent_id not in seconds:
        raise refusal("unknown_agent")
    prices = dict(request.entry.options.get(CONF_PRICES, {}))
    prices.pop(agent_id, None)
    given = {kind: data[kind] for kind in ("input", "cached", "output") if kind in data}
    if given:
        prices[agent_id] = given
    options = {**request.entry.options, CONF_PRICES: prices}
    request.hass.config_entries.async_update_entry(request.entry, options=options)


_PRICE: Final = probatio.All(probatio.Coerce(float), probatio.Range(min=0, max=_HIGHEST_PRICE))

MODEL_COMMANDS: Final[Mapping[str, SageAction]] = {
    "models/list": SageAction(
        handle=_async_list,
        fields={
            probatio.Optional("days", default=_DAYS): probatio.All(
                cv.positive_int, probatio.Range(min=1)
            )
        },
        needs_admin=True,
    ),
    "models/set_price": SageAction(
        handle=_async_set_price,
        fields={
            probatio.Required("agent"): cv.string,
            probatio.Optional("input"): _PRICE,
            probatio.Optional("cached"): _PRICE,
            probatio.Optional("output"): _PRICE,
        },
        needs_admin=True,
    ),
}
"""The websocket commands of the Models view, by name."""
