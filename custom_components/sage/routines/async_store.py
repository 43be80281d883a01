"""The routine store in a thread, for use on the event loop."""

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from ..storage.async_file import AsyncFile, Executor
from ..storage.recovery import SetAside
from .routine_errors import RoutineStoreError
from .routine_tables import FILE
from .routine_types import Firing, Memo, NewFiring, Routine
from .store import KnownNumbers, RoutineStore, Stored

_LOGGER: Final = logging.getLogger(__name__)


class AsyncRoutineStore(AsyncFile[RoutineStore]):
    """Carries out the calls of `RoutineStore` in threads, one after the other.

    A call that has begun is completed even if the caller is cancelled. All methods raise
    RoutineStoreError or a subclass. A damaged file is set aside and replaced by a new one with
    everything that could be read.
    """

    def __init__(
        self,
        executor: Executor,
        path: Path,
        *,
        held: bool = False,
        noted: Callable[[SetAside], None],
        numbers: Callable[[], KnownNumbers] = KnownNumbers,
    ) -> None:
        """Prepare; nothing is opened. `executor` is Home Assistant, `noted` gets a damaged file.

        `numbers` returns the numbers that are known outside the file, see `RoutineStore`.
        """
        super().__init__(executor, path, FILE, RoutineStore.open, held=held, noted=noted)
        self._numbers = numbers
        self._unreadable: tuple[str, ...] = ()

    @property
    def unreadable(self) -> tuple[str, ...]:
        """Ids of routines that were loaded and cannot be read; they stay in the file."""
        return self._unreadable

    async def async_load(self) -> Stored:
        """Return all that is stored; a file that cannot be read is closed.

        The next call opens it again.
        """
        try:
            await self.async_run(RoutineStore.take_numbers, self._numbers())
            stored = await self.async_run(RoutineStore.load)
        except RoutineStoreError:
            await self._async_in_turn(self._let_go)
            raise
        self._unreadable = stored.unreadable
        if stored.unreadable:
            _LOGGER.warning(
                "%s routines cannot be read, and are not watched. Is there a newer SAGE?",
                len(stored.unreadable),
            )
        return stored

    async def async_add(self, routine: Routine, memo: Memo) -> Routine:
        """Store a new routine; when this returns it with its number, it is on the disk."""
        return await self.async_run(RoutineStore.add, routine, memo)

    async def async_replace(self, routine: Routine, memo: Memo | None = None) -> None:
        """Store a changed routine. Raises UnknownRoutineError."""
        await self.async_run(RoutineStore.replace, routine, memo)

    async def async_remove(self, routine_id: str) -> None:
        """Delete a routine; firings that have begun stay until they are delivered."""
        await self.async_run(RoutineStore.remove, routine_id)

    async def async_purge(self, owner: str) -> None:
        """Delete all data of the routines of a person."""
        await self.async_run(RoutineStore.purge, owner)

    async def async_commit(
        self,
        memos: Mapping[str, Memo],
        edges: Sequence[NewFiring] = (),
        replaced: Sequence[Routine] = (),
    ) -> tuple[Firing, ...]:
        """Store the results of checks in one transaction; return the edges as journaled."""
        return await self.async_run(RoutineStore.commit, memos, edges, replaced)

    async def async_note(self, firing: Firing) -> bool:
        """Store the step of a firing; return False if it is no longer in the journal."""
        return await self.async_run(RoutineStore.note, firing)

    async def async_last_fired(self, routine_id: str, before: int | None = None) -> Firing | None:
        """Return the last ON firing that has something to put back, see `RoutineStore`."""
        return await self.async_run(RoutineStore.last_fired, routine_id, before)
