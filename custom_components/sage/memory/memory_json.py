"""Convert memories, profiles and statistics to JSON, for actions, the panel and diagnostics."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from homeassistant.util import dt as dt_util

from .long_term_memory import LongTermMemory
from .memory_types import (
    Correction,
    DaySummary,
    Memory,
    MemorySettings,
    MemoryStoreError,
    Origin,
    Profile,
    Retention,
)
from .person_memory import PersonMemory


def memory_json(memory: Memory) -> dict[str, Any]:
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
        "memories": [memory_json(each) for each in found[:count]],
        "has_more": len(found) > count,
        "total": memory.count(),
    }


def day_json(day: DaySummary) -> dict[str, Any]:
    """Return a day summary as JSON: `date` (ISO 8601) and `text`."""
    return {"date": day.date.isoformat(), "text": day.text}


def profile_json(profile: Profile | None, corrections: Sequence[Correction]) -> dict[str, Any]:
    """Return a profile and its corrections as JSON; `text` is empty if there is no profile."""
    return {
        "text": profile.text if profile else "",
        "made_at": _local(profile.made_at) if profile else None,
        "model": profile.model if profile else None,
        "dates": [day.isoformat() for day in profile.dates] if profile else [],
        "corrections": [{"text": each.text, "at": _local(each.at)} for each in corrections],
    }


def settings_json(settings: MemorySettings, household: Retention) -> dict[str, Any]:
    """Return a person's effective memory settings as JSON, with retention in days.

    `household`: the default retention.
    """
    retention = settings.retention(household)
    return {
        "enabled": settings.enabled,
        "retention_days": retention.days,
        "request_days": retention.request_days,
        "has_own_retention": settings.has_own_retention,
    }


def _local(at: datetime) -> str:
    return dt_util.as_local(at).isoformat()


async def async_people_figures(memory: LongTermMemory) -> list[dict[str, Any]]:
    """Return one dictionary of statistics per memory file, by descending number of memories.

    An unusable file gives `{"error": <name of the exception class>}`.
    """
    figures = []
    for user_id in await memory.files.async_users():
        try:
            figures.append(await memory.files.of(user_id).async_run(_figures))
        except MemoryStoreError as err:
            figures.append({"error": type(err).__name__})
    return sorted(figures, key=lambda each: each.get("memories", -1), reverse=True)


def _figures(memory: PersonMemory) -> dict[str, Any]:
    settings, profile = memory.settings(), memory.summaries.profile()
    return {
        "memories": memory.count(),
        "vectors": memory.recall.vector_counts(),
        "day_summaries": len(memory.summaries.days()),
        "corrections": len(memory.summaries.corrections()),
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
