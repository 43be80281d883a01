"""SAGE in a home without devices, and people who use it: fixtures for all tests."""

import pytest
from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_USER
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant

from benchmark.fake_model_server import FakeModelServer
from tests.end_to_end.conftest import Sage, async_make_sage


@pytest.fixture
async def sage(hass: HomeAssistant, model_server: FakeModelServer) -> Sage:
    return await async_make_sage(hass, model_server)


@pytest.fixture
async def anna(hass: HomeAssistant) -> User:
    return await hass.auth.async_create_user("Anna", group_ids=[GROUP_ID_USER])


@pytest.fixture
async def ben(hass: HomeAssistant) -> User:
    """Somebody else without special permissions."""
    return await hass.auth.async_create_user("Ben", group_ids=[GROUP_ID_USER])


@pytest.fixture
async def admin(hass: HomeAssistant) -> User:
    return await hass.auth.async_create_user("Ada", group_ids=[GROUP_ID_ADMIN])
