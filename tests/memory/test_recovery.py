"""A damaged file is kept, and what can be read of it is taken over."""

import random
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from custom_components.sage.memory.export_import import export
from custom_components.sage.memory.memory_errors import CorruptFileError
from custom_components.sage.memory.memory_tables import FILE
from custom_components.sage.memory.memory_types import MemorySettings
from custom_components.sage.memory.person_memory import PersonMemory
from custom_components.sage.storage.recovery import recover, remove_set_aside, set_aside_files

from .conftest import recalled, remember, said
from .toy_embedder import MODEL

NOW = datetime(2026, 5, 4, 3, 2, 1, 5, tzinfo=UTC)
PAGE = 4096


def fill(path: Path, count: int = 400) -> None:
    with closing(PersonMemory.open(path)) as anna:
        texts = [f"This is memory {number} about tea number {number}" for number in range(count)]
        remember(anna, *texts)
        anna.add(said(texts[0], minutes=-1))
        anna.summaries.add_correction("Not coffee", NOW)
        anna.set_settings(MemorySettings(retention_days=7))


def damage(path: Path, *pages: int) -> None:
    with path.open("r+b") as file:
        for page in pages:
            file.seek(PAGE * page)
            file.write(random.Random(page).randbytes(PAGE))


def check(memory: PersonMemory) -> None:
    connection = memory.database.connection
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    for each in memory.list():
        assert each.count == len(memory.sayings(each.id)) > 0


def test_a_whole_file_is_taken_over_whole(path: Path):
    fill(path)
    with closing(PersonMemory.open(path)) as anna:
        before, vectors, exported = anna.list(), anna.recall.vector_counts(), export(anna)
        settings = anna.settings()

    aside = recover(path, FILE, NOW)

    with closing(PersonMemory.open(path)) as again:
        assert again.list() == before
        assert again.recall.vector_counts() == vectors
        assert export(again) == exported
        assert again.settings() == settings
        assert again.add(said("I like cake")).id > before[0].id
        check(again)
    assert aside.at == NOW
    assert aside.path.name == "anna.db.corrupt-20260504T030201000005Z"
    assert set_aside_files(path.parent) == (aside,)
    with closing(PersonMemory.open(aside.path)) as old:
        assert old.list() == before


@pytest.mark.parametrize("seed", range(8))
def test_most_survives_a_damaged_page(path: Path, seed: int):
    fill(path)
    pages = path.stat().st_size // PAGE
    damage(path, random.Random(seed).randrange(1, pages))

    recover(path, FILE, NOW)

    with closing(PersonMemory.open(path)) as again:
        check(again)
        assert again.count() > 300
        some = again.list()[7]
        assert some.text in [each.text for each in again.list(words=some.text)]
        again.forget([some.id])
        again.add(said(some.text))
        again.recall.load_vectors(MODEL)


def test_nothing_survives_of_what_is_no_database(path: Path):
    path.parent.mkdir()
    path.write_bytes(b"no database " * 999)
    with pytest.raises(CorruptFileError):
        PersonMemory.open(path)

    aside = recover(path, FILE, NOW)

    with closing(PersonMemory.open(path)) as again:
        assert again.count() == 0
    assert aside.path.read_bytes() == b"no database " * 999


def test_the_log_of_a_damaged_file_goes_with_it(path: Path):
    fill(path)
    anna = PersonMemory.open(path)
    anna.add(said("I like cake"))
    log = path.with_name("anna.db-wal").read_bytes()
    assert log

    aside = recover(path, FILE, NOW)

    assert aside.path.with_name(f"{aside.path.name}-wal").read_bytes()[: len(log)] == log
    anna.database.close()
    with closing(PersonMemory.open(path)) as again:
        assert recalled(again, "memory 3 about tea number 3", 1)
        assert [each.text for each in again.list(words="cake")] == ["I like cake"]


def test_several_damaged_files_are_kept_and_can_be_deleted(path: Path):
    fill(path, 3)
    first = recover(path, FILE, NOW)
    second = recover(path, FILE, NOW + timedelta(seconds=1))
    ben = path.with_name("ben.db")
    fill(ben, 1)
    of_ben = recover(ben, FILE, NOW)
    path.with_name("anna.db.corrupt-never-Z").write_text("something else")
    assert set_aside_files(path.parent) == (first, second, of_ben)

    remove_set_aside(path)

    assert set_aside_files(path.parent) == (of_ben,)


def test_forgetting_everything_deletes_what_was_kept(path: Path):
    fill(path, 3)
    recover(path, FILE, NOW)

    with closing(PersonMemory.open(path)) as anna:
        assert anna.forget_all() == 3

    assert list(path.parent.glob("[!.]*")) == [path]


def test_a_recovery_that_was_interrupted_begins_again(path: Path):
    fill(path, 3)
    path.with_name("anna.db.new").write_bytes(b"half of something")

    recover(path, FILE, NOW)

    with closing(PersonMemory.open(path)) as anna:
        assert anna.count() == 3
