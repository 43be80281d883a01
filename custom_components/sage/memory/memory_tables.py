"""SQL of a memory file: the schema, its migrations, and repair after a recovery."""

from typing import Final

from ..storage.database import SETTINGS_TABLE, FileErrors, FileKind
from .memory_errors import ClosedError, CorruptFileError, MemoryStoreError, NewerFileError

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
"""

_REQUESTS: Final = """
CREATE INDEX requests ON sayings (at) WHERE origin < 0;
"""
"""Migration to version 2: index requests, whose origin is stored as a negative number."""

_COMMANDS: Final = """
CREATE TABLE commands (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    run TEXT NOT NULL UNIQUE,
    summary TEXT NOT NULL,
    trace TEXT NOT NULL
) STRICT;
"""
"""Migration to version 3: add the log of commands."""

STEPS: Final = (_FIRST + SETTINGS_TABLE, _REQUESTS, _COMMANDS)
"""SQL scripts; `STEPS[n]` migrates a file from schema version n to n + 1."""

_REPAIR: Final = (
    "DELETE FROM sayings WHERE memory NOT IN (SELECT id FROM memories)",
    """
    INSERT INTO sayings SELECT id, 1, at, place, origin, tainted FROM memories
    WHERE id NOT IN (SELECT memory FROM sayings)
    """,
    """
    UPDATE memories SET (first_at, at, count) =
    (SELECT min(at), max(at), count(*) FROM sayings WHERE memory = id)
    """,
    """
    DELETE FROM vectors
    WHERE memory NOT IN (SELECT id FROM memories) OR model NOT IN (SELECT id FROM models)
    """,
    """
    DELETE FROM vectors WHERE length(vector) !=
    4 * (SELECT dimensions FROM models WHERE models.id = model)
    """,
)
"""SQL that makes recovered tables consistent; background work recomputes missing vectors."""

FILE: Final = FileKind(
    subject="memory",
    errors=FileErrors(
        failed=MemoryStoreError,
        closed=ClosedError,
        corrupt=CorruptFileError,
        newer=NewerFileError,
    ),
    steps=STEPS,
    counted="memories",
    repair=_REPAIR,
)
