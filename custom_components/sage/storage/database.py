"""SQLite files that lose no committed data in a crash and keep no bytes of deleted data.

After a deletion, call `Database.owe_scrub` inside the transaction, and `Database.scrub` after it.
"""

import contextlib
import logging
import os
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final, Self

from .store_error import FileFault, StoreError, code_of, fault_of, words_of

_LOGGER: Final = logging.getLogger(__name__)

_SETTINGS_TABLE: Final = """
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""
"""SQL of the `settings` table, which the first migration of every file creates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileKind:
    """A kind of SQLite file, such as memory files: its schema and its exception class."""

    subject: str  # name of the file's content in error messages, such as "memory"
    error: type[StoreError]  # the exception that is raised if the file cannot be read or written
    closed: type[StoreError] | None = None
    """The exception for a call after the file was closed; None for `error`."""

    schema: Path
    """SQL scripts with `-- Next version` between them (see `steps`), no `;` in comments."""

    counted: str  # name of the table whose rows are counted after a recovery, such as "memories"
    repair: Sequence[str] = ()
    """SQL statements that run after a recovery to make the tables consistent."""

    damage_issue: str = ""
    """Translation key of the repair issue after a recovery; empty if nothing is recovered."""

    @property
    def steps(self) -> list[str]:
        """SQL scripts; `steps[n]` migrates a file from schema version n to n + 1. Blocking.

        A new file starts at version 0. The first step also creates the table `settings`.
        """
        return self.schema.read_text(encoding="utf-8").split("-- Next version\n")


def version_of(connection: sqlite3.Connection) -> int:
    """Return the schema version of an open file; 0 for a new file."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def migrate(connection: sqlite3.Connection, steps: Sequence[str]) -> None:
    """Run the migration steps that the file still needs, each in its own transaction."""
    for number in range(version_of(connection), len(steps)):
        connection.execute("BEGIN IMMEDIATE")
        try:
            script = steps[number] if number else _SETTINGS_TABLE + steps[0]
            for statement in filter(str.strip, script.split(";")):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number + 1}")
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise


_FOLDER_MODE: Final = 0o700
_FILE_MODE: Final = 0o600

_COMPANIONS: Final = ("", "-journal", "-wal", "-shm")
"""Suffixes of the files that belong to one database; only older versions of SAGE used `-shm`."""

SET_ASIDE: Final = ".corrupt-"  # part of the name of a damaged file that a recovery has kept
_VFS: Final = "unix-excl"
"""SQLite VFS that locks the file for this process and needs no `-shm` file.

The default VFS maps a `-shm` file into memory. If the file system becomes read-only, writing to
that memory kills the process with SIGBUS. Other connections in this process still work.
"""

_PAGES_OF_LOG: Final = 1000  # of the write-ahead log when SQLite copies it into the database file
_SETTINGS: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA secure_delete = ON",
    "PRAGMA foreign_keys = ON",
    "PRAGMA temp_store = MEMORY",  # no texts in temporary files
    "PRAGMA trusted_schema = OFF",
)
_SMALLEST: Final = 512  # bytes of an SQLite file; SQLite would overwrite a smaller one as empty

# SQLite overwrites deleted rows with zeros (`secure_delete`), but old copies of rows can remain in
# other pages. A scrub (VACUUM, then an empty write-ahead log) erases them. The transaction of a
# deletion records that a scrub is due, so that `Database.open` can make up for it after a crash.
_SCRUB_DUE: Final = "scrub_due"


class Database:
    """An open SQLite file, not thread-safe; methods raise `FileKind.error` if unusable."""

    kind: ClassVar[FileKind]

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._open: sqlite3.Connection | None = connection
        self._held = False

    @classmethod
    def open(cls, path: Path, *, held: bool = False) -> Self:
        """Open or create the file, and complete work that a crash interrupted.

        `held`: a backup is copying the file now, so it stays unchanged until `release`. Changes go
        to the write-ahead log.
        """
        with raising_store_errors(cls.kind):
            _prepare(path)
            if 0 < path.stat().st_size < _SMALLEST:
                raise _damaged(cls.kind)
            database = cls(path, connected(path))
            try:
                database._prepare(held)
            except BaseException:
                database.close()
                raise
        return database

    @property
    def connection(self) -> sqlite3.Connection:
        """The open SQLite connection; raises `FileKind.error` after `close`."""
        if self._open is None:
            raise closed(self.kind)
        return self._open

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield the SQLite connection for reading; its errors become `FileKind.error`."""
        with raising_store_errors(self.kind):
            yield self.connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Yield the SQLite connection inside a transaction; commit to disk after the block.

        An exception rolls the transaction back. A nested block joins the outer transaction.
        """
        with raising_store_errors(self.kind):
            connection = self.connection
            is_inner = connection.in_transaction
            if is_inner:
                yield connection
                return
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def check(self) -> None:
        """Read the whole file; raises `FileKind.error` if it is damaged."""
        with self.reading() as connection:
            if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise _damaged(self.kind)

    def owe_scrub(self) -> None:
        """Record in the deletion's transaction that bytes must be erased (`scrub`)."""
        self.connection.execute("INSERT OR IGNORE INTO settings VALUES (?, '1')", (_SCRUB_DUE,))

    def scrub(self) -> None:
        """Erase all bytes of deleted rows from the file and its log, if `owe_scrub` was called.

        Does nothing during a backup; `release` calls it again. An error such as a full disk is only
        logged, but a damaged file raises `FileKind.error`.
        """
        if self._held:
            return
        try:
            with self.reading() as connection:
                due = connection.execute("SELECT 1 FROM settings WHERE name = ?", (_SCRUB_DUE,))
                if due.fetchone() is None:
                    return
                self.connection.execute("VACUUM")
                if self._empty_log():
                    self.connection.execute("DELETE FROM settings WHERE name = ?", (_SCRUB_DUE,))
        except self.kind.error as error:
            if error.is_damaged:
                raise
            _LOGGER.warning("Deleted data has not been removed from its file yet. %s", error)

    def checkpoint(self) -> None:
        """Copy the write-ahead log into the database file, and empty the log."""
        with raising_store_errors(self.kind):
            self._empty_log()

    def hold(self) -> None:
        """Keep the database file unchanged until `release`, so that a backup can copy it.

        First copies all committed data into the file. Later writes go to the write-ahead log.
        """
        self.checkpoint()
        with raising_store_errors(self.kind):
            self._leave_file()

    def release(self) -> None:
        """Allow changes of the database file again, and erase deleted data from it (`scrub`)."""
        with raising_store_errors(self.kind):
            self._change_file()
        self.scrub()

    def close(self) -> None:
        """Close the file; a second call has no effect."""
        if self._open is not None:
            self._open.close()
            self._open = None

    def _prepare(self, held: bool) -> None:
        # A newer or damaged file must stay unchanged.
        self._leave_file()
        steps = self.kind.steps
        if version_of(self.connection) > len(steps):
            text = f"The file of the {self.kind.subject} is of a newer version of SAGE."
            raise self.kind.error(f"{text} Update SAGE to use it.", FileFault.NEWER)
        _apply_settings(self.connection)
        if not held:
            self._change_file()
        migrate(self.connection, steps)
        self.scrub()

    def _leave_file(self) -> None:
        self._held = True
        self.connection.execute("PRAGMA wal_autocheckpoint = 0")
        self.connection.setconfig(sqlite3.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, True)

    def _change_file(self) -> None:
        self._held = False
        self.connection.execute(f"PRAGMA wal_autocheckpoint = {_PAGES_OF_LOG}")
        self.connection.setconfig(sqlite3.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, False)

    def _empty_log(self) -> bool:
        busy: int = self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        return not busy


