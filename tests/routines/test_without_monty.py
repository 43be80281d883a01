"""Without Monty the clock still triggers, and condition code is kept until it can run."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta

import pytest
from homeassistant.util import dt as dt_util

from custom_components.sage.routines.registry import RoutineEventKind
from custom_components.sage.routines.routine_types import Daily, Moment, Status, UncheckableError
from custom_components.sage.routines.sandbox import sandbox as sandbox_module
from tests.without_monty import without_monty

from .house import DOOR, LIGHT, House, when_on


@pytest.fixture
def absent() -> Iterator[None]:
    with without_monty():
        yield


async def test_condition_code_is_refused_with_the_reason(house: House, absent: None) -> None:
    with pytest.raises(UncheckableError, match=r"on this machine: .*pydantic_monty.* restart it"):
        await house.async_create()
    assert house.routines.list_all() == ()


async def test_the_clock_triggers_in_a_batch_with_conditions(house: House) -> None:
    """Both are due at once: the condition that cannot be checked does not hold up the clock."""
    await house.async_create()
    moment = await house.async_create(Moment(at=dt_util.utcnow() + timedelta(seconds=60)))
    later = dt_util.as_local(dt_util.utcnow()) + timedelta(minutes=2)
    daily = await house.async_create(Daily(at=later.time().replace(microsecond=0)))
    with without_monty():
        await house.async_restart()
        house.hass.states.async_set(DOOR, "on")
        await house.async_pass(60)
        assert house.fired == [moment.routine.id]
        for _ in range(30):
            await house.async_pass(10)
    assert set(house.fired) == {moment.routine.id, daily.routine.id}


async def test_routines_are_kept_and_marked_and_go_on(house: House) -> None:
    watched = await house.async_create()
    paused = await house.async_create(when_on(LIGHT))
    await house.routines.async_pause(paused.routine.id)
    with without_monty():
        await house.async_restart()
        now = house.now_of(watched.routine.id)
        assert now.status is Status.UNCHECKABLE
        assert "internet access" in str(now.uncheckable)
        assert now.next_check is None
        assert house.now_of(paused.routine.id).status is Status.PAUSED
        assert RoutineEventKind.CHANGED in house.kinds(watched.routine.id)
        # The stored routine does not change.
        assert now.routine == watched.routine
        resumed = await house.routines.async_resume(paused.routine.id)
        assert resumed.status is Status.UNCHECKABLE
        house.events.clear()
        await house.async_set(DOOR, "on")
        await house.async_pass(10)
        assert house.fired == []
        # Nothing changed, so nothing is reported.
        assert house.events == []
    await house.async_pass(600)
    await house.async_pass(1)
    assert house.now_of(watched.routine.id).status is Status.WATCHING
    assert house.now_of(paused.routine.id).status is Status.WATCHING
    # The edge is not lost: it is found as after a restart.
    assert house.fired == [watched.routine.id]
    await house.async_set(LIGHT, "on")
    assert house.fired == [watched.routine.id, paused.routine.id]


async def test_they_go_on_after_a_restart_with_monty(house: House) -> None:
    watched = await house.async_create()
    with without_monty():
        await house.async_restart()
        await house.async_pass(100)
    await house.async_restart()
    assert house.now_of(watched.routine.id).status is Status.WATCHING
    await house.async_set(DOOR, "on")
    assert house.fired == [watched.routine.id]


async def test_they_can_be_paused_deleted_and_end(house: House) -> None:
    paused, deleted = await house.async_create(), await house.async_create()
    over = await house.async_create(expires=dt_util.utcnow() + timedelta(minutes=1))
    with without_monty():
        await house.async_restart()
        await house.routines.async_pause(paused.routine.id)
        await house.routines.async_delete(deleted.routine.id)
        await house.async_pass(minutes=2)
        assert house.now_of(paused.routine.id).status is Status.PAUSED
        assert house.routines.get(deleted.routine.id) is None
        assert house.routines.get(over.routine.id) is None


async def test_the_clock_does_not_wait_for_the_installation(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Home Assistant tries for minutes where the internet is away."""
    await house.async_create()
    moment = await house.async_create(Moment(at=dt_util.utcnow() + timedelta(minutes=1)))
    gate = asyncio.Event()

    async def process(*_: object) -> None:
        await gate.wait()

    monkeypatch.setattr(sandbox_module, "async_process_requirements", process)
    await house.routines.async_close()
    starting = asyncio.ensure_future(house.async_start())
    await house.async_until(starting.done)
    passing = asyncio.ensure_future(house.async_pass(60))
    await house.async_until(passing.done)
    assert house.fired == [moment.routine.id]
    gate.set()
    await house.async_settle()
