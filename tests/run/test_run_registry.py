"""Runs under way, their traces and turns: everybody's own, bounded, and ended cleanly."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import Context, HomeAssistant
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.sage.agent.port import Exchange, Port, RunEnded, Utterance
from custom_components.sage.agent.record import Record
from custom_components.sage.agent.run import Run
from custom_components.sage.people.person import Person
from custom_components.sage.run import run_registry
from custom_components.sage.run.run_registry import RunRegistry

ANNA = Person(user_id="anna", name="Anna")
BEN = Person(user_id="ben", name="Ben")


def a_run(
    person: Person = ANNA,
    conversation_id: str = "talk",
    said: str = "hello",
    earlier: tuple[Exchange, ...] = (),
) -> Run:
    utterance = Utterance(
        text=said,
        person=person,
        context=Context(),
        language="en",
        conversation_id=conversation_id,
        now=dt_util.now(),
        earlier=earlier,
    )
    settings: Any = None
    return Run(utterance=utterance, settings=settings, port=Port(60), record=Record("sage"))


@pytest.fixture
def entry(hass: HomeAssistant) -> MockConfigEntry:
    made = MockConfigEntry(domain="sage")
    made.add_to_hass(hass)
    return made


async def ask(
    runs: RunRegistry, hass: HomeAssistant, entry: MockConfigEntry, run: Run
) -> list[str]:
    """Start a run that asks, and hear its question; return where its replies go."""
    replies: list[str] = []

    async def work() -> None:
        try:
            replies.append(await run.port.async_ask("Well?"))
        except RunEnded:
            replies.append("(silence)")

    runs.start(hass, entry, run, work(), stopped="Stopped.")
    await run.port.async_next()
    return replies


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_of_two_questions_the_last_one_is_replied_to(hass, entry) -> None:
    runs = RunRegistry()
    first, second = a_run(), a_run()
    old = await ask(runs, hass, entry, first)
    await ask(runs, hass, entry, second)
    assert runs.waiting("talk", ANNA) is second
    second.port.reply("yes")
    await hass.async_block_till_done(wait_background_tasks=True)
    assert old == ["(silence)"]


async def test_a_question_that_nobody_heard_cannot_be_answered(hass, entry) -> None:
    """Its turn broke off."""
    runs, run = RunRegistry(), a_run()

    async def work() -> None:
        await run.port.async_ask("Well?")

    runs.start(hass, entry, run, work(), stopped="Stopped.")
    await settle()
    assert runs.waiting("talk", ANNA) is None
    await run.port.async_next()
    assert runs.waiting("talk", ANNA) is run
    await runs.async_stop()


async def test_run_does_not_see_the_context_of_the_turn(hass, entry) -> None:
    """A turn that ends must not take the run with it, nor lend it its chat log."""
    from homeassistant.helpers.chat_session import async_get_chat_session, current_session  # noqa: PLC0415

    seen: list[object] = []

    async def work() -> None:
        seen.append(current_session.get())

    runs = RunRegistry()
    with async_get_chat_session(hass, None):
        assert current_session.get() is not None
        runs.start(hass, entry, a_run(), work(), stopped="")
    await hass.async_block_till_done(wait_background_tasks=True)
    assert seen == [None]


def test_traces_do_not_outlive_the_shortest_retention(freezer: FrozenDateTimeFactory) -> None:
    runs = RunRegistry()
    runs.note(ANNA, {"id": 1})
    freezer.tick(timedelta(hours=23))
    runs.note(ANNA, {"id": 2})
    assert [trace["id"] for trace in runs.traces("anna")] == [1, 2]
    freezer.tick(timedelta(hours=2))
    assert [trace["id"] for trace in runs.traces("anna")] == [2]


def test_traces_are_bounded_and_forgotten_with_their_person() -> None:
    runs = RunRegistry()
    for number in range(30):
        runs.note(ANNA, {"id": number})
    runs.note(BEN, {"id": "ben"})
    assert [trace["id"] for trace in runs.traces("anna")] == list(range(10, 30))
    runs.forget("anna")
    assert runs.traces("anna") == []
    assert len(runs.traces("ben")) == 1


async def test_a_command_interrupts_background_work_which_then_begins_again(
    hass, entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_registry, "SETTLED_SECONDS", 0)
    runs, run = RunRegistry(), a_run()
    began, may_end = list[bool](), asyncio.Event()

    async def work() -> str:
        began.append(bool(runs.active))
        await may_end.wait()
        return "done"

    working = hass.async_create_task(runs.async_while_idle(work))
    other = hass.async_create_task(runs.async_while_idle(work))
    await settle()
    assert began == [False], "one at a time"

    await ask(runs, hass, entry, run)
    may_end.set()
    await settle()
    assert not working.done()
    assert began == [False]

    run.port.reply("yes")
    assert await working == "done"
    assert await other == "done"
    assert began == [False, False, False]


async def test_background_work_that_is_cancelled_does_not_begin_again() -> None:
    runs = RunRegistry()
    began: list[bool] = []

    async def work() -> None:
        began.append(True)
        await asyncio.Event().wait()

    working = asyncio.create_task(runs.async_while_idle(work))
    await settle()
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
    assert working.cancelled()
    assert began == [True]
