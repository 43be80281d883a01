"""Convert memories and profiles to JSON for service actions and the panel."""

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
    """Return a memory as JSON; times are ISO 8601 in Home Assistant's time zone."""
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
    """Return one page of memories as JSON: `memories` (latest first), `has_more` and `total`.

    - `before`: id of the last memory on the previous page
    - `words`: words that must all occur in each memory
    - `total`: number of all memories of the person

    Raises UnknownMemoryError for an unknown id `before`.
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


def recalled_json(recalled: Recalled) -> dict[str, Any]:
    """Return a search result as JSON: the memory and its `score`."""
    return memory_json(recalled.memory) | {"score": round(recalled.score, 4)}


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
