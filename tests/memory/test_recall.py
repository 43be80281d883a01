"""Recall finds what fits a question, each thing once."""

from pathlib import Path

import numpy as np
import pytest

from custom_components.sage.memory.person_memory import PersonMemory

from .conftest import recalled, remember, said
from .toy_embedder import DIMENSIONS, MODEL, embed

WORDS = [f"word{number}" for number in range(80)]


def sentences(count: int) -> list[str]:
    rng = np.random.default_rng(5)
    return [" ".join(rng.choice(WORDS, 6)) + f" {number}" for number in range(count)]


def test_recall_is_the_exact_cosine_over_all_memories(anna: PersonMemory):
    texts = sentences(300)
    remember(anna, *texts)
    rows = embed(*texts)

    for question in sentences(20):
        vector = embed(question)[0]
        best = np.argsort(-(rows @ vector))[:5]
        found = anna.recall(vector, MODEL)
        assert [each.memory.text for each in found] == [texts[number] for number in best]
        assert [each.score for each in found] == pytest.approx((rows @ vector)[best], abs=1e-6)
        assert found[0].memory == anna.get(found[0].memory.id)


def test_recall_is_the_same_after_loading_again(anna: PersonMemory, path: Path):
    remember(anna, *sentences(50))
    before = recalled(anna, "word1 word2 word3")
    assert anna.vector_bytes > 50 * DIMENSIONS * 4

    anna.unload_vectors()
    assert anna.vector_bytes == 0
    assert recalled(anna, "word1 word2 word3") == before

    anna.close()
    again = PersonMemory.open(path)
    assert again.load_vectors(MODEL) == 50
    assert recalled(again, "word1 word2 word3") == before
    again.close()


def test_what_is_added_after_loading_is_found(anna: PersonMemory):
    remember(anna, "I like hockey")
    assert recalled(anna, "tea") == ["I like hockey"]

    remember(anna, "I like tea")

    assert recalled(anna, "tea", 1) == ["I like tea"]


def test_nearly_the_same_words_count_once(anna: PersonMemory):
    remember(
        anna,
        "J'aime le café",
        "j'aime: le cafe!",
        "J'aime -- le CAFE",
        "J'aime le thé",
        "Je n'aime pas le café",
        "Le train est en retard",
    )

    found = recalled(anna, "j'aime le café", 3)

    assert len([text for text in found if "pas" not in text and "caf" in text.lower()]) == 1
    assert len(found) == 3


def test_the_same_reply_to_two_questions_counts_twice(anna: PersonMemory):
    added = [
        anna.add(said("Yes", question=f"Do you like {what}?")) for what in ("tea", "cake", "rain")
    ]
    anna.set_vectors(MODEL, added, embed("yes tea", "yes cake", "yes rain"))

    assert len(anna.recall(embed("yes")[0], MODEL)) == 3


def test_many_that_count_once_do_not_crowd_out_the_others(anna: PersonMemory):
    alike = [f"I{' -' * number} like tea" for number in range(60)]
    remember(anna, *alike, "tea is fine", "Ben likes cake")

    assert len(recalled(anna, "I like tea", 3)) == 3


def test_what_was_just_said_can_be_left_out(anna: PersonMemory):
    old, now = remember(anna, "I like green tea", "What tea do I like?")

    found = anna.recall(embed("What tea do I like?")[0], MODEL, 1, without=[now])

    assert [each.memory.id for each in found] == [old]


def test_a_bonus_outweighs_vectors(anna: PersonMemory):
    tea, hockey, _ = remember(anna, "I like tea", "Lea plays hockey", "Ben likes cake")

    assert recalled(anna, "I like tea", 1) == ["I like tea"]
    assert recalled(anna, "I like tea", 1, bonus={hockey: 1.0}) == ["Lea plays hockey"]
    assert recalled(anna, "I like tea", 1, bonus={hockey: 1.0, tea: 1.0}) == ["I like tea"]


