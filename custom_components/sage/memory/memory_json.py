"""JSON of memories and profiles for actions and other agents, with local times."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from homeassistant.util import dt as dt_util

from .memory_types import (
    Correction,
    DaySummary,
    Memory,
    MemorySettings,
    Origin,
    Profile,
    Recalled,
    Retention,
)
from .person_memory import PersonMemory


def memory_json(memory: Memory) -> dict[str, Any]:
    """Return a memory; times are ISO 8601 in the time zone of the home."""
    return {
        "id": memory.id,
        "text": memory.text,
        "question": memory.question,
        "at": _local(memory.at),
        "first_at": _local(memory.first_at),
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
    """Return a page of memories, latest first; see `PersonMemory.list`.

    `before`: id of the last memory of the previous page.
    """
    last = None if before is None else memory.get(before)
    found = memory.list(limit=count + 1, before=last, words=words, origins=origins)
    return {
        "memories": [memory_json(each) for each in found[:count]],
        "has_more": len(found) > count,
        "total": memory.count(),
    }


def day_json(day: DaySummary) -> dict[str, Any]:
    """Return the summary of a day."""
    return {"date": day.date.isoformat(), "text": day.text}


def recalled_json(recalled: Recalled) -> dict[str, Any]:
    """Return a memory with its score."""
    return memory_json(recalled.memory) | {"score": round(recalled.score, 4)}


def profile_json(profile: Profile | None, corrections: Sequence[Correction]) -> dict[str, Any]:
    """Return a profile with later corrections; its text is empty if there is none."""
    return {
        "text": profile.text if profile else "",
        "made_at": _local(profile.made_at) if profile else None,
        "model": profile.model if profile else None,
        "dates": [day.isoformat() for day in profile.dates] if profile else [],
        "corrections": [{"text": each.text, "at": _local(each.at)} for each in corrections],
    }


def settings_json(settings: MemorySettings, household: Retention) -> dict[str, Any]:
    """Return the settings of a person, with the retention in days (0: unlimited)."""
    retention = settings.retention(household)
    return {
        "enabled": settings.enabled,
        "retention_days": retention.days,
        "request_days": retention.request_days,
        "has_own_retention": settings.has_own_retention,
    }


def _local(at: datetime) -> str:
    return dt_util.as_local(at).isoformat()
