"""Setting a damaged file aside, with all that can still be read taken over into a new one."""

import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from .database import Database, files_of, fresh_copy, remove_files, synchronize_folder
from .file_kind import FileKind

_MARK: Final = ".corrupt-"
_STAMP: Final = "%Y%m%dT%H%M%S%fZ"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAside:
    """A damaged file that was kept."""

    path: Path
    at: datetime
    """When it was set aside; aware, UTC."""


def recover(path: Path, kind: FileKind, at: datetime) -> SetAside:
    """Put a new file in the place of a damaged one, which is kept under another name.

    `at` is now, aware, UTC. Raises an error of the kind.
    """
    fresh = fresh_copy(path)
    remove_files(fresh)
    database = Database.open(fresh, kind)
    try:
        with database.writing() as connection:
            connection.execute("PRAGMA defer_foreign_keys = ON")
            _take_over(path, kind, connection)
            for statement in kind.mend:
                connection.execute(statement)
        database.checkpoint()
    finally:
        database.close()
    aside = path.with_name(f"{path.name}{_MARK}{at.strftime(_STAMP)}")
    # The log goes before its file: it must never be taken for that of the new file.
    for old, new in reversed(list(zip(files_of(path), files_of(aside), strict=True))):
        if old.exists():
            old.rename(new)
    fresh.rename(path)
    synchronize_folder(path.parent)
    return SetAside(path=aside, at=at)


def set_aside_files(folder: Path) -> tuple[SetAside, ...]:
    """Return all damaged files that were kept in `folder`, by name."""
    found = []
    for path in sorted(folder.glob(f"*{_MARK}*Z")):
        stamp = path.name.rpartition(_MARK)[2]
        with contextlib.suppress(ValueError):
            at = datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC)
            found.append(SetAside(path=path, at=at))
    return tuple(found)


def remove_set_aside(path: Path) -> None:
    """Delete the damaged files that were kept of `path`."""
    for aside in set_aside_files(path.parent):
        if aside.path.name.startswith(path.name + _MARK):
            remove_files(aside.path)


def _take_over(path: Path, kind: FileKind, connection: sqlite3.Connection) -> None:
    """Insert all that can be read from a damaged file."""
    with contextlib.closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as damaged:
        damaged.text_factory = lambda text: text.decode(errors="replace")
        for table, statement in kind.tables.items():
            for names, row in _readable(damaged, statement):
                marks = ", ".join("?" * len(row))
                columns = ", ".join(names)
                with contextlib.suppress(sqlite3.Error):
                    connection.execute(
                        f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})",  # noqa: S608
                        row,
                    )


def _readable(
    damaged: sqlite3.Connection, statement: str
) -> Iterator[tuple[list[str], tuple[object, ...]]]:
    """Yield columns and rows up to the first that is damaged, from either end of the table."""
    for order in ("ASC", "DESC"):
        with contextlib.suppress(sqlite3.Error):
            rows = damaged.execute(f"{statement} {order}")
            names = [column[0] for column in rows.description]
            for row in rows:
                yield names, row
