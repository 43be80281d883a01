"""The corpus of the recall benchmark is whole, and asks more than words can answer."""

from collections import Counter

import pytest

from benchmark.recall.corpus import (
    FORMS,
    KINDS,
    PEOPLE,
    Person,
    as_dated,
    as_placed,
    as_said,
    load,
    texts,
)
from custom_components.sage.text.tokens import content_words

CORPUS = load()


def test_there_are_three_people_with_enough_to_say_and_to_be_asked():
    assert tuple(person.name for person in CORPUS) == PEOPLE
    assert len(CORPUS) == 3
    assert all(len(person.utterances) >= 150 for person in CORPUS)
    assert all(len(person.questions) >= 100 for person in CORPUS)
    assert sum(len(person.questions) for person in CORPUS) >= 300


@pytest.mark.parametrize("person", CORPUS, ids=PEOPLE)
def test_utterances_are_numbered_in_order_of_time(person: Person):
    assert [said.id for said in person.utterances] == list(range(1, len(person.utterances) + 1))
    times = [said.at for said in person.utterances]
    assert times == sorted(times)
    assert len({time.date() for time in times}) > 100
    assert len({said.place for said in person.utterances}) >= 5


@pytest.mark.parametrize("person", CORPUS, ids=PEOPLE)
def test_every_question_rests_on_one_or_two_utterances_that_exist(person: Person):
    said = {utterance.id for utterance in person.utterances}

    assert [asked.id for asked in person.questions] == list(range(1, len(person.questions) + 1))
    for asked in person.questions:
        assert 1 <= len(set(asked.relevant)) == len(asked.relevant) <= 2, asked
        assert said >= set(asked.relevant), asked
        assert asked.kind in KINDS, asked


@pytest.mark.parametrize("person", CORPUS, ids=PEOPLE)
def test_nobody_says_or_is_asked_the_same_twice(person: Person):
    for every in (person.utterances, person.questions):
        folded = Counter(" ".join(each.text.casefold().split()) for each in every)
        assert folded.most_common(1)[0][1] == 1, folded.most_common(1)


def test_people_say_things_of_their_own():
    said = Counter(said.text.casefold() for person in CORPUS for said in person.utterances)
    assert said.most_common(1)[0][1] == 1


@pytest.mark.parametrize("person", CORPUS, ids=PEOPLE)
def test_texts_are_clean(person: Person):
    for every in (person.utterances, person.questions):
        for each in every:
            assert each.text == " ".join(each.text.split()), each
            assert 3 <= len(each.text) <= 200, each


@pytest.mark.parametrize("person", CORPUS, ids=PEOPLE)
def test_many_utterances_are_noise_and_no_question_has_an_easy_person(person: Person):
    answers = {relevant for asked in person.questions for relevant in asked.relevant}
    assert 0.2 < 1 - len(answers) / len(person.utterances) < 0.8
    kinds = Counter(asked.kind for asked in person.questions)
    assert set(kinds) == set(KINDS)
    assert kinds["paraphrase"] > len(person.questions) / 2


def test_most_questions_share_no_word_with_their_answer_but_names_do():
    shared: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for person in CORPUS:
        said = {utterance.id: set(content_words(utterance.text)) for utterance in person.utterances}
        for question in person.questions:
            answer = set().union(*(said[relevant] for relevant in question.relevant))
            asked[question.kind] += 1
            shared[question.kind] += bool(answer & set(content_words(question.text)))

    assert shared.total() < asked.total() / 2
    assert shared["paraphrase"] < asked["paraphrase"] / 2
    assert shared["exact"] > asked["exact"] * 0.8


def test_forms_add_the_day_or_the_room():
    said = CORPUS[0].utterances[4]

    assert as_said(said) == said.text
    assert as_dated(said) == f"Instruction on 2025-09-01: {said.text}"
    assert as_placed(said) == f"Bedroom: {said.text}"


def test_every_text_is_embedded_once_in_a_fixed_order():
    every = texts(CORPUS)

    assert len(every) == len(set(every))
    assert every == texts(load())
    for person in CORPUS:
        assert {form(said) for said in person.utterances for form in FORMS.values()} < set(every)
        assert {asked.text for asked in person.questions} < set(every)
