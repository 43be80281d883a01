"""SAGE in a home without devices, with routines that tests move, and people who see them."""

from collections.abc import AsyncGenerator, Awaitable, Callable

import pytest
from homeassistant.core import HomeAssistant

from benchmark.fake_model_server import FakeModelServer
from tests.end_to_end.conftest import Sage, async_make_sage
from tests.routine_house import FakeRoutines, admin, anna, ben, show

__all__ = ["admin", "anna", "ben"]


@pytest.fixture
async def routines(hass: HomeAssistant) -> AsyncGenerator[FakeRoutines]:
    """The routines of the home; those added before `sage` are there from the start."""
    routines = FakeRoutines(hass)
    yield routines
    await routines.sandbox.async_close()


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch, routines: FakeRoutines) -> None:
    """Have SAGE show these routines."""
    show(monkeypatch, routines)


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
    return await load()
