"""Persistent commands in the two nights of the year in which the clocks are changed."""

from datetime import datetime, timedelta

import pytest

from .acts import asked_for, goes_off, is_over, stays_so
from .clock import AUTUMN, SPRING, Clock
from .household import Household
from .stories import NAMES, Story, stories

BEFORE = timedelta(minutes=20)
NIGHTS = pytest.mark.parametrize(
    ("started_at", "changes_at"),
    [(SPRING - BEFORE, SPRING), (AUTUMN - BEFORE, AUTUMN)],
    ids=["spring", "autumn"],
    indirect=["started_at"],
)


async def across(
    household: Household, told: list[Story], clock: Clock, changes_at: datetime
) -> None:
    """Create all routines before the clocks change, and trigger them after it."""
    for story in told:
        await asked_for(household, story)
    offset = clock.local.utcoffset()
    await household.stays_calm(lambda: clock.go_on_until(changes_at + timedelta(minutes=1)))
    assert clock.local.utcoffset() != offset
    for story in told:
        for times in (1, 2):
            await goes_off(household, story, clock, times)
            await is_over(household, story, clock)


@NIGHTS
async def test_on_entities(household: Household, clock: Clock, changes_at: datetime) -> None:
    # Of the two that are about the dishwasher, one begins where the other ends.
    told = [stories("entities")[name] for name in NAMES if name != "volume"]
    await across(household, told, clock, changes_at)


@NIGHTS
async def test_on_smartthings(
    smart_household: Household, smart_clock: Clock, changes_at: datetime
) -> None:
    told = [stories("smartthings")[name] for name in NAMES if name not in {"volume", "garage"}]
    await across(smart_household, told, smart_clock, changes_at)


@NIGHTS
async def test_what_is_true_stays_true(
    household: Household, clock: Clock, changes_at: datetime
) -> None:
    """The hour that is missing, or comes twice, is no edge."""
    story = stories("entities")["volume"]
    await asked_for(household, story)
    await goes_off(household, story, clock, 1)
    await household.stays_calm(lambda: clock.go_on_until(changes_at + timedelta(minutes=5)))
    await stays_so(household, story, clock)
    await is_over(household, story, clock)
    await goes_off(household, story, clock, 2)


@NIGHTS
async def test_ten_minutes_are_ten_minutes(
    household: Household, clock: Clock, changes_at: datetime
) -> None:
    """The door is opened four minutes before the change: neither 70 minutes count, nor none."""
    story = stories("entities")["garage"]
    await asked_for(household, story)
    await household.stays_calm(
        lambda: clock.go_on_until(changes_at - timedelta(minutes=4)),
        lambda: story.begins(household),
        lambda: clock.go_on_until(changes_at + timedelta(minutes=5.5)),
    )
    await household.fires(*story.decides(1), happen=lambda: clock.pass_by(minutes=1))
    assert household.told == [story.tells]
