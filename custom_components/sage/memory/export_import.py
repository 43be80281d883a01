"""Export and import a person's memory as JSON.

A memory is one text; its sayings are the occasions on which the person said it.
"""

import itertools
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    Field,
    StrictBool,
    StrictStr,
    ValidationError,
)

from .memory_tables import saying_of, wording
from .memory_types import Memory, MemoryRefusedError, Origin
from .person_memory import PersonMemory

FORMAT: Final = "sage-memory"
VERSION: Final = 1
MOST_ENTRIES: Final = 100_000
"""Maximum number of memories, of corrections, and of the occasions of one memory in an import."""

LONGEST_TEXT: Final = 10_000

_FIRST_DAY: Final = datetime(1970, 1, 1, tzinfo=UTC)
_CLOCKS_DIFFER: Final = timedelta(minutes=5)
"""Tolerance for times in the future, because another home's clock may be fast."""

_SAYINGS: Final = """
SELECT id, text, question, sayings.place, sayings.origin, sayings.tainted, sayings.at
FROM sayings JOIN memories ON id = memory ORDER BY memory, number
"""


def _past(at: datetime) -> datetime:
    if not _FIRST_DAY <= at <= datetime.now(UTC) + _CLOCKS_DIFFER:
        raise ValueError("a time is in the future, or before 1970")
    return at


type _Text = Annotated[StrictStr, Field(max_length=LONGEST_TEXT), AfterValidator(wording)]
type _Time = Annotated[AwareDatetime, AfterValidator(_past)]
_MOST: Final = Field(max_length=MOST_ENTRIES)


class _Saying(BaseModel):
    at: _Time
    place: _Text | None
    origin: Origin
    tainted: StrictBool


class _Memory(BaseModel):
    text: _Text
    question: _Text | None
    said: Annotated[list[_Saying], Field(min_length=1, max_length=MOST_ENTRIES)]


class _Correction(BaseModel):
    text: _Text
    at: _Time


class _Export(BaseModel):
    format: Literal["sage-memory"]
    version: Literal[1]
    memories: Annotated[list[_Memory], _MOST]
    corrections: Annotated[list[_Correction], _MOST]


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


def add_export(memory: PersonMemory, data: Any) -> dict[str, int]:
    """Add the memories and corrections of the export `data`; skip those that exist already.

    Returns the numbers of added `memories`, `sayings` (occasions) and `corrections`. Ignores the
    profile and day summaries in `data`. Adds nothing if it raises MemoryRefusedError.
    """
    try:
        exported = _Export.model_validate(data)
    except ValidationError as err:
        first = err.errors(include_input=False, include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        text = f"The import is not an export of SAGE: look at {where} ({first['msg']})."
        raise MemoryRefusedError("import_format", text) from None
    with memory.database.writing():
        memory.check_enabled()
        before = memory.count(), len(memory.summaries.corrections())
        sayings = 0
        for each in exported.memories:
            for saying in each.said:
                new = Memory(text=each.text, question=each.question, **dict(saying))
                if not memory.has_said(new):
                    memory.add(new)
                    sayings += 1
        for correction in exported.corrections:
            memory.summaries.add_correction(correction.text, correction.at)
        return {
            "memories": memory.count() - before[0],
            "sayings": sayings,
            "corrections": len(memory.summaries.corrections()) - before[1],
        }


def _exported(said: list[Memory]) -> dict[str, Any]:
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
