"""Answers over the websocket, which may be a PIN: nothing records them."""

from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import async_capture_events
from pytest_homeassistant_custom_component.typing import WebSocketGenerator

from ..attacker import has_number
from ..conftest import Sage
from .phone import async_token
from .routine import PIN, ROUTINE_ID, Fires, commands, routine_of, state


class Socket:
    """Somebody who is signed in and sends commands."""

    def __init__(self, client: Any) -> None:
        self._client = client

    async def answer(self, answer: Any, routine: str = ROUTINE_ID) -> dict[str, Any]:
        """Answer a routine; return what comes back."""
        await self._client.send_json_auto_id(
            {"type": "sage/answer_routine", "routine": routine, "answer": answer}
        )
        got: dict[str, Any] = await self._client.receive_json()
        return got


@pytest.fixture
async def annas(hass: HomeAssistant, user: User, hass_ws_client: WebSocketGenerator) -> Socket:
    assert await async_setup_component(hass, "websocket_api", {})
    return Socket(await hass_ws_client(hass, await async_token(hass, user)))


@pytest.fixture
async def bens(hass: HomeAssistant, other: User, hass_ws_client: WebSocketGenerator) -> Socket:
    assert await async_setup_component(hass, "websocket_api", {})
    return Socket(await hass_ws_client(hass, await async_token(hass, other)))


async def test_the_websocket_takes_it_and_no_event_has_it(
    hass: HomeAssistant, secured: Sage, annas: Socket
):
    events = async_capture_events(hass, "*")
    commands(secured, "front_door", command="unlock", answer="The front door is unlocked.")
    fires = Fires(secured)
    running = fires.begin(routine_of(None, "unlock the front door"))
    await fires.async_asked("PIN")

    assert (await annas.answer(PIN))["success"]

    assert (await running).answer == "The front door is unlocked."
    assert state(hass) == "unlocked"
    assert events
    assert not has_number(str([each.data for each in events]), PIN)
    assert not has_number(str([each.body for each in secured.server.completions]), PIN)


async def test_only_ones_own_questions_are_answered_there(
    secured: Sage, user: User, annas: Socket, bens: Socket, caplog: pytest.LogCaptureFixture
):
    commands(secured, "front_door", command="unlock", answer="The front door is unlocked.")
    fires = Fires(secured)
    running = fires.begin(routine_of(user, "unlock the front door"))
    question = await fires.async_asked()
    caplog.clear()

    refused = [
        await bens.answer("yes"),
        await bens.answer(PIN),
        await annas.answer(PIN, routine="another"),
        await annas.answer("  "),
        await annas.answer(int(PIN), routine="another"),
    ]

    assert [each["error"]["code"] for each in refused] == ["not_found"] * 5
    assert not has_number(str(refused), PIN)
    assert not any(PIN in each.getMessage() for each in caplog.records if each.levelno >= 30)
    assert not question.reply.done()
    assert (await annas.answer("yes"))["success"]
    assert not (await running).is_failure
