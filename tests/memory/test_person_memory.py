"""What a person says is kept; what is said again counts."""

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from custom_components.sage.memory.memories import FILE, MemoryRefusedError, MemorySettings, Origin
from custom_components.sage.memory.memory_export import export
from custom_components.sage.memory.person_memory import PersonMemory

from .conftest import NOON, bytes_of, recalled, remember, said
from .toy_embedder import MODEL, embed


def test_what_was_said_is_there_after_a_restart(anna: PersonMemory, path: Path):
    told = anna.add(
        said(
            "My mother lives in Quebec",
            place="Kitchen",
            origin=Origin.TOLD,
            question="Where does she live?",
            tainted=True,
        )
    )
    anna.close()

    again = PersonMemory.open(path)
    assert again.get(told.id) == told
    assert told.text == "My mother lives in Quebec"
    assert told.place == "Kitchen"
    assert told.origin is Origin.TOLD
    assert told.question == "Where does she live?"
    assert told.tainted
    assert told.at == told.first_at == NOON
    assert told.count == 1
    again.close()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I like hockey", "i LIKE hockey."),
        ("I like hockey", "  I  like\thockey!?"),
        ("J'aime le café", "j'aime le cafe\u0301..."),
        ("¿Dónde está?", "dónde está"),
        ("Straße", "STRASSE"),
        ("ＡＢＣ", "abc"),
    ],
)
def test_what_is_said_again_counts_once_more(anna: PersonMemory, first: str, second: str):
    anna.add(said(first, place="Hall"))

    again = anna.add(said(second, minutes=5, place="Kitchen"))

    assert anna.count() == 1
    assert again == anna.get(again.id)
    assert again.text == first
    assert again.count == 2
    assert again.first_at == NOON
    assert again.at == NOON + timedelta(minutes=5)
    assert again.place == "Kitchen"


def test_of_several_sayings_the_strongest_origin_and_one_clean_run_count(anna: PersonMemory):
    anna.add(said("I like tea", origin=Origin.SAID, tainted=True))
    told = anna.add(said("I like tea", minutes=1, origin=Origin.TOLD, tainted=True))
    assert (told.origin, told.tainted) == (Origin.TOLD, True)

    later = anna.add(said("I like tea", minutes=2))

    assert (later.origin, later.tainted) == (Origin.TOLD, False)
    (exported,) = export(anna)["memories"]
    assert [each["origin"] for each in exported["said"]] == ["said", "told", "said"]


def test_an_id_is_never_used_again(anna: PersonMemory):
    first = anna.add(said("I like tea"))
    anna.forget([first.id])
    second = anna.add(said("I like tea"))
    anna.forget_all()

    assert first.id < second.id < anna.add(said("I like tea")).id


