"""Firings in the journal are executed once, in order, and reported."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from custom_components.sage.routines import firing_queue
from custom_components.sage.routines.firing_queue import FiringQueue
from custom_components.sage.routines.registry import RoutineEvent, RoutineRegistry
from custom_components.sage.routines.registry import RoutineEventKind as Kind
from custom_components.sage.routines.routine_types import (
    EdgeKind,
    Firing,
    FiringStep,
    Memo,
    Routine,
    RoutineStoreError,
    Status,
)
from custom_components.sage.routines.store import RoutineStore, Stored
from tests.waiting import until

from .drawing import NOON, Drawing
from .executor import Executor

JOURNALED, STARTED, DONE, DELIVERED = FiringStep
ON, OFF = EdgeKind


@dataclass
class House:
    """Everything round the queue: runs and deliveries as the test wants them."""

    path: Path
    log: list[tuple[str, str, int]] = field(default_factory=list)
    """The executed actions, with routine and firing."""

    told: list[tuple[Kind, str]] = field(default_factory=list)
    delivered: list[str] = field(default_factory=list)
    on_run: Callable[[Firing], Any] = lambda _: None
    """Called within a run; may return something to wait for, or a report."""

    on_delivery: Callable[[Firing], Any] = lambda _: None
    running: set[int] = field(default_factory=set)
    most_at_once: int = 0
    done: list[Firing] = field(default_factory=list)

    # As the runner

    async def async_run(self, routine: Routine, firing: Firing) -> Firing:
        self.log.append(("run", routine.id, firing.id))
        self.running.add(firing.id)
        self.most_at_once = max(self.most_at_once, len(self.running))
        try:
            wanted = self.on_run(firing)
            if isinstance(wanted, Firing):
                return wanted
            if wanted is not None:
                await wanted
            answer = f"{routine.id}{firing.id} done"
            return replace(firing, answer=answer, undo={"of": firing.id})
        finally:
            self.running.discard(firing.id)

    async def async_undo(self, routine: Routine, fired: Firing) -> Firing:
        self.log.append(("undo", routine.id, fired.id))
        assert fired.undo == {"of": fired.id}
        return replace(fired, answer=f"{routine.id}{fired.id} undone", undo=None)

    # As the deliverer

    async def async_deliver(self, routine: Routine, firing: Firing) -> None:
        self.log.append(("deliver", routine.id, firing.id))
        if (wanted := self.on_delivery(firing)) is not None:
            await wanted
        self.delivered.append(firing.answer)

    async def async_interrupted(self, routine: Routine, firing: Firing) -> str:
        return f"{routine.id}{firing.id} interrupted"

    # As the engine

    def listen(self, event: RoutineEvent) -> None:
        if event.kind in (Kind.CREATED, Kind.CHANGED):
            return
        self.told.append((event.kind, event.routine.id))
        if event.kind is Kind.DONE and event.firing is not None:
            self.done.append(event.firing)

    @contextlib.asynccontextmanager
    async def started(self) -> AsyncIterator[Program]:
        """Run the queue from its start to its stop."""
        store = RoutineRegistry(cast("HomeAssistant", Executor()), self.path)
        stored = await store.async_load()
        store.listen(self.listen)
        queue = FiringQueue(
            store,
            run=self.async_run,
            undo=self.async_undo,
            deliver=self.async_deliver,
            interrupted=self.async_interrupted,
        )
        program = Program(self, store, queue)
        queue.resume(stored.firings)
        try:
            yield program
        finally:
            await queue.async_close()
            await store.async_close()


@dataclass
class Program:
    house: House
    store: RoutineRegistry
    queue: FiringQueue

    async def async_add(self, *names: str, **fixed: Any) -> None:
        for name in names:
            routine = Drawing(7).routine(
                id=name, **{"status": Status.WATCHING, "undo_after": False, "action": None} | fixed
            )
            await self.store.async_add(routine, Memo())

    async def async_set(self, name: str, status: Status) -> None:
        await self.store.async_replace(replace(self.routine(name), status=status))

    def routine(self, name: str) -> Routine:
        entry = self.store.entries.get(name)
        assert entry is not None
        return entry.routine

    async def async_journal(self, *edges: tuple[str, EdgeKind] | str) -> tuple[Firing, ...]:
        pairs = [(each, ON) if isinstance(each, str) else each for each in edges]
        return await self.store.async_commit(
            {},
            [
                Firing(routine_id=name, edge=kind, at=NOON + timedelta(minutes=number))
                for number, (name, kind) in enumerate(pairs)
            ],
        )

    async def async_fire(self, *edges: tuple[str, EdgeKind] | str) -> tuple[Firing, ...]:
        firings = await self.async_journal(*edges)
        self.queue.add(firings)
        return firings

    async def async_take(self, firing: Firing, *steps: FiringStep, **changes: Any) -> None:
        """Take steps that a program before this one took."""
        for step in steps:
            firing = replace(firing, step=step, **changes)
            assert await self.store.async_note(firing)


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setattr(dt_util, "utcnow", lambda: NOON)
    return House(tmp_path / "sage" / "routines.db")


@pytest.fixture
async def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Let long pauses pass at once; return them."""
    passed: list[float] = []
    loop = asyncio.get_running_loop()
    call_later = loop.call_later

    def later(delay: float, call: Callable[..., Any], *args: Any, **named: Any) -> Any:
        if delay >= firing_queue.FIRST_PAUSE:
            passed.append(delay)
            delay = 0
        return call_later(delay, call, *args, **named)

    monkeypatch.setattr(loop, "call_later", later)
    return passed


