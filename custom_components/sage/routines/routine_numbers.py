"""The public numbers of routines in the SQLite file; each is assigned once and never reused."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

_LAST_NUMBER: Final = "last_number"
"""Setting in the file: the highest number ever assigned; missing until numbers are assigned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownNumbers:
    """Public numbers of routines that the entity registry knows; used if the file has none."""

    routines: Mapping[str, int] = field(default_factory=dict)
    """Routine id -> its number."""

    last: int = 0
    """The highest number that was ever assigned, as far as known; 0 if unknown."""


def has_numbers(connection: sqlite3.Connection) -> bool:
    """Return whether the file already has public numbers for its routines."""
    return _last_number(connection) is not None


def assign_numbers(connection: sqlite3.Connection, known: KnownNumbers) -> None:
    """Assign the numbers in `known` to their stored routines, and new numbers to the others."""
    rows = connection.execute("SELECT id, number FROM routines ORDER BY number").fetchall()
    free = set(known.routines.values())
    last = max([known.last, *free, *(number for _, number in rows)])
    # First negate all numbers: the column is unique, so new numbers must not equal old ones.
    connection.execute("UPDATE routines SET number = -number")
    for routine_id, row in rows:
        number = known.routines.get(routine_id)
        if number is None or number not in free:
            number = last = last + 1
        free.discard(number)
        connection.execute("UPDATE routines SET number = ? WHERE number = ?", (number, -row))
    _set_last_number(connection, last)


def next_number(connection: sqlite3.Connection) -> int:
    """Assign the next number for a new routine, and return it."""
    highest = connection.execute("SELECT max(number) FROM routines").fetchone()[0]
    number = max(_last_number(connection) or 0, highest or 0) + 1
    _set_last_number(connection, number)
    return number


def _last_number(connection: sqlite3.Connection) -> int | None:
    found = connection.execute("SELECT value FROM settings WHERE name = ?", (_LAST_NUMBER,))
    row = found.fetchone()
    return None if row is None else int(row[0])


def _set_last_number(connection: sqlite3.Connection, number: int) -> None:
    connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (_LAST_NUMBER, str(number)))
