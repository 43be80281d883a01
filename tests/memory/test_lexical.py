"""Recall by words finds what was said in the words that were said."""

import math
import random
import threading
from collections import Counter

import numpy as np
import pytest

from custom_components.sage.memory.lexical import WEIGHT, LexicalIndex, words


def scores(index: LexicalIndex, query: str) -> dict[int, float]:
    found = index.score(query)
    return dict(zip(found.ids.tolist(), found.scores.tolist(), strict=True))


def textbook(memories: dict[int, str], query: str) -> dict[int, float]:
    """Return BM25 as it is written down, over the most that the query could reach."""
    said = {memory_id: Counter(words(text)) for memory_id, text in memories.items()}
    average = sum(each.total() for each in said.values()) / len(said)
    found: dict[int, float] = {}
    reachable = 0.0
    for word in set(words(query)):
        holders = sum(word in each for each in said.values())
        rarity = math.log(1 + (len(said) - holders + 0.5) / (holders + 0.5))
        reachable += rarity * 2.2
        for memory_id, each in said.items():
            if times := each[word]:
                needed = 1.2 * (0.25 + 0.75 * each.total() / average)
                gain = rarity * times * 2.2 / (times + needed)
                found[memory_id] = found.get(memory_id, 0) + gain
    return {memory_id: score / reachable for memory_id, score in found.items()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Which TEAM does she support?", ["team", "support"]),
        ("Greta's birthday, don't forget!", ["greta", "birthday", "forget"]),
        ("Mrs. Whitcomb's apple pies", ["mrs", "whitcomb", "apple", "pie"]),
        ("two parties, three buses", ["two", "party", "three", "buse"]),
        ("the class of 1953 is in Paris", ["class", "1953", "paris"]),
        ("Was gibt's in der Küche? Weißwürste!", ["gibt", "kuche", "weisswurste"]),
        ("l'été à la plage, qu'est-ce que c'est", ["ete", "plage"]),
        ("ﬁlm ＡＢＣ", ["film", "abc"]),
        ("Любимая команда — «Динамо»", ["любимая", "команда", "динамо"]),
        ("मेरी चाय में चीनी नहीं", ["मेरी", "चाय", "में", "चीनी", "नहीं"]),
        ("한국 노래, the K-pop songs!", ["한국", "노래", "pop", "song"]),
        ("寝室の温度", ["寝室", "室の", "の温", "温度"]),
        ("猫", ["猫"]),
        ("bus B at 7", ["bus", "7"]),
        ("the bin, my son's hat and the car", ["bin", "son", "hat", "car"]),
        ("snow_plough", ["snow", "plough"]),
        ("What do you want me to do?", ["want"]),
        ("😀 …", []),
        ("", []),
    ],
)
def test_words_are_what_a_text_is_about(text: str, expected: list[str]):
    assert words(text) == expected


def test_case_accents_and_plurals_do_not_part_a_question_from_its_answer():
    index = LexicalIndex([(1, "Hélène's ORCHIDS"), (2, "the tulips")])

    assert list(scores(index, "helene orchid")) == [1]


def test_the_rarer_word_decides():
    index = LexicalIndex([(1, "lamp sofa"), (2, "lamp desk"), (3, "lamp hall"), (4, "lamp bed")])

    found = scores(index, "the lamp on the desk")

    assert max(found, key=found.__getitem__) == 2
    assert found[1] == found[3] == found[4]


def test_all_scores_are_those_of_the_textbook():
    chance = random.Random(1)
    vocabulary = [f"word{number}" for number in range(40)]
    memories: dict[int, str] = {}
    index = LexicalIndex()
    for _ in range(600):
        memory_id = chance.randrange(1, 80)
        if memory_id in memories and chance.random() < 0.3:
            del memories[memory_id]
            index.remove(memory_id)
        else:
            memories[memory_id] = " ".join(chance.choices(vocabulary, k=chance.randrange(1, 12)))
            index.add(memory_id, memories[memory_id])
    queries = [" ".join(chance.choices([*vocabulary, "unheard"], k=4)) for _ in range(50)]

    assert len(index) == len(memories)
    for query in queries:
        assert scores(index, query) == pytest.approx(textbook(memories, query), rel=1e-5)


