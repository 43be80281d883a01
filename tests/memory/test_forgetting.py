"""What is forgotten is gone: from recall, from what was made of it, from the bytes on the disk."""

import random
import re
from datetime import UTC, timedelta
from pathlib import Path

import numpy as np
import pytest

from custom_components.sage.memory.memories import Origin
from custom_components.sage.memory.person_memory import PersonMemory
from custom_components.sage.storage.database import Database

from .conftest import NOON, bytes_of, recalled, remember, said
from .toy_embedder import MODEL


def test_a_forgotten_period_leaves_what_was_also_said_at_other_times(anna: PersonMemory):
    anna.add(said("I like tea", minutes=-60, place="Hall", tainted=True))
    anna.add(said("I like tea", minutes=10, place="Kitchen", origin=Origin.TOLD))
    anna.add(said("A surprise for Ben", minutes=10))
    anna.add(said("I like hockey", minutes=30))

    hit = anna.forget_period(NOON, NOON + timedelta(minutes=30))

    assert hit == 2
    hockey, tea = anna.list()
    assert hockey.text == "I like hockey"
    assert (tea.text, tea.count, tea.place) == ("I like tea", 1, "Hall")
    assert tea.at == tea.first_at == NOON - timedelta(minutes=60)
    assert (tea.origin, tea.tainted) == (Origin.SAID, True)


def test_everything_can_be_forgotten(anna: PersonMemory, path: Path):
    remember(anna, "She lives in Quebec", "I like hockey")
    (day,) = anna.summaries.changed_days(UTC)
    anna.summaries.set_day(day, "Talked of Quebec")
    anna.recall.load_vectors(MODEL)

    assert anna.forget_all() == 2

    assert not anna.list()
    assert not anna.summaries.days()
    assert not anna.summaries.corrections()
    assert anna.recall.vector_count() == 0
    assert recalled(anna, "Quebec") == []
    assert b"Quebec" not in bytes_of(path)
    remember(anna, "I like tea")
    assert recalled(anna, "tea") == ["I like tea"]


class Diary:
    """A memory with texts whose beginnings stand nowhere else, and what should be in it."""

    def __init__(self, path: Path, seed: int) -> None:
        self.memory = PersonMemory.open(path)
        self.memory.connection.execute("PRAGMA synchronous = OFF")
        self.path = path
        self.living: dict[int, str] = {}
        self.gone: set[bytes] = set()
        self._random = random.Random(seed)
        self._number = 0

    def text(self) -> str:
        self._number += 1
        words = self._random.choices(("tea", "hockey", "Quebec"), k=self._random.choice((2, 9, 60)))
        return f"#{self._number:07d} {' '.join(words)}"

    def change(self) -> None:
        """Say some things, and forget some that were said one after the other."""
        for _ in range(self._random.choice((1, 5, 60))):
            text = self.text()
            self.living[self.memory.add(said(text)).id] = text
        added = self.memory.recall.missing_vectors(MODEL, 60)
        self.memory.recall.set_vectors(
            MODEL, added, np.stack([vector(each.text) for each in added])
        )
        ids = sorted(self.living)
        start = self._random.randrange(len(ids))
        forgotten = ids[start : start + self._random.choice((1, 3, 50))]
        assert self.memory.forget(forgotten) == len(forgotten)
        self.gone |= {trace(self.living.pop(memory_id)) for memory_id in forgotten}

    def found(self) -> set[bytes]:
        return self.gone & set(re.findall(rb"#\d{7}", bytes_of(self.path)))


def trace(text: str) -> bytes:
    return text[:8].encode()


def vector(text: str) -> np.ndarray:
    """Return numbers that are the beginning of the text again and again."""
    return np.frombuffer(trace(text) * 192, "<f4")


SEEDS = (2, 3)


@pytest.mark.parametrize("seed", SEEDS)
def test_forgotten_words_and_vectors_are_in_no_file(path: Path, seed: int):
    diary = Diary(path, seed)
    for _ in range(60):
        diary.change()
        assert not diary.found()
    assert {memory.id: memory.text for memory in diary.memory.list()} == diary.living
    diary.memory.close()
    assert [path] == list(path.parent.glob("[!.]*"))
    assert len(diary.gone) > 500
    assert all(trace(text) in bytes_of(path) for text in diary.living.values())


def test_it_is_the_rewriting_that_takes_them_out(path: Path, monkeypatch: pytest.MonkeyPatch):
    """SQLite leaves stale copies of rows that it moves between pages, and the test sees them."""
    monkeypatch.setattr(Database, "scrub", Database.checkpoint)
    found = set()
    for seed in SEEDS:
        diary = Diary(path.with_name(f"{seed}.db"), seed)
        for _ in range(60):
            diary.change()
            found |= diary.found()
        diary.memory.close()
    assert found


def test_corrected_words_and_their_vectors_are_in_no_file(anna: PersonMemory, path: Path):
    anna.add(said("I like tea"))
    wrong = anna.add(said("#Quebec is where she lives"))
    anna.recall.set_vectors("planted", [wrong], vector("#Quebec ")[None])
    assert b"#Quebec #Quebec " in bytes_of(path)

    anna.correct(wrong.id, "Montreal is where she lives")

    assert b"Quebec" not in bytes_of(path)
    assert b"Montreal" in bytes_of(path)
