"""What a memory is, and how a memory file stores it; no error quotes a memory."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from homeassistant.util import dt as dt_util

from ..storage import FileKind, StoreError

_CLAIM_LINE: Final = re.compile(r"- (.+) \(([0-9, -]+)\)")
"""A line of a profile: a sentence, and the dates of the memories that support it."""


class Origin(StrEnum):
    """The kind of an utterance, such as a one-time request or a fact to remember."""

    REQUEST = "request"  # a one-time request such as "turn on the light", without a fact
    SAID = "said"  # an ordinary utterance, e.g. a reply to a question from SAGE
    TOLD = "told"  # a fact that the person explicitly asked SAGE to remember
    CORRECTED = "corrected"  # a fact that the person stated to correct SAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A text that a person said once or several times."""

    text: str = field(repr=False)
    at: datetime  # time of the utterance, the latest one of a stored memory; aware, UTC
    place: str | None = None  # name of the area where the person spoke; None if unknown
    origin: Origin = Origin.SAID
    question: str | None = field(default=None, repr=False)
    """The question from SAGE that this text answers; None if the text is not a reply."""

    tainted: bool = False  # whether the text may come from untrusted content, such as mail
    id: int = 0
    """Unique within the person's file; SAGE never reuses it. 0 before the memory is stored."""

    count: int = 1  # number of times the person said this text; repetitions share one memory
    first_at: datetime | None = None
    """Time of the first utterance, UTC; None before the memory is stored."""

    score: float = field(default=0.0, compare=False)
    """Relevance in a search, higher is better; comparable only within one search."""

    @property
    def embedded(self) -> str:
        """The text for the search index: SAGE's question, if any, and the person's answer."""
        return f"{self.question} {self.text}" if self.question else self.text

    @property
    def line(self) -> str:
        """The memory as a line, with its latest local date: `2026-05-01: "I like tea"`."""
        said_on = dt_util.as_local(self.at).date().isoformat()
        asked = f' asked "{_quotable(self.question)}",' if self.question else ""
        how = " (corrected)" if self.origin is Origin.CORRECTED else ""
        often = f", said {self.count} times" if self.count > 1 else ""
        return f'{said_on}{often}{how}:{asked} "{_quotable(self.text)}"'

    def as_json(self) -> dict[str, Any]:
        """Return the memory as JSON; times are ISO 8601 in Home Assistant's time zone."""
        return {
            "id": self.id,
            "text": self.text,
            "question": self.question,
            "at": local_json(self.at),
            "first_at": local_json(self.first_at or self.at),
            "place": self.place,
            "origin": self.origin.value,
            "count": self.count,
        }


def _quotable(text: str) -> str:
    return " ".join(text.replace('"', "'").split())


def local_json(at: datetime) -> str:
    """Return a time as ISO 8601 in Home Assistant's time zone."""
    return dt_util.as_local(at).isoformat()


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """What a person said on one local day."""

    date: date  # date in Home Assistant's time zone
    starts: datetime
    ends: datetime
    text: str = field(repr=False)
    """What the person said, as text for a language model; empty if none of it is trusted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A text about the person, written by a language model from the summaries of all days."""

    text: str = field(repr=False)
    made_at: datetime
    model: str  # name of the language model that wrote the profile
    dates: tuple[date, ...]
    """Dates of the memories and corrections that the profile refers to, ascending."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recollection:
    """What SAGE knows about a person: the profile, and memories."""

    profile: str = field(default="", repr=False)
    """The person's profile as text; empty if there is none."""

    memories: tuple[Memory, ...] = field(default=(), repr=False)

    @property
    def sentences(self) -> list[str]:
        """The sentences of the profile without their dates, newest date first."""
        lines = [line for line in self.profile.splitlines() if line.strip()]
        claims = [(_CLAIM_LINE.fullmatch(line), line) for line in lines]
        dated = [(claim[2][-10:], claim[1]) if claim else ("", line) for claim, line in claims]
        dated.sort(key=lambda claim: claim[0], reverse=True)
        return [sentence for _, sentence in dated]

    @property
    def is_empty(self) -> bool:
        """Whether there is neither a profile nor a memory."""
        return not self.profile and not self.memories

    @property
    def is_tainted(self) -> bool:
        """Whether a memory may contain untrusted text, e.g. from mail."""
        return any(memory.tainted for memory in self.memories)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySettings:
    """A person's own memory settings, stored in the person's file, or the household's defaults."""

    enabled: bool = True  # whether SAGE stores new memories
    retention_days: int | None = None
    """Days to keep memories, 0 means forever; None uses the household's default."""

    request_days: int | None = None
    """Days to keep requests, 0: as long as memories; None uses the household's default."""

    hinted: bool = False  # whether SAGE has already informed the person that it stores memories

    def over(self, household: MemorySettings) -> MemorySettings:
        """Return the settings with the household's default instead of each missing period."""
        days, request_days = self.retention_days, self.request_days
        return replace(
            self,
            retention_days=household.retention_days if days is None else days,
            request_days=household.request_days if request_days is None else request_days,
        )

    def as_json(self, household: MemorySettings) -> dict[str, Any]:
        """Return the effective settings as JSON; `household`: the defaults."""
        effective = self.over(household)
        # Whether the person overrides at least one of the household's retention periods.
        has_own_retention = self.retention_days is not None or self.request_days is not None
        return {
            "enabled": self.enabled,
            "retention_days": effective.retention_days,
            "request_days": effective.request_days,
            "has_own_retention": has_own_retention,
        }


class MemoryStoreError(StoreError):
    """Raised when a memory file cannot be used; `fault` says why."""

    key: str | None = None  # the translation key of the error; only if the call is invalid


class MemoryRefusedError(MemoryStoreError):
    """Raised when a memory call is invalid, such as for an unknown id; the file itself works."""

    def __init__(self, key: str, text: str) -> None:
        super().__init__(text, None)
        self.key = key


COLUMNS: Final = "id, text, question, place, origin, tainted, first_at, at, count"
"""The columns of a memory that `memory_of` reads."""

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
    schema=Path(__file__).with_suffix(".sql"),
    counted="memories",
    damage_issue="memory_damaged",
    repair=_REPAIR,
)

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_UNIT: Final = timedelta(microseconds=1)

EVER: Final = (-(2**63), 2**63 - 1)
"""The earliest and latest possible time, in microseconds since 1970."""

ORIGINS: Final = {-1: Origin.REQUEST, 0: Origin.SAID, 1: Origin.TOLD, 2: Origin.CORRECTED}
"""Origins by number in the file; a memory has the highest one of its utterances."""

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
