"""The memories of one person in the tables of their file, and each time they were said."""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Final

from .errors import UnknownMemoryError
from .folding import clean, duplicate_key, has_words, plain_words
from .instants import from_instant, to_instant
from .model import Memory, NewMemory, Origin

ORIGINS: Final = {-1: Origin.REQUEST, 0: Origin.SAID, 1: Origin.TOLD, 2: Origin.CORRECTED}
"""By their numbers in the file; of the sayings of a memory the highest counts."""

_NUMBERS: Final = {origin: number for number, origin in ORIGINS.items()}

type Row = tuple[Any, ...]

_GET: Final = """
SELECT id, text, question, place, origin, tainted, first_at, at, count
FROM memories WHERE id IN (SELECT value FROM json_each(?))
"""
_PAGE: Final = """
SELECT id, text, question, place, origin, tainted, first_at, at, count
FROM memories
WHERE (:at IS NULL OR (at, id) < (:at, :id))
    AND (:words = '' OR has_words(text, question, :words))
ORDER BY at DESC, id DESC LIMIT :limit
"""
_OF_ORIGINS: Final = """
SELECT id, text, question, place, origin, tainted, first_at, at, count
FROM memories
WHERE origin IN (SELECT value FROM json_each(:origins)) AND (:since IS NULL OR at > :since)
ORDER BY at DESC, id DESC
"""
_ADD: Final = """
INSERT INTO memories (key, text, question, place, origin, tainted, first_at, at, count)
VALUES (:key, :text, :question, :place, :origin, :tainted, :at, :at, 1)
ON CONFLICT (key) DO UPDATE SET
    place = CASE WHEN excluded.at >= at THEN excluded.place ELSE place END,
    origin = max(origin, excluded.origin),
    tainted = min(tainted, excluded.tainted),
    first_at = min(first_at, excluded.at),
    at = max(at, excluded.at),
    count = count + 1
RETURNING id, text, question, place, origin, tainted, first_at, at, count
"""
_DELETE: Final = """
DELETE FROM memories WHERE id IN (SELECT value FROM json_each(?)) RETURNING id
"""
_DELETE_UNSAID: Final = """
DELETE FROM memories
WHERE id IN (SELECT value FROM json_each(?))
    AND NOT EXISTS (SELECT 1 FROM sayings WHERE memory = id)
RETURNING id
"""
_COUNT_AGAIN: Final = """
UPDATE memories SET (place, origin, tainted, first_at, at, count) = (
    SELECT
        (SELECT place FROM sayings WHERE memory = id ORDER BY at DESC, number DESC LIMIT 1),
        max(origin), min(tainted), min(at), max(at), count(*)
    FROM sayings WHERE memory = id
)
WHERE id IN (SELECT value FROM json_each(?))
"""
_SAYINGS: Final = """
SELECT id, text, question, sayings.place, sayings.origin, sayings.tainted, sayings.at
FROM sayings JOIN memories ON id = memory WHERE memory = ? ORDER BY number
"""
_ALL_SAYINGS: Final = """
SELECT id, text, question, sayings.place, sayings.origin, sayings.tainted, sayings.at
FROM sayings JOIN memories ON id = memory ORDER BY memory, number
"""
_INSTANTS: Final = """
SELECT at FROM sayings WHERE memory IN (SELECT value FROM json_each(?))
"""
_ADD_SAYING: Final = """
INSERT INTO sayings
SELECT :memory, coalesce(max(number), 0) + 1, :at, :place, :origin, :tainted
FROM sayings WHERE memory = :memory
"""
_MOVE_SAYINGS: Final = """
INSERT INTO sayings
SELECT
    :to, number + (SELECT max(number) FROM sayings WHERE memory = :to),
    at, place, origin, tainted
FROM sayings WHERE memory = :of
"""
_MARK: Final = """
UPDATE sayings SET origin = :request WHERE memory = :memory AND at = :at AND origin = :said
"""
_UNSAY: Final = """
DELETE FROM sayings WHERE memory = :memory AND at = :at AND origin = :said
"""
_TAKE_BACK: Final = """
DELETE FROM sayings
WHERE memory = :memory AND number = (SELECT max(number) FROM sayings WHERE memory = :memory)
"""


