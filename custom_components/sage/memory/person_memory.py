"""Store one person's memories in one SQLite file; not thread-safe."""

import json
import sqlite3
import weakref
from collections.abc import Collection, Iterable
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from ..storage import Database, remove_set_aside
from ..text import words as words_of
from .command_log import CommandLog
from .memories import (
    COLUMNS,
    EVER,
    FILE,
    NUMBERS,
    Memory,
    MemoryRefusedError,
    MemorySettings,
    Origin,
    Recollection,
    duplicate_key,
    json_list,
    memory_of,
    to_instant,
    values_of,
    wording,
)
from .profile import Summaries
from .recall import RecallIndex
from .voice_vectors import VoiceVectors

_GET: Final = f"SELECT {COLUMNS} FROM memories WHERE id = ?"  # noqa: S608
_PAGE: Final = f"""
SELECT {COLUMNS} FROM memories
WHERE (:at IS NULL OR (at, id) < (:at, :id))
    AND origin IN (SELECT value FROM json_each(:origins))
    AND (:words = '' OR has_words(text, question, :words))
ORDER BY at DESC, id DESC LIMIT :limit
"""  # noqa: S608
_WITHIN: Final = f"""
SELECT {COLUMNS} FROM memories
WHERE id IN (SELECT memory FROM sayings WHERE at >= :start AND at < :end)
ORDER BY at DESC, id DESC
"""  # noqa: S608
_COUNT: Final = """
SELECT count(*) FROM memories
WHERE origin IN (SELECT value FROM json_each(:origins))
    AND (:words = '' OR has_words(text, question, :words))
"""
_ADD: Final = f"""
INSERT INTO memories (key, text, question, place, origin, tainted, first_at, at, count)
VALUES (:key, :text, :question, :place, :origin, :tainted, :at, :at, 1)
ON CONFLICT (key) DO UPDATE SET
    place = CASE WHEN excluded.at >= at THEN excluded.place ELSE place END,
    origin = max(origin, excluded.origin),
    tainted = min(tainted, excluded.tainted),
    first_at = min(first_at, excluded.at),
    at = max(at, excluded.at),
    count = count + 1
RETURNING {COLUMNS}
"""  # noqa: S608
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
_CLEAR: Final = "vectors", "sayings", "memories", "voices"  # tables, in this order