def test_what_has_no_vector_yet_is_found_by_its_bonus(anna: PersonMemory):
    remember(anna, "I like tea", "Ben likes cake")
    new = anna.add(said("Lea plays hockey")).id

    assert recalled(anna, "tea", 1, bonus={new: 0.9}) == ["Lea plays hockey"]
    assert recalled(anna, "I like tea", bonus={new: 0.01})[0] == "I like tea"
    assert len(recalled(anna, "tea", bonus={new: 0.9})) == 3
    anna.keep_vectors(["another"])
    assert recalled(anna, "tea", bonus={new: 0.9}) == ["Lea plays hockey"]
    assert recalled(anna, "tea") == []


def test_a_bonus_of_what_was_forgotten_meanwhile_is_passed_over(anna: PersonMemory):
    tea, hockey = remember(anna, "I like tea", "Lea plays hockey")
    anna.forget([hockey])

    assert recalled(anna, "tea", bonus={hockey: 1.0, tea: 0.1, 99: 1.0}) == ["I like tea"]


def test_models_stand_side_by_side_while_one_replaces_the_other(anna: PersonMemory):
    ids = remember(anna, "I like tea", "I like hockey", "I like cake")
    missing = anna.missing_vectors("toy-2", 2)
    assert [memory.id for memory in missing] == [ids[2], ids[1]]
    below = anna.missing_vectors("toy-2", 2, below=missing[-1].id)
    assert [memory.id for memory in below] == [ids[0]]

    other = np.roll(embed(*(memory.text for memory in missing)), 1, axis=1)
    assert anna.set_vectors("toy-2", missing, other) == 2

    assert anna.vector_counts() == {MODEL: 3, "toy-2": 2}
    assert recalled(anna, "tea", 1) == ["I like tea"]
    vector = np.roll(embed("hockey")[0], 1)
    assert anna.recall(vector, "toy-2", 1)[0].memory.text == "I like hockey"
    assert [memory.id for memory in anna.missing_vectors("toy-2", 9)] == [ids[0]]

    anna.keep_vectors({"toy-2"})
    assert anna.vector_counts() == {"toy-2": 2}
    assert recalled(anna, "tea") == []
    assert len(anna.recall(vector, "toy-2")) == 2


def test_vectors_of_what_changed_meanwhile_are_passed_over(anna: PersonMemory):
    forgotten, corrected, kept = (anna.add(said(text)) for text in ("one", "two", "three"))
    anna.load_vectors(MODEL)
    anna.forget([forgotten.id])
    anna.correct(corrected.id, "four")

    stored = anna.set_vectors(MODEL, [forgotten, corrected, kept], embed("one", "two", "three"))

    assert stored == 1
    assert anna.vector_counts() == {MODEL: 1}
    assert recalled(anna, "one two three") == ["three"]
    assert [memory.text for memory in anna.missing_vectors(MODEL, 9)] == ["four"]


def test_a_vector_can_be_replaced(anna: PersonMemory):
    memory, other = anna.add(said("one")), anna.add(said("two"))
    anna.set_vectors(MODEL, [memory, other], embed("one", "two"))
    assert recalled(anna, "one", 1) == ["one"]

    anna.set_vectors(MODEL, [memory], embed("three"))

    assert recalled(anna, "three", 1) == ["one"]
    assert anna.vector_counts() == {MODEL: 2}


def test_nobody_recalls_what_another_said(anna: PersonMemory, path: Path):
    ben = PersonMemory.open(path.with_name("ben.db"))
    (secret,) = remember(anna, "The code of my locker is a secret")
    remember(ben, "I like tea")

    for question in ("code of my locker", "secret", "tea"):
        assert recalled(ben, question) == ["I like tea"]
    assert ben.get(secret).text == "I like tea"
    assert b"locker" not in path.with_name("ben.db").read_bytes()
    ben.close()


def test_no_text_is_in_what_a_log_might_show(anna: PersonMemory):
    memory = anna.add(said("The code of my locker"))
    for error in (
        lambda: anna.set_vectors(MODEL, [memory], embed("x", "y")),
        lambda: anna.correct(memory.id, " "),
        lambda: anna.correct(99, "The code of my locker"),
    ):
        with pytest.raises(Exception) as caught:  # noqa: PT011
            error()
        assert "locker" not in str(caught.value)
