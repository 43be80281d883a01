"""A home whose routines fire, with phones of two people."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator, WebSocketGenerator

from custom_components.sage.people.pin import hash_pin

from ..conftest import MakeSage, Sage
from ..doors.voice import async_place
from .phone import Phone, PushServer, async_token
from .routine import PIN, Fires
from .voice import AskingBox

type MakeBox = Callable[[], Awaitable[AskingBox]]
type Owns = Callable[[User, str], Awaitable[Phone]]


@pytest.fixture
def fires(sage: Sage) -> Fires:
    return Fires(sage)


@pytest.fixture
async def secured(hass: HomeAssistant, make_sage: MakeSage) -> Sage:
    """SAGE with a PIN."""
    pin_hash = await hass.async_add_executor_job(hash_pin, PIN)
    sage: Sage = await make_sage(options={"pin_hash": pin_hash})
    return sage


@pytest.fixture
async def push(socket_enabled: None) -> AsyncGenerator[PushServer]:
    async with PushServer() as server:
        yield server


@pytest.fixture
async def owns_phone(
    hass: HomeAssistant, push: PushServer, hass_client: ClientSessionGenerator
) -> Owns:
    for domain in ("api", "mobile_app", "notify"):
        assert await async_setup_component(hass, domain, {})
    await hass.async_block_till_done()

    async def owns(user: User, name: str) -> Phone:
        client = await hass_client(await async_token(hass, user))
        phone = Phone(hass, push, client, f"token-of-{name}-of-{user.name}")
        await phone.async_register(name)
        return phone

    return owns


@pytest.fixture
async def phone(owns_phone: Owns, user: User) -> Phone:
    return await owns_phone(user, "Pixel")


@pytest.fixture
def make_box(hass: HomeAssistant, hass_ws_client: WebSocketGenerator, tmp_path: Path) -> MakeBox:
    """Put a voice box into the kitchen that can speak and ask by itself."""

    async def make() -> AskingBox:
        return await async_place(AskingBox(hass), hass_ws_client, tmp_path)

    return make