@contextlib.contextmanager
def new_file(path: Path, kind: FileKind) -> Iterator[sqlite3.Connection]:
    """Yield a connection to a new database, which becomes the file at `path` after the block.

    After a crash or an error in the block, an existing file at `path` is unchanged. Raises
    `kind.error`.
    """
    part = path.with_name(f"{path.name}.part")
    with raising_store_errors(kind):
        remove_files(part)
        os.close(os.open(part, os.O_CREAT | os.O_WRONLY, _FILE_MODE))
        with contextlib.closing(connected(part)) as connection:
            _apply_settings(connection)
            migrate(connection, kind.steps)
            yield connection
        replace_file(path, part)


def replace_file(path: Path, new: Path) -> None:
    """Put the file `new` in place of the database at `path`, and flush the folder to disk."""
    for companion in files_of(path)[1:]:
        companion.unlink(missing_ok=True)
    new.replace(path)
    _synchronize_folder(path.parent)


def files_of(path: Path) -> tuple[Path, ...]:
    """Return the paths of all files that SQLite may use for the database at `path`."""
    return tuple(path.with_name(path.name + ending) for ending in _COMPANIONS)


def fresh_copy(path: Path) -> Path:
    """Return the temporary path of a recovered file: `anna.db.new` for `anna.db`."""
    return path.with_name(f"{path.name}.new")


def remove_set_aside(path: Path) -> None:
    """Delete the damaged files that a recovery of the database at `path` has kept."""
    for file in path.parent.glob(f"{path.name}{SET_ASIDE}*"):
        file.unlink()


def remove_files(path: Path) -> None:
    """Delete all files of a database, including those that a recovery has kept or not finished."""
    # The copies go first: after a crash, they are only found if the main file exists.
    remove_set_aside(path)
    for ending in ("", ".part", ".new", ".new.part"):
        for file in reversed(files_of(path.with_name(f"{path.name}{ending}"))):
            file.unlink(missing_ok=True)
    _synchronize_folder(path.parent)


def _synchronize_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def raising_store_errors(kind: FileKind) -> Iterator[None]:
    """Convert errors of SQLite and of the file system to `kind.error`."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        if code_of(error) in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
            raise _damaged(kind) from error
        _LOGGER.debug("The %s could not be used: %s", kind.subject, error)
        raise kind.error(
            f"The {kind.subject} could not be used: {words_of(error)}.", fault_of(error)
        ) from error


def connected(path: Path) -> sqlite3.Connection:
    """Open a database without changing it; SQLite creates the file if it is missing."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?vfs={_VFS}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
    )


def _apply_settings(connection: sqlite3.Connection) -> None:
    for setting in _SETTINGS:
        connection.execute(setting)


def _prepare(path: Path) -> None:
    """Create folder and file for Home Assistant's user alone; complete a recovery."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.parent.chmod(_FOLDER_MODE)
    fresh = fresh_copy(path)
    if not path.exists() and fresh.exists():
        replace_file(path, fresh)
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, _FILE_MODE))
    path.chmod(_FILE_MODE)


def closed(kind: FileKind) -> StoreError:
    """Return the exception for a call after the file was closed."""
    return (kind.closed or kind.error)(f"The {kind.subject} is closed.", None)


def _damaged(kind: FileKind) -> StoreError:
    error = kind.error(f"The file of the {kind.subject} is damaged.")
    error.is_damaged = True
    return error
