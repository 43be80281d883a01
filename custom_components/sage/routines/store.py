"""Stores all routines in one SQLite file, with their memos and firings."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from ..storage import Database, FileKind, remove_set_aside
from .codec import read, write
from .routine_types import (
    EdgeKind,
    Firing,
    FiringStep,
    Memo,
    Routine,
    RoutineStoreError,
    StoreClosedError,
)

FILE: Final = FileKind(
    subject="store of the routines",
    error=RoutineStoreError,
    closed=StoreClosedError,
    schema=Path(__file__).with_suffix(".sql"),
    counted="routines",
    damage_issue="routines_damaged",
    repair=(
        "DELETE FROM routines WHERE removed",
        "DELETE FROM memos WHERE routine NOT IN (SELECT id FROM routines)",
        "DELETE FROM firings WHERE routine NOT IN (SELECT id FROM routines)",
        # The recovered step may be older than the real one: never execute the firing twice.
        "UPDATE firings SET step = 'started' WHERE step = 'journaled'",
        # Do not reuse numbers: people know them from firings that no longer exist.
        "DELETE FROM sqlite_sequence WHERE name = 'firings'",
        "INSERT INTO sqlite_sequence VALUES ('firings', unixepoch())",
    ),
)

_BEFORE: Final = {
    FiringStep.JOURNALED: (),
    FiringStep.STARTED: (FiringStep.JOURNALED,),
    FiringStep.DONE: (FiringStep.STARTED,),
    FiringStep.DELIVERED: (FiringStep.JOURNALED, FiringStep.STARTED, FiringStep.DONE),
}
"""New step in the execution of an action -> the steps that may precede it."""

_COLUMNS: Final = ("id", "routine_id", "edge", "step")  # fields of a firing with an own column
_FIRING: Final = "SELECT id, routine, edge, step, data FROM firings"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """The content of the SQLite file of routines."""

    routines: tuple[Routine, ...]  # all routines, in the order of their creation
    memos: Mapping[str, Memo] = field(default_factory=dict)  # routine id -> memo
    firings: tuple[Firing, ...] = ()
    """Unfinished executions of actions, including undelivered answers; the oldest first."""

    unreadable: tuple[str, ...] = ()
    """Ids of routines with damaged data or data of a newer version, which stays in the file."""


class RoutineStore(Database):
    """The open SQLite file of the routines; used by one thread at a time.

    Methods that write return when the data is on disk. All methods may raise RoutineStoreError or a
    subclass.
    """

    kind = FILE

    def load(self) -> Stored:
        """Return the content of the file."""
        self.check()
        routines: list[Routine] = []
        memos: dict[str, Memo] = {}
        firings: list[Firing] = []
        unreadable: dict[str, None] = {}
        with self.reading() as connection:
            rows = connection.execute(
                """
                SELECT id, number, routines.data, memos.data
                FROM routines LEFT JOIN memos ON memos.routine = id ORDER BY number
                """
            )
            for routine_id, number, data, memo in rows:
                try:
                    routine = replace(read(Routine, data), number=number)
                    memos[routine_id] = Memo() if memo is None else read(Memo, memo)
                except ValueError:
                    unreadable[routine_id] = None
                else:
                    routines.append(routine)
            rows = connection.execute(
                f"{_FIRING} WHERE step != ? ORDER BY id", (FiringStep.DELIVERED,)
            )
            for row in rows:
                try:
                    firings.append(_firing(*row))
                except ValueError:
                    unreadable[row[1]] = None
        return Stored(
            routines=tuple(routines),
            memos={each.id: memos[each.id] for each in routines},
            firings=tuple(each for each in firings if each.routine_id not in unreadable),
            unreadable=tuple(unreadable),
        )

    def add(self, routine: Routine, memo: Memo) -> Routine:
        """Store a new routine and memo; return it with its number, as in "Routine 3"."""
        with self.writing() as connection:
            added = connection.execute(
                "INSERT INTO routines (id, removed, data) VALUES (?, 0, ?)",
                (routine.id, write(routine)),
            )
            _set_memo(connection, routine.id, memo)
        return replace(routine, number=added.lastrowid or 0)

    def replace(self, routine: Routine, memo: Memo | None = None) -> None:
        """Store a changed routine, and `memo` if given. Raises RoutineStoreError."""
        with self.writing() as connection:
            if not _set_routine(connection, routine):
                raise RoutineStoreError("There is no such routine any more.")
            if memo is not None:
                _set_memo(connection, routine.id, memo)

    def remove(self, routine_id: str) -> None:
        """Delete a routine with its memo and firings; ignores an unknown id."""
        with self.writing() as connection:
            # Foreign keys delete the memo and the firings, too.
            gone = connection.execute("DELETE FROM routines WHERE id = ?", (routine_id,))
            if gone.rowcount:
                self.owe_scrub()
        self.scrub()

    def purge(self, owner: str) -> None:
        """Delete all data of a person's routines, also in copies of damaged files."""
        with self.writing() as connection:
            rows = connection.execute("SELECT id, data FROM routines").fetchall()
            gone = [(routine_id,) for routine_id, data in rows if _owner_of(data) == owner]
            # Foreign keys delete the memos and firings, too.
            connection.executemany("DELETE FROM routines WHERE id = ?", gone)
            if gone:
                self.owe_scrub()
        self.scrub()
        # The readable data of the copies is in this file.
        remove_set_aside(self.path)

    def commit(
        self,
        memos: Mapping[str, Memo],
        edges: Sequence[Firing] = (),
        replaced: Sequence[Routine] = (),
    ) -> tuple[Firing, ...]:
        """Store the results of evaluations; return the new firings with their ids.

        - `memos`: routine id -> new memo.
        - `edges`: the new firings.
        - `replaced`: the routines in which something else has changed, such as the status.

        Routines that were deleted meanwhile are skipped.
        """
        with self.writing() as connection:
            for routine in replaced:
                _set_routine(connection, routine)
            known = {each for (each,) in connection.execute("SELECT id FROM routines")}
            for routine_id, memo in memos.items():
                if routine_id in known:
                    _set_memo(connection, routine_id, memo)
            firings: list[Firing] = []
            for edge in edges:
                if edge.routine_id in known:
                    journaled = connection.execute(
                        "INSERT INTO firings (routine, edge, step, data) VALUES (?, ?, ?, ?)",
                        (edge.routine_id, edge.edge, edge.step, write(edge, *_COLUMNS)),
                    )
                    firings.append(replace(edge, id=journaled.lastrowid or 0))
            return tuple(firings)

    def note(self, firing: Firing) -> bool:
        """Store a firing's progress; return False if it is deleted or that far already."""
        data = write(firing, *_COLUMNS)
        with self.writing() as connection:
            found = connection.execute("SELECT step FROM firings WHERE id = ?", (firing.id,))
            if (step := found.fetchone()) is None or step[0] not in _BEFORE[firing.step]:
                return False
            connection.execute(
                "UPDATE firings SET step = ?, data = ? WHERE id = ?", (firing.step, data, firing.id)
            )
            if firing.step is FiringStep.DELIVERED:
                _leave_journal(connection, firing)
        self.scrub()
        return True

    def last_fired(self, routine_id: str, before: int | None = None) -> Firing | None:
        """Return the latest execution of a routine's action that made changes SAGE can undo.

        Returns None if there is none, or if an undo by the routine (`EdgeKind.OFF`) came after it.
        `before`: consider only executions (`Firing`) with a smaller id.
        """
        with self.reading() as connection:
            rows = connection.execute(
                f"{_FIRING} WHERE routine = ? AND id < ? ORDER BY id DESC",
                (routine_id, 2**63 - 1 if before is None else before),
            )
            for row in rows:
                try:
                    firing = _firing(*row)
                except ValueError:
                    return None
                if firing.edge is EdgeKind.OFF:
                    return None
                if firing.undo is not None:
                    return firing
            return None