def test_a_score_is_a_share_of_what_the_question_asks():
    index = LexicalIndex([(1, "haddock"), (2, "haddock haddock haddock haddock"), (3, "suet")])

    whole = scores(index, "haddock")
    half = scores(index, "haddock zeppelin")

    assert 0 < whole[1] < whole[2] < 1
    assert half[1] < whole[1] / 2


def test_nothing_is_found_without_a_word_in_common():
    index = LexicalIndex([(1, "I don't like hockey")])

    assert scores(index, "which team?") == {}
    assert scores(index, "what do I do?") == {}
    assert scores(LexicalIndex(), "hockey") == {}


def test_memories_without_a_word_do_no_harm():
    index = LexicalIndex([(1, "it was him"), (2, "")])
    assert scores(index, "hockey") == {}

    index.add(3, "hockey")
    assert list(scores(index, "hockey")) == [3]


def test_a_removed_memory_is_found_no_more():
    index = LexicalIndex([(1, "hockey on Tuesday"), (2, "hockey on Friday")])

    index.remove(1)
    index.remove(99)

    assert list(scores(index, "hockey")) == [2]
    assert 1 not in index
    assert 2 in index
    assert len(index) == 1


def test_a_memory_that_is_added_again_is_found_by_its_new_words():
    index = LexicalIndex([(1, "tea"), (2, "milk")])

    index.add(1, "coffee")

    assert scores(index, "tea") == {}
    assert list(scores(index, "coffee")) == [1]
    assert len(index) == 2


def test_scores_are_right_after_most_memories_went_and_others_came():
    texts = {number: f"memory{number % 50} number{number} lamp" for number in range(5000)}
    index = LexicalIndex(texts.items())

    kept = {number: text for number, text in texts.items() if number % 10 == 3}
    for number in texts.keys() - kept.keys():
        index.remove(number)
    kept |= {number: f"late memory{number % 50} lamp lamp" for number in range(9000, 9040)}
    for number in range(9000, 9040):
        index.add(number, kept[number])

    assert len(index) == len(kept)
    for query in ("memory3 lamp", "number1003", "number1004", "late"):
        assert scores(index, query) == pytest.approx(textbook(kept, query), rel=1e-5)


def test_words_of_removed_memories_do_not_stay_for_good():
    index = LexicalIndex((number, f"secret{number}") for number in range(3000))
    for number in range(2900):
        index.remove(number)

    held = set(index._places)

    assert "secret2999" in held
    assert len(held) < 3000 / 2 + 1


def test_best_are_in_order_and_the_earlier_wins_a_tie():
    index = LexicalIndex([(7, "sap syrup"), (4, "syrup"), (9, "syrup"), (2, "syrup syrup")])

    best = index.score("syrup").best(3)

    assert list(best) == [2, 4, 9]
    assert best[4] == best[9]
    assert list(index.score("syrup").best(9)) == [2, 4, 9, 7]


def test_it_is_safe_to_ask_while_another_thread_adds_and_removes():
    index = LexicalIndex((number, f"word{number % 7} always") for number in range(3000))
    wrong: list[str] = []

    def ask() -> None:
        for _ in range(300):
            found = scores(index, "always word3")
            if not 0 <= len(found) <= 6000 or any(not 0 < each < 1 for each in found.values()):
                wrong.append(str(len(found)))

    def change() -> None:
        for number in range(3000):
            index.add(number + 3000, "always word3")
            index.remove(number)

    threads = [threading.Thread(target=work) for work in (ask, change, ask)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert wrong == []
    assert sorted(scores(index, "word3")) == list(range(3000, 6000))


def test_gains_weigh_what_is_shared_against_a_cosine():
    found = LexicalIndex([(2, "tulips"), (5, "peonies for me")]).score("peonies")

    assert found.ids.tolist() == [5]
    assert found.gains.dtype == np.float32
    assert found.gains.tolist() == pytest.approx([WEIGHT * found.scores[0]])
