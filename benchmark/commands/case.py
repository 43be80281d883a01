"""A case: sentences, the state of the home before them, and the state that is right after them."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final


class Kind(StrEnum):
    """A sort of sentence; the report has a row for each."""

    COMMAND = "command"
    QUESTION = "question"
    GROUP = "group"
    FOLLOW_UP = "follow-up"
    VAGUE = "vague"
    IMPOSSIBLE = "impossible"
    STEPS = "several steps"


@dataclass(frozen=True, slots=True)
class Group:
    """All exposed entities of a domain, optionally of some areas, with exceptions."""

    domain: str
    areas: tuple[str, ...] = ()
    but: tuple[str, ...] = ()

    @property
    def name(self) -> str | None:
        """The group as SAGE names it; None if it has no single name."""
        if self.but or len(self.areas) > 1:
            return None
        return f"all {self.domain}" + "".join(f" in {area}" for area in self.areas)


type Of = str | Group
"""An entity id or a group."""

type Members = Callable[[Group], Sequence[str]]
"""Returns the entity ids of a group in the home that is measured."""


def entities(of: Sequence[Of], members: Members) -> list[str]:
    """Return the entity ids that are meant, each once."""
    found = (each for one in of for each in ((one,) if isinstance(one, str) else members(one)))
    return list(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class Between:
    """A range of numbers, both ends included."""

    low: float
    high: float


type Value = str | float | bool | Between | tuple[str, ...]
"""A tuple lists texts that a list must hold, whatever their case."""


@dataclass(frozen=True, slots=True)
class Goal:
    """How entities have to be after a sentence."""

    of: Of
    state: str | None = None
    """None: any."""

    attributes: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Do:
    """One ideal command, for the scripted model."""

    devices: tuple[Of, ...]
    command: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Read:
    """Values that the ideal model needs to see before it can decide."""

    of: Of
    attribute: str = "state"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One sentence, its expected result, and the calls of an ideal model."""

    said: str
    goals: tuple[Goal, ...] = ()
    also: tuple[str, ...] = ()
    """Entities that may change, in addition to those of the goals."""

    says: tuple[tuple[str, ...], ...] = ()
    """Of each tuple the answer must hold one text."""

    hides: tuple[str, ...] = ()
    """Texts that the answer must not hold."""

    asks: bool = False
    """The right answer is a question to the person."""

    do: tuple[Do, ...] = ()
    read: tuple[Read, ...] = ()
    lists: str = ""
    """The ideal answer names the entities of `read` with this state; empty: it says all values."""

    tool: str = ""
    """Another tool that the ideal model calls instead, without arguments."""

    missing: str = ""
    """What the home lacks, so that nothing can be done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Sentences of one conversation; the last one is measured, all have to succeed."""

    id: str
    kind: Kind
    turns: tuple[Turn, ...]
    language: str = "en"
    room: str = ""
    """Area of the satellite that hears the sentences; empty for none."""

    given: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Properties of entities that differ from the start state of the home."""

    def heard_as(self, heard: Mapping[str, str]) -> Case:
        """Return the case with other words in place of its sentences."""
        turns = (replace(turn, said=heard.get(turn.said, turn.said)) for turn in self.turns)
        return replace(self, turns=tuple(turns))

    @property
    def last(self) -> Turn:
        """The turn that is measured."""
        return self.turns[-1]

    @property
    def is_command(self) -> bool:
        """The home has to change."""
        return bool(self.last.goals)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One entity at one moment."""

    state: str
    attributes: Mapping[str, Any]


type Snapshot = Mapping[str, Seen]
"""Entity id -> how it is."""


def unmet(goals: Sequence[Goal], home: Snapshot, members: Members) -> list[str]:
    """Return what is not as the goals want it, one sentence each."""
    return [
        problem
        for goal in goals
        for entity_id in entities((goal.of,), members)
        for problem in _problems(goal, entity_id, home.get(entity_id))
    ]


def changed(before: Snapshot, after: Snapshot) -> list[str]:
    """Return the entities that are not as before, came or went."""
    return sorted(each for each in before.keys() | after if before.get(each) != after.get(each))


def misheard(turn: Turn, answer: str, *, is_question: bool) -> list[str]:
    """Return what is wrong with the words of an answer, one sentence each."""
    problems = [
        f"does not say {' or '.join(each)}" for each in turn.says if not says_any(each, answer)
    ]
    problems += [f"says {text}" for text in turn.hides if says_any((text,), answer)]
    if turn.asks and not is_question:
        problems.append("does not ask")
    if not answer.strip():
        problems.append("says nothing")
    return problems


def _problems(goal: Goal, entity_id: str, seen: Seen | None) -> Iterator[str]:
    if seen is None:
        yield f"{entity_id} is not there"
        return
    if goal.state is not None and not _fits(goal.state, seen.state):
        yield f"{entity_id} is {seen.state}, not {goal.state}"
    for name, wanted in goal.attributes.items():
        if not _fits(wanted, actual := seen.attributes.get(name)):
            yield f"{entity_id}: {name} is {actual}, not {wanted}"


def _fits(wanted: Value, actual: object) -> bool:
    match wanted:
        case Between(low, high):
            number = _number(actual)
            return number is not None and low <= number <= high
        case tuple():
            held = {str(each).casefold() for each in actual} if isinstance(actual, list) else set()
            return held >= {each.casefold() for each in wanted}
    if (number := _number(wanted)) is not None:
        return _number(actual) == number
    return wanted == actual


def _number(value: object) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        return float(value)  # type: ignore[arg-type]
    except TypeError, ValueError:
        return None


def says_any(texts: Sequence[str], answer: str) -> bool:
    """Return whether an answer says one of the texts; a number has to be the whole number."""
    return any(re.search(_pattern(text), answer, re.IGNORECASE) for text in texts)


_NOT_WITHIN: Final = r"(?<![\w.,])"


def _pattern(text: str) -> str:
    """Return a pattern for a text that begins a word; a number has to be the whole number."""
    end = r"(?![.,]?\d)" if text[-1].isdigit() else ""
    return _NOT_WITHIN + re.escape(text) + end