def on_disk(path: Path) -> Stored:
    store = RoutineStore.open(path)
    try:
        return store.load()
    finally:
        store.close()


async def test_each_step_is_on_the_disk_before_the_next_one(house: House):
    seen: list[tuple[FiringStep, str]] = []

    def look(_: Firing) -> None:
        (firing,) = on_disk(house.path).firings
        seen.append((firing.step, firing.answer))

    house.on_run = house.on_delivery = look
    async with house.started() as program:
        await program.async_add("a")
        (firing,) = await program.async_fire("a")
        await program.queue.async_idle()

    assert seen == [(STARTED, ""), (DONE, f"a{firing.id} done")]
    assert house.log == [("run", "a", 1), ("deliver", "a", 1)]
    assert house.told == [(Kind.FIRED, "a"), (Kind.DONE, "a")]
    assert [firing.answer for firing in house.done] == ["a1 done"]
    assert on_disk(house.path).firings == ()


async def test_routines_run_at_once_and_one_of_a_routine_in_order(house: House):
    go = asyncio.Event()
    house.on_run = lambda _: go.wait()
    async with house.started() as program:
        await program.async_add("a", "b", "c")
        await program.async_fire("a", "a", "b", "c", "a", "c")
        await until(lambda: len(house.running) == 3)
        assert sorted(house.log) == [("run", "a", 1), ("run", "b", 3), ("run", "c", 4)]
        go.set()
        await program.queue.async_idle()

    assert house.most_at_once == 3
    for name, numbers in {"a": [1, 2, 5], "b": [3], "c": [4, 6]}.items():
        for what in ("run", "deliver"):
            assert [n for did, of, n in house.log if (did, of) == (what, name)] == numbers


async def test_an_off_edge_puts_back_what_the_on_edge_changed(house: House):
    async with house.started() as program:
        await program.async_add("a", undo_after=True)
        await program.async_fire("a", ("a", OFF), ("a", OFF), "a", "a", ("a", OFF))
        await program.queue.async_idle()

    assert [each for each in house.log if each[0] != "deliver"] == [
        ("run", "a", 1),
        ("undo", "a", 1),
        # Between the two OFF edges nothing was changed.
        ("run", "a", 4),
        ("run", "a", 5),
        ("undo", "a", 5),
    ]
    assert house.delivered == ["a1 done", "a1 undone", "a4 done", "a5 done", "a5 undone"]
    assert on_disk(house.path).firings == ()


@pytest.mark.parametrize("error", [RuntimeError("secret words"), asyncio.CancelledError()])
async def test_a_run_that_fails_is_reported_and_stops_nothing(
    house: House, error: BaseException, caplog: pytest.LogCaptureFixture
):
    def fail(firing: Firing) -> None:
        if firing.id == 1:
            raise error

    house.on_run = fail
    async with house.started() as program:
        await program.async_add("a")
        await program.async_fire("a", "a")
        await program.queue.async_idle()

    assert house.delivered == ["a1 interrupted", "a2 done"]
    assert house.done[0].is_failure
    assert on_disk(house.path).firings == ()


async def test_a_start_goes_on_where_the_last_program_ended(house: House):
    async with house.started() as program:
        await program.async_add("a", "b", "c", "d")
        a, b, c, d, then = await program.async_journal("a", "b", "c", "d", "b")
        await program.async_take(b, STARTED)
        await program.async_take(c, STARTED, DONE, answer="c done before")
        await program.async_take(d, STARTED, DONE, DELIVERED)
        assert all(each in on_disk(house.path).firings for each in (a, then))

    async with house.started() as program:
        await program.queue.async_idle()

    assert [each for each in house.log if each[0] == "run"] == [("run", "a", 1), ("run", "b", 5)]
    assert sorted(house.delivered) == ["a1 done", "b2 interrupted", "b5 done", "c done before"]
    assert house.delivered.index("b2 interrupted") < house.delivered.index("b5 done")
    assert (Kind.DONE, "b") in house.told
    house.delivered.clear()
    async with house.started() as program:
        await program.queue.async_idle()
    assert house.delivered == []


