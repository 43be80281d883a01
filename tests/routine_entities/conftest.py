"""SAGE in a home without devices, with routines that tests move, and people who see them."""

from collections.abc import Awaitable, Callable

import pytest
from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_USER
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant

import custom_components.sage as integration
from benchmark.fake_model_server import FakeModelServer
from tests.end_to_end.conftest import Sage, async_make_sage
from tests.routine_house import FakeRoutines


@pytest.fixture
async def admin(hass: HomeAssistant) -> User:
    """An administrator; the first user of a home is always one."""
    return await hass.auth.async_create_user("Ada", group_ids=[GROUP_ID_ADMIN])


@pytest.fixture
async def anna(hass: HomeAssistant, admin: User) -> User:
    """Somebody without special permissions."""
    return await hass.auth.async_create_user("Annegret", group_ids=[GROUP_ID_USER])


@pytest.fixture
async def ben(hass: HomeAssistant, admin: User) -> User:
    """Somebody else without special permissions."""
    return await hass.auth.async_create_user("Benedikt", group_ids=[GROUP_ID_USER])


@pytest.fixture
def routines() -> FakeRoutines:
    """The routines of the home; those added before `sage` are there from the start."""
    return FakeRoutines()


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch, routines: FakeRoutines) -> None:
    """Have SAGE show these routines."""
    monkeypatch.setattr(integration, "Routines", lambda: routines)
    monkeypatch.setattr(integration, "PLATFORMS", ["conversation", "switch", "event"])


@pytest.fixture
def load(
    hass: HomeAssistant, model_server: FakeModelServer, shown: None
) -> Callable[[], Awaitable[Sage]]:
    """Load SAGE in a home without devices, with the routines that are there by then."""

    async def load() -> Sage:
        return await async_make_sage(hass, model_server)

    return load


@pytest.fixture
async def sage(load: Callable[[], Awaitable[Sage]]) -> Sage:
    """SAGE, loaded before there are routines."""
    return await load()
