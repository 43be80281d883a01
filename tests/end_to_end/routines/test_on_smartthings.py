"""Persistent commands about SmartThings: its raw attributes, and its entities."""

import pytest

from custom_components.sage.routines.routine_types import Commands

from .acts import goes_off_without_a_model, the_next_time, whenever
from .clock import Clock
from .household import Household
from .stories import NAMES, louder, stories

STORIES = stories("smartthings")


@pytest.mark.parametrize("name", [name for name in NAMES if name != "garage"])
async def test_whenever(smart_household: Household, smart_clock: Clock, name: str) -> None:
    await whenever(smart_household, STORIES[name], smart_clock)
    assert "smartthings:" in str(smart_household.watched().routine.bindings)


@pytest.mark.parametrize("name", ["nightstand", "lamp", "milk"])
async def test_with_the_model_server_stopped(smart_household: Household, name: str) -> None:
    await goes_off_without_a_model(smart_household, STORIES[name])


async def test_raw_command_with_the_model_server_stopped(smart_household: Household) -> None:
    """A command of the cloud that no entity has is stored with its component and capability."""
    await goes_off_without_a_model(smart_household, louder("smartthings"))
    action = smart_household.watched().routine.action
    assert isinstance(action, Commands)
    (command,) = action.commands
    assert command.target.startswith("device:")
    assert (command.component, command.capability) == ("main", "audioVolume")


async def test_garage(large_household: Household, large_clock: Clock) -> None:
    """The paper's home has none. The cloud is not asked for values that an entity has."""
    await whenever(large_household, STORIES["garage"], large_clock)
    assert "smartthings:" not in str(large_household.watched().routine.bindings)


async def test_the_next_time(smart_household: Household, smart_clock: Clock) -> None:
    await the_next_time(smart_household, STORIES["milk"], smart_clock)
