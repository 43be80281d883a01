"""The tables of a memory file, and the conversion of their rows to Python objects.

The file stores times as microseconds since 1970 (UTC), and origins as integers.
"""

import hashlib
import json
import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from ..storage.database import FileKind
from .memory_types import Memory, MemoryStoreError, Origin

COLUMNS: Final = "id, text, question, place, origin, tainted, first_at, at, count"
"""The columns of a memory that `memory_of` reads."""

_FIRST: Final = """
CREATE TABLE memories (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key BLOB NOT NULL UNIQUE,
    text TEXT NOT NULL,
    question TEXT,
    place TEXT,
    origin INTEGER NOT NULL,
    tainted INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    at INTEGER NOT NULL,
    count INTEGER NOT NULL
) STRICT;
CREATE TABLE sayings (
    memory INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    place TEXT,
    origin INTEGER NOT NULL,
    tainted INTEGER NOT NULL,
    PRIMARY KEY (memory, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE models (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL
) STRICT;
CREATE TABLE vectors (
    id INTEGER PRIMARY KEY,
    memory INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    model INTEGER NOT NULL REFERENCES models (id) ON DELETE CASCADE,
    vector BLOB NOT NULL,
    UNIQUE (memory, model)
) STRICT;
CREATE TABLE days (
    date TEXT PRIMARY KEY,
    starts INTEGER NOT NULL,
    ends INTEGER NOT NULL,
    content_hash TEXT NOT NULL,
    text TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    model TEXT NOT NULL
) STRICT;
CREATE TABLE profile (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    text TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    model TEXT NOT NULL,
    dates TEXT NOT NULL
) STRICT;
CREATE TABLE corrections (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;
"""

_REQUESTS: Final = """
CREATE INDEX requests ON sayings (at) WHERE origin < 0;
"""
"""Migration to version 2: index requests, whose origin is stored as a negative number."""

_COMMANDS: Final = """
CREATE TABLE commands (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    run TEXT NOT NULL UNIQUE,
    summary TEXT NOT NULL,
    trace TEXT NOT NULL
) STRICT;
"""
"""Migration to version 3: add the log of commands."""

_ONE_MODEL: Final = """
DROP TABLE vectors;
DROP TABLE models;
DROP TABLE corrections;
CREATE TABLE vectors (
    memory INTEGER PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
    vector BLOB NOT NULL
) STRICT;
ALTER TABLE days DROP COLUMN made_at;
ALTER TABLE days DROP COLUMN model;
ALTER TABLE profile ADD COLUMN notes_hash TEXT NOT NULL DEFAULT '';
"""
"""Migration to version 4: vectors of one model; corrections are memories with this origin."""

STEPS: Final = (_FIRST, _REQUESTS, _COMMANDS, _ONE_MODEL)
"""SQL scripts; `STEPS[n]` migrates a file from schema version n to n + 1."""

_REPAIR: Final = (
    "DELETE FROM sayings WHERE memory NOT IN (SELECT id FROM memories)",
    """
    INSERT INTO sayings SELECT id, 1, at, place, origin, tainted FROM memories
    WHERE id NOT IN (SELECT memory FROM sayings)
    """,
    """
    UPDATE memories SET (first_at, at, count) =
    (SELECT min(at), max(at), count(*) FROM sayings WHERE memory = id)
    """,
    "DELETE FROM vectors WHERE memory NOT IN (SELECT id FROM memories)",
    """
    DELETE FROM vectors WHERE length(vector) !=
    (SELECT length(vector) FROM vectors GROUP BY 1 ORDER BY count(*) DESC LIMIT 1)
    """,
)
"""SQL that makes recovered tables consistent; background work recomputes missing vectors."""

FILE: Final = FileKind(
    subject="memory",
    error=MemoryStoreError,
    steps=STEPS,
    counted="memories",
    damage_issue="memory_damaged",
    repair=_REPAIR,
)

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_UNIT: Final = timedelta(microseconds=1)

EVER: Final = (-(2**63), 2**63 - 1)
"""The earliest and latest possible time, in microseconds since 1970."""

ORIGINS: Final = {-1: Origin.REQUEST, 0: Origin.SAID, 1: Origin.TOLD, 2: Origin.CORRECTED}
"""Origins by their numbers in the file.

A memory has the origin with the highest number among its utterances.
"""

NUMBERS: Final = {origin: number for number, origin in ORIGINS.items()}

_FINAL_PUNCTUATION: Final = ".,;:!?。、 "
_FIRST_PUNCTUATION: Final = "¿¡ "

type Row = tuple[Any, ...]


def to_instant(at: datetime) -> int:
    """Return microseconds since 1970 (UTC); raises ValueError for a naive datetime."""
    if at.tzinfo is None:
        raise ValueError("A time needs its time zone.")
    return (at - _EPOCH) // _UNIT


def from_instant(instant: int) -> datetime:
    """Return the UTC datetime for microseconds since 1970."""
    return _EPOCH + instant * _UNIT


def json_list(values: Iterable[int | str]) -> str:
    """Return the values as a JSON array, for SQLite's `json_each`."""
    return json.dumps(list(values))


def clean(text: str) -> str:
    """Return `text` stripped and normalized to NFC, without null characters or lone surrogates."""
    paired = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return unicodedata.normalize("NFC", paired.replace("\0", "")).strip()


def duplicate_key(text: str, question: str | None) -> bytes:
    """Return a 16-byte hash of a text and its question, equal for repetitions of the text.

    Ignores case, character width, white space and final punctuation, but not accents.
    """
    # Memory files contain these hashes: the algorithm must not change.
    same = f"{_same_text(text)}\0{_same_text(question or '')}"
    return hashlib.blake2b(same.encode(), digest_size=16).digest()


def _same_text(text: str) -> str:
    words = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return words.rstrip(_FINAL_PUNCTUATION).lstrip(_FIRST_PUNCTUATION)


def wording(text: str) -> str:
    """Return `text` cleaned for storage; raises ValueError if nothing remains."""
    cleaned = clean(text)
    if not cleaned:
        raise ValueError("A memory needs a text.")
    return cleaned


def values_of(new: Memory) -> dict[str, Any]:
    """Return an utterance as named SQL parameters; raises ValueError for an empty text."""
    text = wording(new.text)
    question = clean(new.question or "") or None
    return {
        "key": duplicate_key(text, question),
        "text": text,
        "question": question,
        "place": clean(new.place or "") or None,
        "origin": NUMBERS[new.origin],
        "tainted": new.tainted,
        "at": to_instant(new.at),
    }


def memory_of(row: Row) -> Memory:
    """Return the memory of a row that has all columns of the memories table except `key`."""
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
