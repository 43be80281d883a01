"""Stores all routines in one SQLite file, with their memos and firings.

- A public number is assigned to each routine once and never reused.
- A memo holds the changing data of a routine, such as the last value of its condition.
- A firing is one execution of a routine's action.
"""

import itertools
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from ..storage.database import SETTINGS_TABLE, FileErrors, FileKind, StoreFile
from ..storage.recovery import remove_set_aside
from .codec import (
    FiringRow,
    number_firing,
    owner_of,
    read_firing,
    read_memo,
    read_routine,
    write_firing,
    write_memo,
    write_routine,
)
from .routine_types import (
    CorruptStoreError,
    EdgeKind,
    Firing,
    FiringStep,
    Memo,
    NewerStoreError,
    NewFiring,
    Routine,
    RoutineStoreError,
    StoreClosedError,
    UnknownRoutineError,
    UnreadableError,
)

_FIRST: Final = """
CREATE TABLE routines (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    removed INTEGER NOT NULL,
    data TEXT NOT NULL
) STRICT;
CREATE TABLE memos (
    routine TEXT PRIMARY KEY REFERENCES routines (id) ON DELETE CASCADE,
    data TEXT NOT NULL
) STRICT;
CREATE TABLE firings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    routine TEXT NOT NULL REFERENCES routines (id) ON DELETE CASCADE,
    edge TEXT NOT NULL,
    step TEXT NOT NULL,
    data TEXT NOT NULL
) STRICT;
CREATE INDEX firings_of_routine ON firings (routine);
"""

STEPS: Final = (_FIRST + SETTINGS_TABLE,)

