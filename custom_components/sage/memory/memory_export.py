"""A person's memory as JSON: all of it for an export, or only numbers for the diagnostics."""

import itertools
from operator import itemgetter
from typing import Any, Final

from .memories import ORIGINS, from_instant
from .person_memory import PersonMemory

_SAYINGS: Final = """
SELECT id, text, question, sayings.place, sayings.origin, sayings.tainted, sayings.at
FROM sayings JOIN memories ON id = memory ORDER BY memory, number
"""


def export(memory: PersonMemory) -> dict[str, Any]:
    """Return memories with the occasions they were `said`, all made from them, and the voice."""
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
        "voices": memory.voices.as_json(with_vectors=True),
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


def figures(memory: PersonMemory) -> dict[str, Any]:
    """Return the numbers of memories and vectors, and the settings."""
    settings = memory.settings()
    return {
        "memories": memory.count(),
        "vectors": memory.recall.vector_count(),
        "voices": len(memory.voices.as_json()),
        "day_summaries": len(memory.summaries.days()),
        "has_profile": memory.summaries.profile() is not None,
        "remembers": settings.enabled,
        "retention_days": settings.retention_days,
        "request_days": settings.request_days,
    }