class PersonMemory(Database):
    """One person's memories, settings, profile and command log; changes are on disk at once.

    `correct` and the `forget` methods also delete the whole command log, and the profile and
    summaries that were made from the corrected or deleted memories. All methods raise
    MemoryStoreError if the file is unusable.
    """

    kind = FILE

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        super().__init__(path, connection)
        # The parts must not keep this object, with its connection, in memory.
        own: Database = weakref.proxy(self)
        self.summaries: Final = Summaries(own)
        self.recall: Final = RecallIndex(own)
        self.commands: Final = CommandLog(own)
        self.voices: Final = VoiceVectors(own)
        connection.create_function("has_words", 3, _has_words, deterministic=True)

    def close(self) -> None:
        """Close the file and free the search index; a second call has no effect."""
        self.recall.unload()
        super().close()

    def settings(self) -> MemorySettings:
        """Return the person's memory settings."""
        with self.reading() as connection:
            stored = dict(connection.execute("SELECT name, value FROM settings").fetchall())
        names = asdict(MemorySettings())
        return MemorySettings(
            **{name: json.loads(stored[name]) for name in names if name in stored}
        )

    def set_settings(self, settings: MemorySettings) -> None:
        """Store the person's memory settings."""
        with self.writing() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO settings VALUES (?, ?)",
                [(name, json.dumps(value)) for name, value in asdict(settings).items()],
            )

    def change_settings(self, /, **changes: Any) -> MemorySettings:
        """Change some of the person's memory settings, and return all of them."""
        settings = replace(self.settings(), **changes)
        self.set_settings(settings)
        return settings

    def take_hint(self) -> bool:
        """Return whether to say that SAGE remembers: True once, at the first command."""
        settings = self.settings()
        if settings.hinted or not settings.enabled:
            return False
        self.change_settings(hinted=True)
        return self.count() <= 1

    # Remembering

    def add(self, new: Memory) -> Memory:
        """Store an utterance; return its memory. Raises MemoryRefusedError if off, ValueError."""
        with self.writing() as connection:
            if not self.settings().enabled:
                raise MemoryRefusedError("memory_off", "Memory is switched off.")
            values = values_of(new)
            (row,) = connection.execute(_ADD, values).fetchall()
            memory = memory_of(row)
            connection.execute(_ADD_SAYING, {**values, "memory": memory.id})
        self.recall.add(memory)
        return memory

    def log(self, run: str, at: datetime, summary: Any, trace: Any) -> None:
        """Add an entry to the command log, unless memory is switched off."""
        with self.writing():
            if self.settings().enabled:
                self.commands.add(run, at, summary, trace)

    def correct(self, memory_id: int, text: str, *, tainted: bool = False) -> Memory:
        """Replace the text of a memory; merge it with another memory of the new text, if any.

        `tainted`: `text` may contain untrusted content. Raises MemoryRefusedError, or ValueError
        for an empty text.
        """
        text = wording(text)
        with self.writing() as connection:
            key = duplicate_key(text, self.get(memory_id).question)
            self._drop_made_from(self._instants((memory_id,)))
            self.commands.clear()
            same = connection.execute(
                "SELECT id FROM memories WHERE key = ? AND id != ?", (key, memory_id)
            )
            twins = tuple(twin for (twin,) in same.fetchall())
            connection.execute(
                "UPDATE sayings SET origin = ?, tainted = ? WHERE memory = ?",
                (NUMBERS[Origin.CORRECTED], tainted, memory_id),
            )
            for twin in twins:
                connection.execute(_MOVE_SAYINGS, {"of": twin, "to": memory_id})
            connection.execute(_DELETE, (json_list(twins),)).fetchall()
            connection.execute("DELETE FROM vectors WHERE memory = ?", (memory_id,))
            connection.execute(
                "UPDATE memories SET key = ?, text = ? WHERE id = ?", (key, text, memory_id)
            )
            connection.execute(_COUNT_AGAIN, (json_list((memory_id,)),))
            corrected = self.get(memory_id)
        self.recall.remove((memory_id, *twins))
        self.recall.add(corrected)
        self.scrub()
        return corrected

    # Reading

    def get(self, memory_id: int) -> Memory:
        """Return the memory with this id; raises MemoryRefusedError."""
        with self.reading() as connection:
            row = connection.execute(_GET, (memory_id,)).fetchone()
        if row is None:
            raise MemoryRefusedError("unknown_memory", f"There is no memory {memory_id}.")
        return memory_of(row)

    def list(
        self,
        *,
        limit: int | None = None,
        before: Memory | None = None,
        words: str | None = None,
        origins: Iterable[Origin] = tuple(Origin),
    ) -> tuple[Memory, ...]:
        """Return the memories of these origins, latest first.

        `before`: last memory of the previous page. `words`: words or parts of words that must all
        occur in a memory's text or question.
        """
        values = {
            "at": before and to_instant(before.at),
            "id": before and before.id,
            "words": " ".join(words_of(words or "")),
            "origins": json_list(NUMBERS[each] for each in origins),
            "limit": -1 if limit is None else limit,
        }
        with self.reading() as connection:
            return tuple(map(memory_of, connection.execute(_PAGE, values)))

    def page_json(
        self,
        count: int,
        *,
        before: int | None = None,
        words: str | None = None,
        origins: Iterable[Origin] = tuple(Origin),
    ) -> dict[str, Any]:
        """Return one page of memories as JSON: `memories` (latest first), `has_more` and `total`.

        `before`: id of the last memory on the previous page. `words`: see `list`. `total`: number
        of all memories of the person. Raises MemoryRefusedError for an unknown id `before`.
        """
        last = None if before is None else self.get(before)
        found = self.list(limit=count + 1, before=last, words=words, origins=origins)
        return {
            "memories": [memory.as_json() for memory in found[:count]],
            "has_more": len(found) > count,
            "total": self.count(),
        }

    def known(self) -> Recollection:
        """Return the profile, facts to remember, corrections, and utterances since the profile.

        Requests such as "turn on the light" are left out. The latest memories come first.
        """
        profile = self.summaries.profile()
        told = self.list(origins={Origin.TOLD, Origin.CORRECTED})
        said = self.list(origins={Origin.SAID})
        if profile is not None:
            said = tuple(memory for memory in said if memory.at > profile.made_at)
        return Recollection(profile=profile.text if profile else "", memories=(*told, *said))

    def count(self, *, words: str | None = None, origins: Iterable[Origin] = tuple(Origin)) -> int:
        """Return the number of memories that `list` finds with these words and origins."""
        values = {
            "words": " ".join(words_of(words or "")),
            "origins": json_list(NUMBERS[each] for each in origins),
        }
        with self.reading() as connection:
            count: int = connection.execute(_COUNT, values).fetchone()[0]
            return count

    def said_within(self, start: datetime, end: datetime) -> tuple[Memory, ...]:
        """Return the memories with at least one utterance from `start` until before `end`."""
        period = {"start": to_instant(start), "end": to_instant(end)}
        with self.reading() as connection:
            return tuple(map(memory_of, connection.execute(_WITHIN, period)))

    # Forgetting

    def forget(self, ids: Iterable[int]) -> int:
        """Delete the memories with these ids; return the number of deleted memories."""
        ids = tuple(ids)
        with self.writing() as connection:
            self._drop_made_from(self._instants(ids))
            rows = connection.execute(_DELETE, (json_list(ids),))
            gone = tuple(memory_id for (memory_id,) in rows.fetchall())
            if gone:
                self.commands.clear()
        self.recall.remove(gone)
        self.scrub()
        return len(gone)

    def forget_period(self, start: datetime, end: datetime) -> int:
        """Delete utterances from `start` until before `end`; return the number of hit memories."""
        if self.said_within(start, end):
            with self.writing():
                self.commands.clear()
                self.owe_scrub()
        return self._cut(to_instant(start), to_instant(end))

    def expire(self, before: datetime) -> int:
        """Delete utterances before a time; return the number of affected memories."""
        return self._cut(EVER[0], to_instant(before))

    def expire_requests(self, before: datetime) -> int:
        """Delete requests older than `before`, not the summaries; return their number."""
        with self.writing() as connection:
            hit = connection.execute(
                "DELETE FROM sayings WHERE at < ? AND origin < 0 RETURNING memory",
                (to_instant(before),),
            )
            gone = self._count_again({memory for (memory,) in hit.fetchall()})
            if gone:
                self.owe_scrub()
        self.recall.remove(gone)
        self.scrub()
        return len(gone)

    def forget_all(self) -> int:
        """Delete all but the settings, damaged files too; return the number of memories."""
        with self.writing() as connection:
            count = self.count()
            for table in _CLEAR:
                connection.execute(f"DELETE FROM {table}")  # noqa: S608
            self.summaries.clear()
            self.commands.clear()
            self.owe_scrub()
        self.recall.unload()
        self.scrub()
        remove_set_aside(self.path)
        return count

    def _cut(self, start: int, end: int) -> int:
        period = (start, end)
        with self.writing() as connection:
            said = connection.execute(
                "SELECT memory, at FROM sayings WHERE at >= ? AND at < ?", period
            ).fetchall()
            hit = {memory_id for memory_id, _ in said}
            self._drop_made_from([at for _, at in said])
            connection.execute("DELETE FROM sayings WHERE at >= ? AND at < ?", period)
            gone = self._count_again(hit)
        self.recall.remove(gone)
        self.scrub()
        return len(hit)

    def _drop_made_from(self, instants: Collection[int]) -> None:
        """Delete the summaries and the profile based on utterances at these times.

        `instants`: microseconds since 1970 (UTC). Also records that the bytes of deleted data still
        have to be erased from the file (`Database.scrub`).
        """
        if instants:
            self.summaries.drop_resting_on(instants)
            self.owe_scrub()

    def _count_again(self, ids: Collection[int]) -> tuple[int, ...]:
        """Update these memories from their utterances; delete those without, return their ids."""
        connection, listed = self.connection, json_list(ids)
        rows = connection.execute(_DELETE_UNSAID, (listed,)).fetchall()
        connection.execute(_COUNT_AGAIN, (listed,))
        return tuple(memory_id for (memory_id,) in rows)

    def _instants(self, ids: Iterable[int]) -> tuple[int, ...]:
        rows = self.connection.execute(_INSTANTS, (json_list(ids),))
        return tuple(at for (at,) in rows)


def _has_words(text: str, question: str | None, words: str) -> bool:
    """Return whether text and question together contain each word, also within a longer word.

    `words`: words in the normalized form of `text.tokens`, separated by spaces.
    """
    place = " ".join(words_of(f"{text} {question or ''}"))
    return all(word in place for word in words.split())