def _set_routine(connection: sqlite3.Connection, routine: Routine) -> bool:
    done = connection.execute(
        "UPDATE routines SET data = ? WHERE id = ?", (write(routine), routine.id)
    )
    return bool(done.rowcount)


def _set_memo(connection: sqlite3.Connection, routine_id: str, memo: Memo) -> None:
    connection.execute(
        """
        INSERT INTO memos (routine, data) VALUES (?, ?)
        ON CONFLICT (routine) DO UPDATE SET data = excluded.data
        """,
        (routine_id, write(memo)),
    )


def _firing(number: int, routine_id: str, edge: str, step: str, data: str) -> Firing:
    columns = (number, routine_id, edge, step)
    return read(Firing, data, **dict(zip(_COLUMNS, columns, strict=True)))


def _leave_journal(connection: sqlite3.Connection, delivered: Firing) -> None:
    """Delete the data of a completed action, unless its changes may have to be undone later.

    Also deletes the data of older actions that is no longer needed for an undo.
    """
    routine_id = delivered.routine_id
    if delivered.edge is EdgeKind.OFF or delivered.undo is not None:
        connection.execute(
            "DELETE FROM firings WHERE routine = ? AND id < ? AND step = ?",
            (routine_id, delivered.id, FiringStep.DELIVERED),
        )
    stored = None
    if delivered.undo is not None:
        query = "SELECT data FROM routines WHERE id = ?"
        stored = connection.execute(query, (routine_id,)).fetchone()
    if stored is None or not read(Routine, stored[0]).undo_after:
        connection.execute("DELETE FROM firings WHERE id = ?", (delivered.id,))


def _owner_of(data: str) -> object:
    """Return the owner of a stored routine, even if its other data is unreadable."""
    try:
        routine = json.loads(data)
    except ValueError:
        return None
    return routine.get("owner") if isinstance(routine, dict) else None
