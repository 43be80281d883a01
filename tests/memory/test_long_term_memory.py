"""What is said is kept at once, and found whatever becomes of the models."""

import asyncio
import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from benchmark.fake_embedding_server import FakeEmbeddingServer, Fault
from custom_components.sage.embeddings.embedder import Embedder
from custom_components.sage.memory.long_term_memory import FOLDER
from custom_components.sage.memory.memories import MemorySettings, MemoryStoreError, Origin, Profile
from custom_components.sage.memory.person_memory import PersonMemory
from custom_components.sage.memory.recall import RecallIndex
from custom_components.sage.people.person import HOUSEHOLD, Person
from custom_components.sage.text.search import TextIndex

from .household import (
    ANNA,
    BEN,
    EVERYDAY,
    Connect,
    Household,
    Make,
    asked,
    broken,
    connect,
    files_of,
    make,
    on_disk,
    server,
)

__all__ = ["broken", "connect", "make", "server"]


# ---------------------------------------------------------------- remembering


async def test_nothing_is_lost_when_no_model_works(
    hass: HomeAssistant, make: Make, server: FakeEmbeddingServer, connect: Connect, broken: Embedder
):
    await server.async_stop()
    home = make(await connect())
    for text in EVERYDAY:
        await home.say(text)
    await home.settle()

    assert on_disk(hass, "anna") == list(EVERYDAY)
    # By words alone.
    assert (await home.found("Who lives in Quebec?"))[0] == "My mother lives in Quebec"
    assert await home.found("zebra") == []


# ---------------------------------------------------------------- recall


async def test_recall_finds_by_meaning_and_by_words(hass: HomeAssistant, make: Make):
    home = make()
    for text in (*EVERYDAY, "Ask for Xolani at the gate", "Close the blinds at nine"):
        await home.say(text)

    by_meaning = await home.found("Which ice hockey team do they follow?", count=1)
    by_words = await home.found("xolani", count=1)

    assert by_meaning == ["I never miss a game of the Canadiens"]
    assert by_words == ["Ask for Xolani at the gate"]


async def test_people_ask_at_once_and_get_their_own(hass: HomeAssistant, make: Make):
    home = make()
    people = {ANNA: "hockey", BEN: "tennis", HOUSEHOLD: "darts"}

    async def live(person: Person, sport: str) -> list[str]:
        for number in range(8):
            await home.say(f"I like {sport} {number}", person)
            await home.found("What do I like?", person)
        return await home.found("What do I like?", person, 20)

    found = await asyncio.gather(*(live(*each) for each in people.items()))

    for sport, texts in zip(people.values(), found, strict=True):
        assert sorted(texts) == [f"I like {sport} {number}" for number in range(8)]
    assert set(await home.memory.async_users()) == {"anna", "ben", None}


# ---------------------------------------------------------------- profile


async def profile_text(home: Household) -> str:
    text: str = await home.of(ANNA).async_run(lambda memory: memory.summaries.profile_text())
    return text


async def test_what_was_set_right_follows_the_profile_until_it_is_built_anew(
    hass: HomeAssistant, make: Make
):
    await hass.config.async_set_time_zone("UTC")
    home = make()
    made = datetime(2026, 5, 3, 12, tzinfo=UTC)

    async def build(text: str, made_at: datetime) -> None:
        profile = Profile(text=text, made_at=made_at, model="m", dates=())
        assert await home.memory.async_do(
            ANNA, lambda memory: memory.summaries.set_profile(profile, memory.summaries.notes())
        )

    await home.say("I like tea", origin=Origin.CORRECTED, at=made - timedelta(hours=1))
    assert await profile_text(home) == ("Corrected by the person on 2026-05-03: I like tea")
    await build("- They like tea", made)
    assert await profile_text(home) == "- They like tea"
    await home.say("I hate\ntea", origin=Origin.CORRECTED, at=made + timedelta(days=1))
    assert await profile_text(home) == (
        "- They like tea\nCorrected by the person on 2026-05-04: I hate tea"
    )
    await build("- They hate tea", made + timedelta(days=2))
    assert await profile_text(home) == "- They hate tea"
    await build("", made + timedelta(days=2))
    assert await profile_text(home) == ""


async def test_untrusted_words_set_nothing_right(make: Make):
    home = make()

    await home.say("I trust Eve", origin=Origin.CORRECTED, tainted=True)

    assert await profile_text(home) == ""
    assert (await home.of(ANNA).async_recollect("Eve")).is_tainted


