"""Run calls on an SQLite file in a thread, in turn; rescue the rows of a damaged file."""

import asyncio
import contextlib
import logging
import sqlite3
import threading
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Concatenate, Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.util.hass_dict import HassKey

from ..const import DOMAIN
from ..helpers import show_issue
from .database import (
    SET_ASIDE,
    Database,
    FileKind,
    closed,
    connected,
    files_of,
    fresh_copy,
    new_file,
    raising_store_errors,
    replace_file,
)
from .store_error import StoreError

_LOGGER: Final = logging.getLogger(__name__)

RETRY: Final = timedelta(seconds=10)  # interval at which SAGE tries again to read a file
BACKUP_UNDER_WAY: Final[HassKey[bool]] = HassKey(f"{DOMAIN}_backup_under_way")
"""Key in `hass.data` while a backup copies files: they stay unchanged until `async_release`."""


class AsyncFile[F: Database]:
    """Async access to an SQLite file, one call after the other; recovers a damaged file."""

    def __init__(self, hass: HomeAssistant, path: Path, store: type[F]) -> None:
        """Set the path of the file, and the class `store` with which the first call opens it."""
        self._hass = hass
        self._path = path
        self._store = store
        self._turn = asyncio.Lock()
        self._running = threading.Lock()
        self._file: F | None = None
        self._closed = False
        self._held = BACKUP_UNDER_WAY in hass.data
        self._used_at = 0.0  # time of the last call, on the clock of the event loop

    async def async_run[**P, T](
        self, call: Callable[Concatenate[F, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `call(file, *args, **kwargs)` in a thread and return its result.

        A started call continues if the caller is cancelled. Raises the exceptions of `call`, and
        `FileKind.error` if the file is closed or unusable.
        """
        self._used_at = self._hass.loop.time()
        if self._closed:
            raise closed(self._store.kind)
        try:
            return await self._async_in_turn(
                lambda: self._call_or_recover(lambda file: call(file, *args, **kwargs))
            )
        except StoreError as error:
            self._note_failure(error)
            raise

    def _note_failure(self, error: StoreError) -> None:
        """Take note of the error of a call."""

    async def async_hold(self) -> None:
        """Keep the database file unchanged until `async_release`, so that a backup can copy it.

        First copies all committed data into the file. Later writes go to the write-ahead log.
        """
        if not self._closed:
            try:
                await self._async_in_turn(lambda: self._call_or_recover(self._store.hold))
            finally:
                self._held = True

    async def async_release(self) -> None:
        """Allow changes of the database file again, after `async_hold`."""
        self._held = False
        await self._async_in_turn(self._release)

    async def async_close(self) -> None:
        """Close the file after all earlier calls; later calls raise `FileKind.error`."""
        self._closed = True
        await self._async_in_turn(self._close_file)

    async def _async_in_turn[T](self, work: Callable[[], T]) -> T:
        """Run `work` in a thread after all earlier calls, and return its result."""
        await self._turn.acquire()
        try:
            working = self._hass.async_add_executor_job(self._alone, work)
        except BaseException:
            self._turn.release()
            raise
        working.add_done_callback(lambda _: self._turn.release())
        return await asyncio.shield(working)

    def _alone[T](self, work: Callable[[], T]) -> T:
        """Run `work` when no other thread uses the file.

        Home Assistant, when it stops, cancels the future of a call that still runs in its thread.
        `_turn` is free then, but SQLite would crash if a second thread closed the file.
        """
        with self._running:
            return work()

    def _call_or_recover[T](self, call: Callable[[F], T]) -> T:
        """Return the result of `call`; if the file is damaged, replace the file and call again."""
        try:
            return call(self._opened())
        except self._store.kind.error as error:
            if not error.is_damaged:
                raise
            self._close_file()
            aside, rows = recover(self._path, self._store.kind)
            self._hass.loop.call_soon_threadsafe(self._report_damage, aside, rows)
            return call(self._opened())

    def _report_damage(self, aside: Path, rows: int) -> None:
        _LOGGER.warning(
            "A damaged file of SAGE was kept as %s; %s %s were recovered",
            aside,
            rows,
            self._store.kind.counted,
        )
        key, values = self._store.kind.damage_issue, {"file": aside.name, "rows": str(rows)}
        show_issue(self._hass, f"{key}_{aside.name}", key, values=values, is_persistent=True)

    def _opened(self) -> F:
        if self._file is None:
            self._file = self._store.open(self._path, held=self._held)
        return self._file

    def _release(self) -> None:
        if self._file is not None:
            self._file.release()
            # A backup in this process released the file locks when it closed the file, so
            # reopen the file.
            self._close_file()

    def _close_file(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def recover(path: Path, kind: FileKind) -> tuple[Path, int]:
    """Rename a damaged file, and put a new file with the readable rows in its place.

    Returns the new path of the damaged file, whose name contains `.corrupt-` and the time, and the
    number of recovered rows of the table `kind.counted`. Raises `kind.error`.
    """
    fresh = fresh_copy(path)
    aside = path.with_name(f"{path.name}{SET_ASIDE}{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}")
    with raising_store_errors(kind):
        with new_file(fresh, kind) as new, contextlib.closing(connected(path)) as old:
            # Otherwise SQLite refuses a file that is shorter than it was.
            old.execute("PRAGMA writable_schema = ON")
            old.setconfig(sqlite3.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, True)
            new.execute("PRAGMA foreign_keys = OFF")  # until the repair
            new.execute("BEGIN IMMEDIATE")
            for table, key in new.execute(_TABLES).fetchall():
                _copy(old, new, table, key)
            for statement in kind.repair:
                new.execute(statement)
            counted = new.execute(f"SELECT count(*) FROM {kind.counted}")  # noqa: S608
            count: int = counted.fetchone()[0]
            new.execute("COMMIT")
        # If the process stops here, `Database.open` completes the recovery.
        for file, renamed in zip(files_of(path), files_of(aside), strict=True):
            if file.exists():
                file.rename(renamed)
        replace_file(path, fresh)
    return aside, count


_TABLES: Final = """
SELECT name, iif(wr, (SELECT name FROM pragma_table_info(t.name) WHERE pk = 1), 'rowid')
FROM pragma_table_list t WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'
"""
"""The tables, each with a column by which its rows are read in order."""

_KEEP_NUMBERS: Final = "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?"
"""Does not use the id of a lost row again."""


def _copy(old: sqlite3.Connection, new: sqlite3.Connection, table: str, key: str) -> None:
    """Copy the rows of a table from both ends up to the first unreadable ones."""
    for order in ("ASC", "DESC"):
        with contextlib.suppress(sqlite3.Error):
            rows = old.execute(f"SELECT * FROM {table} ORDER BY {key} {order}")  # noqa: S608
            names = ", ".join(column[0] for column in rows.description)
            marks = ", ".join("?" * len(rows.description))
            insert = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})"  # noqa: S608
            for row in rows:
                new.execute(insert, row)
    with contextlib.suppress(sqlite3.Error):
        sequence = old.execute("SELECT seq, name FROM sqlite_sequence WHERE name = ?", (table,))
        new.executemany(_KEEP_NUMBERS, sequence.fetchall())


async def async_read_store(
    hass: HomeAssistant,
    entry: ConfigEntry,
    *,
    issue: str,
    read: Callable[[], Awaitable[None]],
    errors: type[Exception],
    read_late: Callable[[], Awaitable[None]] | None = None,
) -> bool:
    """Read an SQLite file during setup; on failure, return False and try again in the background.

    `issue`: id and translation key of a repair issue, which exists until reading succeeds; its text
    has the placeholder `{error}`. `read` raises one of `errors` on failure. `read_late` is called
    after `read` succeeded, but only if the first attempt failed.
    """
    is_over = False

    async def async_attempt() -> Exception | None:
        try:
            await read()
        except errors as err:
            if not is_over:
                show_issue(hass, issue, issue, values={"error": str(err)})
            return err
        show_issue(hass, issue, None)
        return None

    async def async_again() -> None:
        if is_over or await async_attempt() is not None or is_over:
            return
        stop()
        _LOGGER.info("A file of SAGE can be read again (%s)", issue)
        if read_late is not None:
            await read_late()

    @callback
    def stop() -> None:
        nonlocal is_over
        is_over = True
        stop_retrying()
        show_issue(hass, issue, None)

    if (error := await async_attempt()) is None:
        return True
    _LOGGER.warning("A file of SAGE cannot be read (%s): %s", issue, error)

    @callback
    def begin(_: datetime) -> None:
        # Unloading the entry waits for its tasks.
        entry.async_create_task(hass, async_again(), f"SAGE reads {issue}")

    stop_retrying = async_track_time_interval(hass, begin, RETRY, cancel_on_shutdown=True)
    entry.async_on_unload(stop)
    return False
