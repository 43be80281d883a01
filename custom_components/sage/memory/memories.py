"""Open memory files on demand: one per Home Assistant user, and one for the household.

The household stands for all speakers whom SAGE cannot identify.
"""

import logging
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Concatenate, Final, override

from homeassistant.const import EVENT_HOMEASSISTANT_CLOSE
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.helpers.event import async_track_time_interval

from ..helpers.weakly import weakly
from ..storage.async_file import AsyncFile, OnReplaced
from ..storage.database import closed, remove_files
from ..storage.recovery import remove_set_aside
from ..storage.store_error import FileFault
from .memory_tables import FILE
from .memory_types import MemoryStoreError
from .person_memory import PersonMemory

_LOGGER: Final = logging.getLogger(__name__)

FOLDER: Final = ".storage/sage/memory"
"""Folder of all memory files, relative to the configuration folder."""

IDLE: Final = timedelta(minutes=10)
"""Time without calls after which a person's search index is removed from RAM."""

RECHECK: Final = timedelta(minutes=1)
"""Interval at which SAGE tests whether a failed memory file works again."""

_HOUSEHOLD: Final = "household"
_SUFFIX: Final = ".db"
_USER_ID: Final = re.compile("[0-9a-z][0-9a-z_-]{0,63}")
"""Pattern of user ids that are safe as file names."""


