"""The memory of a household in tests, with models that are asked over the wire."""

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from benchmark.fake_embedding_server import FakeEmbeddingServer
from custom_components.sage.config.embedders import async_server_embedder
from custom_components.sage.embeddings.embedder import Embedder
from custom_components.sage.embeddings.minilm import BuiltinEmbedder
from custom_components.sage.memory.async_memory import AsyncPersonMemory
from custom_components.sage.memory.long_term_memory import FOLDER, LongTermMemory
from custom_components.sage.memory.memories import Memory, MemorySettings
from custom_components.sage.memory.person_memory import PersonMemory
from custom_components.sage.model.language_model import ModelError, RetryPolicy
from custom_components.sage.people.person import Person

ANNA = Person(user_id="anna", name="Anna")
BEN = Person(user_id="ben", name="Ben")
EVERYDAY = (
    "Turn on the lamp in the hall",
    "I never miss a game of the Canadiens",
    "Play some jazz in the kitchen",
    "My mother lives in Quebec",
    "Is the window in the bath open?",
)


class Household:
    """A memory and what it reported."""

    def __init__(self, hass: HomeAssistant, memory: LongTermMemory, reports: list[Any]) -> None:
        self.hass = hass
        self.memory = memory
        self.reports = reports

    def of(self, person: Person = ANNA) -> AsyncPersonMemory:
        return self.memory.of(person.user_id)

    async def say(self, text: str, person: Person = ANNA, **more: Any) -> None:
        assert await self.of(person).async_remember(said(text, **more)) is not None

    async def found(self, question: str, person: Person = ANNA, count: int = 5) -> list[str]:
        found = await self.of(person).async_recall(question, count)
        return [each.text for each in found]

    async def vectors(self, person: Person = ANNA) -> int:
        return await self.of(person).async_run(lambda memory: memory.recall.vector_count())

    async def missing(self, person: Person = ANNA) -> int:
        return await self.of(person).async_run(PersonMemory.count) - await self.vectors(person)

    async def plant(self, *texts: str, person: Person = ANNA) -> None:
        """Let memories come in without anybody to make their vectors."""
        for text in texts:
            await self.memory.async_do(person, PersonMemory.add, said(text))

    async def settle(self) -> None:
        await self.hass.async_block_till_done(wait_background_tasks=True)


def said(text: str, **more: Any) -> Memory:
    return Memory(**{"text": text, "at": dt_util.utcnow()} | more)  # type: ignore[arg-type]


def make_memory(
    hass: HomeAssistant,
    embedder: Embedder | None = None,
    *,
    report: Callable[[ModelError | None], None] = lambda _: None,
    defaults: MemorySettings = MemorySettings(retention_days=0, request_days=90),  # noqa: B008
) -> LongTermMemory:
    return LongTermMemory(
        hass,
        embedder or BuiltinEmbedder(hass),
        report=report,
        report_fault=lambda _: None,
        household=defaults,
    )


type Make = Callable[..., Household]


@pytest.fixture
async def make(hass: HomeAssistant) -> AsyncGenerator[Make]:
    """Make the memory of a household; the one before is closed by the test or at the end."""
    made: list[LongTermMemory] = []

    def make(
        embedder: Embedder | None = None, *, retention_days: int = 0, request_days: int = 90
    ) -> Household:
        reports: list[ModelError | None] = []
        memory = make_memory(
            hass,
            embedder,
            report=reports.append,
            defaults=MemorySettings(retention_days=retention_days, request_days=request_days),
        )
        made.append(memory)
        return Household(hass, memory, reports)

    yield make
    for memory in made:
        await memory.async_close()


@pytest.fixture
async def server(socket_enabled: None) -> AsyncGenerator[FakeEmbeddingServer]:
    async with FakeEmbeddingServer(models=("first", "second")) as running:
        yield running


type Connect = Callable[..., Any]


@pytest.fixture
def connect(hass: HomeAssistant, server: FakeEmbeddingServer) -> Connect:
    """Return an embedder of the server, with hardly any patience."""

    async def connect(model: str = "first") -> Embedder:
        return await async_server_embedder(
            hass,
            {"base_url": server.url, "model": model},
            policy=RetryPolicy(attempts=1, request_seconds=20.0, total_seconds=20.0),
        )

    return connect


@pytest.fixture
def broken(hass: HomeAssistant, tmp_path: Path) -> Embedder:
    return BuiltinEmbedder(hass, file=tmp_path / "none.safetensors")


async def asked(server: FakeEmbeddingServer, text: str) -> None:
    """Wait until the server was asked for the vector of a text."""
    heard = asyncio.Event()

    def hear(body: dict[str, Any]) -> None:
        if text in body["input"]:
            heard.set()

    server.refuses = hear
    if text not in server.texts:
        await heard.wait()


def files_of(hass: HomeAssistant) -> set[str]:
    folder = Path(hass.config.path(FOLDER))
    return {path.name.partition(".")[0] for path in folder.glob("[!.]*")}


def on_disk(hass: HomeAssistant, user_id: str) -> list[str]:
    path = Path(hass.config.path(FOLDER, f"{user_id}.db"))
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return [text for (text,) in connection.execute("SELECT text FROM memories ORDER BY id")]
