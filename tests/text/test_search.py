"""Search by words: the index of names, and the index of texts."""

import math
import random
from collections import Counter

import pytest

from custom_components.sage.helpers.slices import in_one_go
from custom_components.sage.text.search import NameIndex, TextIndex


def names_of(*documents: str) -> NameIndex:
    return in_one_go(NameIndex.build([[(1.0, [text])] for text in documents]))


def test_the_same_word_scores_most_and_another_form_a_little_less():
    index = names_of("Ceiling lights", "Floor lamp")

    assert index.hits("lights") == {0: 1.0}
    assert 0.9 < index.hits("light")[0] < 1.0
    assert index.knows("lamps")
    assert not index.knows("tv")


def test_a_compound_is_found_by_its_last_part_and_by_its_whole():
    index = names_of("Deckenlicht", "Küche", "Heizung")

    assert 0 in index.hits("licht")
    assert set(index.hits("kuchenlicht")) == {1}
    assert set(index.hits("kuchenheizung")) == {1, 2}


@pytest.mark.parametrize(
    ("typed", "name"),
    [("celing", "Ceiling light"), ("ligth", "Light"), ("lmap", "Lamp"), ("laptp", "Laptop")],
)
def test_a_typing_error_is_forgiven(typed: str, name: str):
    assert set(names_of("Sofa", name).hits(typed)) == {1}


@pytest.mark.parametrize("typed", ["fon", "wardrobe", "heath", "chicken", "kitten", "mail"])
def test_short_and_different_words_are_no_typing_errors(typed: str):
    assert names_of("Ceiling light", "Fan", "Kitchen", "Water main").hits(typed) == {}


def test_a_document_keeps_the_highest_weight_of_a_word():
    document = [(1.0, ["Kitchen light"]), (0.5, ["Kitchen", "Stove"])]
    index = in_one_go(NameIndex.build([document]))

    assert index.hits("kitchen") == {0: 1.0}
    assert index.hits("stove") == {0: 0.5}


def scores(index: TextIndex, query: str) -> dict[int, float]:
    ids, scores = index.score(query)
    return dict(zip(ids.tolist(), scores.tolist(), strict=True))


def textbook(memories: dict[int, str], query: str) -> dict[int, float]:
    """Return BM25 by its formula, divided by the maximum for the query."""
    said = {memory_id: Counter(text.split()) for memory_id, text in memories.items()}
    average = sum(each.total() for each in said.values()) / len(said)
    found: dict[int, float] = {}
    reachable = 0.0
    for word in set(query.split()):
        holders = sum(word in each for each in said.values())
        rarity = math.log(1 + (len(said) - holders + 0.5) / (holders + 0.5))
        reachable += rarity * 2.2
        for memory_id, each in said.items():
            if times := each[word]:
                needed = 1.2 * (0.25 + 0.75 * each.total() / average)
                gain = rarity * times * 2.2 / (times + needed)
                found[memory_id] = found.get(memory_id, 0) + gain
    return {memory_id: score / reachable for memory_id, score in found.items()}


def test_case_accents_and_plurals_do_not_part_a_question_from_its_answer():
    index = TextIndex([(1, "Hélène's ORCHIDS"), (2, "the tulips")])

    assert list(scores(index, "helene orchid")) == [1]


def test_other_forms_of_a_word_count_as_the_word():
    index = TextIndex(
        [(1, "Die Lampen im Flur"), (2, "two parties, three buses"), (3, "jeudi, la fenêtre")]
    )

    assert list(scores(index, "welche Lampe?")) == [1]
    assert list(scores(index, "party")) == [2]
    assert list(scores(index, "les fenêtres")) == [3]


def test_forms_of_one_word_score_as_one_word():
    index = TextIndex([(1, "lamp lamps"), (2, "lamp lamp"), (3, "desk")])

    found = scores(index, "lamp lamps")

    assert found[1] == found[2] == scores(index, "lamps")[2]


def test_scripts_without_spaces_are_searched_by_pairs_of_characters():
    index = TextIndex([(1, "寝室の温度"), (2, "台所の電気"), (3, "猫")])

    assert list(scores(index, "寝室")) == [1]
    assert list(scores(index, "電気")) == [2]
    assert list(scores(index, "猫")) == [3]


def test_all_scores_are_those_of_the_textbook():
    chance = random.Random(1)
    vocabulary = [f"word{number}" for number in range(40)]
    memories: dict[int, str] = {}
    index = TextIndex()
    for _ in range(600):
        memory_id = chance.randrange(1, 80)
        if memory_id in memories and chance.random() < 0.3:
            del memories[memory_id]
            index.remove(memory_id)
        else:
            memories[memory_id] = " ".join(chance.choices(vocabulary, k=chance.randrange(1, 12)))
            index.add(memory_id, memories[memory_id])
    queries = [" ".join(chance.choices([*vocabulary, "unheard"], k=4)) for _ in range(50)]
    index.remove(99)

    assert len(index) == len(memories)
    for query in queries:
        assert scores(index, query) == pytest.approx(textbook(memories, query), rel=1e-5)


def test_nothing_is_found_without_a_word_in_common():
    index = TextIndex([(1, "I don't like hockey")])

    assert scores(index, "which team?") == {}
    assert scores(index, "what do I do?") == {}
    assert scores(TextIndex(), "hockey") == {}


def test_memories_without_a_word_do_no_harm():
    index = TextIndex([(1, "it was him"), (2, "")])
    assert scores(index, "hockey") == {}

    index.add(3, "hockey")
    assert list(scores(index, "hockey")) == [3]


def test_scores_are_right_after_most_memories_went_and_others_came():
    texts = {number: f"memory{number % 50} number{number} lamp" for number in range(5000)}
    index = TextIndex(texts.items())

    kept = {number: text for number, text in texts.items() if number % 10 == 3}
    for number in texts.keys() - kept.keys():
        index.remove(number)
    kept |= {number: f"late memory{number % 50} lamp lamp" for number in range(9000, 9040)}
    for number in range(9000, 9040):
        index.add(number, kept[number])

    assert len(index) == len(kept)
    for query in ("memory3 lamp", "number1003", "number1004", "late"):
        assert scores(index, query) == pytest.approx(textbook(kept, query), rel=1e-5)