class AsyncPersonMemory(AsyncFile[PersonMemory]):
    """Async access to the memory file of one person or of the household.

    Calls run in a thread, one after the other.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        path: Path,
        *,
        held: bool,
        on_replaced: OnReplaced,
        report: Callable[[], None],
    ) -> None:
        """Set the file's path; the first call opens the file.

        `held`: a backup is copying the file now. `on_replaced` is called in the event loop after a
        damaged file was replaced, and `report` when `fault` changes.
        """
        super().__init__(hass, path, PersonMemory, held=held, on_replaced=on_replaced)
        self._loop = hass.loop
        self._used = 0.0
        self._report = report
        self.fault: FileFault | None = None
        """Why the last call failed; None after a successful write."""

    @override
    async def async_run[**P, T](
        self,
        call: Callable[Concatenate[PersonMemory, P], T],
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        self._used = self._loop.time()
        try:
            result = await super().async_run(call, *args, **kwargs)
        except MemoryStoreError as error:
            self._note(error.fault or self.fault)
            raise
        await self.async_recheck()
        return result

    async def async_recheck(self) -> None:
        """Test whether a failed memory file is writable again, and update `fault`."""
        if self.fault is None or self._closed:
            return
        try:
            # Reading would also work on a full disk.
            await super().async_run(_write_settings_again)
        except MemoryStoreError as error:
            self._note(error.fault or self.fault)
        else:
            self._note(None)

    async def async_unload_if_idle(self) -> None:
        """Free the RAM of the search index if no call was made for 10 minutes (`IDLE`)."""
        if self._loop.time() - self._used >= IDLE.total_seconds():
            await self._async_in_turn(self._unload)

    async def async_purge(self) -> None:
        """Close the memory file; delete it and all damaged versions that a recovery has kept."""
        self._closed = True
        await self._async_in_turn(self._delete)
        self._note(None)

    def _note(self, fault: FileFault | None) -> None:
        if fault is not self.fault:
            self.fault = fault
            self._report()

    def _unload(self) -> None:
        if self._file is not None:
            self._file.recall.unload()

    def _delete(self) -> None:
        self._close_file()
        if self._path.parent.exists():
            # Delete the copies first: after a crash, they are only found if the main file exists.
            remove_set_aside(self._path)
            remove_files(self._path)


class Memories:
    """Access to the memory files of all persons and of the household.

    The household's file contains what unidentified speakers said.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        on_replaced: OnReplaced,
        report: Callable[[FileFault | None], None],
    ) -> None:
        """Set the callbacks; all files are closed when Home Assistant stops.

        `on_replaced` is called after a damaged file was replaced. `report` receives the reason why
        a memory file is unusable, and None when all files work again.
        """
        self._hass = hass
        self._on_replaced = on_replaced
        self._report = report
        self._folder = Path(hass.config.path(FOLDER))
        self._handles: dict[str, AsyncPersonMemory] = {}
        self._held = False
        self._closed = False
        self._leave = (
            hass.bus.async_listen(EVENT_HOMEASSISTANT_CLOSE, weakly(self._async_on_close)),
            async_track_time_interval(hass, weakly(self._async_unload_idle), IDLE),
            async_track_time_interval(hass, weakly(self._async_recheck), RECHECK),
        )

    @callback
    def of(self, user_id: str | None) -> AsyncPersonMemory:
        """Return access to a user's memory file; `user_id` None means the household's file.

        Raises ValueError for an invalid user id, and MemoryStoreError after `async_close`.
        """
        if self._closed:
            raise closed(FILE)
        key = _key(user_id)
        if key not in self._handles:
            self._handles[key] = AsyncPersonMemory(
                self._hass,
                self._folder / f"{key}{_SUFFIX}",
                held=self._held,
                on_replaced=self._on_replaced,
                report=weakly(self._report_fault),
            )
        return self._handles[key]

    async def async_users(self) -> tuple[str | None, ...]:
        """Return the ids of all users with a memory file; None stands for the household's file."""
        # Wait until started calls have created the files of new users.
        for handle in tuple(self._handles.values()):
            await handle.async_settle()
        return await self._hass.async_add_executor_job(self._users)

    async def async_purge(self, user_id: str | None) -> None:
        """Delete all memory files of a user; later calls for this user raise MemoryStoreError.

        The household (None) gets a new, empty file at its next use.
        """
        await self.of(user_id).async_purge()
        if user_id is None:
            del self._handles[_key(None)]

    async def async_hold_all(self) -> None:
        """Keep the memory files of all users unchanged until `async_release_all`, for a backup.

        Meanwhile, SQLite writes changes to separate files, the write-ahead logs.
        """
        self._held = True
        for user_id in await self.async_users():
            try:
                await self.of(user_id).async_hold()
            except MemoryStoreError as error:
                _LOGGER.warning("A memory file is copied without its latest changes. %s", error)

    async def async_release_all(self) -> None:
        """Allow changes to the memory files again, after `async_hold_all`."""
        self._held = False
        for handle in tuple(self._handles.values()):
            try:
                await handle.async_release()
            except MemoryStoreError as error:
                _LOGGER.warning("A memory file was copied without its latest changes. %s", error)

    async def async_close(self) -> None:
        """Wait for the calls in progress, then close all memory files."""
        if self._closed:
            return
        self._closed = True
        for leave in self._leave:
            leave()
        for handle in self._handles.values():
            await handle.async_close()
        # After closing, nothing rechecks the faults; the next start reports them again.
        self._report(None)

    async def _async_on_close(self, event: Event) -> None:
        await self.async_close()

    async def _async_unload_idle(self, now: datetime) -> None:
        for handle in tuple(self._handles.values()):
            await handle.async_unload_if_idle()

    async def _async_recheck(self, now: datetime) -> None:
        for handle in tuple(self._handles.values()):
            await handle.async_recheck()

    @callback
    def _report_fault(self) -> None:
        if not self._closed:
            faults = (each.fault for each in self._handles.values())
            self._report(next(filter(None, faults), None))

    def _users(self) -> tuple[str | None, ...]:
        keys = sorted(path.stem for path in self._folder.glob(f"*{_SUFFIX}"))
        return tuple(None if key == _HOUSEHOLD else key for key in keys if _USER_ID.fullmatch(key))


def _write_settings_again(memory: PersonMemory) -> None:
    memory.set_settings(memory.settings())


def _key(user_id: str | None) -> str:
    if user_id is None:
        return _HOUSEHOLD
    if user_id == _HOUSEHOLD or not _USER_ID.fullmatch(user_id):
        raise ValueError("That is not the id of a user.")
    return user_id
