"""Export and import a person's memory as JSON.

A memory is one text; its sayings are the occasions on which the person said it.
"""

import itertools
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import Any, Final

from .memory_errors import ImportFormatError, MemoryOffError
from .memory_types import NewMemory, Origin
from .person_memory import PersonMemory
from .rows import clean, saying_of, values_of

FORMAT: Final = "sage-memory"
VERSION: Final = 1

MOST_ENTRIES: Final = 100_000
"""Maximum number of utterances plus corrections in one import."""

LONGEST_TEXT: Final = 10_000
MOST_TEXT: Final = 20_000_000
"""Maximum number of characters in all texts of one import."""

_FIRST_DAY: Final = datetime(1970, 1, 1, tzinfo=UTC)
_CLOCKS_DIFFER: Final = timedelta(minutes=5)
"""Tolerance for times in the future, because another home's clock may be fast."""

_SAYINGS: Final = """
SELECT id, text, question, sayings.place, sayings.origin, sayings.tainted, sayings.at
FROM sayings JOIN memories ON id = memory ORDER BY memory, number
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """How many items an import added."""

    memories: int
    sayings: int
    """Number of added utterances; one memory has one or more."""

    corrections: int


def export(memory: PersonMemory) -> dict[str, Any]:
    """Return a person's memories, corrections, profile and day summaries as JSON; times in UTC."""
    profile = memory.summaries.profile()
    with memory.database.reading() as connection:
        sayings = map(saying_of, connection.execute(_SAYINGS))
        by_memory = itertools.groupby(sayings, key=itemgetter(0))
        memories = [_exported([saying for _, saying in said]) for _, said in by_memory]
    return {
        "format": FORMAT,
        "version": VERSION,
        "memories": memories,
        "corrections": [
            {"text": correction.text, "at": correction.at.isoformat()}
            for correction in memory.summaries.corrections()
        ],
        "profile": profile
        and {
            "text": profile.text,
            "made_at": profile.made_at.isoformat(),
            "dates": [day.isoformat() for day in profile.dates],
        },
        "days": [
            {"date": summary.date.isoformat(), "text": summary.text}
            for summary in memory.summaries.days()
        ],
    }


def add_export(memory: PersonMemory, data: Any) -> Imported:
    """Add the memories and corrections of the export `data`; skip those that exist already.

    Ignores the profile and day summaries in `data`. Adds nothing if it raises ImportFormatError or
    MemoryOffError.
    """
    summaries = memory.summaries
    with memory.database.writing():
        if not memory.settings().enabled:
            raise MemoryOffError("Memory is switched off.")
        said, corrections = _read(data)
        before = memory.count(), len(summaries.corrections())
        sayings = sum(_add_missing(memory, each) for each in said)
        for text, at in corrections:
            summaries.add_correction(text, at)
        return Imported(
            memories=memory.count() - before[0],
            sayings=sayings,
            corrections=len(summaries.corrections()) - before[1],
        )


def _add_missing(memory: PersonMemory, said: Iterable[NewMemory]) -> int:
    """Add the utterances of one memory that are not stored yet; return their number."""
    wanted = {_occasion(saying): saying for saying in said}
    times = Counter(_occasion(saying) for saying in said)
    same = memory.database.connection.execute(
        "SELECT id FROM memories WHERE key = :key", values_of(next(iter(wanted.values())))
    ).fetchone()
    if same is not None:
        times.subtract(_occasion(saying) for saying in memory.sayings(*same))
    missing = +times
    for occasion in missing.elements():
        memory.add(wanted[occasion])
    return missing.total()


def _occasion(saying: NewMemory) -> tuple[Any, ...]:
    return saying.at, saying.place, saying.origin, saying.tainted


def _exported(said: list[NewMemory]) -> dict[str, Any]:
    return {
        "text": said[0].text,
        "question": said[0].question,
        "said": [
            {
                "at": saying.at.isoformat(),
                "place": saying.place,
                "origin": saying.origin.value,
                "tainted": saying.tainted,
            }
            for saying in said
        ],
    }


def _read(data: Any) -> tuple[list[list[NewMemory]], list[tuple[str, datetime]]]:
    """Parse an export; error messages contain the position of an invalid item, not its text."""
    where = "format and version"
    room = _Room()
    try:
        _check_format(data["format"], data["version"])
        said = []
        for number, memory in enumerate(data["memories"], start=1):
            where = f"memory {number}"
            said.append(_sayings(memory, room))
        corrections = []
        for number, correction in enumerate(data["corrections"], start=1):
            where = f"correction {number}"
            room.take(correction["text"])
            corrections.append((_text(correction["text"]), _time(correction["at"])))
    except _LimitError as limit:
        raise ImportFormatError(f"{limit} Look at {where}.") from None
    except KeyError, TypeError, ValueError, AttributeError, OverflowError:
        raise ImportFormatError(f"The import is not an export of SAGE: look at {where}.") from None
    return said, corrections


class _LimitError(Exception):
    """An import exceeds a limit; the message says which one."""


class _Room:
    """The number of entries and characters that an import may still add."""

    def __init__(self) -> None:
        self._entries = MOST_ENTRIES
        self._characters = MOST_TEXT

    def take(self, *texts: object) -> None:
        """Count one more entry with its texts.

        Raises _LimitError if a text is too long, or if too many entries or characters were added.
        """
        lengths = [len(text) for text in texts if isinstance(text, str)]
        if max(lengths, default=0) > LONGEST_TEXT:
            raise _LimitError(f"A text is longer than {LONGEST_TEXT:,} characters.")
        self._entries -= 1
        self._characters -= sum(lengths)
        if self._entries < 0:
            raise _LimitError(f"It has more than {MOST_ENTRIES:,} entries.")
        if self._characters < 0:
            raise _LimitError(f"Its texts have more than {MOST_TEXT:,} characters.")


def _check_format(name: Any, version: Any) -> None:
    if name != FORMAT or version != VERSION:
        raise ImportFormatError(f"Only exports of version {VERSION} can be imported.")


def _sayings(memory: Any, room: _Room) -> list[NewMemory]:
    said = []
    for each in memory["said"]:
        room.take(memory["text"], memory["question"], each["place"])
        said.append(_saying(memory, each))
    if not said:
        raise ValueError
    return said


def _saying(memory: Any, said: Any) -> NewMemory:
    question, place, tainted = memory["question"], said["place"], said["tainted"]
    if not isinstance(tainted, bool):
        raise TypeError
    return NewMemory(
        text=_text(memory["text"]),
        question=None if question is None else _text(question),
        at=_time(said["at"]),
        place=None if place is None else _text(place),
        origin=Origin(said["origin"]),
        tainted=tainted,
    )


def _text(value: Any) -> str:
    if not isinstance(value, str) or not clean(value):
        raise TypeError
    return clean(value)


def _time(value: Any) -> datetime:
    at = datetime.fromisoformat(value)
    if at.tzinfo is None:
        raise ValueError
    if not _FIRST_DAY <= at <= datetime.now(UTC) + _CLOCKS_DIFFER:
        raise _LimitError("A time is in the future, or before 1970.")
    return at