FILE: Final = FileKind(
    subject="store of the routines",
    errors=FileErrors(
        failed=RoutineStoreError,
        closed=StoreClosedError,
        corrupt=CorruptStoreError,
        newer=NewerStoreError,
    ),
    steps=STEPS,
    counted="routines",
    repair=(
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

_FIRING: Final = "SELECT id, routine, edge, step, data FROM firings"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """The content of the SQLite file of routines."""

    routines: tuple[Routine, ...]
    """All routines except deleted ones, in the order of their creation."""

    memos: Mapping[str, Memo] = field(default_factory=dict)
    """Routine id -> the changing data of the routine."""

    firings: tuple[Firing, ...] = ()
    """Unfinished executions of actions, including undelivered answers; the oldest first."""

    removed: tuple[Routine, ...] = ()
    """Deleted routines with an unfinished execution in `firings`."""

    unreadable: tuple[str, ...] = ()
    """Ids of routines with damaged data or data of a newer version, which stays in the file."""


class RoutineStore(StoreFile):
    """The open SQLite file of the routines; used by one thread at a time.

    Methods that write return when the data is on disk. All methods may raise RoutineStoreError or a
    subclass.
    """

    kind = FILE

    def load(self) -> Stored:
        """Return the content of the file; raises CorruptStoreError if it is damaged."""
        with self._database.reading() as connection:
            if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise CorruptStoreError("The file of the routines is damaged.")
            return _load(connection)

    def take_numbers(self, known: KnownNumbers) -> None:
        """Assign a public number to each stored routine, if the file has no numbers yet.

        Routines in `known` keep the numbers that they have in the entity registry.
        """
        with self._database.reading() as connection:
            # Numbers are missing in files of older versions, and in a new file that replaces a lost
            # one.
            if has_numbers(connection):
                return
        with self._database.writing() as connection:
            assign_numbers(connection, known)

    def add(self, routine: Routine, memo: Memo) -> Routine:
        """Store a new routine and its `memo`, the data that changes with each evaluation.

        Returns the routine with its new number, the 3 in the name "Routine 3".
        """
        with self._database.writing() as connection:
            number = next_number(connection)
            connection.execute(
                "INSERT INTO routines (number, id, removed, data) VALUES (?, ?, 0, ?)",
                (number, routine.id, write_routine(routine)),
            )
            _set_memo(connection, routine.id, memo)
        return replace(routine, number=number)

    def replace(self, routine: Routine, memo: Memo | None = None) -> None:
        """Store a changed routine. Raises UnknownRoutineError if it was deleted.

        `memo`: new data of the routine, such as the last value of its condition; None keeps the
        stored data.
        """
        with self._database.writing() as connection:
            if not _set_routine(connection, routine):
                raise UnknownRoutineError("There is no such routine any more.")
            if memo is not None:
                _set_memo(connection, routine.id, memo)

    def remove(self, routine_id: str) -> None:
        """Delete a routine; ignores an unknown id.

        The data of a running action stays until its answer is delivered.
        """
        with self._database.writing() as connection:
            connection.execute(
                "DELETE FROM firings WHERE routine = ? AND step IN (?, ?)",
                (routine_id, FiringStep.JOURNALED, FiringStep.DELIVERED),
            )
            connection.execute("DELETE FROM memos WHERE routine = ?", (routine_id,))
            connection.execute("UPDATE routines SET removed = 1 WHERE id = ?", (routine_id,))
            self._forget_removed(connection)
        self._database.scrub()

    def purge(self, owner: str) -> None:
        """Delete all data of a person's routines, including unreadable data.

        Also deletes all copies of damaged files, which may contain such data.
        """
        with self._database.writing() as connection:
            rows = connection.execute("SELECT id, data FROM routines").fetchall()
            gone = [(routine_id,) for routine_id, data in rows if owner_of(data) == owner]
            # Foreign keys delete the memos and firings, too.
            connection.executemany("DELETE FROM routines WHERE id = ?", gone)
            if gone:
                self._database.owe_scrub()
        self._database.scrub()
        # The readable data of the copies is in this file.
        remove_set_aside(self._database.path)

    def commit(
        self,
        memos: Mapping[str, Memo],
        edges: Sequence[NewFiring] = (),
        replaced: Sequence[Routine] = (),
    ) -> tuple[Firing, ...]:
        """Store the results of evaluations; return the new firings with their ids.

        - `memos`: routine id -> new memo, the data that each evaluation changes.
        - `edges`: the new firings (executions of a routine's action).
        - `replaced`: the routines in which something else has changed, such as the status.

        Routines that were deleted meanwhile are skipped.
        """
        if not (memos or edges or replaced):
            return ()
        with self._database.writing() as connection:
            for routine in replaced:
                _set_routine(connection, routine)
            known = {
                each for (each,) in connection.execute("SELECT id FROM routines WHERE NOT removed")
            }
            for routine_id, memo in memos.items():
                if routine_id in known:
                    _set_memo(connection, routine_id, memo)
            return tuple(_journal(connection, edge) for edge in edges if edge.routine_id in known)

    def note(self, firing: Firing) -> bool:
        """Store the progress of a firing (execution of a routine's action).

        Returns False if the firing was deleted or has already reached this step.
        """
        row = write_firing(firing)
        with self._database.writing() as connection:
            found = connection.execute("SELECT step FROM firings WHERE id = ?", (row.id,))
            if (step := found.fetchone()) is None or step[0] not in _BEFORE[firing.step]:
                return False
            connection.execute(
                "UPDATE firings SET step = ?, data = ? WHERE id = ?", (row.step, row.data, row.id)
            )
            if firing.step is FiringStep.DELIVERED:
                _leave_journal(connection, firing)
                self._forget_removed(connection)
        self._database.scrub()
        return True

    def last_fired(self, routine_id: str, before: int | None = None) -> Firing | None:
        """Return the latest execution of a routine's action that made changes SAGE can undo.

        Returns None if there is none, or if an undo by the routine (`EdgeKind.OFF`) came after it.
        `before`: consider only executions (`Firing`) with a smaller id.
        """
        with self._database.reading() as connection:
            rows = connection.execute(
                f"{_FIRING} WHERE routine = ? AND id < ? ORDER BY id DESC",
                (routine_id, 2**63 - 1 if before is None else before),
            )
            for row in rows:
                try:
                    firing = read_firing(FiringRow(*row))
                except UnreadableError:
                    return None
                if firing.edge is EdgeKind.OFF:
                    return None
                if firing.undo is not None:
                    return firing
            return None

    def _forget_removed(self, connection: sqlite3.Connection) -> None:
        """Delete the routines marked as removed whose answers are all delivered."""
        gone = connection.execute(
            "DELETE FROM routines WHERE removed AND id NOT IN (SELECT routine FROM firings)"
        )
        if gone.rowcount:
            self._database.owe_scrub()


def _load(connection: sqlite3.Connection) -> Stored:
    routines: list[Routine] = []
    removed: list[Routine] = []
    memos: dict[str, Memo] = {}
    unreadable: dict[str, None] = {}
    rows = connection.execute(
        """
        SELECT id, number, removed, routines.data, memos.data
        FROM routines LEFT JOIN memos ON memos.routine = id ORDER BY number
        """
    )
    for routine_id, number, is_removed, data, memo in rows:
        try:
            routine = replace(read_routine(data), number=number)
            memos[routine_id] = Memo() if memo is None else read_memo(memo)
        except UnreadableError:
            unreadable[routine_id] = None
        else:
            (removed if is_removed else routines).append(routine)
    firings: list[Firing] = []
    rows = connection.execute(f"{_FIRING} WHERE step != ? ORDER BY id", (FiringStep.DELIVERED,))
    for row in itertools.starmap(FiringRow, rows):
        try:
            firings.append(read_firing(row))
        except UnreadableError:
            unreadable[row.routine_id] = None
    return Stored(
        routines=tuple(routines),
        memos={each.id: memos[each.id] for each in routines},
        firings=tuple(each for each in firings if each.routine_id not in unreadable),
        removed=tuple(removed),
        unreadable=tuple(unreadable),
    )


def _set_routine(connection: sqlite3.Connection, routine: Routine) -> bool:
    done = connection.execute(
        "UPDATE routines SET data = ? WHERE id = ? AND NOT removed",
        (write_routine(routine), routine.id),
    )
    return bool(done.rowcount)


def _set_memo(connection: sqlite3.Connection, routine_id: str, memo: Memo) -> None:
    connection.execute(
        """
        INSERT INTO memos (routine, data) VALUES (?, ?)
        ON CONFLICT (routine) DO UPDATE SET data = excluded.data
        """,
        (routine_id, write_memo(memo)),
    )


def _journal(connection: sqlite3.Connection, edge: NewFiring) -> Firing:
    row = write_firing(number_firing(edge, 0))
    journaled = connection.execute(
        "INSERT INTO firings (routine, edge, step, data) VALUES (?, ?, ?, ?)",
        (row.routine_id, row.edge, row.step, row.data),
    )
    assert journaled.lastrowid is not None
    return number_firing(edge, journaled.lastrowid)


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
    if delivered.undo is None or not _puts_back(connection, routine_id):
        connection.execute("DELETE FROM firings WHERE id = ?", (delivered.id,))


def _puts_back(connection: sqlite3.Connection, routine_id: str) -> bool:
    """Return whether a routine undoes its changes when its condition is no longer True."""
    found = connection.execute(
        "SELECT data FROM routines WHERE id = ? AND NOT removed", (routine_id,)
    ).fetchone()
    return found is not None and read_routine(found[0]).undo_after


_LAST_NUMBER: Final = "last_number"
"""Setting in the file: the highest number ever assigned; missing until numbers are assigned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownNumbers:
    """Numbers of routines, as in "Routine 3", from the entity registry.

    They are used if the file stores no numbers.
    """

    routines: Mapping[str, int] = field(default_factory=dict)
    """Routine id -> its number."""

    last: int = 0
    """The highest number that was ever assigned; 0 if unknown."""


def has_numbers(connection: sqlite3.Connection) -> bool:
    """Return whether the file contains numbers of routines, as in "Routine 3"."""
    return _last_number(connection) is not None


def assign_numbers(connection: sqlite3.Connection, known: KnownNumbers) -> None:
    """Assign numbers, as in "Routine 3", to all stored routines.

    A routine in `known` keeps its number; any other routine gets a new one.
    """
    rows = connection.execute("SELECT id, number FROM routines ORDER BY number").fetchall()
    free = set(known.routines.values())
    last = max([known.last, *free, *(number for _, number in rows)])
    # First negate all numbers: the column is unique, so new numbers must not equal old ones.
    connection.execute("UPDATE routines SET number = -number")
    for routine_id, row in rows:
        number = known.routines.get(routine_id)
        if number is None or number not in free:
            number = last = last + 1
        free.discard(number)
        connection.execute("UPDATE routines SET number = ? WHERE number = ?", (number, -row))
    _set_last_number(connection, last)


def next_number(connection: sqlite3.Connection) -> int:
    """Assign the next number for a new routine, and return it."""
    highest = connection.execute("SELECT max(number) FROM routines").fetchone()[0]
    number = max(_last_number(connection) or 0, highest or 0) + 1
    _set_last_number(connection, number)
    return number


def _last_number(connection: sqlite3.Connection) -> int | None:
    found = connection.execute("SELECT value FROM settings WHERE name = ?", (_LAST_NUMBER,))
    row = found.fetchone()
    return None if row is None else int(row[0])


def _set_last_number(connection: sqlite3.Connection, number: int) -> None:
    connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (_LAST_NUMBER, str(number)))