async def test_a_routine_that_ended_goes_when_its_last_answer_is_delivered(house: House):
    async with house.started() as program:
        await program.async_add("a", "b")
        firings = await program.async_journal("a", "a")
        await program.async_set("a", Status.ENDED)
        program.queue.add(firings)
        program.queue.retire(program.routine("a"))
        await program.queue.async_idle()
        program.queue.retire(program.routine("b"))
        await program.queue.async_idle()

    assert house.delivered == ["a1 done", "a2 done"]
    assert house.told.count((Kind.REMOVED, "a")) == 1
    assert [each.id for each in on_disk(house.path).routines] == ["b"]


async def test_a_start_removes_what_ended(house: House):
    async with house.started() as program:
        await program.async_add("a", "b")
        await program.async_set("a", Status.ENDED)
    async with house.started() as program:
        await program.queue.async_idle()

    assert house.told == [(Kind.REMOVED, "a")]
    assert [each.id for each in on_disk(house.path).routines] == ["b"]


async def test_what_is_deleted_is_not_begun_any_more_but_what_runs_is_told(house: House):
    go = asyncio.Event()
    house.on_run = lambda _: go.wait()
    async with house.started() as program:
        await program.async_add("a")
        await program.async_fire("a", "a")
        await until(lambda: bool(house.running))
        await program.store.async_remove("a")
        go.set()
        await program.queue.async_idle()
        await program.async_fire("a")

    assert house.log == [("run", "a", 1), ("deliver", "a", 1)]
    assert on_disk(house.path) == Stored(routines=())


async def test_nothing_is_left_of_a_firing_of_a_purged_routine(house: House):
    house.on_run = lambda _: asyncio.Event().wait()
    async with house.started() as program:
        await program.async_add("a", "b", owner="anna")
        await program.async_fire("a", "a")
        await until(lambda: bool(house.running))
        await program.store.async_purge("anna")
        program.queue.drop("a")
        await until(lambda: not house.running)
        await program.queue.async_idle()

    assert house.delivered == []
    assert on_disk(house.path) == Stored(routines=())


async def test_nothing_runs_as_long_as_it_cannot_be_written(
    house: House, pauses: list[float], monkeypatch: pytest.MonkeyPatch
):
    refused: list[FiringStep] = []
    note = RoutineStore.note

    def full(store: RoutineStore, firing: Firing) -> bool:
        if refused.count(firing.step) < 2:
            refused.append(firing.step)
            assert (firing.step is STARTED) == (house.log == [])
            raise RoutineStoreError("The disk is full.")
        return note(store, firing)

    monkeypatch.setattr(RoutineStore, "note", full)
    async with house.started() as program:
        await program.async_add("a")
        await program.async_fire("a")
        await program.queue.async_idle()

    assert refused == [STARTED, STARTED, DONE, DONE, DELIVERED, DELIVERED]
    assert pauses == [30, 60] * 3
    assert house.log == [("run", "a", 1), ("deliver", "a", 1)]


async def test_a_fault_of_ours_leaves_a_firing_to_the_next_start(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    async with house.started() as program:
        await program.async_add("a")
        with monkeypatch.context() as patch:
            patch.setattr(RoutineRegistry, "async_note", failing_once(program.store))
            await program.async_fire("a", "a")
            await program.queue.async_idle()
        assert house.delivered == ["a2 done"]
    assert "left to the next start" in caplog.text

    async with house.started() as program:
        await program.queue.async_idle()
    assert house.delivered == ["a2 done", "a1 done"]


def failing_once(store: RoutineRegistry) -> Callable[..., Any]:
    failures = iter([RuntimeError()])

    async def note(_: RoutineRegistry, firing: Firing) -> bool:
        if (error := next(failures, None)) is not None:
            raise error
        return await store.async_run(RoutineStore.note, firing)

    return note


async def test_closing_cuts_runs_short_and_the_next_start_reports_them(house: House):
    house.on_run = lambda firing: asyncio.Event().wait() if firing.routine_id == "a" else None
    house.on_delivery = lambda _: asyncio.Event().wait()
    async with house.started() as program:
        await program.async_add("a", "b")
        await program.async_fire("a", "a", "b")
        await until(lambda: ("deliver", "b", 3) in house.log)
        await program.queue.async_close()
        later = await program.async_fire("b")
    assert not house.running
    assert [(each.id, each.step) for each in on_disk(house.path).firings] == [
        (1, STARTED),
        (2, JOURNALED),
        (3, DONE),
        (later[0].id, JOURNALED),
    ]

    house.on_run = house.on_delivery = lambda _: None
    async with house.started() as program:
        await program.queue.async_idle()
    assert sorted(house.delivered) == ["a1 interrupted", "a2 done", "b3 done", "b4 done"]


async def test_no_words_of_a_routine_are_logged(house: House, caplog: pytest.LogCaptureFixture):
    house.on_delivery = failing_delivery
    with caplog.at_level(logging.INFO):
        async with house.started() as program:
            await program.async_add("a", command="#words", request="#words", when="#words")
            await program.async_fire("a")
            await program.queue.async_idle()

    assert "#words" not in caplog.text


def failing_delivery(firing: Firing) -> None:
    raise OSError
