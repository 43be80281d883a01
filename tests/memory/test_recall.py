"""Recall finds what fits a question, each thing once."""

from pathlib import Path

import numpy as np
import pytest

from custom_components.sage.memory.memories import Origin
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
        found = anna.recall.best(vector, MODEL)
        assert [each.text for each in found] == [texts[number] for number in best]
        assert [each.score for each in found] == pytest.approx((rows @ vector)[best], abs=1e-6)
        assert found[0] == anna.get(found[0].id)


def test_recall_is_the_same_after_loading_again(anna: PersonMemory, path: Path):
    remember(anna, *sentences(50))
    before = recalled(anna, "word1 word2 word3")
    assert anna.recall.vector_bytes > 50 * DIMENSIONS * 4

    anna.recall.unload()
    assert anna.recall.vector_bytes == 0
    assert recalled(anna, "word1 word2 word3") == before

    anna.close()
    again = PersonMemory.open(path)
    loaded = again.recall.load_vectors(MODEL)
    assert loaded is not None
    assert len(loaded) == 50
    assert recalled(again, "word1 word2 word3") == before
    again.close()


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
    anna.recall.set_vectors(MODEL, added, embed("yes tea", "yes cake", "yes rain"))

    assert len(anna.recall.best(embed("yes")[0], MODEL)) == 3


def test_many_that_count_once_do_not_crowd_out_the_others(anna: PersonMemory):
    alike = [f"I{' -' * number} like tea" for number in range(60)]
    remember(anna, *alike, "tea is fine", "Ben likes cake")

    assert len(recalled(anna, "I like tea", 3)) == 3


def test_words_count_beside_vectors(anna: PersonMemory):
    remember(anna, "I like tea", "Lea plays hockey", "Ben likes cake")
    alike = [
        anna.recall.best(embed("I like tea")[0], MODEL, question=words)[0] for words in ("", "tea")
    ]

    assert recalled(anna, "-", 1, words="hockey") == ["Lea plays hockey"]
    assert [each.text for each in alike] == ["I like tea", "I like tea"]
    assert alike[0].score == pytest.approx(1.0)
    assert 1.1 < alike[1].score < 1.7


def test_what_has_no_vector_yet_is_found_by_its_words(anna: PersonMemory):
    remember(anna, "I like tea", "Ben likes cake")
    anna.add(said("Lea plays hockey"))

    assert recalled(anna, "-", 1, words="hockey") == ["Lea plays hockey"]
    assert recalled(anna, "I like tea", words="hockey")[0] == "I like tea"
    assert len(recalled(anna, "tea", words="hockey")) == 3
    assert anna.recall.best(embed("tea")[0], "another") == ()


def test_words_follow_what_is_added_corrected_and_forgotten(anna: PersonMemory):
    tea, wish = (anna.add(said(text)).id for text in ("I like tea", "remember jazz"))
    assert recalled(anna, "-", words="tea jazz zebra") == ["remember jazz", "I like tea"]

    zebra = anna.add(said("Zebras are fast"))
    anna.add(said("Play jazz", origin=Origin.TOLD))
    anna.forget([wish])
    anna.correct(tea, "I like coffee")

    assert recalled(anna, "-", words="tea remember") == []
    assert recalled(anna, "-", words="zebra") == ["Zebras are fast"]
    assert recalled(anna, "-", words="coffee") == ["I like coffee"]
    assert recalled(anna, "-", words="jazz") == ["Play jazz"]
    anna.forget([zebra.id])
    assert recalled(anna, "-", words="zebra") == []
    anna.forget_all()
    assert recalled(anna, "-", words="coffee jazz") == []


def test_an_addition_that_was_rolled_back_is_not_found(anna: PersonMemory):
    anna.add(said("I like tea"))
    assert recalled(anna, "-", words="tea hockey") == ["I like tea"]

    def add_and_fail() -> None:
        with anna.writing():
            anna.add(said("I like hockey"))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        add_and_fail()

    assert anna.count() == 1
    assert recalled(anna, "-", words="tea hockey") == ["I like tea"]


def test_another_model_replaces_all_vectors_step_by_step(anna: PersonMemory):
    ids = remember(anna, "I like tea", "I like hockey", "I like cake")
    missing = anna.recall.missing_vectors("toy-2", 2)
    assert [memory.id for memory in missing] == [ids[2], ids[1]]
    below = anna.recall.missing_vectors("toy-2", 2, below=missing[-1].id)
    assert [memory.id for memory in below] == [ids[0]]

    other = np.roll(embed(*(memory.text for memory in missing)), 1, axis=1)
    anna.recall.set_vectors("toy-2", missing, other)

    vector = np.roll(embed("hockey")[0], 1)
    assert anna.recall.best(vector, "toy-2", 1)[0].text == "I like hockey"
    assert [each.text for each in anna.recall.best(vector, "toy-2", question="tea")].count(
        "I like tea"
    ), "what has no vector yet is found by its words"
    assert anna.recall.vector_count() == 2
    assert recalled(anna, "tea") == []


def test_vectors_of_another_size_replace_all_of_the_model(anna: PersonMemory):
    ids = remember(anna, "I like tea", "I like hockey")
    hockey = anna.get(ids[1])
    short = embed("hockey")[:, :9]
    assert anna.recall.best(short[0], MODEL, question="tea")[0].text == "I like tea"

    anna.recall.set_vectors(MODEL, [hockey], short)

    assert anna.recall.vector_count() == 1
    assert anna.recall.best(short[0], MODEL)[0].text == "I like hockey"


def test_vectors_of_what_changed_meanwhile_are_passed_over(anna: PersonMemory):
    forgotten, corrected, kept = (anna.add(said(text)) for text in ("one", "two", "three"))
    anna.recall.load_vectors(MODEL)
    anna.forget([forgotten.id])
    anna.correct(corrected.id, "four")

    anna.recall.set_vectors(MODEL, [forgotten, corrected, kept], embed("one", "two", "three"))

    assert anna.recall.vector_count() == 1
    assert recalled(anna, "one two three") == ["three"]
    assert [memory.text for memory in anna.recall.missing_vectors(MODEL, 9)] == ["four"]


def test_a_vector_that_was_computed_twice_leaves_the_index_in_memory(anna: PersonMemory):
    memory, other = anna.add(said("one")), anna.add(said("two"))
    anna.recall.set_vectors(MODEL, [memory, other], embed("one", "two"))
    assert recalled(anna, "one", 1) == ["one"]
    loaded = anna.recall.vector_bytes

    anna.recall.set_vectors(MODEL, [memory], embed("one"))

    assert anna.recall.vector_bytes == loaded > 0
    assert anna.recall.vector_count() == 2


def test_no_text_is_in_what_a_log_might_show(anna: PersonMemory):
    memory = anna.add(said("The code of my locker"))
    for error in (
        lambda: anna.recall.set_vectors(MODEL, [memory], embed("x", "y")),
        lambda: anna.correct(memory.id, " "),
        lambda: anna.correct(99, "The code of my locker"),
    ):
        with pytest.raises(Exception) as caught:  # noqa: PT011
            error()
        assert "locker" not in str(caught.value)
