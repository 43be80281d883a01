"""Persistent commands about SmartThings: its raw attributes, and its entities."""

import pytest

from .acts import the_next_time, whenever
from .clock import Clock
from .household import Household
from .stories import NAMES, stories

STORIES = stories("smartthings")


@pytest.mark.parametrize("name", [name for name in NAMES if name != "garage"])
async def test_whenever(smart_household: Household, smart_clock: Clock, name: str) -> None:
    await whenever(smart_household, STORIES[name], smart_clock)
    assert "raw:" in str(smart_household.watched().routine.bindings)


async def test_garage(large_household: Household, large_clock: Clock) -> None:
    """The paper's home has none. What an entity tells is not asked of the cloud."""
    await whenever(large_household, STORIES["garage"], large_clock)
    assert "raw:" not in str(large_household.watched().routine.bindings)


async def test_the_next_time(smart_household: Household, smart_clock: Clock) -> None:
    await the_next_time(smart_household, STORIES["milk"], smart_clock)
