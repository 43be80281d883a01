"""People who call SAGE's actions, in a home with a real memory."""

from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError
from pytest_homeassistant_custom_component.typing import WebSocketGenerator

from custom_components.sage.const import DOMAIN
from custom_components.sage.memory.memories import Memory
from custom_components.sage.memory.person_memory import PersonMemory
from custom_components.sage.people.person import Person
from custom_components.sage.run.runtime import SageConfigEntry


async def call(
    hass: HomeAssistant, action: str, caller: User | None = None, /, **fields: Any
) -> dict[str, Any]:
    """Call an action as a user, or as an automation without user; return its response."""
    response = await hass.services.async_call(
        DOMAIN,
        action,
        fields,
        blocking=True,
        return_response=True,
        context=Context(user_id=caller.id if caller is not None else None),
    )
    assert response is not None
    return dict(response)


async def async_caller(
    hass: HomeAssistant, hass_ws_client: WebSocketGenerator, user: User
) -> Callable[..., Awaitable[dict[str, Any]]]:
    """Sign a user in; return a function that calls an action over their websocket."""
    login = await hass.auth.async_create_refresh_token(user, client_id="https://example.com")
    client = await hass_ws_client(hass, hass.auth.async_create_access_token(login))

    async def send(action: str, **fields: Any) -> dict[str, Any]:
        await client.send_json_auto_id(
            {
                "type": "call_service",
                "domain": DOMAIN,
                "service": action,
                "service_data": fields,
                "return_response": True,
            }
        )
        answer: dict[str, Any] = await client.receive_json()
        return answer

    return send


async def remember(hass: HomeAssistant, caller: User | None, *texts: str) -> list[int]:
    """Have SAGE remember texts; return their ids."""
    return [(await call(hass, "remember", caller, text=text))["id"] for text in texts]


async def texts(hass: HomeAssistant, caller: User | None) -> list[str]:
    """Return the texts that SAGE remembers of a user, oldest first."""
    listed = await call(hass, "list_memories", caller, count=500)
    return [each["text"] for each in reversed(listed["memories"])]


def person_of(user: User | None) -> Person:
    """Return the person of a user; the household for None."""
    return Person(user_id=user.id if user is not None else None, name="")


async def said_at(
    entry: SageConfigEntry, user: User | None, pairs: Iterable[tuple[datetime, str]]
) -> list[int]:
    """Remember texts that were said at other times; return their ids."""
    memory = entry.runtime_data.memory
    return [
        (await memory.async_do(person_of(user), PersonMemory.add, Memory(text=text, at=at))).id
        for at, text in pairs
    ]


async def refused(
    hass: HomeAssistant, action: str, caller: User | None = None, /, **fields: Any
) -> str:
    """Call an action that raises an error; return the error's translation key."""
    with pytest.raises(ServiceValidationError) as caught:
        await call(hass, action, caller, **fields)
    return key_of(caught.value)


def key_of(error: HomeAssistantError) -> str:
    """Return the translation key of an error that has an English text."""
    assert error.translation_domain == DOMAIN
    assert error.translation_key
    assert len(str(error).split()) > 3
    assert "{" not in str(error)
    return error.translation_key
