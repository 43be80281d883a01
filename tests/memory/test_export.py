"""A person takes their memory along."""

import json
from datetime import UTC

from custom_components.sage.memory.memories import Origin, Profile
from custom_components.sage.memory.memory_export import export
from custom_components.sage.memory.person_memory import PersonMemory

from .conftest import NOON, said


def test_an_export_has_every_occasion_the_profile_and_the_days(anna: PersonMemory):
    anna.add(said("I like tea", place="Hall", tainted=True))
    anna.add(said("i like TEA", minutes=1, origin=Origin.TOLD))
    anna.add(said("Yes", question="Do you like hockey?"))
    (day,) = anna.summaries.changed_days(UTC)
    anna.summaries.set_day(day, "Tea all day")
    made = Profile(text="Likes tea", made_at=NOON, model="m", dates=(day.date,))
    assert anna.summaries.set_profile(made, anna.summaries.notes())

    exported = json.loads(json.dumps(export(anna)))

    at = "2026-05-03T12:00:00+00:00"
    tea, reply = exported["memories"]
    assert (tea["text"], tea["question"]) == ("I like tea", None)
    assert tea["said"] == [
        {"at": at, "place": "Hall", "origin": "said", "tainted": True},
        {"at": at.replace(":00:", ":01:"), "place": None, "origin": "told", "tainted": False},
    ]
    assert (reply["text"], reply["question"]) == ("Yes", "Do you like hockey?")
    assert exported["days"] == [{"date": "2026-05-03", "text": "Tea all day"}]
    assert exported["profile"] == {"text": "Likes tea", "made_at": at, "dates": ["2026-05-03"]}
