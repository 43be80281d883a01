"""Code that fails, answers that are not to be had, a sandbox that breaks."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from homeassistant.util import dt as dt_util

from custom_components.sage.routines.edge import LONGEST_BACKOFF, backoff
from custom_components.sage.routines.routine_types import (
    Condition,
    Moment,
    RoutineError,
    RoutineStoreError,
    Status,
)
from custom_components.sage.routines.sandbox.contract import SandboxError
from custom_components.sage.routines.sandbox.session import Session

from .house import DOOR, FRAGILE, LIGHT, SOUND, House, fails, routine, when_on


@pytest.mark.parametrize("sandbox_patience", [3])
async def test_one_bad_check_among_good_ones(numbers: House) -> None:
    bad = await numbers.async_create(FRAGILE)
    forever = Condition(
        function="is_so",
        source=(
            "def is_so():\n"
            f'    while get_state("{DOOR}") == "on":\n        pass\n'
            "    return False\n"
        ),
    )
    endless = await numbers.async_create(forever)
    good = await numbers.async_create()
    numbers.hass.states.async_set(LIGHT, "off")
    await numbers.async_set(DOOR, "on")
    assert numbers.fired == [good.routine.id]
    assert numbers.now_of(bad.routine.id).memo.failures == 1
    assert numbers.now_of(endless.routine.id).memo.failures == 1
    await numbers.async_set(DOOR, "off")
    await numbers.async_set(DOOR, "on")
    assert numbers.fired == [good.routine.id] * 2


def test_each_failure_doubles_the_wait_up_to_some_minutes() -> None:
    assert [backoff(10, each).total_seconds() for each in (1, 2, 3)] == [20, 40, 80]
    assert backoff(10, 50) == LONGEST_BACKOFF


async def test_failing_code_is_left_alone_for_a_while(numbers: House) -> None:
    watched = await numbers.async_create(FRAGILE)
    await numbers.async_set(LIGHT, "off")
    assert numbers.now_of(watched.routine.id).memo.failures == 1
    await numbers.async_set(LIGHT, "unavailable")
    await numbers.async_pass(10)
    assert numbers.now_of(watched.routine.id).memo.failures == 1
    await numbers.async_set(LIGHT, "21")
    assert numbers.fired == []
    await numbers.async_pass(10)
    assert numbers.fired == [watched.routine.id]
    assert numbers.now_of(watched.routine.id).memo.failures == 0


async def test_unknown_is_no_failure(numbers: House) -> None:
    watched = await numbers.async_create(FRAGILE)
    await numbers.async_set(LIGHT, "unavailable")
    for _ in range(5):
        await numbers.async_pass(61)
    assert numbers.now_of(watched.routine.id).memo.failures == 0


async def test_code_that_fails_is_not_taken(house: House) -> None:
    with pytest.raises(RoutineError, match="line 2"):
        await house.routines.async_create(routine(FRAGILE))
    with pytest.raises(RoutineError, match="does not run"):
        await house.routines.async_create(routine(replace(FRAGILE, source="def is_warm(:\n")))
    assert house.routines.list_all() == ()


async def test_a_slow_answer_holds_up_nobody_else(house: House) -> None:
    source = f'def is_so():\n    return get_state("{DOOR}") == "on" and get_weather() == "sunny"\n'
    slow = await house.async_create(Condition(function="is_so", source=source))
    quick = await house.async_create()
    gate = house.answers.slow["get_weather"] = asyncio.Event()
    house.hass.states.async_set(DOOR, "on")
    await house.async_pass(0.2)
    await house.async_until(lambda: quick.routine.id in house.fired)
    await house.async_pass(20)
    assert slow.routine.id not in house.fired
    gate.set()
    while slow.routine.id not in house.fired:
        await house.async_pass(0.2)
    assert house.fired == [quick.routine.id, slow.routine.id]


async def test_a_fault_of_who_answers_is_unknown(house: House) -> None:
    watched = await house.async_create()
    house.answers.faults.add("get_state")
    await house.async_set(DOOR, "on")
    now = house.now_of(watched.routine.id)
    assert (now.routine.status, now.memo.failures) == (Status.WATCHING, 0)
    house.answers.faults.clear()
    await house.async_pass(61)
    assert house.fired == [watched.routine.id]


async def test_a_disk_that_is_full_loses_no_edge(house: House) -> None:
    watched = await house.async_create()
    commit = house.store.async_commit

    async def full(*_: object) -> None:
        raise RoutineStoreError("The disk is full. Make room.")

    house.store.async_commit = full  # type: ignore[method-assign,assignment]
    await house.async_set(DOOR, "on")
    await house.async_pass(10)
    assert house.fired == []
    assert house.now_of(watched.routine.id).memo.before is False
    house.store.async_commit = commit  # type: ignore[method-assign]
    await house.async_pass(10)
    assert house.fired == [watched.routine.id]


async def test_a_disk_that_is_full_loses_no_time_and_no_repair(numbers: House) -> None:
    numbers.repairer.sources = [SOUND, SOUND]
    bad = await numbers.async_create(FRAGILE)
    paused = await numbers.async_create()
    moment = await numbers.async_create(Moment(at=dt_util.utcnow() + timedelta(hours=1)))
    await numbers.routines.async_pause(paused.routine.id, dt_util.utcnow() + timedelta(hours=1))
    commit, replaced = numbers.store.async_commit, numbers.store.async_replace

    async def full(*_: object) -> None:
        raise RoutineStoreError("The disk is full. Make room.")

    await fails(numbers, 2)
    numbers.store.async_replace = full  # type: ignore[method-assign,assignment]
    await fails(numbers, 1)
    assert not numbers.now_of(bad.routine.id).routine.is_repaired
    numbers.store.async_commit = full  # type: ignore[method-assign,assignment]
    await numbers.async_pass(hours=1)
    assert numbers.fired == []
    numbers.store.async_commit = commit  # type: ignore[method-assign]
    numbers.store.async_replace = replaced  # type: ignore[method-assign]
    await numbers.async_pass(10)
    await numbers.async_pass(1)
    assert numbers.fired == [moment.routine.id]
    assert numbers.now_of(paused.routine.id).routine.status is Status.WATCHING
    await fails(numbers, 3)
    assert numbers.now_of(bad.routine.id).routine.is_repaired


async def test_a_sandbox_that_breaks_is_started_anew(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = await house.async_create()

    def broken(*_: object) -> None:
        raise SandboxError("The worker does not start.")

    with monkeypatch.context() as patch:
        patch.setattr(Session, "run", broken)
        await house.async_set(DOOR, "on")
    assert house.fired == []
    assert house.now_of(watched.routine.id).status is Status.UNCHECKABLE
    await house.async_pass(31)
    await house.async_pass(0.2)
    assert house.fired == [watched.routine.id]
    now = house.now_of(watched.routine.id)
    assert (now.status, now.memo.failures) == (Status.WATCHING, 0)


async def test_a_condition_needs_some_time_between_checks(house: House) -> None:
    with pytest.raises(RoutineError, match="2 seconds"):
        await house.async_create(replace(when_on(), interval=1.0))
