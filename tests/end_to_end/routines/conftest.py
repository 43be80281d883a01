"""SAGE in homes of both kinds at a time that stories set, and what happens there."""

from collections.abc import Iterator

import pytest
from freezegun.api import TickingDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

from tests.end_to_end.conftest import Sage
from tests.end_to_end.firing.conftest import owns_phone, push
from tests.end_to_end.smartthings.conftest import (
    cloud,
    homeassistant,
    large_cloud,
    large_sage,
    large_smartthings,
    make_smart_sage,
    smart_sage,
    smartthings,
)
from tests.smartthings_home import SmartThings

from .clock import START, ZONE, Clock, time_from
from .household import Household

__all__ = [
    "cloud",
    "homeassistant",
    "large_cloud",
    "large_sage",
    "large_smartthings",
    "make_smart_sage",
    "owns_phone",
    "push",
    "smart_sage",
    "smartthings",
]


@pytest.fixture
def started_at(request: pytest.FixtureRequest) -> Iterator[TickingDateTimeFactory]:
    """The time, from before there is a Home Assistant; `START`, or the parameter."""
    with time_from(getattr(request, "param", START)) as factory:
        yield factory


@pytest.fixture
async def hass(started_at: TickingDateTimeFactory, hass: HomeAssistant) -> HomeAssistant:
    """As for all tests; and the home is in Berlin."""
    assert await async_setup_component(hass, "persistent_notification", {})
    await hass.config.async_update(time_zone=ZONE, latitude=52.52, longitude=13.405)
    return hass


@pytest.fixture
async def household(sage: Sage) -> Household:
    made = Household(sage)
    await made.lives_without_memory()
    return made


@pytest.fixture
async def smart_household(smart_sage: Sage, smartthings: SmartThings) -> Household:
    """The home of the paper, at the cloud."""
    made = Household(smart_sage, smartthings)
    await made.lives_without_memory()
    return made


@pytest.fixture
async def large_household(large_sage: Sage, large_smartthings: SmartThings) -> Household:
    """The large home at the cloud; it has a garage."""
    return Household(large_sage, large_smartthings)


@pytest.fixture
def clock(started_at: TickingDateTimeFactory, household: Household) -> Clock:
    return household.clock(started_at)


@pytest.fixture
def smart_clock(started_at: TickingDateTimeFactory, smart_household: Household) -> Clock:
    return smart_household.clock(started_at)


@pytest.fixture
def large_clock(started_at: TickingDateTimeFactory, large_household: Household) -> Clock:
    return large_household.clock(started_at)
