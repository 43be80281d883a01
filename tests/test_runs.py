"""Runs under way, their traces and turns: everybody's own, bounded, and ended cleanly."""

import asyncio
from typing import Any

import pytest
from homeassistant.core import Context, HomeAssistant
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.sage.agent.budget import Budget, Limits
from custom_components.sage.agent.port import End, EndKind, PersonSilentError, Port
from custom_components.sage.agent.run import Exchange, Run, Utterance
from custom_components.sage.agent.trace import TraceNode
from custom_components.sage.people.person import HOUSEHOLD, Person
from custom_components.sage.runs import Runs

ANNA = Person(user_id="anna", name="Anna")
BEN = Person(user_id="ben", name="Ben")


def a_run(
    person: Person = ANNA,
    conversation_id: str = "talk",
    said: str = "hello",
    earlier: tuple[Exchange, ...] = (),
) -> Run:
    """Return a run that no model is needed for."""
    budget = Budget(Limits())
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
        budget=budget,
        port=Port(budget),
        root=TraceNode(kind="agent", name="sage"),
    )


@pytest.fixture
def entry(hass: HomeAssistant) -> MockConfigEntry:
    made = MockConfigEntry(domain="sage")
    made.add_to_hass(hass)
    return made


async def ask(runs: Runs, hass: HomeAssistant, entry: MockConfigEntry, run: Run) -> list[str]:
    """Start a run that asks, and hear its question; return where its replies go."""
    replies: list[str] = []

    async def work() -> None:
        try:
            replies.append(await run.port.async_ask("Well?"))
        except PersonSilentError:
            replies.append("(silence)")

    runs.start(hass, entry, run, work(), stopped="Stopped.")
    await run.port.async_next()
    return replies


async def test_reply_goes_to_the_run_of_the_same_person_and_conversation(hass, entry) -> None:
    runs = Runs()
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
    runs = Runs()
    first, second = a_run(), a_run()
    old = await ask(runs, hass, entry, first)
    await ask(runs, hass, entry, second)
    assert runs.waiting("talk", ANNA) is second
    second.port.reply("yes")
    await hass.async_block_till_done(wait_background_tasks=True)
    assert old == ["(silence)"]


async def test_stopped_run_says_so_even_if_it_never_began(hass, entry) -> None:
    runs = Runs()
    run = a_run()
    began = False

    async def work() -> None:
        nonlocal began
        began = True

    runs.start(hass, entry, run, work(), stopped="Stopped.")
    runs.stop()
    assert await run.port.async_next() == End(EndKind.FAILURE, "Stopped.")
    assert not began


async def test_run_does_not_see_the_context_of_the_turn(hass, entry) -> None:
    """A turn that ends must not take the run with it, nor lend it its chat log."""
    from homeassistant.helpers.chat_session import async_get_chat_session, current_session  # noqa: PLC0415

    seen: list[object] = []

    async def work() -> None:
        seen.append(current_session.get())

    runs = Runs()
    with async_get_chat_session(hass, None):
        assert current_session.get() is not None
        runs.start(hass, entry, a_run(), work(), stopped="")
    await hass.async_block_till_done(wait_background_tasks=True)
    assert seen == [None]


def test_exchanges_are_each_persons_own_and_few() -> None:
    runs = Runs()
    for number in range(9):
        runs.note_exchange("talk", ANNA, Exchange(said=str(number), answered=""))
    assert [each.said for each in runs.earlier("talk", ANNA)] == ["3", "4", "5", "6", "7", "8"]
    assert runs.earlier("talk", BEN) == ()
    assert runs.earlier("other", ANNA) == ()


def test_old_conversations_are_forgotten(freezer) -> None:
    runs = Runs()
    runs.note_exchange("talk", ANNA, Exchange(said="old", answered=""))
    freezer.tick(299)
    assert len(runs.earlier("talk", ANNA)) == 1
    freezer.tick(2)
    assert runs.earlier("talk", ANNA) == ()
    runs.note_exchange("talk", ANNA, Exchange(said="new", answered=""))
    assert [each.said for each in runs.earlier("talk", ANNA)] == ["new"]


def test_conversations_are_bounded() -> None:
    runs = Runs()
    for number in range(250):
        runs.note_exchange(str(number), ANNA, Exchange(said="", answered=""))
    assert runs.earlier("0", ANNA) == ()
    assert runs.earlier("249", ANNA)


def test_traces_are_bounded_and_forgotten_with_their_person() -> None:
    runs = Runs()
    for number in range(30):
        runs.note_trace(ANNA, {"id": number})
    runs.note_trace(BEN, {"id": "ben"})
    runs.note_exchange("talk", ANNA, Exchange(said="", answered=""))
    assert [trace["id"] for trace in runs.traces("anna")] == list(range(10, 30))
    runs.forget("anna")
    assert runs.traces("anna") == []
    assert runs.earlier("talk", ANNA) == ()
    assert len(runs.traces("ben")) == 1


async def test_who_listens_hears_that_runs_begin_and_end(hass, entry) -> None:
    runs = Runs()
    heard: list[bool] = []
    end = runs.listen(lambda: heard.append(runs.is_active))
    assert not runs.is_active
    first, second = a_run(), a_run(conversation_id="other")
    await ask(runs, hass, entry, first)
    await ask(runs, hass, entry, second)
    assert heard == [True, True]
    over = asyncio.Event()
    runs.listen(over.set)
    first.port.reply("yes")
    await over.wait()
    assert heard == [True, True, True]
    over.clear()
    second.port.reply("no")
    await over.wait()
    assert heard == [True, True, True, False]
    end()
    await ask(runs, hass, entry, a_run())
    assert len(heard) == 4
    runs.stop()


async def test_no_task_is_left(hass, entry) -> None:
    runs = Runs()
    await ask(runs, hass, entry, a_run())
    runs.stop()
    await hass.async_block_till_done(wait_background_tasks=True)
    assert not [t for t in asyncio.all_tasks() if t.get_name().startswith("sage run")]
    assert runs.waiting("talk", ANNA) is None
