"""Runs under way, their traces and turns: everybody's own, bounded, and ended cleanly."""

import asyncio
import dataclasses
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import Context, HomeAssistant
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.sage.agent import budget
from custom_components.sage.agent.budget import Budget, Limits
from custom_components.sage.agent.port import End, EndKind, PersonSilentError, Port
from custom_components.sage.agent.run import Exchange, FiredRoutine, Run, Utterance
from custom_components.sage.agent.trace import TraceNode
from custom_components.sage.people.person import HOUSEHOLD, Person
from custom_components.sage.run.run_registry import RunRegistry
from tests.port_events import events_of

ANNA = Person(user_id="anna", name="Anna")
BEN = Person(user_id="ben", name="Ben")


def a_run(
    person: Person = ANNA,
    conversation_id: str = "talk",
    said: str = "hello",
    earlier: tuple[Exchange, ...] = (),
) -> Run:
    """Return a run that no model is needed for."""
    limited = Budget(Limits())
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
    return Run(
        utterance=utterance,
        settings=settings,
        budget=limited,
        port=Port(limited),
        root=TraceNode(kind="agent", name="sage"),
    )


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
        except PersonSilentError:
            replies.append("(silence)")

    runs.start(hass, entry, run, work(), stopped="Stopped.", too_many="")
    await run.port.async_next()
    return replies


async def test_reply_goes_to_the_run_of_the_same_person_and_conversation(hass, entry) -> None:
    runs = RunRegistry()
    run = a_run()
    replies = await ask(runs, hass, entry, run)
    assert runs.waiting("talk", BEN) is None
    assert runs.waiting("talk", HOUSEHOLD) is None
    assert runs.waiting("other", ANNA) is None
    assert runs.waiting("talk", ANNA) is run
    run.port.reply("yes")
    await hass.async_block_till_done(wait_background_tasks=True)
    assert replies == ["yes"]
    assert runs.waiting("talk", ANNA) is None


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

    runs.start(hass, entry, run, work(), stopped="Stopped.", too_many="")
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
        runs.start(hass, entry, a_run(), work(), stopped="", too_many="")
    await hass.async_block_till_done(wait_background_tasks=True)
    assert seen == [None]


def test_exchanges_are_each_persons_own_and_few() -> None:
    runs = RunRegistry()
    for number in range(9):
        runs.note_exchange("talk", ANNA, Exchange(said=str(number), answered=""))
    assert [each.said for each in runs.earlier("talk", ANNA)] == ["3", "4", "5", "6", "7", "8"]
    assert runs.earlier("talk", BEN) == ()
    assert runs.earlier("other", ANNA) == ()


def test_old_conversations_are_forgotten(freezer) -> None:
    runs = RunRegistry()
    runs.note_exchange("talk", ANNA, Exchange(said="old", answered=""))
    freezer.tick(299)
    assert len(runs.earlier("talk", ANNA)) == 1
    freezer.tick(2)
    assert runs.earlier("talk", ANNA) == ()
    runs.note_exchange("talk", ANNA, Exchange(said="new", answered=""))
    assert [each.said for each in runs.earlier("talk", ANNA)] == ["new"]


def test_conversations_are_bounded() -> None:
    runs = RunRegistry()
    for number in range(250):
        runs.note_exchange(str(number), ANNA, Exchange(said="", answered=""))
    assert runs.earlier("0", ANNA) == ()
    assert runs.earlier("249", ANNA)


def test_traces_do_not_outlive_the_shortest_retention(freezer: FrozenDateTimeFactory) -> None:
    runs = RunRegistry()
    runs.note_trace(ANNA, {"id": 1})
    freezer.tick(timedelta(hours=23))
    runs.note_trace(ANNA, {"id": 2})
    assert [trace["id"] for trace in runs.traces("anna")] == [1, 2]
    freezer.tick(timedelta(hours=2))
    assert [trace["id"] for trace in runs.traces("anna")] == [2]


def test_traces_are_bounded_and_forgotten_with_their_person() -> None:
    runs = RunRegistry()
    for number in range(30):
        runs.note_trace(ANNA, {"id": number})
    runs.note_trace(BEN, {"id": "ben"})
    runs.note_exchange("talk", ANNA, Exchange(said="", answered=""))
    assert [trace["id"] for trace in runs.traces("anna")] == list(range(10, 30))
    runs.forget("anna")
    assert runs.traces("anna") == []
    assert runs.earlier("talk", ANNA) == ()
    assert len(runs.traces("ben")) == 1


