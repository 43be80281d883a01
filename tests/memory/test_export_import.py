"""A person takes their memory along."""

import copy
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from custom_components.sage.memory.export_import import add_export, export
from custom_components.sage.memory.memory_types import MemoryRefusedError, Origin, Profile
from custom_components.sage.memory.person_memory import PersonMemory

from .conftest import NOON, said


@pytest.fixture
def ben(path: Path):
    memory = PersonMemory.open(path.with_name("ben.db"))
    yield memory
    memory.close()


def fill(memory: PersonMemory) -> None:
    memory.add(said("I like tea", place="Hall", tainted=True))
    memory.add(said("i like TEA", minutes=1, origin=Origin.TOLD))
    memory.add(said("Yes", question="Do you like hockey?"))
    memory.summaries.add_correction("Not coffee", NOON)


def without_ids(memory: PersonMemory) -> list[tuple[Any, ...]]:
    return [
        (each.text, each.question, each.place, each.origin, each.tainted, each.at, each.count)
        for each in memory.list()
    ]


def test_an_export_can_be_imported_by_another(anna: PersonMemory, ben: PersonMemory):
    fill(anna)
    exported = json.loads(json.dumps(export(anna)))

    added = add_export(ben, exported)

    assert added == {"memories": 2, "sayings": 3, "corrections": 1}
    assert without_ids(ben) == without_ids(anna)
    assert [ben.sayings(each.id) for each in ben.list()] == [
        anna.sayings(each.id) for each in anna.list()
    ]
    assert export(ben) == exported


def test_importing_twice_adds_nothing(anna: PersonMemory):
    fill(anna)
    exported = export(anna)
    before = anna.list()

    assert add_export(anna, exported) == {"memories": 0, "sayings": 0, "corrections": 0}

    assert anna.list() == before


def test_an_import_adds_only_what_is_missing(anna: PersonMemory, ben: PersonMemory):
    fill(anna)
    ben.add(said("i like tea?", minutes=1, origin=Origin.TOLD))
    ben.add(said("I like hockey"))

    assert add_export(ben, export(anna)) == {"memories": 1, "sayings": 2, "corrections": 1}

    assert sorted((each.text, each.count) for each in ben.list()) == [
        ("I like hockey", 1),
        ("Yes", 1),
        ("i like tea?", 2),
    ]


def test_what_was_made_of_memories_can_be_read_but_not_imported(
    anna: PersonMemory, ben: PersonMemory
):
    fill(anna)
    (day,) = anna.summaries.changed_days(UTC)
    anna.summaries.set_day(day, "Tea all day", made_at=NOON, model="m")
    made = Profile(text="Likes tea", made_at=NOON, model="m", dates=(day.date,))
    assert anna.summaries.set_profile(made, anna.summaries.days())

    exported = export(anna)

    assert exported["days"] == [{"date": "2026-05-03", "text": "Tea all day"}]
    assert exported["profile"] == {
        "text": "Likes tea",
        "made_at": "2026-05-03T12:00:00+00:00",
        "dates": ["2026-05-03"],
    }
    add_export(ben, exported)
    assert ben.summaries.profile() is None
    assert ben.summaries.days() == ()


def change(data: dict[str, Any], *keys: Any, to: Any) -> dict[str, Any]:
    data = copy.deepcopy(data)
    place = data
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = to
    return data


@pytest.mark.parametrize(
    ("keys", "to", "where"),
    [
        (("format",), "other", "format"),
        (("version",), 2, "version"),
        (("memories",), None, "memories"),
        (("memories", 1, "text"), 7, r"memories\.1"),
        (("memories", 1, "text"), " ", r"memories\.1"),
        (("memories", 1, "question"), [], r"memories\.1"),
        (("memories", 1, "said"), [], r"memories\.1"),
        (("memories", 0, "said", 1, "at"), "2026-05-03T12:00:00", r"memories\.0"),
        (("memories", 0, "said", 1, "at"), "yesterday", r"memories\.0"),
        (("memories", 0, "said", 1, "origin"), "guessed", r"memories\.0"),
        (("memories", 0, "said", 1, "tainted"), 1, r"memories\.0"),
        (("memories", 0, "said", 1, "place"), 3, r"memories\.0"),
        (("memories", 0, "said", 1), {}, r"memories\.0"),
        (("memories", 0), "I like tea", r"memories\.0"),
        (("corrections", 0, "text"), "", r"corrections\.0"),
        (("corrections", 0), {}, r"corrections\.0"),
    ],
)
def test_what_is_no_export_is_refused_whole(
    anna: PersonMemory, ben: PersonMemory, keys: tuple[Any, ...], to: Any, where: str
):
    fill(anna)

    with pytest.raises(MemoryRefusedError, match=where) as caught:
        add_export(ben, change(export(anna), *keys, to=to))

    assert "tea" not in str(caught.value)
    assert ben.count() == 0


@pytest.mark.parametrize("data", [None, [], "x", 7, {}])
def test_other_json_is_refused(anna: PersonMemory, data: Any):
    with pytest.raises(MemoryRefusedError):
        add_export(anna, data)


def test_times_of_other_zones_are_understood(anna: PersonMemory):
    fill(anna)
    data = change(export(anna), "memories", 1, "said", 0, "at", to="2026-05-03T16:00:00.5+02:00")

    anna.forget_all()
    add_export(anna, data)

    assert anna.list()[0].at == NOON + timedelta(hours=2, milliseconds=500)


def an_export(*texts: str, at: str = "2026-07-01T10:00:00+00:00", **more: Any) -> dict[str, Any]:
    said = [{"at": at, "place": None, "origin": "said", "tainted": False}]
    memories = [{"text": text, "question": None, "said": said} for text in texts]
    return {"format": "sage-memory", "version": 1, "memories": memories, "corrections": [], **more}


def refusal(memory: PersonMemory, exported: dict[str, Any]) -> str:
    """Return why an import is refused; afterwards nothing of it is stored."""
    with pytest.raises(MemoryRefusedError) as caught:
        add_export(memory, exported)
    assert memory.list() == ()
    assert export(memory)["corrections"] == []
    return str(caught.value)


@pytest.mark.parametrize(
    "at",
    [
        "2099-01-01T00:00:00+00:00",
        "9999-12-31T23:59:59-14:00",
        "1969-12-31T23:59:59+00:00",
        "0001-01-01T00:00:00+14:00",
    ],
)
def test_no_time_is_imported_that_cannot_have_been(anna: PersonMemory, at: str):
    exported = an_export("I like tea")
    exported["memories"] += an_export("I like milk", at=at)["memories"]
    late = an_export("I like tea", corrections=[{"text": "Not coffee", "at": at}])

    assert "memories.1.said.0.at" in refusal(anna, exported)
    assert "corrections.0.at" in refusal(anna, late)


def test_the_time_of_this_moment_is_imported(anna: PersonMemory):
    now = datetime.now(UTC).isoformat()

    assert add_export(anna, an_export("I like tea", at=now))["memories"] == 1
    assert (
        add_export(anna, an_export("I like milk", at="1970-01-01T00:00:00+00:00"))["memories"] == 1
    )


def test_a_huge_text_is_refused(anna: PersonMemory):
    assert "memories.0.text" in refusal(anna, an_export("tea " * 5_000_000))
