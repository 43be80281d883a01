"""Recall, and what a difference is worth, are counted rightly."""

from datetime import datetime

import numpy as np
import pytest

from benchmark.recall.corpus import Person, Question, Utterance
from benchmark.recall.measures import (
    difference,
    held_out,
    kind_of_each_question,
    of_each_question,
    recall,
    recalls,
)
from benchmark.recall.methods import Scorer, Vectors, by_both, by_meaning, by_ranks, by_words


def person(name: str, said: list[str], asked: list[tuple[str, tuple[int, ...]]]) -> Person:
    at = datetime(2026, 1, 1, 12)  # noqa: DTZ001
    return Person(
        name=name,
        utterances=tuple(
            Utterance(id=number, at=at, place="Hall", text=text)
            for number, text in enumerate(said, start=11)
        ),
        questions=tuple(
            Question(id=number, kind="exact", text=text, relevant=relevant)
            for number, (text, relevant) in enumerate(asked, start=1)
        ),
    )


EVERYDAY = person(
    "ada",
    ["tea please", "lamp on", "lamp off", "lamp dim", "lamp red", "lamp blue", "tea with milk"],
    [("which tea", (11, 17)), ("which lamp", (12,)), ("how much beer", (11,))],
)


def given(*scores: float) -> np.ndarray:
    return np.array(scores, np.float32)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        (given(7, 6, 5, 4, 3, 2, 1), 0.5),
        (given(7, 1, 1, 1, 1, 1, 6), 1),
        (given(1, 7, 7, 7, 7, 7, 1), 0),
        (given(1, 1, 1, 1, 1, 1, 1), 0.5),
        (given(7, *[-np.inf] * 6), 0.5),
        (given(*[-np.inf] * 7), 0),
    ],
)
def test_recall_is_the_share_that_is_among_the_best_five(scores: np.ndarray, expected: float):
    assert recall(EVERYDAY, EVERYDAY.questions[0], scores) == expected


def test_words_recall_what_shares_a_word_and_nothing_else():
    found = recalls([EVERYDAY], by_words)

    assert found.tolist() == [1, 1, 0]


def vectors(people: list[Person], rows: dict[str, list[float]]) -> Vectors:
    texts = [said.text for each in people for said in each.utterances]
    texts += [asked.text for each in people for asked in each.questions]
    return Vectors(texts, np.array([rows.get(text, [0, 1]) for text in texts], np.float32))


def test_meaning_words_and_both_together_rank_by_their_scores():
    rows = {"how much beer": [1.0, 0.0], "lamp red": [0.9, 0.1], "tea with milk": [0.8, 0.2]}
    meaning = by_meaning(vectors([EVERYDAY], rows), "said")
    beer, tea = EVERYDAY.questions[2], EVERYDAY.questions[0]

    def best(score: Scorer, question: Question) -> str:
        return EVERYDAY.utterances[int(np.argmax(score(question)))].text

    assert best(meaning(EVERYDAY), beer) == "lamp red"
    assert best(by_both(meaning)(EVERYDAY), beer) == "lamp red"
    assert best(by_ranks(meaning)(EVERYDAY), beer) == "lamp red"
    assert best(by_both(meaning)(EVERYDAY), tea) == "tea please"
    assert best(by_ranks(meaning)(EVERYDAY), tea) == "tea please"
    assert by_words(EVERYDAY)(beer).tolist() == [-np.inf] * 7


def test_words_without_weight_leave_the_meaning():
    rows = {"which tea": [1.0, 0.0], "lamp red": [0.9, 0.1]}
    meaning = by_meaning(vectors([EVERYDAY], rows), "said")
    question = EVERYDAY.questions[0]

    together = by_both(meaning, 0)(EVERYDAY)(question)

    assert together.tolist() == meaning(EVERYDAY)(question).tolist()


def test_a_difference_comes_with_its_paired_interval():
    chance = np.random.default_rng(7)
    worse = (chance.random(400) < 0.5).astype(float)
    better = np.where(chance.random(400) < 0.1, 1.0, worse)

    found = difference(better, worse)

    gains = (better - worse) * 100
    error = gains.std() / np.sqrt(len(gains))
    assert found.mean == pytest.approx(gains.mean())
    assert found.low == pytest.approx(found.mean - 1.96 * error, abs=0.4)
    assert found.high == pytest.approx(found.mean + 1.96 * error, abs=0.4)
    assert found.better == int((gains > 0).sum())
    assert found.worse == 0


def test_a_difference_is_the_same_each_time_and_turns_round():
    one, other = np.array([1.0, 0, 1, 0, 1]), np.array([0.0, 0, 1, 1, 0])

    forth, back = difference(one, other), difference(other, one)

    assert forth == difference(one, other)
    assert (back.mean, back.low, back.high) == pytest.approx((-forth.mean, -forth.high, -forth.low))
    assert (back.better, back.worse) == (forth.worse, forth.better)


def test_nobodys_own_questions_choose_the_setting():
    people = [person(name, ["tea"], [("tea", (11,))] * 2) for name in ("ada", "ben", "cyd")]
    by_setting = {
        0.1: np.array([1.0, 1, 0, 0, 0, 0]),  # best for ada, and for nobody else
        0.2: np.array([0.0, 0, 1, 1, 1, 1]),
        0.3: np.array([0.0, 0, 1, 1, 1, 1]),
    }

    found, chosen = held_out(people, by_setting)

    assert chosen == {"ada": 0.2, "ben": 0.1, "cyd": 0.1}
    assert found.tolist() == [0, 0, 0, 0, 0, 0]


def test_questions_know_whose_and_of_what_kind_they_are():
    people = [EVERYDAY, person("ben", ["tea"], [("tea", (11,))])]

    assert of_each_question(people).tolist() == ["ada", "ada", "ada", "ben"]
    assert kind_of_each_question(people).tolist() == ["exact"] * 4