class MemoryTable:
    """Reads and writes memories; where it writes, the caller holds the transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Teach the connection to compare words."""
        self._connection = connection
        connection.create_function("has_words", 3, has_words, deterministic=True)

    def add(self, new: NewMemory) -> Memory:
        """Add a memory, or one more saying of the memory that has the same words."""
        values = _values(new)
        (row,) = self._connection.execute(_ADD, values).fetchall()
        memory = _memory(row)
        self._connection.execute(_ADD_SAYING, {**values, "memory": memory.id})
        return memory

    def get(self, ids: Iterable[int]) -> dict[int, Memory]:
        """Return those of the memories that there are."""
        rows = self._connection.execute(_GET, (_list(ids),))
        return {memory.id: memory for memory in map(_memory, rows)}

    def one(self, memory_id: int) -> Memory:
        """Return one memory; raises UnknownMemoryError."""
        found = self.get((memory_id,))
        if memory_id not in found:
            raise UnknownMemoryError(f"There is no memory {memory_id}.")
        return found[memory_id]

    def count(self) -> int:
        """Return how many memories there are."""
        count: int = self._connection.execute("SELECT count(*) FROM memories").fetchone()[0]
        return count

    def page(
        self, limit: int | None, before: Memory | None, words: str | None
    ) -> tuple[Memory, ...]:
        """Return memories, the one said last first; see PersonMemory.list."""
        rows = self._connection.execute(
            _PAGE,
            {
                "at": before and to_instant(before.at),
                "id": before and before.id,
                "words": plain_words(words or ""),
                "limit": -1 if limit is None else limit,
            },
        )
        return tuple(map(_memory, rows))

    def of_origins(
        self, origins: Iterable[Origin], since: datetime | None = None
    ) -> tuple[Memory, ...]:
        """Return the memories of these origins said after a time, the one said last first."""
        rows = self._connection.execute(
            _OF_ORIGINS,
            {
                "origins": _list(_NUMBERS[each] for each in origins),
                "since": since and to_instant(since),
            },
        )
        return tuple(map(_memory, rows))

    def sayings(self, memory_id: int) -> tuple[NewMemory, ...]:
        """Return every time that a memory was said, in the order in which they were added."""
        rows = self._connection.execute(_SAYINGS, (memory_id,))
        return tuple(saying for _, saying in map(_saying, rows))

    def all_sayings(self) -> Iterator[tuple[int, NewMemory]]:
        """Yield every time that anything was said, with the id of its memory, by memory."""
        yield from map(_saying, self._connection.execute(_ALL_SAYINGS))

    def same(self, new: NewMemory) -> int | None:
        """Return the id of the memory that has the same words, if there is one."""
        found = self._connection.execute(
            "SELECT id FROM memories WHERE key = ?", (_values(new)["key"],)
        ).fetchone()
        return None if found is None else found[0]

    def instants(self, ids: Iterable[int]) -> tuple[int, ...]:
        """Return every time that one of the memories was said."""
        rows = self._connection.execute(_INSTANTS, (_list(ids),))
        return tuple(at for (at,) in rows)

    def delete(self, ids: Iterable[int]) -> tuple[int, ...]:
        """Delete memories with all that hangs on them; return the ids of those there were."""
        rows = self._connection.execute(_DELETE, (_list(ids),))
        return tuple(found for (found,) in rows.fetchall())

    def clear(self) -> None:
        """Delete everything, vectors included; ids are not used again."""
        for statement in (
            "DELETE FROM vectors",
            "DELETE FROM models",
            "DELETE FROM sayings",
            "DELETE FROM memories",
        ):
            self._connection.execute(statement)

    def said_within(self, start: int, end: int) -> tuple[tuple[int, int], ...]:
        """Return memory id and time of what was said from `start` until before `end`."""
        rows = self._connection.execute(
            "SELECT memory, at FROM sayings WHERE at >= ? AND at < ?", (start, end)
        )
        return tuple(rows)

    def cut(self, start: int, end: int) -> tuple[int, ...]:
        """Delete the sayings of a period; return the ids of memories that had no others."""
        hit = self._connection.execute(
            "DELETE FROM sayings WHERE at >= ? AND at < ? RETURNING memory", (start, end)
        )
        return self._tidy({memory for (memory,) in hit.fetchall()})

    def take_back(self, memory_id: int) -> tuple[int, ...]:
        """Delete the saying that was added last; return the id if there was no other."""
        self._connection.execute(_TAKE_BACK, {"memory": memory_id})
        return self._tidy({memory_id})

    def unsay(self, memory_id: int, at: int) -> tuple[int, ...]:
        """Delete what was said at that time; return the id if that was all of the memory."""
        said = {"memory": memory_id, "at": at, "said": _NUMBERS[Origin.SAID]}
        self._connection.execute(_UNSAY, said)
        return self._tidy({memory_id})

    def mark_request(self, memory_id: int, at: int) -> None:
        """Mark what was said at that time as a request."""
        said = {"memory": memory_id, "at": at, "said": _NUMBERS[Origin.SAID]}
        self._connection.execute(_MARK, {**said, "request": _NUMBERS[Origin.REQUEST]})
        self._connection.execute(_COUNT_AGAIN, (_list((memory_id,)),))

    def cut_requests(self, end: int) -> tuple[int, ...]:
        """Delete requests from before `end`; return the ids of memories that were nothing else."""
        hit = self._connection.execute(
            "DELETE FROM sayings WHERE at < ? AND origin < 0 RETURNING memory", (end,)
        )
        return self._tidy({memory for (memory,) in hit.fetchall()})

    def rewrite(self, memory_id: int, text: str, *, tainted: bool) -> tuple[int, ...]:
        """Give a memory other words; return the ids of those that had these words before.

        What they said is now said by this memory.
        """
        old = self.one(memory_id)
        text = _wording(text)
        key = duplicate_key(text, old.question)
        same = self._connection.execute(
            "SELECT id FROM memories WHERE key = ? AND id != ?", (key, memory_id)
        )
        twins = tuple(twin for (twin,) in same.fetchall())
        self._connection.execute(
            "UPDATE sayings SET origin = ?, tainted = ? WHERE memory = ?",
            (_NUMBERS[Origin.CORRECTED], tainted, memory_id),
        )
        for twin in twins:
            self._connection.execute(_MOVE_SAYINGS, {"of": twin, "to": memory_id})
        self.delete(twins)
        self._connection.execute("DELETE FROM vectors WHERE memory = ?", (memory_id,))
        self._connection.execute(
            "UPDATE memories SET key = ?, text = ? WHERE id = ?", (key, text, memory_id)
        )
        self._connection.execute(_COUNT_AGAIN, (_list((memory_id,)),))
        return twins

    def _tidy(self, ids: Iterable[int]) -> tuple[int, ...]:
        """Count the sayings of memories again; delete and return those that have none."""
        listed = _list(ids)
        rows = self._connection.execute(_DELETE_UNSAID, (listed,))
        gone = tuple(found for (found,) in rows.fetchall())
        self._connection.execute(_COUNT_AGAIN, (listed,))
        return gone


def _list(ids: Iterable[int]) -> str:
    return json.dumps(list(ids))


def _wording(text: str) -> str:
    cleaned = clean(text)
    if not cleaned:
        raise ValueError("A memory needs a text.")
    return cleaned


def _values(new: NewMemory) -> dict[str, Any]:
    text = _wording(new.text)
    question = clean(new.question or "") or None
    return {
        "key": duplicate_key(text, question),
        "text": text,
        "question": question,
        "place": clean(new.place or "") or None,
        "origin": _NUMBERS[new.origin],
        "tainted": new.tainted,
        "at": to_instant(new.at),
    }


def _memory(row: Row) -> Memory:
    memory_id, text, question, place, origin, tainted, first_at, at, count = row
    return Memory(
        id=memory_id,
        text=text,
        question=question,
        place=place,
        origin=ORIGINS[origin],
        tainted=bool(tainted),
        first_at=from_instant(first_at),
        at=from_instant(at),
        count=count,
    )


def _saying(row: Row) -> tuple[int, NewMemory]:
    memory_id, text, question, place, origin, tainted, at = row
    return memory_id, NewMemory(
        text=text,
        question=question,
        place=place,
        origin=ORIGINS[origin],
        tainted=bool(tainted),
        at=from_instant(at),
    )