class Crowd:
    """Runs that work until they are released."""

    def __init__(self, hass: HomeAssistant, entry: MockConfigEntry) -> None:
        self.hass, self.entry, self.runs = hass, entry, RunRegistry()
        self.begun: list[str] = []
        self._go: dict[str, asyncio.Event] = {}

    def start(self, name: str, person: Person = ANNA, *, routine: bool = False) -> Run:
        run = a_run(person, conversation_id=name)
        if routine:
            fired = FiredRoutine(id=name, when="it rains")
            run.utterance = dataclasses.replace(run.utterance, routine=fired)
        self._go[name] = asyncio.Event()

        async def work() -> None:
            self.begun.append(name)
            await self._go[name].wait()

        self.runs.start(
            self.hass, self.entry, run, work(), stopped="Stopped.", too_many="Too many."
        )
        return run

    async def let_go(self, *names: str) -> None:
        for name in names:
            self._go[name].set()
        await settle()


async def settle() -> None:
    """Let all go on that can."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_further_requests_of_a_person_wait_for_their_turn(hass, entry) -> None:
    crowd = Crowd(hass, entry)
    for number in range(7):
        crowd.start(f"anna {number}")
    await settle()
    assert crowd.begun == [f"anna {number}" for number in range(4)]

    crowd.start("ben", BEN)
    await settle()
    assert crowd.begun[4:] == ["ben"]

    await crowd.let_go("anna 2")
    assert crowd.begun[5:] == ["anna 4"]
    await crowd.let_go("anna 0", "anna 1")
    assert crowd.begun[6:] == ["anna 5", "anna 6"]
    await crowd.runs.async_stop()


async def test_more_than_may_wait_are_refused_but_no_routine_is(hass, entry) -> None:
    crowd = Crowd(hass, entry)
    for number in range(4 + 12):
        crowd.start(f"anna {number}")
    await settle()

    refused = crowd.start("one too many")
    fired = crowd.start("a routine", routine=True)
    await settle()

    assert await refused.port.async_next() == End(EndKind.FAILURE, "Too many.")
    await crowd.let_go(*(f"anna {number}" for number in range(16)))
    assert crowd.begun[16:] == ["a routine"]
    assert "one too many" not in crowd.begun
    assert crowd.runs.is_active
    await crowd.let_go("a routine")
    assert await events_of(fired.port) == []


async def test_all_people_together_have_a_limit(hass, entry) -> None:
    crowd = Crowd(hass, entry)
    people = [Person(user_id=f"person {n}", name=f"Person {n}") for n in range(5)]
    for person in people:
        for number in range(4):
            crowd.start(f"{person.user_id}, {number}", person)
    await settle()
    assert len(crowd.begun) == 16

    await crowd.let_go("person 1, 1")
    assert crowd.begun[16:] == ["person 4, 0"]
    await crowd.runs.async_stop()


async def test_the_clock_of_a_run_stands_still_until_its_turn(hass, entry, monkeypatch) -> None:
    clock = 1000.0
    monkeypatch.setattr(budget, "time", SimpleNamespace(monotonic=lambda: clock))
    crowd = Crowd(hass, entry)
    runs = [crowd.start(f"anna {number}") for number in range(6)]
    await settle()
    most = runs[0].budget.limits.max_seconds
    clock += 30
    assert [run.budget.seconds_left() for run in runs] == [most - 30] * 4 + [most] * 2

    await crowd.let_go("anna 0")
    clock += 30
    assert runs[4].budget.seconds_left() == most - 30
    assert runs[5].budget.seconds_left() == most
    await crowd.runs.async_stop()


async def test_what_is_stopped_while_it_waits_is_told_and_takes_no_place(hass, entry) -> None:
    crowd = Crowd(hass, entry)
    for number in range(4):
        crowd.start(f"anna {number}")
    waits = crowd.start("waits")
    await settle()
    await crowd.runs.async_stop()

    assert await waits.port.async_next() == End(EndKind.FAILURE, "Stopped.")
    assert "waits" not in crowd.begun
    crowd.start("later")
    await settle()
    assert crowd.begun[4:] == ["later"]
    await crowd.runs.async_stop()
