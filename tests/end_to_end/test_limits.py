"""A run that uses up what it may use ends honestly, with what it did."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest
from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS

from benchmark.model_script import Answer, Completion, Fault, FaultKind
from custom_components.sage.agent import port
from custom_components.sage.agent import run as agent_run
from custom_components.sage.agent.run import Limits
from custom_components.sage.config import agents
from custom_components.sage.home.home import HomeView
from custom_components.sage.memory.person_memory import PersonMemory
from custom_components.sage.people.person import Person
from tests.decisions import FORMATS, NATIVE, Decides, step

from .attacker import has_number
from .conftest import Clock, MakeSage, Sage, impatient

SAID = {
    "steps": {
        "en": (
            "I reached my step limit before I was done. Please split your command into smaller "
            "parts."
        ),
        "de": (
            "Ich habe mein Schrittlimit erreicht, bevor ich fertig war. Bitte teile deinen "
            "Befehl in kleinere Teile auf."
        ),
    },
    "seconds": {
        "en": (
            "I reached my time limit before I was done. Please try again, or ask for less at a "
            "time."
        ),
        "de": (
            "Ich habe mein Zeitlimit erreicht, bevor ich fertig war. Bitte versuche es noch "
            "einmal oder verlange weniger auf einmal."
        ),
    },
    "tokens": {
        "en": ("I reached my token limit before I was done. Please ask for less at a time."),
        "de": (
            "Ich habe mein Token-Limit erreicht, bevor ich fertig war. Bitte verlange weniger "
            "auf einmal."
        ),
    },
}
STUCK = "I have not changed anything else."
DONE = {"en": "Kitchen Light is now on.", "de": "Kitchen Light ist jetzt an."}


def turn_on(decides: Decides) -> tuple[Completion, ...]:
    return (
        *decides.planned("turn on the kitchen light", step("command", "kitchen_light")),
        decides.execute("kitchen_light", command="turn_on"),
    )


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", FORMATS)
async def test_steps(hass, make_sage: MakeSage, name, language) -> None:
    sage, decides = await make_sage(name, max_steps=3), Decides(name)
    reads = [
        decides.call("read_attributes", devices=[f"{room}_light"]) for room in ("hallway", "garage")
    ]
    sage.model_says(*turn_on(decides), *reads)
    heard = await sage.hear("turn on the kitchen light", language=language)
    assert heard == f"{DONE[language]} {SAID['steps'][language]}"
    assert sage.trace["kind"] == "failure"
    assert hass.states.get("light.kitchen_light").state == "on"


@pytest.mark.parametrize("language", ["en", "de"])
async def test_seconds(make_sage: MakeSage, monkeypatch, language) -> None:
    clock = Clock()
    monkeypatch.setattr(port, "time", clock)
    sage = await make_sage(max_seconds=60)

    def script() -> Iterator[Answer]:
        *before, command = turn_on(NATIVE)
        yield from before
        clock.now = 59.95
        yield command
        yield Fault(kind=FaultKind.HANG)

    sage.server.say(script())
    heard = await impatient(sage).hear("turn on the kitchen light", language=language)
    assert heard == f"{DONE[language]} {SAID['seconds'][language]}"


@pytest.mark.parametrize("language", ["en", "de"])
async def test_tokens(make_sage: MakeSage, language) -> None:
    sage = await make_sage(max_tokens=1_000_000)
    *before, command = turn_on(NATIVE)
    sage.model_says(*before, replace(command, prompt_tokens=2_000_000))
    heard = await sage.hear("turn on the kitchen light", language=language)
    assert heard == f"{DONE[language]} {SAID['tokens'][language]}"
    assert sage.trace["usage"]["prompt_tokens"] > 2_000_000


async def test_depth(make_sage: MakeSage, monkeypatch) -> None:
    """Agent-tools in agent-tools end somewhere."""
    monkeypatch.setattr(agents, "Limits", partial(Limits, max_depth=0))
    sage, decides = await make_sage(), NATIVE
    sage.model_says(*turn_on(decides)[:2])
    heard = await sage.hear("turn on the kitchen light")
    assert heard == (
        "Your command was too complicated for me. Please split your command into smaller parts."
    )


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_going_round_in_circles(sage: Sage) -> None:
    read = sage.decides.call("read_attributes", devices=["hallway_light"])
    sage.model_says(*turn_on(sage.decides), read, read, read)
    heard = await sage.hear("turn on the kitchen light")
    assert heard == f"{DONE['en']} {STUCK}"
    assert sage.model_calls == 6


async def test_failure_within_sage_is_told(sage: Sage, monkeypatch, caplog) -> None:
    def broken(_: object) -> str:
        raise ZeroDivisionError

    monkeypatch.setattr(agent_run, "has_fence", broken)
    heard = await sage.hear("turn on the kitchen light")
    assert heard == ("Something went wrong inside SAGE. The Home Assistant log has the details.")
    assert "A run of SAGE failed" in caplog.text


async def test_run_that_cannot_begin_is_told(sage: Sage, monkeypatch, caplog) -> None:
    async def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(HomeView, "async_listing", broken)
    heard = await sage.hear("turn on the kitchen light")
    assert heard.startswith("Something went wrong inside SAGE.")
    assert "could not start" in caplog.text


ANSWER = NATIVE.call("finish", kind="answered", about=["other"], claims=[], answer="Good morning!")
TOO_LONG = {
    "en": (
        "Your text is too long for me: I can read 4000 characters at a time. "
        "Please say it in smaller parts."
    ),
    "de": (
        "Dein Text ist mir zu lang: Ich kann 4000 Zeichen auf einmal lesen. "
        "Bitte teile ihn in kleinere Teile auf."
    ),
    "fr": (
        "Votre texte est trop long pour moi : je peux lire 4000 caractères à la fois. "
        "Dites-le en plusieurs fois, s'il vous plaît."
    ),
}


@pytest.mark.parametrize("language", TOO_LONG)
async def test_what_is_too_long_is_refused_before_anything_reads_it(
    hass, sage: Sage, user, language
) -> None:
    sage.model_says()
    text = "my PIN is 4711, " * 250 + "!"

    heard = await sage.hear(text, language=language, user_id=user.id)

    assert heard == TOO_LONG[language]
    assert sage.model_calls == 0
    assert not sage.traces(user.id)
    person = Person(user_id=user.id, name="Anna")
    memory = sage.entry.runtime_data.memory
    assert await memory.async_do(person, PersonMemory.list) == ()
    assert sage.conversation_id
    assert not has_number(str(hass.data[DATA_CHAT_LOGS][sage.conversation_id].content), "4711")


async def test_an_invented_language_is_english(sage: Sage) -> None:
    sage.model_says(ANSWER)

    assert await sage.hear("hello", language="../" * 2_000) == "Good morning!"
    assert await sage.hear("a" * 5_000, language="../x") == TOO_LONG["en"]


async def test_many_requests_at_once_are_answered(sage: Sage) -> None:
    sage.model_says(*[ANSWER] * 16)

    heard = await asyncio.gather(
        *(sage.hear(f"hello {number}", conversation_id=None) for number in range(16))
    )

    assert heard == ["Good morning!"] * 16
    assert sage.model_calls == 16
