"""Store what each person says, and find what matches a question (SAGE paper, personalization).

Each Home Assistant user has one memory file. One more file is the household's: it contains what
unidentified speakers said.
"""

import logging
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Concatenate, Final

from homeassistant.const import EVENT_HOMEASSISTANT_CLOSE
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.util import dt as dt_util

from ..embeddings import Embedder
from ..helpers import weakly
from ..model import ModelError
from ..people import Person
from ..storage import FileFault
from .async_memory import AsyncPersonMemory, MemoryEmbedder
from .memories import Memory, MemorySettings, MemoryStoreError
from .memory_export import figures
from .person_memory import PersonMemory

_LOGGER = logging.getLogger(__name__)

FOLDER: Final = ".storage/sage/memory"
"""Folder of all memory files, relative to the configuration folder."""

TICK: Final = timedelta(minutes=1)  # interval at which SAGE looks after the memory files
_HOUSEHOLD: Final = "household"
_SUFFIX: Final = ".db"
_USER_ID: Final = re.compile("[0-9a-z][0-9a-z_-]{0,63}")  # user ids that are safe as file names


class LongTermMemory:
    """The memories of all persons and of the household, open until Home Assistant stops."""

    def __init__(
        self,
        hass: HomeAssistant,
        embedder: Embedder,
        *,
        report: Callable[[ModelError | None], None],
        report_fault: Callable[[FileFault | None], None],
        household: MemorySettings,
    ) -> None:
        """Set the embedding model, and the household's default settings.

        `report` receives the error when the model fails, and None when it works again.
        `report_fault` receives the reason why a memory file is unusable, and None when all files
        work again.
        """
        self._hass = hass
        self._embedder = MemoryEmbedder(embedder, report)
        self._report_fault = report_fault
        self.household = household  # the household's settings, the defaults of each person's
        self._folder = Path(hass.config.path(FOLDER))
        self._memories: dict[str, AsyncPersonMemory] = {}
        self._closed = False
        self._leave = (
            hass.bus.async_listen(EVENT_HOMEASSISTANT_CLOSE, weakly(self._async_on_close)),
            async_track_time_interval(hass, weakly(self._async_tick), TICK, name="SAGE memory"),
        )

    @callback
    def of(self, user_id: str | None) -> AsyncPersonMemory:
        """Return a user's memory, the household's for None. Raises ValueError, MemoryStoreError."""
        if self._closed:
            raise MemoryStoreError("The memory is closed.", None)
        key = _HOUSEHOLD if user_id is None else user_id
        if key not in self._memories:
            if user_id == _HOUSEHOLD or not _USER_ID.fullmatch(key):
                raise ValueError("That is not the id of a user.")
            path = self._folder / f"{key}{_SUFFIX}"
            self._memories[key] = AsyncPersonMemory(
                self._hass, path, self._embedder, weakly(self._fault_changed)
            )
        return self._memories[key]

    async def async_do[**P, T](
        self,
        person: Person,
        call: Callable[Concatenate[PersonMemory, P], T],
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Call a method of the person's `PersonMemory`, e.g. `PersonMemory.forget`, in a thread.

        Returns the result of `call`. Raises MemoryStoreError if the memory file is unusable, and
        the exceptions of `call`.
        """
        return await self.of(person.user_id).async_run(call, *args, **kwargs)

    async def async_keep(self, person: Person, new: Memory) -> None:
        """Store what a person said, unless it has no text; a failure is only logged."""
        try:
            with suppress(ValueError):
                await self.of(person.user_id).async_remember(new)
        except MemoryStoreError as err:
            _LOGGER.warning("An utterance could not be stored: %s", err)

    async def async_users(self) -> tuple[str | None, ...]:
        """Return the ids of all users with a memory file; None stands for the household's file."""
        return await self._hass.async_add_executor_job(self._users)

    async def async_figures(self) -> list[dict[str, Any]]:
        """Return one dictionary of statistics per memory file, by descending number of memories.

        An unusable file gives `{"error": <name of the exception class>}`.
        """
        files = []
        for user_id in await self.async_users():
            try:
                files.append(await self.of(user_id).async_run(figures))
            except MemoryStoreError as err:
                files.append({"error": type(err).__name__})
        return sorted(files, key=lambda each: each.get("memories", -1), reverse=True)

    async def async_embed_all(self) -> None:
        """Compute the missing vectors of all users' memories in the background."""
        for user_id in await self.async_users():
            self.of(user_id).embed_later()

    async def async_purge(self, user_id: str | None) -> None:
        """Delete all files of a user for good; the household's (None) are made anew."""
        await self.of(user_id).async_purge()
        if user_id is None:
            del self._memories[_HOUSEHOLD]

    async def async_expire(self) -> None:
        """Delete each person's memories and log entries that exceed the retention period."""
        for user_id in await self.async_users():
            try:
                await self.of(user_id).async_run(_expire, self.household)
            except MemoryStoreError as err:
                _LOGGER.warning("Old memories could not be deleted: %s", err)

    @property
    def files(self) -> tuple[AsyncPersonMemory, ...]:
        """The memory files in use."""
        return tuple(self._memories.values())

    async def async_close(self) -> None:
        """Cancel background tasks, wait for the calls in progress, and close all memory files."""
        if self._closed:
            return
        self._closed = True
        for leave in self._leave:
            leave()
        for memory in self._memories.values():
            await memory.async_close()
        # After closing, nothing rechecks the faults; the next start reports them again.
        self._report_fault(None)

    async def _async_on_close(self, event: Event) -> None:
        await self.async_close()

    async def _async_tick(self, now: datetime) -> None:
        for memory in self.files:
            await memory.async_tick()

    @callback
    def _fault_changed(self) -> None:
        if not self._closed:
            faults = (each.fault for each in self._memories.values())
            self._report_fault(next(filter(None, faults), None))

    def _users(self) -> tuple[str | None, ...]:
        keys = sorted(path.stem for path in self._folder.glob(f"*{_SUFFIX}"))
        return tuple(None if key == _HOUSEHOLD else key for key in keys if _USER_ID.fullmatch(key))


def _expire(memory: PersonMemory, household: MemorySettings) -> None:
    settings, now = memory.settings().over(household), dt_util.utcnow()
    if settings.retention_days:
        memory.expire(now - timedelta(days=settings.retention_days))
    if settings.request_days:
        memory.expire_requests(now - timedelta(days=settings.request_days))
    if days := list(filter(None, (settings.retention_days, settings.request_days))):
        memory.commands.expire(now - timedelta(days=min(days)))
