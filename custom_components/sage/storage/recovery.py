"""Replace a damaged SQLite file: rename it, and copy its readable rows to a new file."""

import contextlib
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from .database import (
    FileKind,
    connected,
    files_of,
    fresh_copy,
    migrate,
    new_file,
    raising_store_errors,
    synchronize_folder,
)

_MARK: Final = ".corrupt-"
_HIGHEST: Final = 2**63 - 1
"""The highest row id in SQLite."""

_TABLES: Final = """
SELECT name, iif(wr, (SELECT name FROM pragma_table_info(t.name) WHERE pk = 1), 'rowid')
FROM pragma_table_list t WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'
"""
"""The tables, each with a column by which its rows are read in order."""


def recover(path: Path, kind: FileKind) -> tuple[Path, int]:
    """Rename a damaged file, and put a new file with all readable rows in its place.

    Returns the new path of the damaged file, whose name contains `.corrupt-` and the time, and the
    number of recovered rows of the table `kind.counted`. Raises `kind.error`.
    """
    fresh = fresh_copy(path)
    aside = path.with_name(f"{path.name}{_MARK}{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}")
    with raising_store_errors(kind):
        with new_file(fresh) as new, contextlib.closing(connected(path)) as old:
            # Otherwise SQLite refuses a file that is shorter than it was.
            old.execute("PRAGMA writable_schema = ON")
            old.setconfig(sqlite3.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, True)
            count = _rescue(old, new, kind)
        # If the process stops here, `Database.open` completes the recovery.
        for file, renamed in zip(files_of(path), files_of(aside), strict=True):
            if file.exists():
                file.rename(renamed)
        fresh.rename(path)
        synchronize_folder(path.parent)
    return aside, count


def remove_set_aside(path: Path) -> None:
    """Delete the damaged files that `recover` renamed for the database at `path`."""
    for file in path.parent.glob(f"{path.name}{_MARK}*"):
        file.unlink()


def _rescue(old: sqlite3.Connection, new: sqlite3.Connection, kind: FileKind) -> int:
    """Copy all readable rows; return the number of rows in the table `kind.counted`."""
    new.execute("PRAGMA foreign_keys = OFF")  # until the repair
    migrate(new, kind.steps)
    new.execute("BEGIN IMMEDIATE")
    for table, key in new.execute(_TABLES).fetchall():
        _copy(old, new, table, key)
    # Do not use the id of a lost row again.
    with contextlib.suppress(sqlite3.Error):
        for name, number in old.execute("SELECT name, seq FROM sqlite_sequence").fetchall():
            new.execute("DELETE FROM sqlite_sequence WHERE name = ? AND seq < ?", (name, number))
            new.execute(
                "INSERT INTO sqlite_sequence SELECT ?1, ?2"
                " WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)",
                (name, number),
            )
    for statement in kind.repair:
        new.execute(statement)
    count: int = new.execute(f"SELECT count(*) FROM {kind.counted}").fetchone()[0]  # noqa: S608
    new.execute("COMMIT")
    return count


def _copy(old: sqlite3.Connection, new: sqlite3.Connection, table: str, key: str) -> None:
    """Copy the readable rows of a table, in the order of the column `key`.

    After unreadable rows, continues with the next readable one, but not if `key` contains texts.
    """
    query = f"SELECT {key}, * FROM {table} WHERE {key} >= ? ORDER BY {key}"  # noqa: S608
    start, is_ordered = 0, True
    while start < _HIGHEST:
        try:
            rows = old.execute(query, (start,))
            names = ", ".join(column[0] for column in rows.description[1:])
            marks = ", ".join("?" * (len(rows.description) - 1))
            insert = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})"  # noqa: S608
            for number, *values in rows:
                with contextlib.suppress(sqlite3.Error):  # garbage that does not fit the table
                    new.execute(insert, values)
                if not isinstance(number, int):
                    is_ordered = False
                elif start <= number < _HIGHEST:
                    start = number + 1
        except sqlite3.Error:
            if not is_ordered:
                return
            start = _next_readable(old, query, start)
        else:
            return


def _next_readable(old: sqlite3.Connection, query: str, unreadable: int) -> int:
    """Return a key above `unreadable` from which on a row can be read; `_HIGHEST` if none."""

    def is_readable(start: int) -> bool:
        try:
            old.execute(f"{query} LIMIT 1", (start,)).fetchone()
        except sqlite3.Error:
            return False
        return True

    step = 1
    while not is_readable(unreadable + step):
        unreadable += step
        step *= 2
        if unreadable + step >= _HIGHEST:
            return _HIGHEST
    readable = unreadable + step
    while readable - unreadable > 1:
        middle = (unreadable + readable) // 2
        if is_readable(middle):
            readable = middle
        else:
            unreadable = middle
    return readable
