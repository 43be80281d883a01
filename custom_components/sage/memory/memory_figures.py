"""Anonymous memory statistics for diagnostics and system health, without texts or names."""

from typing import Any

from homeassistant.util import dt as dt_util

from .long_term_memory import LongTermMemory
from .memory_errors import MemoryStoreError
from .person_memory import PersonMemory


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
