"""What three people said to their assistants, and what is asked about them.

Each line of `corpus/<person>/utterances.jsonl` is something the person said, with the local time
and the room; each line of `questions.jsonl` names the one or two utterances that answer it. All
are written for this benchmark. This file runs on Python 3.11, too: `reference` needs it there.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent / "corpus"
PEOPLE: Final = ("marit", "walter", "dario")
KINDS: Final = ("paraphrase", "exact", "distractor", "changed", "request")
"""What makes a question hard: other words than the answer's; a name; what is true of somebody
else or of another occasion; what was true once; a wish instead of a question."""


@dataclass(frozen=True)
class Utterance:
    """Something a person said."""

    id: int
    """Unique within the person, ascending with time."""

    at: datetime
    """Local time."""

    place: str
    text: str


@dataclass(frozen=True)
class Question:
    """Something that the assistant wants to know of the person's memory."""

    id: int
    kind: str
    text: str
    relevant: tuple[int, ...]
    """Ids of the utterances that answer it: one or two."""


@dataclass(frozen=True)
class Person:
    """One person's utterances, in order of time, and the questions on them."""

    name: str
    utterances: tuple[Utterance, ...]
    questions: tuple[Question, ...]


def load() -> tuple[Person, ...]:
    """Return all people."""
    return tuple(_person(name) for name in PEOPLE)


def _person(name: str) -> Person:
    utterances = tuple(
        Utterance(
            id=line["id"],
            at=datetime.fromisoformat(line["at"]),
            place=line["place"],
            text=line["text"],
        )
        for line in _lines(FOLDER / name / "utterances.jsonl")
    )
    questions = tuple(
        Question(
            id=line["id"],
            kind=line["kind"],
            text=line["text"],
            relevant=tuple(line["relevant"]),
        )
        for line in _lines(FOLDER / name / "questions.jsonl")
    )
    return Person(name=name, utterances=utterances, questions=questions)


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def as_said(utterance: Utterance) -> str:
    """Return the words alone."""
    return utterance.text


def as_dated(utterance: Utterance) -> str:
    """Return the words as the paper's memory holds them, with the day."""
    return f"Instruction on {utterance.at:%Y-%m-%d}: {utterance.text}"


def as_placed(utterance: Utterance) -> str:
    """Return the words with the room they were said in."""
    return f"{utterance.place}: {utterance.text}"


FORMS: Final = {"said": as_said, "dated": as_dated, "placed": as_placed}
"""What text of an utterance is embedded."""


def texts(people: tuple[Person, ...]) -> list[str]:
    """Return every text that is embedded, each once, in a fixed order."""
    every: dict[str, None] = {}
    for person in people:
        for form in FORMS.values():
            every.update(dict.fromkeys(map(form, person.utterances)))
        every.update(dict.fromkeys(question.text for question in person.questions))
    return list(every)
