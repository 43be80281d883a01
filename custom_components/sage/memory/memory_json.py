"""Convert memories, profiles and statistics to JSON, for actions, panel, export and diagnostics."""

import itertools
from collections.abc import Iterable
from datetime import datetime
from operator import itemgetter
from typing import Any, Final

from homeassistant.util import dt as dt_util

from .long_term_memory import LongTermMemory
from .memories import (
    ORIGINS,
    Memory,
    MemorySettings,
    MemoryStoreError,
    Origin,
    from_instant,
)
from .person_memory import PersonMemory


def memory_as_json(memory: Memory) -> dict[str, Any]:
    """Return a memory as JSON; times are ISO 8601 in Home Assistant's time zone."""
    return {
        "id": memory.id,
        "text": memory.text,
        "question": memory.question,
        "at": _local(memory.at),
        "first_at": _local(memory.first_at or memory.at),
        "place": memory.place,
        "origin": memory.origin.value,
        "count": memory.count,
    }


def page_json(
    memory: PersonMemory,
    count: int,
    *,
    before: int | None = None,
    words: str | None = None,
    origins: Iterable[Origin] = tuple(Origin),
) -> dict[str, Any]:
    """Return one page of memories as JSON: `memories` (latest first), `has_more` and `total`.

    - `before`: id of the last memory on the previous page
    - `words`: words that must all occur in each memory
    - `total`: number of all memories of the person

    Raises MemoryRefusedError for an unknown id `before`.
    """
    last = None if before is None else memory.get(before)
    found = memory.list(limit=count + 1, before=last, words=words, origins=origins)
    return {
        "memories": [memory_as_json(each) for each in found[:count]],
        "has_more": len(found) > count,
        "total": memory.count(),
    }


def profile_json(memory: PersonMemory) -> dict[str, Any]:
    """Return the profile and corrections as JSON; `text` is empty if there is no profile."""
    profile = memory.summaries.profile()
    return {
        "text": profile.text if profile else "",
        "made_at": _local(profile.made_at) if profile else None,
        "model": profile.model if profile else None,
        "dates": [day.isoformat() for day in profile.dates] if profile else [],
        "corrections": [
            {"text": each.text, "at": _local(each.at)} for each in memory.summaries.corrections()
        ],
    }


def settings_json(settings: MemorySettings, household: MemorySettings) -> dict[str, Any]:
    """Return a person's effective memory settings as JSON; `household`: the defaults."""
    effective = settings.over(household)
    return {
        "enabled": settings.enabled,
        "retention_days": effective.retention_days,
        "request_days": effective.request_days,
        "has_own_retention": settings.has_own_retention,
    }


def _local(at: datetime) -> str:
    return dt_util.as_local(at).isoformat()


async def async_people_figures(memory: LongTermMemory) -> list[dict[str, Any]]:
    """Return one dictionary of statistics per memory file, by descending number of memories.

    An unusable file gives `{"error": <name of the exception class>}`.
    """
    figures = []
    for user_id in await memory.async_users():
        try:
            figures.append(await memory.of(user_id).async_run(_figures))
        except MemoryStoreError as err:
            figures.append({"error": type(err).__name__})
    return sorted(figures, key=lambda each: each.get("memories", -1), reverse=True)


def _figures(memory: PersonMemory) -> dict[str, Any]:
    settings, profile = memory.settings(), memory.summaries.profile()
    return {
        "memories": memory.count(),
        "vectors": memory.recall.vector_count(),
        "day_summaries": len(memory.summaries.days()),
        "profile_age_hours": (
            None
            if profile is None
            else round((dt_util.utcnow() - profile.made_at).total_seconds() / 3600, 1)
        ),
        "profile_days": 0 if profile is None else len(profile.dates),
        "remembers": settings.enabled,
        "retention_days": settings.retention_days,
        "request_days": settings.request_days,
    }


_SAYINGS: Final = """
SELECT id, text, question, sayings.place, sayings.origin, sayings.tainted, sayings.at
FROM sayings JOIN memories ON id = memory ORDER BY memory, number
"""


def export(memory: PersonMemory) -> dict[str, Any]:
    """Return a person's memories, profile and day summaries as JSON; times in UTC.

    A memory is one text; `said` lists the occasions on which the person said it.
    """
    profile = memory.summaries.profile()
    with memory.reading() as connection:
        rows = itertools.groupby(connection.execute(_SAYINGS), key=itemgetter(0, 1, 2))
        memories = [
            {"text": text, "question": question, "said": [_saying_json(*row[3:]) for row in said]}
            for (_, text, question), said in rows
        ]
    return {
        "memories": memories,
        "profile": profile
        and {
            "text": profile.text,
            "made_at": profile.made_at.isoformat(),
            "dates": [day.isoformat() for day in profile.dates],
        },
        "days": [
            {"date": day.isoformat(), "text": text} for day, text in memory.summaries.days().items()
        ],
    }


def _saying_json(place: str | None, origin: int, tainted: int, at: int) -> dict[str, Any]:
    return {
        "at": from_instant(at).isoformat(),
        "place": place,
        "origin": ORIGINS[origin].value,
        "tainted": bool(tainted),
    }
