"""Persistent commands about the entities of Home Assistant."""

from datetime import UTC, datetime, timedelta

import pytest
from homeassistant.const import SUN_EVENT_SUNSET
from homeassistant.helpers.sun import get_astral_event_next
from homeassistant.util import dt as dt_util

from .acts import asked_for, goes_off_without_a_model, the_next_time, whenever
from .clock import Clock
from .household import Household
from .stories import NAMES, stories

STORIES = stories("entities")


@pytest.mark.parametrize("name", NAMES)
async def test_whenever(household: Household, clock: Clock, name: str) -> None:
    await whenever(household, STORIES[name], clock)


@pytest.mark.parametrize("name", ["nightstand", "lamp", "milk"])
async def test_with_the_model_server_stopped(household: Household, name: str) -> None:
    await goes_off_without_a_model(household, STORIES[name])


@pytest.mark.parametrize("name", ["milk", "garage"])
async def test_the_next_time(household: Household, clock: Clock, name: str) -> None:
    await the_next_time(household, STORIES[name], clock)


@pytest.mark.parametrize("started_at", [datetime(2026, 6, 15, 12, tzinfo=UTC)], indirect=True)
async def test_garage_by_day(household: Household, clock: Clock) -> None:
    """Open in the afternoon is nothing; open ten minutes after the sun is down is."""
    story = STORIES["garage"]
    await asked_for(household, story)
    sunset = get_astral_event_next(household.hass, SUN_EVENT_SUNSET, dt_util.utcnow())
    await household.stays_calm(
        lambda: story.begins(household),
        lambda: clock.pass_by(minutes=15),
        lambda: clock.jump_to(sunset - timedelta(minutes=1)),
        lambda: clock.go_on_until(sunset + timedelta(minutes=9)),
    )
    late = sunset + timedelta(minutes=11.5)
    await household.fires(*story.decides(1), happen=lambda: clock.go_on_until(late))
    assert household.told == [story.tells]