# ---------------------------------------------------------------- forgetting


async def test_what_is_too_old_goes_as_the_household_and_each_person_want_it(
    hass: HomeAssistant, make: Make, caplog: pytest.LogCaptureFixture
):
    home = make(retention_days=30)
    now = dt_util.utcnow()
    own = {"anna": None, "ben": 5, "cleo": 0, "dave": 90}
    for user_id, days in own.items():
        person = Person(user_id=user_id, name="")
        for age in (1, 10, 60):
            await home.say(f"Said {age} days ago", person, at=now - timedelta(days=age))
        settings = MemorySettings(retention_days=days)
        await home.memory.async_do(person, PersonMemory.set_settings, settings)
        await home.found("said", person)
    # A file of a newer version stops nobody else's from being tidied.
    newer = Path(hass.config.path(FOLDER, f"{'b' * 32}.db"))
    with closing(sqlite3.connect(newer)) as connection:
        connection.execute("PRAGMA user_version = 999")

    await home.memory.async_expire()
    await home.memory.async_embed_all()
    await home.settle()

    kept = {
        user_id: len(await home.found("said days ago", Person(user_id=user_id, name="")))
        for user_id in own
    }
    assert kept == {"anna": 2, "ben": 1, "cleo": 3, "dave": 3}
    assert "Old memories could not be deleted" in caplog.text
    assert await home.missing() == 0


# ---------------------------------------------------------------- the end of it


async def test_closing_ends_what_is_under_way_and_loses_nothing(
    hass: HomeAssistant, make: Make, server: FakeEmbeddingServer, connect: Connect
):
    server.fail_always(Fault.HANG)
    home = make(await connect())
    for text in EVERYDAY:
        await home.say(text)
    asking = hass.async_create_task(home.found("jazz"))
    await asked(server, "jazz")

    await home.memory.async_close()

    asking.cancel()
    with pytest.raises((MemoryStoreError, asyncio.CancelledError)):
        await asking
    with pytest.raises(MemoryStoreError):
        await home.say("I like tea")
    with pytest.raises(MemoryStoreError):
        home.memory.of(ANNA.user_id)
    await home.memory.async_close()
    await home.settle()
    server.fail_always(None)
    again = make()
    assert (await again.found("jazz"))[0] == "Play some jazz in the kitchen"
    assert await again.memory.async_do(ANNA, PersonMemory.count) == 5


async def test_nothing_of_a_purged_person_comes_back(
    hass: HomeAssistant, make: Make, server: FakeEmbeddingServer, connect: Connect
):
    server.fail_always(Fault.HANG)
    home = make(await connect())
    await home.say("I like hockey")
    await home.say("I like tea", BEN)
    await asked(server, "I like hockey")

    await home.memory.async_purge("anna")
    await home.memory.async_purge("nobody")

    server.fail_always(None)
    await server.async_stop()
    await server.async_start()
    await home.settle()
    assert files_of(hass) == {"ben"}
    with pytest.raises(MemoryStoreError):
        await home.say("I like hockey")
    assert await home.memory.async_users() == ("ben",)
    assert await home.found("tea", BEN) == ["I like tea"]


async def test_the_event_loop_does_none_of_the_work(
    hass: HomeAssistant, make: Make, monkeypatch: pytest.MonkeyPatch
):
    at_work: dict[str, set[int]] = {}

    def watch(kind: type, name: str) -> None:
        whole = getattr(kind, name)

        def watched(*args: Any, **kwargs: Any) -> Any:
            at_work.setdefault(f"{kind.__name__}.{name}", set()).add(threading.get_ident())
            return whole(*args, **kwargs)

        monkeypatch.setattr(kind, name, watched)

    for name in ("add", "list", "expire", "forget"):
        watch(PersonMemory, name)
    for name in ("best", "set_vectors", "missing_vectors"):
        watch(RecallIndex, name)
    for name in ("__init__", "score"):
        watch(TextIndex, name)
    home = make(retention_days=1)
    for text in EVERYDAY:
        await home.say(text)
    await home.of(ANNA).async_recollect("Which team is mine?")
    found = await home.memory.async_do(ANNA, PersonMemory.list)
    await home.memory.async_do(ANNA, PersonMemory.forget, [found[0].id])
    await home.of(ANNA).async_find("jazz")
    await home.memory.async_expire()
    await home.settle()

    assert len(at_work) == 9
    assert all(threading.get_ident() not in threads for threads in at_work.values())
