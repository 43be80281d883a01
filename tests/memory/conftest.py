"""A person's memory in a folder of the test."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from custom_components.sage.memory.memories import Memory
from custom_components.sage.memory.person_memory import PersonMemory

from .toy_embedder import MODEL, embed

NOON = datetime(2026, 5, 3, 12, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory" / "anna.db"


@pytest.fixture
def anna(path: Path) -> Iterator[PersonMemory]:
    memory = PersonMemory.open(path)
    yield memory
    memory.close()


def said(text: str, *, minutes: float = 0, **other) -> Memory:
    return Memory(text=text, at=NOON + timedelta(minutes=minutes), **other)


def remember(memory: PersonMemory, *texts: str) -> list[int]:
    """Add texts, one a minute, with their vectors; return their ids."""
    added = [memory.add(said(text, minutes=minute)) for minute, text in enumerate(texts)]
    memory.recall.set_vectors(MODEL, added, embed(*texts))
    return [each.id for each in added]


def recalled(memory: PersonMemory, question: str, k: int = 5, *, words: str = "") -> list[str]:
    """Return the texts that fit best: by the vector of a question, and by words."""
    found = memory.recall.best(embed(question)[0], MODEL, k, question=words)
    return [each.text for each in found]


def bytes_of(path: Path) -> bytes:
    return b"".join(each.read_bytes() for each in sorted(path.parent.iterdir()))
