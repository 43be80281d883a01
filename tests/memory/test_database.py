"""One file a person: private, whole, of a known version."""

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from custom_components.sage.memory.memories import FILE, MemoryStoreError
from custom_components.sage.memory.person_memory import PersonMemory
from custom_components.sage.storage.database import migrate, version_of

from .conftest import bytes_of, said


def test_files_are_for_the_user_of_home_assistant_alone(path: Path):
    before = os.umask(0)
    try:
        anna = PersonMemory.open(path)
        anna.add(said("I like tea"))
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        files = list(path.parent.iterdir())
        assert {file.name for file in files} == {"anna.db", "anna.db-wal"}
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
        anna.close()
        path.chmod(0o644)
        path.parent.chmod(0o755)

        PersonMemory.open(path).close()

        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    finally:
        os.umask(before)


def test_the_file_is_kept_as_safely_as_it_can_be(anna: PersonMemory):
    def setting(name: str) -> object:
        return anna.connection.execute(f"PRAGMA {name}").fetchone()[0]

    assert setting("journal_mode") == "wal"
    assert setting("synchronous") == 2
    assert setting("secure_delete") == 1
    assert setting("foreign_keys") == 1
    assert setting("temp_store") == 2
    assert setting("user_version") == len(FILE.steps)


def test_an_older_file_is_brought_up_to_date_step_by_step(tmp_path: Path):
    steps = (
        "CREATE TABLE a (x); INSERT INTO a VALUES (1)",
        "ALTER TABLE a ADD y; UPDATE a SET y = x + 1;",
        "CREATE TABLE b (z); INSERT INTO b SELECT y FROM a",
    )
    with closing(sqlite3.connect(tmp_path / "old.db", isolation_level=None)) as connection:
        migrate(connection, steps[:1])
        assert version_of(connection) == 1
        with pytest.raises(sqlite3.Error):
            migrate(connection, (*steps[:2], "CREATE TABLE b (z); NONSENSE"))
        assert version_of(connection) == 2

        migrate(connection, steps)
        migrate(connection, steps)

        assert version_of(connection) == 3
        assert connection.execute("SELECT x, y, z FROM a, b").fetchall() == [(1, 2, 2)]


@pytest.mark.parametrize("content", [b"This is no database at all, but a letter. " * 99, b"x"])
def test_what_is_no_database_is_told_and_left(path: Path, content: bytes):
    path.parent.mkdir()
    path.write_bytes(content)

    with pytest.raises(MemoryStoreError):
        PersonMemory.open(path)

    assert path.read_bytes() == content


def test_a_file_that_another_process_holds_is_told(anna: PersonMemory, path: Path):
    anna.connection.execute("PRAGMA busy_timeout = 1")
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(MemoryStoreError, match="another program is using it"):
            anna.add(said("I like tea"))

    assert anna.add(said("I like tea")).count == 1


def test_what_cannot_be_rewritten_yet_is_rewritten_later(
    anna: PersonMemory, path: Path, caplog: pytest.LogCaptureFixture
):
    memory = anna.add(said("The #surprise"))
    anna.checkpoint()
    other = sqlite3.connect(path)
    other.execute("BEGIN")
    other.execute("SELECT * FROM memories").fetchall()
    anna.connection.execute("PRAGMA busy_timeout = 1")

    assert anna.forget([memory.id]) == 1

    assert anna.count() == 0
    assert b"#surprise" in bytes_of(path)
    other.close()
    anna.close()
    PersonMemory.open(path).close()
    assert b"#surprise" not in bytes_of(path)
    assert "surprise" not in caplog.text


def test_a_full_disk_does_not_undo_a_deletion(
    anna: PersonMemory, path: Path, caplog: pytest.LogCaptureFixture
):
    memory = anna.add(said("The #surprise " + "x" * 9000))
    connection = anna.connection
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA main.max_page_count = {pages}")
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)

    assert anna.forget([memory.id]) == 1

    assert anna.count() == 0
    assert "has not been removed from its file yet" in caplog.text
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 10)
    anna.scrub()
    assert b"#surprise" not in bytes_of(path)


def test_a_file_that_is_held_does_not_change_until_it_is_released(anna: PersonMemory, path: Path):
    secret = anna.add(said("The #surprise"))
    anna.hold()
    before = path.read_bytes()
    assert b"#surprise" in before

    anna.forget([secret.id])
    for number in range(1500):
        anna.add(said(f"I like tea {number}"))

    assert path.read_bytes() == before
    copied = path.with_name("copy.db")
    copied.write_bytes(before)
    with closing(PersonMemory.open(copied)) as copy:
        assert [memory.text for memory in copy.list()] == ["The #surprise"]
    copied.unlink()
    anna.release()
    assert b"#surprise" not in bytes_of(path)
    assert anna.count() == 1500
