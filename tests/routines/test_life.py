"""Pausing, resuming, ending, clock times, restarts."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest
from homeassistant.util import dt as dt_util

from custom_components.sage.people.person import Person
from custom_components.sage.routines.registry import RoutineEventKind as Kind
from custom_components.sage.routines.routine_types import (
    Condition,
    Daily,
    Moment,
    Repeat,
    RoutineError,
    Status,
)
from custom_components.sage.routines.routines import MOST_PER_PERSON

from .house import ANNA, BOB, DOOR, House, routine, when_on

HOUR = timedelta(hours=1)


def in_(house: House, **span: float) -> datetime:
    return dt_util.utcnow() + timedelta(**span)


async def test_what_is_paused_does_not_fire(house: House) -> None:
    watched = await house.async_create()
    paused = await house.routines.async_pause(watched.routine.id)
    assert paused.routine.status is Status.PAUSED
    await house.async_set(DOOR, "on")
    await house.async_restart()
    await house.async_pass(60)
    assert house.fired == []
    resumed = await house.routines.async_resume(watched.routine.id)
    assert (resumed.routine.status, resumed.memo.before) == (Status.WATCHING, True)
    await house.async_pass(60)
    assert house.fired == []
    await house.async_set(DOOR, "off")
    await house.async_set(DOOR, "on")
    assert house.fired == [watched.routine.id]
    assert house.kinds(watched.routine.id)[:2] == [Kind.CREATED, Kind.CHANGED]


async def test_a_pause_that_ends_while_it_is_down(house: House) -> None:
    watched = await house.async_create()
    await house.routines.async_pause(watched.routine.id, in_(house, hours=2))
    await house.async_restart(down=3 * HOUR)
    await house.async_pass(1)
    assert house.now_of(watched.routine.id).routine.status is Status.WATCHING


async def test_once_is_put_back_and_over_when_it_was_paused_in_between(house: House) -> None:
    watched = await house.async_create(undo_after=True, repeat=Repeat.ONCE)
    await house.async_set(DOOR, "on")
    await house.routines.async_pause(watched.routine.id)
    await house.async_set(DOOR, "off")
    await house.routines.async_resume(watched.routine.id)
    await house.async_settle()
    assert [each.routine_id for each in house.runner.undone] == [watched.routine.id]
    await house.async_set(DOOR, "on")
    assert house.fired == [watched.routine.id]
    assert house.routines.list_all() == ()


@pytest.mark.parametrize("paused_after", [timedelta(minutes=5), timedelta(hours=2)])
async def test_what_was_paused_while_it_was_on_ends_at_its_time(
    house: House, paused_after: timedelta
) -> None:
    until = in_(house, hours=1)
    watched = await house.async_create(undo_after=True, expires=until)
    await house.async_set(DOOR, "on")
    house.freezer.tick(paused_after)
    await house.async_pass(1)
    await house.routines.async_pause(watched.routine.id)
    await house.async_pass(hours=1)
    assert house.routines.list_all() == ()
    assert house.runner.undone == []


async def test_what_was_deleted_is_gone(house: House) -> None:
    watched = await house.async_create()
    await house.routines.async_delete(watched.routine.id)
    assert house.kinds(watched.routine.id) == [Kind.CREATED, Kind.REMOVED]
    assert house.answers.watches == 0
    await house.async_set(DOOR, "on")
    await house.async_restart()
    assert house.routines.list_all() == ()
    assert house.fired == []
    for call in (house.routines.async_delete, house.routines.async_pause):
        with pytest.raises(RoutineError, match="no such routine"):
            await call(watched.routine.id)


async def test_a_person_has_only_so_many(house: House) -> None:
    moment = Moment(at=in_(house, hours=2))
    for _ in range(MOST_PER_PERSON):
        await house.routines.async_create(routine(moment))
    with pytest.raises(RoutineError, match="Delete one"):
        await house.routines.async_create(routine(moment))
    await house.routines.async_create(routine(moment, owner=BOB))
    await house.routines.async_delete(house.routines.list(ANNA)[0].routine.id)
    await house.routines.async_create(routine(moment))


async def test_a_moment_that_passes_while_it_is_thought_about_is_due_at_once(house: House) -> None:
    """At half past a minute: "in 30 seconds", and the model thinks for 40."""
    at = in_(house, seconds=30)
    asked_at = in_(house)
    await house.async_pass(40)
    watched = await house.async_create(Moment(at=at), repeat=Repeat.ONCE, created_at=asked_at)
    assert [(each.routine_id, each.at) for each in house.runner.ran] == [(watched.routine.id, at)]
    assert house.deliverer.delivered == ["Done."]
    assert house.routines.list_all() == ()


async def test_a_clock_time_that_passes_while_it_is_thought_about_counts_today(
    house: House,
) -> None:
    await house.hass.config.async_set_time_zone("UTC")
    asked_at = in_(house)
    await house.async_pass(90)
    watched = await house.async_create(Daily(at=time(10, 1)), created_at=asked_at)
    due = datetime(2026, 6, 1, 10, 1, tzinfo=UTC)
    assert [firing.at for firing in house.runner.ran] == [due]
    assert house.now_of(watched.routine.id).next_check == due + 24 * HOUR


async def test_what_would_be_over_before_it_can_fire_is_refused(house: House) -> None:
    await house.hass.config.async_set_time_zone("UTC")
    for trigger, expires in (
        (Moment(at=in_(house, hours=1)), in_(house, minutes=59)),
        (Moment(at=in_(house, hours=1)), in_(house, hours=1)),
        (Daily(at=time(9)), in_(house, hours=23)),
        (replace(when_on(), hold=HOUR), in_(house, minutes=30)),
    ):
        with pytest.raises(RoutineError, match="end before"):
            await house.async_create(trigger, expires=expires)
    assert house.routines.list_all() == ()
    await house.async_create(Daily(at=time(9)), expires=in_(house, hours=23, minutes=1))
    await house.async_create(replace(when_on(), hold=HOUR), expires=in_(house, minutes=61))


async def test_what_was_missed_long_ago_is_told_and_not_done(house: House) -> None:
    await house.async_create(Moment(at=in_(house, minutes=20)), repeat=Repeat.ONCE)
    await house.async_restart(down=13 * HOUR)
    await house.async_pass(1)
    assert house.fired == []
    assert house.deliverer.delivered == ["missed"]
    assert house.routines.list_all() == ()


@pytest.mark.parametrize(("down", "is_missed"), [(1, False), (3, True), (13, True), (50, True)])
async def test_a_daily_time_that_was_missed_is_reported(
    house: House, down: int, is_missed: bool
) -> None:
    await house.async_create(Daily(at=time(12)))
    due = house.routines.list_all()[0].next_check
    assert due is not None
    await house.async_restart(down=down * HOUR + (due - in_(house)))
    await house.async_pass(1)
    assert house.deliverer.delivered == (["missed"] if is_missed else ["Done."])
    assert bool(house.runner.ran) is not is_missed


async def test_a_daily_time_during_a_pause_is_not_missed(house: House) -> None:
    watched = await house.async_create(Daily(at=time(12)))
    await house.routines.async_pause(watched.routine.id)
    await house.async_restart(down=30 * HOUR)
    await house.routines.async_resume(watched.routine.id)
    await house.async_pass(1)
    assert house.deliverer.delivered == []


async def test_every_day_across_a_restart(house: House) -> None:
    await house.hass.config.async_set_time_zone("Europe/Berlin")
    watched = await house.async_create(Daily(at=time(12, 30)))
    due = datetime(2026, 6, 1, 10, 30, tzinfo=UTC)
    assert watched.next_check == due
    await house.async_restart(down=HOUR)
    await house.async_pass(1)
    assert [firing.at for firing in house.runner.ran] == [due]
    assert house.now_of(watched.routine.id).next_check == due + 24 * HOUR
    await house.async_restart(down=26 * HOUR)
    await house.async_pass(1)
    assert len(house.runner.ran) == 1
    assert house.now_of(watched.routine.id).next_check == due + 48 * HOUR


async def test_a_paused_clock_time_goes_on_with_the_next(house: House) -> None:
    await house.hass.config.async_set_time_zone("UTC")
    daily = await house.async_create(Daily(at=time(11)))
    moment = await house.async_create(Moment(at=in_(house, hours=1)))
    other = await house.async_create(Moment(at=in_(house, hours=1)))
    await house.routines.async_pause(daily.routine.id, in_(house, hours=3))
    await house.routines.async_pause(moment.routine.id)
    await house.routines.async_pause(other.routine.id, in_(house, hours=3))
    await house.async_pass(hours=2)
    assert house.fired == []
    with pytest.raises(RoutineError, match="past"):
        await house.routines.async_resume(moment.routine.id)
    await house.async_pass(hours=2)
    await house.async_pass(1)
    assert house.now_of(daily.routine.id).next_check == datetime(2026, 6, 2, 11, tzinfo=UTC)
    assert house.routines.get(other.routine.id) is None
    assert house.fired == []


async def test_state_survives_a_restart(house: House) -> None:
    source = 'def later():\n    state["n"] = state.get("n", 0) + 1\n    return False\n'
    watched = await house.async_create(Condition(function="later", source=source))
    for _ in range(18):
        await house.async_pass(10)
    known = house.now_of(watched.routine.id).memo.state["n"]
    assert isinstance(known, int)
    assert known >= 18
    await house.routines.async_close()
    await house.async_boot()
    assert house.now_of(watched.routine.id).memo.state["n"] == known


async def test_who_listens_badly_harms_nobody(house: House) -> None:
    def bad(_: object) -> None:
        raise RuntimeError

    stop = house.routines.listen(bad)
    watched = await house.async_create()
    await house.async_set(DOOR, "on")
    assert house.fired == [watched.routine.id]
    stop()


async def test_starting_twice_and_closing_unstarted(house: House) -> None:
    await house.routines.async_start()
    await house.async_create()
    await house.routines.async_close()
    await house.async_boot()
    assert len(house.routines.list(ANNA)) == 1


async def test_code_can_be_tried(house: House) -> None:
    owner = Person(user_id=ANNA, name="Anna")
    source = f'def is_open():\n    return get_state("{DOOR}") == "on"\n'
    condition = Condition(function="is_open", source=source)
    trial = await house.routines.evaluator.async_try(condition, owner)
    assert trial.value is False
    assert len(trial.answers) == 1
    wrong = await house.routines.evaluator.async_try(
        Condition(function="is_open", source="def is_open(:"), owner
    )
    assert wrong.error is not None
    house.answers.withheld.add(DOOR)
    with pytest.raises(RoutineError, match="gone"):
        await house.routines.evaluator.async_try(condition, owner)
    assert next(iter(house.routines.sandbox.functions)) == "get_state"


async def test_one_person_tries_one_code_at_a_time(house: House) -> None:
    """Many trials of one person hold up neither others nor what is watched."""
    outside = house.answers.slow["get_weather"] = asyncio.Event()
    slow = Condition(function="is_so", source='def is_so():\n    return get_weather() == "sunny"\n')
    fast = when_on()
    anna, bob = (Person(user_id=user_id, name="") for user_id in (ANNA, BOB))
    first = asyncio.create_task(house.routines.evaluator.async_try(slow, anna))
    second = asyncio.create_task(house.routines.evaluator.async_try(fast, anna))
    assert (await house.routines.evaluator.async_try(fast, bob)).value is False
    assert not first.done()
    assert not second.done()
    outside.set()
    assert (await second).value is False
    assert first.done()
