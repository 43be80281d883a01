"""Replace a damaged SQLite file: rename it, and copy its readable rows to a new file."""

import contextlib
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Self

from .database import (
    FileKind,
    files_of,
    fresh_copy,
    migrate,
    new_file,
    raising_store_errors,
    remove_files,
    synchronize_folder,
)
from .pages import Pages, Row, Value

_MARK: Final = ".corrupt-"
_STAMP: Final = "%Y%m%dT%H%M%S%fZ"
_TYPES: Final = {"INTEGER": int, "TEXT": str, "BLOB": bytes, "REAL": float}


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAside:
    """A damaged database file that `recover` renamed, and the result of the recovery.

    In objects from `set_aside_files`, only `path` and `at` are set.
    """

    path: Path
    """The new path of the renamed file; its name contains `.corrupt-` and the time."""

    at: datetime
    """Time of the recovery; aware, UTC."""

    is_missing: bool = field(default=False, compare=False)
    """Whether the database file was missing or empty when `recover` was called.

    Always False in objects from `set_aside_files`, which cannot know this.
    """

    rows: int = field(default=0, compare=False)
    """Number of recovered rows of the main table (`FileKind.counted`); 0 if unknown."""

    pages: int = field(default=0, compare=False)
    """Number of pages of the damaged file; 0 if unknown."""

    lost_pages: int = field(default=0, compare=False)
    """Number of pages that were not completely readable; 0 if unknown."""

    @property
    def placeholders(self) -> dict[str, str]:
        """Translation placeholders for the repair issue about this file."""
        return {
            "file": self.path.name,
            "rows": str(self.rows),
            "pages": str(self.pages),
            "lost_pages": str(self.lost_pages),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """The columns of a table; they show to which table a recovered row belongs."""

    name: str
    columns: tuple[str, ...]
    """Column names in storage order."""

    types: tuple[type | None, ...]
    optional: tuple[bool, ...]
    """For each column, whether a row may omit it or contain NULL."""

    has_rowid: bool
    alias: int | None
    """Index of the column that is an alias of the rowid; None if there is none."""

    @classmethod
    def of(cls, connection: sqlite3.Connection, name: str, *, has_rowid: bool) -> Self:
        """Return the columns of a table; in tables WITHOUT ROWID, the key columns come first."""
        found = connection.execute(f"PRAGMA table_info({name})").fetchall()
        keys = sorted((each for each in found if each[5]), key=lambda each: int(each[5]))
        if not has_rowid:
            found = keys + [each for each in found if not each[5]]
        is_alias = has_rowid and len(keys) == 1 and keys[0][2] == "INTEGER"
        return cls(
            name=name,
            columns=tuple(each[1] for each in found),
            types=tuple(_TYPES.get(each[2]) for each in found),
            optional=tuple(not each[3] or each[4] is not None for each in found),
            has_rowid=has_rowid,
            alias=found.index(keys[0]) if is_alias else None,
        )

    def fits(self, row: Row) -> bool:
        """Return whether the values of a row match the columns of this table."""
        values = row.values
        if self.has_rowid != (row.rowid is not None) or len(values) > len(self.columns):
            return False
        if not all(self.optional[len(values) :]):
            return False
        if self.alias is not None and (len(values) <= self.alias or values[self.alias] is not None):
            return False
        return all(
            self.optional[place] or place == self.alias
            if value is None
            else self.types[place] in {None, type(value)}
            for place, value in enumerate(values)
        )

    def insert(self, connection: sqlite3.Connection, row: Row) -> None:
        """Insert a row, unless the row exists already or violates a constraint."""
        values: list[Value] = list(row.values)
        if self.alias is not None:
            values[self.alias] = row.rowid
        marks = ", ".join("?" * len(values))
        columns = ", ".join(self.columns[: len(values)])
        with contextlib.suppress(sqlite3.Error):
            connection.execute(
                f"INSERT OR IGNORE INTO {self.name} ({columns}) VALUES ({marks})",  # noqa: S608
                values,
            )


def recover(path: Path, kind: FileKind, at: datetime) -> SetAside:
    """Rename a damaged file, and put a new file with all readable rows in its place.

    `at`: current time, aware, UTC. Raises an exception of `kind.errors`.
    """
    fresh = fresh_copy(path)
    with raising_store_errors(kind):
        with Pages.opened(path) as pages:
            rows, lost_pages = _salvage(pages, fresh, kind)
        name = f"{path.name}{_MARK}{at.strftime(_STAMP)}"
        aside = SetAside(
            path=path.with_name(name),
            at=at,
            is_missing=not path.exists() or not path.stat().st_size,
            rows=rows,
            pages=pages.count,
            lost_pages=lost_pages,
        )
        # If the process stops here, `Database.open` completes the recovery.
        for old, new in zip(files_of(path), files_of(aside.path), strict=True):
            if old.exists():
                old.rename(new)
        fresh.rename(path)
        synchronize_folder(path.parent)
    return aside


def set_aside_files(folder: Path) -> tuple[SetAside, ...]:
    """Return all damaged files in `folder` that `recover` renamed, sorted by name.

    The file `SetAside.path` may not exist: if the database file was missing, `recover` renamed only
    its write-ahead log, to `SetAside.path` with the suffix `-wal`.
    """
    found = {}
    for file in sorted(folder.glob(f"*{_MARK}*")):
        path = file.with_name(file.name.removesuffix("-wal").removesuffix("-shm"))
        stamp = path.name.rpartition(_MARK)[2]
        with contextlib.suppress(ValueError):
            at = datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC)
            found[path] = SetAside(path=path, at=at)
    return tuple(found.values())


