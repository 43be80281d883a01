"""The tables of the routines, their migrations and the repair after a recovery."""

from typing import Final

from ..storage.database import FileErrors, FileKind
from .routine_errors import CorruptStoreError, NewerStoreError, RoutineStoreError, StoreClosedError

_FIRST: Final = """
CREATE TABLE routines (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    removed INTEGER NOT NULL,
    data TEXT NOT NULL
) STRICT;
CREATE TABLE memos (
    routine TEXT PRIMARY KEY REFERENCES routines (id) ON DELETE CASCADE,
    data TEXT NOT NULL
) STRICT;
CREATE TABLE firings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    routine TEXT NOT NULL REFERENCES routines (id) ON DELETE CASCADE,
    edge TEXT NOT NULL,
    step TEXT NOT NULL,
    data TEXT NOT NULL
) STRICT;
CREATE INDEX firings_of_routine ON firings (routine);
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""

STEPS: Final = (_FIRST,)

FILE: Final = FileKind(
    subject="store of the routines",
    errors=FileErrors(
        failed=RoutineStoreError,
        closed=StoreClosedError,
        corrupt=CorruptStoreError,
        newer=NewerStoreError,
    ),
    steps=STEPS,
    counted="routines",
    mend=(
        "DELETE FROM memos WHERE routine NOT IN (SELECT id FROM routines)",
        "DELETE FROM firings WHERE routine NOT IN (SELECT id FROM routines)",
        # The recovered step may be too early: report the firing, never execute it twice.
        "UPDATE firings SET step = 'started' WHERE step = 'journaled'",
        # Do not reuse numbers: people know them from firings that no longer exist.
        "DELETE FROM sqlite_sequence WHERE name = 'firings'",
        "INSERT INTO sqlite_sequence VALUES ('firings', unixepoch())",
    ),
)
