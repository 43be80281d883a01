"""Store one person's memories in one SQLite file; not thread-safe.

Search, profile and command log are in the modules `recall`, `summaries` and `command_log`.
"""

import json
from collections.abc import Collection, Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Final

from ..storage.database import Database, StoreFile
from ..storage.recovery import remove_set_aside
from ..text.words import words as words_of
from .command_log import CommandLog, LoggedCommand
from .memory_tables import (
    COLUMNS,
    EVER,
    FILE,
    NUMBERS,
    duplicate_key,
    json_list,
    memory_of,
    saying_of,
    to_instant,
    values_of,
    wording,
)
from .memory_types import Memory, MemoryRefusedError, MemorySettings, Origin, Recollection
from .recall import RecallIndex
from .summaries import Summaries

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
_SAYINGS: Final = """
SELECT id, text, question, sayings.place, sayings.origin, sayings.tainted, sayings.at
FROM sayings JOIN memories ON id = memory WHERE memory = ? ORDER BY number
"""
_HAS_SAID: Final = """
SELECT 1 FROM memories JOIN sayings ON memory = id
WHERE key = :key AND sayings.at = :at AND sayings.place IS :place
    AND sayings.origin = :origin AND sayings.tainted = :tainted
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
_CLEAR: Final = (
    "DELETE FROM vectors",
    "DELETE FROM models",
    "DELETE FROM sayings",
    "DELETE FROM memories",
)


class PersonMemory(StoreFile):
    """One person's memories, settings, profile and command log; changes are on disk at once.

    `correct` and the `forget` methods also delete the whole command log, and the profile and
    summaries that were made from the corrected or deleted memories. All methods raise
    MemoryStoreError if the file is unusable.
    """

    kind = FILE

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.database: Final = database
        self.summaries: Final = Summaries(database)
        self.recall: Final = RecallIndex(database)
        self.commands: Final = CommandLog(database)
        database.connection.create_function("has_words", 3, _has_words, deterministic=True)

    def close(self) -> None:
        """Close the file and free the search index; a second call has no effect."""
        self.recall.unload()
        super().close()

    def settings(self) -> MemorySettings:
        """Return the person's memory settings."""
        with self.database.reading() as connection:
            stored = dict(connection.execute("SELECT name, value FROM settings").fetchall())
        names = asdict(MemorySettings())
        return MemorySettings(
            **{name: json.loads(stored[name]) for name in names if name in stored}
        )

    def set_settings(self, settings: MemorySettings) -> None:
        """Store the person's memory settings."""
        with self.database.writing() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO settings VALUES (?, ?)",
                [(name, json.dumps(value)) for name, value in asdict(settings).items()],
            )

    def check_enabled(self) -> None:
        """Raise MemoryRefusedError if the person has switched memory off."""
        if not self.settings().enabled:
            raise MemoryRefusedError("memory_off", "Memory is switched off.")

    # Remembering

    def add(self, new: Memory, *, instead_of: int | None = None) -> Memory:
        """Store an utterance and return its memory; repetitions of a text share one memory.

        `instead_of`: id of the memory of the whole request, e.g. of "remember that I like tea" if
        `new` is "I like tea". Its utterance at the time `new.at` is deleted; if the person said the
        same at other times, these utterances remain. Raises MemoryRefusedError if memory is
        switched off, and ValueError for an empty text.
        """
        gone: tuple[int, ...] = ()
        with self.database.writing() as connection:
            self.check_enabled()
            values = values_of(new)
            if instead_of is not None:
                said = {"memory": instead_of, "said": NUMBERS[Origin.SAID]}
                connection.execute(_UNSAY, values | said)
                gone = self._count_again((instead_of,))
            (row,) = connection.execute(_ADD, values).fetchall()
            memory = memory_of(row)
            connection.execute(_ADD_SAYING, {**values, "memory": memory.id})
        self.recall.remove(gone)
        self.recall.add(memory)
        return memory

    def log(self, command: LoggedCommand) -> None:
        """Add an entry to the command log, unless memory is switched off."""
        with self.database.writing():
            if self.settings().enabled:
                self.commands.add(command)

    def mark_request(self, memory_id: int, at: datetime) -> None:
        """Mark one utterance of a memory as a request, such as "turn on the light".

        `at`: the time of this utterance. Changes nothing if its origin is not SAID.
        """
        said = {
            "memory": memory_id,
            "at": to_instant(at),
            "said": NUMBERS[Origin.SAID],
            "request": NUMBERS[Origin.REQUEST],
        }
        with self.database.writing() as connection:
            connection.execute(_MARK, said)
            connection.execute(_COUNT_AGAIN, (json_list((memory_id,)),))

    def correct(self, memory_id: int, text: str, *, tainted: bool = False) -> Memory:
        """Replace the text of a memory; merge it with another memory of the new text, if any.

        `tainted`: `text` may contain untrusted content. Raises MemoryRefusedError, or ValueError
        for an empty text.
        """
        text = wording(text)
        with self.database.writing() as connection:
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
        self.database.scrub()
        return corrected

    # Reading

    def get(self, memory_id: int) -> Memory:
        """Return the memory with this id; raises MemoryRefusedError."""
        with self.database.reading() as connection:
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
        with self.database.reading() as connection:
            return tuple(map(memory_of, connection.execute(_PAGE, values)))

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
        with self.database.reading() as connection:
            count: int = connection.execute(_COUNT, values).fetchone()[0]
            return count

    def sayings(self, memory_id: int) -> tuple[Memory, ...]:
        """Return one item for each time that the person said the text of a memory.

        The order is that of storage; empty for an unknown id.
        """
        with self.database.reading() as connection:
            rows = connection.execute(_SAYINGS, (memory_id,))
            return tuple(saying for _, saying in map(saying_of, rows))

    def has_said(self, new: Memory) -> bool:
        """Return whether exactly this utterance is stored."""
        with self.database.reading() as connection:
            return connection.execute(_HAS_SAID, values_of(new)).fetchone() is not None

    def said_within(self, start: datetime, end: datetime) -> tuple[Memory, ...]:
        """Return the memories with at least one utterance from `start` until before `end`."""
        period = {"start": to_instant(start), "end": to_instant(end)}
        with self.database.reading() as connection:
            return tuple(map(memory_of, connection.execute(_WITHIN, period)))

    # Forgetting

    def forget(self, ids: Iterable[int]) -> int:
        """Delete the memories with these ids; return the number of deleted memories."""
        ids = tuple(ids)
        with self.database.writing() as connection:
            self._drop_made_from(self._instants(ids))
            rows = connection.execute(_DELETE, (json_list(ids),))
            gone = tuple(memory_id for (memory_id,) in rows.fetchall())
            if gone:
                self.commands.clear()
        self.recall.remove(gone)
        self.database.scrub()
        return len(gone)

    def forget_period(self, start: datetime, end: datetime) -> int:
        """Delete the utterances from `start` until before `end`.

        Returns the number of affected memories. A memory stays if the person also said it at
        another time.
        """
        if self.said_within(start, end):
            with self.database.writing():
                self.commands.clear()
                self.database.owe_scrub()
        return self._cut(to_instant(start), to_instant(end))

    def expire(self, before: datetime) -> int:
        """Delete utterances older than `before`; return the number of affected memories.

        A memory without remaining utterances is deleted.
        """
        return self._cut(EVER[0], to_instant(before))

    def expire_requests(self, before: datetime) -> int:
        """Delete one-time requests older than `before`; return the number of deleted memories.

        Day summaries made from the requests stay until the next update of the profile.
        """
        with self.database.writing() as connection:
            hit = connection.execute(
                "DELETE FROM sayings WHERE at < ? AND origin < 0 RETURNING memory",
                (to_instant(before),),
            )
            gone = self._count_again({memory for (memory,) in hit.fetchall()})
            if gone:
                self.database.owe_scrub()
        self.recall.remove(gone)
        self.database.scrub()
        return len(gone)

    def forget_all(self) -> int:
        """Delete everything except the settings; return the number of deleted memories.

        Also deletes the person's damaged files that a recovery has kept.
        """
        with self.database.writing() as connection:
            count = self.count()
            for statement in _CLEAR:
                connection.execute(statement)
            self.summaries.clear()
            self.commands.clear()
            self.database.owe_scrub()
        self.recall.unload()
        self.database.scrub()
        remove_set_aside(self.database.path)
        return count

    def _cut(self, start: int, end: int) -> int:
        period = (start, end)
        with self.database.writing() as connection:
            said = connection.execute(
                "SELECT memory, at FROM sayings WHERE at >= ? AND at < ?", period
            ).fetchall()
            hit = {memory_id for memory_id, _ in said}
            self._drop_made_from([at for _, at in said])
            connection.execute("DELETE FROM sayings WHERE at >= ? AND at < ?", period)
            gone = self._count_again(hit)
        self.recall.remove(gone)
        self.database.scrub()
        return len(hit)

    def _drop_made_from(self, instants: Collection[int]) -> None:
        """Delete the summaries and the profile based on utterances at these times.

        `instants`: microseconds since 1970 (UTC). Also records that the bytes of deleted data still
        have to be erased from the file (`Database.scrub`).
        """
        if instants:
            self.summaries.drop_resting_on(instants)
            self.database.owe_scrub()

    def _count_again(self, ids: Collection[int]) -> tuple[int, ...]:
        """Update count, times, place, origin and `tainted` of memories from their utterances.

        Memories without utterances are deleted. Return the ids of the deleted memories.
        """
        connection, listed = self.database.connection, json_list(ids)
        rows = connection.execute(_DELETE_UNSAID, (listed,)).fetchall()
        connection.execute(_COUNT_AGAIN, (listed,))
        return tuple(memory_id for (memory_id,) in rows)

    def _instants(self, ids: Iterable[int]) -> tuple[int, ...]:
        """Return the times of all utterances of these memories, in microseconds since 1970."""
        rows = self.database.connection.execute(_INSTANTS, (json_list(ids),))
        return tuple(at for (at,) in rows)


def _has_words(text: str, question: str | None, words: str) -> bool:
    """Return whether text and question together contain each word, also within a longer word.

    `words`: words in the normalized form of `text.words`, separated by spaces.
    """
    place = " ".join(words_of(f"{text} {question or ''}"))
    return all(word in place for word in words.split())