def remove_set_aside(path: Path) -> None:
    """Delete the damaged files that `recover` renamed for the database at `path`."""
    for aside in set_aside_files(path.parent):
        if aside.path.name.startswith(path.name + _MARK):
            remove_files(aside.path)


def _salvage(pages: Pages, fresh: Path, kind: FileKind) -> tuple[int, int]:
    """Create the file `fresh` with all readable rows.

    Returns the number of rows in the table `kind.counted`, and the number of pages that were not
    completely readable. Rows are inserted into tables of the damaged file's schema version, and
    then migrated.
    """
    version = pages.version if 0 < pages.version <= len(kind.steps) else len(kind.steps)
    lost_pages = 0
    with new_file(fresh) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")  # until the repair
        migrate(connection, kind.steps[:version])
        connection.execute("BEGIN IMMEDIATE")
        tables = _tables(connection)
        highest: dict[str, int] = {}
        for number in range(1, pages.count + 1):
            rows, is_whole = pages.rows(number)
            lost_pages += not is_whole
            for row in rows:
                _take_over(connection, tables, row, highest)
        _raise_numbers(connection, tables, highest)
        connection.execute("COMMIT")
        migrate(connection, kind.steps)
        connection.execute("BEGIN IMMEDIATE")
        for statement in kind.repair:
            connection.execute(statement)
        count: int = connection.execute(
            f"SELECT count(*) FROM {kind.counted}"  # noqa: S608
        ).fetchone()[0]
        connection.execute("COMMIT")
    return count, lost_pages


def _tables(connection: sqlite3.Connection) -> Sequence[_Table]:
    return [
        _Table.of(connection, name, has_rowid=not without_rowid)
        for name, without_rowid in connection.execute(
            "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
            " AND name NOT LIKE 'sqlite%'"
        ).fetchall()
    ]


def _take_over(
    connection: sqlite3.Connection, tables: Iterable[_Table], row: Row, highest: dict[str, int]
) -> None:
    """Insert a row into the table that it matches.

    A row of `sqlite_sequence` updates `highest`, the last AUTOINCREMENT number by table name.
    """
    fitting = [table for table in tables if table.fits(row)]
    if fitting:
        # An older row may lack the last columns of its table.
        min(fitting, key=lambda table: len(table.columns)).insert(connection, row)
        return
    match row:
        case Row(values=(str() as name, int() as number), rowid=int()):
            highest[name] = max(number, highest.get(name, 0))


def _raise_numbers(
    connection: sqlite3.Connection, tables: Iterable[_Table], highest: Mapping[str, int]
) -> None:
    """Set AUTOINCREMENT to continue after the numbers in `highest` (table name -> number).

    Each number is the highest id that the damaged file recorded for a table, even if the row of
    this id is lost.
    """
    for name in highest.keys() & {table.name for table in tables}:
        number = highest[name]
        raised = connection.execute(
            "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", (number, name)
        )
        if not raised.rowcount:
            connection.execute("INSERT INTO sqlite_sequence VALUES (?, ?)", (name, number))
