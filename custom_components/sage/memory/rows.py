"""Convert between rows of a memory file and plain data.

A file stores times as microseconds since 1970 (UTC) and origins as numbers.
"""

import hashlib
import json
import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from .memory_types import Memory, NewMemory, Origin

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_UNIT: Final = timedelta(microseconds=1)

EVER: Final = (-(2**63), 2**63 - 1)
"""Earliest and latest possible time, in microseconds."""

ORIGINS: Final = {-1: Origin.REQUEST, 0: Origin.SAID, 1: Origin.TOLD, 2: Origin.CORRECTED}
"""Number in the file -> origin. Said several times, a memory has the highest of the numbers."""

NUMBERS: Final = {origin: number for number, origin in ORIGINS.items()}

_FINAL_PUNCTUATION: Final = ".,;:!?。、 "
_FIRST_PUNCTUATION: Final = "¿¡ "

type Row = tuple[Any, ...]


def to_instant(at: datetime) -> int:
    """Return an aware time in microseconds since 1970; raises ValueError for a naive one."""
    if at.tzinfo is None:
        raise ValueError("A time needs its time zone.")
    return (at - _EPOCH) // _UNIT


def from_instant(instant: int) -> datetime:
    """Return the time for microseconds since 1970, in UTC."""
    return _EPOCH + instant * _UNIT


def json_list(values: Iterable[int | str]) -> str:
    """Return the values as a parameter for `json_each`."""
    return json.dumps(list(values))


def clean(text: str) -> str:
    """Return `text` for storage: stripped, in NFC, without invalid characters."""
    paired = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return unicodedata.normalize("NFC", paired.replace("\0", "")).strip()


def duplicate_key(text: str, question: str | None) -> bytes:
    """Return a 16-byte key that is equal for equal words in reply to the same question.

    Case, width of characters, white space and final punctuation are ignored, accents are not. Files
    contain these keys, so the rules must not change.
    """
    same = f"{_same_text(text)}\0{_same_text(question or '')}"
    return hashlib.blake2b(same.encode(), digest_size=16).digest()


def _same_text(text: str) -> str:
    words = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return words.rstrip(_FINAL_PUNCTUATION).lstrip(_FIRST_PUNCTUATION)


def wording(text: str) -> str:
    """Return a text for storage; raises ValueError if it is empty."""
    cleaned = clean(text)
    if not cleaned:
        raise ValueError("A memory needs a text.")
    return cleaned


def values_of(new: NewMemory) -> dict[str, Any]:
    """Return the named SQL parameters of a memory. Raises ValueError for an empty text."""
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
    """Return a memory; the row has the columns of the table in order, without the key."""
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


def saying_of(row: Row) -> tuple[int, NewMemory]:
    """Return the id of a memory, and one occasion on which it was said."""
    memory_id, text, question, place, origin, tainted, at = row
    return memory_id, NewMemory(
        text=text,
        question=question,
        place=place,
        origin=ORIGINS[origin],
        tainted=bool(tainted),
        at=from_instant(at),
    )
