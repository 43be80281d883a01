"""Browsers of people that call websocket commands."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.typing import WebSocketGenerator

type Call = Callable[..., Awaitable[dict[str, Any]]]


@pytest.fixture
def call(hass: HomeAssistant, hass_ws_client: WebSocketGenerator) -> Call:
    """Send a websocket command as a user; return the whole answer."""

    async def send(user: User, command: str, **fields: Any) -> dict[str, Any]:
        login = await hass.auth.async_create_refresh_token(user, client_id="http://localhost/")
        client = await hass_ws_client(hass, hass.auth.async_create_access_token(login))
        await client.send_json_auto_id({"type": command, **fields})
        answer: dict[str, Any] = await client.receive_json()
        await client.close()
        return answer

    return send


async def send(call: Call, user: User, name: str, /, **data: Any) -> dict[str, Any]:
    """Send a command of the page (`view/name`) or an action of SAGE; return the whole answer."""
    if "/" in name:
        return await call(user, f"sage/{name}", data=data)
    return await call(user, "sage/action", action=name, data=data)


async def ask(call: Call, user: User, name: str, /, **data: Any) -> Any:
    """Send a command of the page or an action of SAGE; return its result."""
    answer = await send(call, user, name, **data)
    assert answer["success"], answer
    return answer["result"]
