"""What can be read of a damaged file comes back, whichever page is lost."""

import random
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from custom_components.sage.memory.memory_tables import FILE
from custom_components.sage.memory.person_memory import PersonMemory
from custom_components.sage.storage.database import Database, FileKind
from custom_components.sage.storage.recovery import SetAside, recover
from tests.memory.conftest import remember, said

from .conftest import written_and_killed
from .killed_writer import KEPT

NOW = datetime(2026, 5, 4, 3, tzinfo=UTC)
PAGE = 4096


def texts(path: Path) -> list[str]:
    """Return what is remembered, said first first; the file has to be whole."""
    with closing(PersonMemory.open(path)) as anna:
        connection = anna.database.connection
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        return [each.text for each in sorted(anna.list(), key=lambda each: each.id)]


def filled(path: Path, count: int) -> list[str]:
    said = [f"Memory {number}: I like tea" for number in range(count)]
    with closing(PersonMemory.open(path)) as anna:
        remember(anna, *said)
    return said


def truncate(path: Path, size: int) -> None:
    with path.open("r+b") as file:
        file.truncate(size)


def overwrite(path: Path, page: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek((page - 1) * PAGE)
        file.write(content)


def test_half_a_file_gives_all_that_is_in_that_half(path: Path):
    before = filled(path, 20)
    pages = path.stat().st_size // PAGE
    truncate(path, path.stat().st_size // 2)

    aside = recover(path, FILE, NOW)

    assert texts(path) == before
    assert (aside.rows, aside.pages, aside.is_missing) == (20, pages, False)
    assert pages // 3 < aside.lost_pages <= pages // 2 + 1


@pytest.mark.parametrize(
    "content",
    [b"\xff" * PAGE, bytes(PAGE), random.Random(1).randbytes(PAGE)],
    ids=["ones", "zeros", "random"],
)
def test_no_page_takes_others_with_it(path: Path, content: bytes):
    """Not even the first one, or the root of a table."""
    before = filled(path, 300)
    whole = path.read_bytes()
    on_a_page = max(
        whole[start : start + PAGE].count(b"I like tea") for start in range(0, len(whole), PAGE)
    )

    for page in range(1, min(len(whole) // PAGE, 60) + 1):
        path.write_bytes(whole)
        overwrite(path, page, content)
        aside = recover(path, FILE, NOW)
        found = texts(path)
        assert set(found) <= set(before)
        assert len(found) == aside.rows >= 300 - on_a_page, page


def test_a_tail_of_any_length_can_be_lost(path: Path):
    before = filled(path, 60)
    whole = path.read_bytes()
    kept = []

    for size in range(0, len(whole) + 1, 3000):
        path.write_bytes(whole[:size])
        aside = recover(path, FILE, NOW)
        assert set(texts(path)) <= set(before)
        kept.append(aside.rows)

    assert kept == sorted(kept)
    assert recovered_of(path, whole).rows == 60


def recovered_of(path: Path, content: bytes) -> SetAside:
    path.write_bytes(content)
    return recover(path, FILE, NOW)


def test_what_only_the_log_of_a_killed_process_has_comes_back(path: Path):
    written_and_killed(path, 30)
    assert b"I like tea" not in path.read_bytes()
    overwrite(path, 1, b"\xff" * PAGE)

    aside = recover(path, FILE, NOW)

    assert len(texts(path)) == aside.rows == 30


def test_a_log_that_was_cut_off_or_overwritten_counts_up_to_there(path: Path):
    written_and_killed(path, 30)
    log = path.with_name("anna.db-wal")
    whole, main = log.read_bytes(), path.read_bytes()
    found = []

    for size in range(40, len(whole), 50_021):
        path.write_bytes(main)
        log.write_bytes(whole[:size] + b"\xff" * 5000)
        recover(path, FILE, NOW)
        found.append(texts(path))
        assert found[-1] == [f"#{number}# I like tea" for number in range(len(found[-1]))]

    assert 0 < len(found[-1]) < 30


def test_forgotten_words_do_not_come_back(path: Path):
    """They are still in the file, which was not changed for a backup; the log is newer."""
    written_and_killed(path, 200, "hold")
    assert b"#7# I like tea" in path.read_bytes()
    overwrite(path, 1, b"\xff" * PAGE)

    recover(path, FILE, NOW)

    assert texts(path) == [f"#{number}# I like tea" for number in range(200 - KEPT, 200)]


def test_any_text_comes_back_as_it_was(path: Path):
    rng = random.Random(3)
    before = [
        f"{number}: "
        + "".join(rng.choices("aä€😀 ", k=rng.choice((1, 50, 1000, 4040, 90_000))))
        + "."
        for number in range(60)
    ]
    with closing(PersonMemory.open(path)) as anna:
        for text in before:
            anna.add(said(text, minutes=-1e9 * rng.random() / 60))
        places = [(each.text, each.at, each.place) for each in anna.list()]

    assert recover(path, FILE, NOW).lost_pages == 0

    assert texts(path) == before
    with closing(PersonMemory.open(path)) as anna:
        assert [(each.text, each.at, each.place) for each in anna.list()] == places


def test_a_file_of_an_older_version_is_salvaged_and_brought_up_to_date(path: Path):
    steps = (
        """
        CREATE TABLE songs (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL) STRICT;
        CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID
        """,
        "ALTER TABLE songs ADD COLUMN key TEXT",
        """
        CREATE TABLE tunes (key TEXT, id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
        INSERT INTO tunes SELECT key, id, name FROM songs;
        DROP TABLE songs
        """,
    )
    old, middle, new = (
        FileKind(subject="songs", errors=FILE.errors, steps=steps[:number], counted=name)
        for number, name in ((1, "songs"), (2, "songs"), (3, "tunes"))
    )
    for kind, song in ((old, "INSERT INTO songs VALUES (7, 'Blue')"), (middle, "SELECT 1")):
        database = Database.open(path, kind)
        with database.writing() as connection:
            connection.execute(song)
        database.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO songs VALUES (-9, 'Green', 'C')")
    truncate(path, path.stat().st_size + 1)

    assert recover(path, new, NOW).rows == 2

    database = Database.open(path, new)
    found = database.connection.execute("SELECT id, name, key FROM tunes ORDER BY id").fetchall()
    assert found == [(-9, "Green", "C"), (7, "Blue", None)]
    database.close()


def test_no_number_is_given_twice_though_its_memory_is_lost(path: Path):
    with closing(PersonMemory.open(path)) as anna:
        ids = remember(anna, "I like tea", "I like jazz")
        anna.forget(ids)
    truncate(path, path.stat().st_size + 1)

    recover(path, FILE, NOW)

    with closing(PersonMemory.open(path)) as anna:
        assert anna.add(said("I run")).id > max(ids)
