"""The tables of a person's memory, and how older files become new ones."""

import sqlite3
from collections.abc import Sequence
from typing import Final

_FIRST: Final = """
CREATE TABLE memories (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key BLOB NOT NULL UNIQUE,
    text TEXT NOT NULL,
    question TEXT,
    place TEXT,
    origin INTEGER NOT NULL,
    tainted INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    at INTEGER NOT NULL,
    count INTEGER NOT NULL
) STRICT;
CREATE TABLE sayings (
    memory INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    place TEXT,
    origin INTEGER NOT NULL,
    tainted INTEGER NOT NULL,
    PRIMARY KEY (memory, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE models (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL
) STRICT;
CREATE TABLE vectors (
    id INTEGER PRIMARY KEY,
    memory INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    model INTEGER NOT NULL REFERENCES models (id) ON DELETE CASCADE,
    vector BLOB NOT NULL,
    UNIQUE (memory, model)
) STRICT;
CREATE TABLE days (
    date TEXT PRIMARY KEY,
    starts INTEGER NOT NULL,
    ends INTEGER NOT NULL,
    content_hash TEXT NOT NULL,
    text TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    model TEXT NOT NULL
) STRICT;
CREATE TABLE profile (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    text TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    model TEXT NOT NULL,
    dates TEXT NOT NULL
) STRICT;
CREATE TABLE corrections (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""

STEPS: Final = (_FIRST,)
"""Step n makes a file of version n one of version n + 1; the version of a new file is 0."""


def version_of(connection: sqlite3.Connection) -> int:
    """Return the version of the schema of a file."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def migrate(connection: sqlite3.Connection, steps: Sequence[str] = STEPS) -> None:
    """Take the steps that the file has not had, each whole or not at all."""
    for number in range(version_of(connection), len(steps)):
        connection.execute("BEGIN IMMEDIATE")
        try:
            for statement in filter(str.strip, steps[number].split(";")):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number + 1}")
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
