"""All stored routines in memory, and access to their file.

Each change is written to disk before it takes effect.
"""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from homeassistant.core import HomeAssistant

from ..storage import AsyncFile
from .routine_types import Firing, Memo, Routine, RoutineEntry, RoutineStoreError
from .store import RoutineStore, Stored

_LOGGER: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutineEvent:
    """A change of a routine, reported to listeners such as entities and the logbook."""

    kind: RoutineEventKind
    routine: Routine
    firing: Firing | None = None


class RoutineEventKind(StrEnum):
    """The kind of a `RoutineEvent`."""

    CREATED = "created"  # the routine was created, or read from the file
    CHANGED = "changed"  # the routine, or the state of its condition, has changed
    REMOVED = "removed"
    FIRED = "fired"  # the action of the routine is about to run
    DONE = "done"  # the action of the routine has ended, or is not run or repeated


class RoutineRegistry(AsyncFile[RoutineStore]):
    """All routines in memory, and access to their SQLite file.

    All `async_` methods may raise RoutineStoreError or a subclass. A call that has begun is
    completed even if its caller is cancelled.
    """

    def __init__(self, hass: HomeAssistant, path: Path) -> None:
        super().__init__(hass, path, RoutineStore)
        self.entries: dict[str, RoutineEntry] = {}  # id -> routine, in the order of their creation
        self._listeners: list[Callable[[RoutineEvent], None]] = []
        self.trouble: str | None = "The routines have not been read yet."
        """The reason, as a sentence, why the file cannot be read; None after it was loaded."""

        self.unreadable: tuple[str, ...] = ()
        """Ids of routines that are damaged or from a newer version; they stay in the file."""

    def of(self, owner: str | None) -> list[RoutineEntry]:
        """Return the routines of a person, the oldest first; `owner` None is the household."""
        return [each for each in self.entries.values() if each.routine.owner == owner]

    def listen(self, listener: Callable[[RoutineEvent], None]) -> Callable[[], None]:
        """Call the listener at each event; return the unsubscribe function."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def tell(self, kind: RoutineEventKind, routine: Routine, firing: Firing | None = None) -> None:
        """Call all listeners with an event of `routine`, even if it was deleted."""
        entry = self.entries.get(routine.id)
        current = routine if entry is None else entry.routine
        event = RoutineEvent(kind=kind, routine=current, firing=firing)
        for listener in tuple(self._listeners):
            try:
                listener(event)
            except Exception:
                _LOGGER.exception("A listener failed at an event of a routine")

    async def async_load(self) -> Stored:
        """Read the file into the registry; return it. Raises RoutineStoreError; may be repeated."""
        try:
            stored = await self.async_read()
        except RoutineStoreError as err:
            self.trouble = str(err)
            raise
        self.trouble = None
        for routine in stored.routines:
            memo = stored.memos[routine.id]
            self.entries[routine.id] = RoutineEntry(routine=routine, memo=memo)
            self.tell(RoutineEventKind.CREATED, routine)
        return stored

    async def async_read(self) -> Stored:
        """Return the file's content, not yet in the registry. Raises RoutineStoreError."""
        try:
            stored = await self.async_run(RoutineStore.load)
        except RoutineStoreError:
            await self._async_in_turn(self._close_file)
            raise
        self.unreadable = stored.unreadable
        if stored.unreadable:
            _LOGGER.warning(
                "%s routines cannot be read, and are not watched. Is there a newer SAGE?",
                len(stored.unreadable),
            )
        return stored

    async def async_add(self, routine: Routine, memo: Memo) -> Routine:
        """Write a new routine to disk; return it with its number."""
        added = await self.async_run(RoutineStore.add, routine, memo)
        self.entries[added.id] = RoutineEntry(routine=added, memo=memo)
        self.tell(RoutineEventKind.CREATED, added)
        return added

    async def async_replace(self, routine: Routine, memo: Memo | None = None) -> None:
        """Replace a stored routine, and its memo if given. Raises RoutineStoreError."""
        known = self.entries.get(routine.id)
        if memo is None and known is not None:
            memo = known.memo
        await self.async_run(RoutineStore.replace, routine, memo)
        if memo is not None and routine.id in self.entries:
            self.entries[routine.id] = RoutineEntry(routine=routine, memo=memo)
            self.tell(RoutineEventKind.CHANGED, routine)

    async def async_remove(self, routine_id: str) -> None:
        """Delete a routine; a running action still finishes and delivers its answer."""
        await self.async_run(RoutineStore.remove, routine_id)
        self._forget(routine_id)

    async def async_purge(self, owner: str) -> None:
        """Delete all data about the routines of a person."""
        await self.async_run(RoutineStore.purge, owner)
        for entry in self.of(owner):
            self._forget(entry.id)

    def _forget(self, routine_id: str) -> None:
        if (entry := self.entries.pop(routine_id, None)) is not None:
            self.tell(RoutineEventKind.REMOVED, entry.routine)

    async def async_take(
        self, entries: Collection[RoutineEntry], edges: Sequence[Firing]
    ) -> tuple[Firing, ...]:
        """Store the results of evaluations; return the new firings with ids.

        - `entries`: the routines with their new data.
        - `edges`: the new firings, without ids.
        """
        changes = [(self.entries.get(entry.id, entry), entry) for entry in entries]
        memos = {new.id: new.memo for known, new in changes if known.memo != new.memo}
        replaced = [new.routine for known, new in changes if known.routine != new.routine]
        firings: tuple[Firing, ...] = ()
        if memos or edges or replaced:
            firings = await self.async_commit(memos, edges, replaced)
        for entry in entries:
            if entry.id in self.entries:
                self.entries[entry.id] = entry
        return firings

    # ---------------------------------------------------------------- the journal

    async def async_commit(
        self,
        memos: Mapping[str, Memo],
        edges: Sequence[Firing] = (),
        replaced: Sequence[Routine] = (),
    ) -> tuple[Firing, ...]:
        """Store the results of evaluations in one transaction; see `RoutineStore.commit`."""
        return await self.async_run(RoutineStore.commit, memos, edges, replaced)

    async def async_note(self, firing: Firing) -> bool:
        """Store the progress of a firing; see `RoutineStore.note`."""
        return await self.async_run(RoutineStore.note, firing)

    async def async_last_fired(self, routine_id: str, before: int | None = None) -> Firing | None:
        """Return the firing whose changes can be undone; see `RoutineStore.last_fired`."""
        return await self.async_run(RoutineStore.last_fired, routine_id, before)
