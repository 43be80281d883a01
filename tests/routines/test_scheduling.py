"""One batch at a time, however much happens."""

from collections.abc import Collection
from datetime import timedelta

import pytest
from homeassistant.util import dt as dt_util

from custom_components.sage.routines.scheduler import Scheduler, next_tick

from .house import DOOR, House


async def test_all_that_is_due_is_stored_at_once(house: House) -> None:
    for _ in range(8):
        await house.async_create()
    await house.async_pass(10)
    commits, commit = [], house.store.async_commit

    async def committing(memos, edges, *args):
        commits.append(len(edges))
        return await commit(memos, edges, *args)

    house.store.async_commit = committing  # type: ignore[method-assign,assignment]
    await house.async_set(DOOR, "on")
    assert commits == [8]
    assert len(house.fired) == 8


async def test_a_fault_in_a_batch_does_not_end_the_watching(house: House) -> None:
    batches: list[Collection[str]] = []

    async def fails(ids: Collection[str]) -> None:
        batches.append(ids)
        raise RuntimeError("a fault of ours")

    scheduler = Scheduler(house.hass, fails)
    scheduler.look_soon("a")
    scheduler.start()
    await house.async_pass(10)
    await house.async_pass(10)
    assert batches == [{"a"}] * 2
    await scheduler.async_stop()
    await house.async_pass(10)
    assert len(batches) == 2


def test_routines_with_the_same_interval_are_evaluated_together() -> None:
    now = dt_util.utc_from_timestamp(1_000_001)
    times = {next_tick(now + timedelta(seconds=late), 30) for late in (0, 5, 15)}
    assert times == {dt_util.utc_from_timestamp(1_000_020)}


async def test_points_in_time(house: House) -> None:
    batches: list[set[str]] = []

    async def note(ids: Collection[str]) -> None:
        batches.append(set(ids))

    scheduler = Scheduler(house.hass, note)
    now = dt_util.utcnow()
    scheduler.set("late", now + timedelta(seconds=60))
    scheduler.start()
    scheduler.set("early", now + timedelta(seconds=30))
    await house.async_pass(30)
    assert batches == [{"early"}]
    await house.async_pass(30)
    assert batches == [{"early"}, {"late"}]
    scheduler.set("never", now + timedelta(seconds=90))
    scheduler.drop("never")
    await house.async_pass(60)
    assert len(batches) == 2
    await scheduler.async_stop()


async def test_a_fault_in_a_batch_loses_no_point_in_time(house: House) -> None:
    batches: list[set[str]] = []

    async def fails_once(ids: Collection[str]) -> None:
        batches.append(set(ids))
        if len(batches) == 1:
            raise RuntimeError("a fault of ours")

    scheduler = Scheduler(house.hass, fails_once)
    scheduler.set("a", dt_util.utcnow() + timedelta(seconds=30))
    scheduler.start()
    await house.async_pass(30)
    await house.async_pass(10)
    await house.async_pass(60)
    assert batches == [{"a"}, {"a"}]
    await scheduler.async_stop()


async def test_a_clock_that_jumps_ahead_is_noticed_within_a_minute(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a machine has slept: its timers have slept, too."""
    batches: list[set[str]] = []
    utcnow, slept = dt_util.utcnow, timedelta(0)
    monkeypatch.setattr(dt_util, "utcnow", lambda: utcnow() + slept)

    async def note(ids: Collection[str]) -> None:
        batches.append(set(ids))

    scheduler = Scheduler(house.hass, note)
    due = dt_util.utcnow() + timedelta(hours=3)
    scheduler.set("a", due)
    scheduler.set("b", due + timedelta(hours=9))
    scheduler.start()
    await house.async_pass(60)
    assert batches == []
    slept = timedelta(hours=4)
    await house.async_pass(60)
    assert batches == [{"a"}]
    await house.async_pass(hours=12)
    assert batches == [{"a"}, {"b"}]
    await scheduler.async_stop()
