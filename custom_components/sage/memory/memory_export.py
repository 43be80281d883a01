"""Export the memory of a person as JSON."""

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
