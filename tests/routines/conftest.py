"""The house of the stories about routines."""

from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant

from .house import DOOR, LIGHT, House


@pytest.fixture
async def house(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory, tmp_path: Path
) -> AsyncGenerator[House]:
    """A house on a day in June, with the door closed and the light off."""
    freezer.move_to(datetime(2026, 6, 1, 10, tzinfo=UTC))
    hass.states.async_set(DOOR, "off")
    hass.states.async_set(LIGHT, "off")
    house = House(hass, freezer, tmp_path / "routines.db")
    await house.async_start()
    yield house
    await house.routines.async_close()


@pytest.fixture
async def numbers(house: House) -> House:
    """The house with a light whose state is a number, as fragile code takes it for."""
    house.hass.states.async_set(LIGHT, "19")
    return house
