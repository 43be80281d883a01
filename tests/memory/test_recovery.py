"""A damaged file is kept, and what can be read of it is taken over."""

import random
from contextlib import closing
from pathlib import Path

import pytest

from custom_components.sage.memory.memories import FILE, MemorySettings
from custom_components.sage.memory.memory_export import export
from custom_components.sage.memory.person_memory import PersonMemory
from custom_components.sage.storage.async_file import recover
from tests.storage.conftest import written_and_killed
from tests.storage.killed_writer import KEPT

from .conftest import remember, said

PAGE = 4096


def fill(path: Path, count: int = 400) -> None:
    with closing(PersonMemory.open(path)) as anna:
        texts = [f"This is memory {number} about tea number {number}" for number in range(count)]
        remember(anna, *texts)
        anna.add(said(texts[0], minutes=-1))
        anna.set_settings(MemorySettings(retention_days=7))


def check(memory: PersonMemory) -> None:
    connection = memory.connection
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def test_a_whole_file_is_taken_over_whole(path: Path):
    fill(path)
    with closing(PersonMemory.open(path)) as anna:
        before, vectors, exported = anna.list(), anna.recall.vector_count(), export(anna)
        settings = anna.settings()
        highest = before[0].id
        anna.forget([highest])

    aside, rows = recover(path, FILE)

    assert rows == 399
    with closing(PersonMemory.open(path)) as again:
        assert again.list() == before[1:]
        assert again.recall.vector_count() == vectors - 1
        assert len(export(again)["memories"]) == len(exported["memories"]) - 1
        assert again.settings() == settings
        added = again.add(said("I like cake"))
        assert added.id > highest, "the number of a forgotten memory is not used again"
        check(again)
    with closing(PersonMemory.open(aside)) as old:
        assert old.list() == before[1:]


@pytest.mark.parametrize(
    "content",
    [b"\xff" * PAGE, bytes(PAGE), random.Random(1).randbytes(PAGE)],
    ids=["ones", "zeros", "random"],
)
def test_a_page_takes_few_others_with_it(path: Path, content: bytes):
    fill(path)
    whole = path.read_bytes()
    lost = []

    for page in range(1, len(whole) // PAGE, 5):
        path.write_bytes(whole[: page * PAGE] + content + whole[(page + 1) * PAGE :])
        _, rows = recover(path, FILE)
        with closing(PersonMemory.open(path)) as again:
            check(again)
            assert again.count() == rows
        lost.append(400 - rows)

    assert sorted(lost)[len(lost) // 2] == 0
    assert sum(count > 60 for count in lost) <= 1, "only the root of the table takes everything"


def test_of_half_a_file_all_readable_rows_come_back(path: Path):
    fill(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])

    _, rows = recover(path, FILE)

    with closing(PersonMemory.open(path)) as again:
        check(again)
        assert again.count() == rows > 100


def test_what_only_the_log_of_a_killed_process_has_comes_back(path: Path):
    written_and_killed(path, 30)
    log = path.with_name("anna.db-wal").read_bytes()
    assert b"I like tea" not in path.read_bytes()

    aside, rows = recover(path, FILE)

    assert rows == 30
    assert aside.with_name(f"{aside.name}-wal").read_bytes() == log


def test_forgotten_words_do_not_come_back(path: Path):
    """They are still in the file, which was not changed for a backup; the log is newer."""
    written_and_killed(path, 200, "hold")
    assert b"#7# I like tea" in path.read_bytes()

    _, rows = recover(path, FILE)

    assert rows == KEPT


def test_forgetting_everything_deletes_what_was_kept(path: Path):
    fill(path, 3)
    recover(path, FILE)
    recover(path, FILE)

    with closing(PersonMemory.open(path)) as anna:
        assert anna.forget_all() == 3

    assert list(path.parent.iterdir()) == [path]
