"""The benchmark of the past asks its questions; each right answer is spoken."""

import json

from benchmark.past_questions import LANGUAGES, questions

from .running import run_benchmark


def test_there_are_eighty_questions_in_three_languages() -> None:
    said = {(each.language, each.said) for each in questions()}
    assert len(said) == 80
    assert {language for language, _ in said} == set(LANGUAGES)


def test_right_answers_are_spoken() -> None:
    # Each question in one language, in a home without others.
    done = run_benchmark("past", "--rows", "0", "--every", "4")
    figures = json.loads(done.stdout.splitlines()[-1])
    assert figures["right"] == figures["questions"] == 20, done.stdout
    assert "right answers" not in figures["missed"]