def test_memories_are_listed_page_by_page_the_last_said_first(anna: PersonMemory):
    for minute in range(7):
        anna.add(said(f"thing {minute}", minutes=minute // 2))

    pages = [anna.list(limit=3)]
    while page := anna.list(limit=3, before=pages[-1][-1]):
        pages.append(page)

    texts = [[memory.text for memory in page] for page in pages]
    assert texts == [
        ["thing 6", "thing 5", "thing 4"],
        ["thing 3", "thing 2", "thing 1"],
        ["thing 0"],
    ]
    assert anna.list() == sum(pages, ())


def test_a_correction_has_other_words_the_same_times_and_no_vector(anna: PersonMemory):
    wrong, other = remember(anna, "My mother lives in Quebec", "I like hockey")

    right = anna.correct(wrong, "My mother lives in Montreal")

    assert right == anna.get(wrong)
    assert right.text == "My mother lives in Montreal"
    assert right.origin is Origin.CORRECTED
    assert right.at == NOON
    assert right.count == 1
    assert [memory.id for memory in anna.recall.missing_vectors(MODEL, 9)] == [wrong]
    assert recalled(anna, "Quebec") == ["I like hockey"]
    with pytest.raises(MemoryRefusedError, match="99"):
        anna.correct(99, "something")
    with pytest.raises(ValueError, match="text"):
        anna.correct(other, " ")
    assert anna.get(other).text == "I like hockey"


def test_a_correction_takes_up_the_memory_that_had_the_words_already(anna: PersonMemory):
    twin = anna.add(said("I like tea", minutes=-5))
    anna.add(said("I like tea", minutes=9, place="Hall", origin=Origin.TOLD))
    wrong = anna.add(said("I like sea", tainted=True))

    right = anna.correct(wrong.id, "I like tea", tainted=True)

    assert anna.list() == (right,)
    assert (right.id, right.count, right.place) == (wrong.id, 3, "Hall")
    assert (right.first_at, right.at) == (twin.at, NOON + timedelta(minutes=9))
    assert right.origin is Origin.CORRECTED
    assert not right.tainted


def test_a_request_is_neither_recalled_nor_known(anna: PersonMemory):
    light = anna.add(said("light on", origin=Origin.REQUEST))
    tea = anna.add(said("I like tea", minutes=1))
    anna.recall.set_vectors(MODEL, [light, tea], embed("light on", "I like tea"))

    assert recalled(anna, "light on") == ["I like tea"]
    assert recalled(anna, "light on", words="light") == ["I like tea"]
    assert [each.text for each in anna.known().memories] == ["I like tea"]
    found = anna.recall.best(embed("light on")[0], MODEL, requests=True)
    assert [each.id for each in found] == [light.id, tea.id]
    # Said again as anything else, it is that.
    assert anna.add(said("Light on!", minutes=5)).origin is Origin.SAID
    assert len(recalled(anna, "light on")) == 2


def test_only_requests_expire_before_the_rest(anna: PersonMemory, path: Path):
    anna.add(said("light on", origin=Origin.REQUEST))
    anna.add(said("I like tea", minutes=1))
    both = anna.add(said("cosy", minutes=2, origin=Origin.REQUEST)).id
    anna.add(said("cosy", minutes=-60))

    assert anna.expire_requests(NOON) == 0
    assert anna.expire_requests(NOON + timedelta(days=1)) == 1

    assert {each.text: each.origin for each in anna.list()} == {
        "I like tea": Origin.SAID,
        "cosy": Origin.SAID,
    }
    assert anna.get(both).count == 1
    anna.checkpoint()
    assert b"light on" not in bytes_of(path)


def test_a_file_from_before_requests_were_marked_is_used(path: Path):
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(FILE.steps[0])
        connection.execute("PRAGMA user_version = 1")
        connection.execute(
            "INSERT INTO memories VALUES (1, x'00', 'tea', NULL, NULL, 0, 0, 5, 5, 1)"
        )
        connection.execute("INSERT INTO sayings VALUES (1, 1, 5, NULL, 0, 0)")
        connection.commit()

    memory = PersonMemory.open(path)

    assert [(each.text, each.origin) for each in memory.list()] == [("tea", Origin.SAID)]
    memory.close()


def test_a_person_can_switch_memory_off(anna: PersonMemory, path: Path):
    before = anna.add(said("I like tea"))
    assert anna.settings() == MemorySettings()

    anna.set_settings(MemorySettings(enabled=False, retention_days=30))
    anna.close()
    again = PersonMemory.open(path)

    assert again.settings() == MemorySettings(enabled=False, retention_days=30)
    with pytest.raises(MemoryRefusedError):
        again.add(said("I like coffee"))
    assert again.list() == (before,)
    again.close()


def test_vectors_that_are_none_are_refused(anna: PersonMemory):
    memory = anna.add(said("I like tea"))
    rows = embed("I like tea")
    for wrong in (rows[0], rows[:0], rows * float("nan")):
        with pytest.raises(ValueError, match="row"):
            anna.recall.set_vectors(MODEL, [memory], wrong)
    anna.recall.set_vectors(MODEL, [memory], rows)
    assert anna.recall.vector_count() == 1
