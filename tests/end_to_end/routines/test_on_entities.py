"""Persistent commands about the entities of Home Assistant."""

import pytest

from .acts import the_next_time, whenever
from .clock import Clock
from .household import Household
from .stories import NAMES, stories

STORIES = stories("entities")


@pytest.mark.parametrize("name", NAMES)
async def test_whenever(household: Household, clock: Clock, name: str) -> None:
    await whenever(household, STORIES[name], clock)


@pytest.mark.parametrize("name", ["milk", "garage"])
async def test_the_next_time(household: Household, clock: Clock, name: str) -> None:
    await the_next_time(household, STORIES[name], clock)
