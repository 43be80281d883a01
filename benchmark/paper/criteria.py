"""Criteria that accept every correct solution."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol

from .case import Criterion, Observation, Place, SentMail, StoredEvent
from .world import CALENDARS

_FULL_CIRCLE: Final = 100.0
"""SmartThings gives hues as percent of the colour circle."""


class Test(Protocol):
    """A condition on one value."""

    def fits(self, value: Any, before: Any) -> bool:
        """Return whether a value is right; `before` is the value before the command."""


@dataclass(frozen=True, slots=True)
class Is:
    """One of these values; texts and numbers that read the same are equal."""

    values: tuple[Any, ...]

    def fits(self, value: Any, before: Any) -> bool:
        return str(value) in {str(each) for each in self.values}


@dataclass(frozen=True, slots=True)
class Within:
    """A range of numbers, both ends included."""

    low: float
    high: float

    def fits(self, value: Any, before: Any) -> bool:
        return isinstance(value, int | float) and self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class Lower:
    """A number lower than before."""

    def fits(self, value: Any, before: Any) -> bool:
        return isinstance(value, int | float) and value < before


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The value of before."""

    def fits(self, value: Any, before: Any) -> bool:
        return bool(value == before)


@dataclass(frozen=True, slots=True)
class Higher:
    """A number higher than before."""

    def fits(self, value: Any, before: Any) -> bool:
        return isinstance(value, int | float) and value > before


@dataclass(frozen=True, slots=True)
class Hue:
    """A hue near this one, on the circle of degrees."""

    degrees: float
    tolerance: float

    def fits(self, value: Any, before: Any) -> bool:
        if not isinstance(value, int | float):
            return False
        apart = abs(value * 360 / _FULL_CIRCLE - self.degrees) % 360
        return min(apart, 360 - apart) <= self.tolerance


@dataclass(frozen=True, slots=True)
class Holds:
    """An attribute has a right value."""

    place: Place
    test: Test
    along: frozenset[Place] = frozenset()
    """Attributes that may change along with it."""

    @property
    def places(self) -> frozenset[Place]:
        return self.along | {self.place}

    def problems(self, seen: Observation) -> list[str]:
        value, before = seen.state.get(self.place), seen.before.get(self.place)
        if self.test.fits(value, before):
            return []
        return [f"{self.place} is {value!r}, not {self.test}"]


@dataclass(frozen=True, slots=True)
class All:
    """All of these criteria."""

    criteria: tuple[Criterion, ...]

    @property
    def places(self) -> frozenset[Place]:
        return frozenset().union(*(each.places for each in self.criteria))

    def problems(self, seen: Observation) -> list[str]:
        return [problem for each in self.criteria for problem in each.problems(seen)]


@dataclass(frozen=True, slots=True)
class AtLeastOne:
    """At least one of these criteria."""

    criteria: tuple[Criterion, ...]

    @property
    def places(self) -> frozenset[Place]:
        return frozenset().union(*(each.places for each in self.criteria))

    def problems(self, seen: Observation) -> list[str]:
        found = [each.problems(seen) for each in self.criteria]
        return [] if not all(found) else [" or ".join(problems[0] for problems in found)]


@dataclass(frozen=True, slots=True)
class Each:
    """Different criteria hold for different ones of some devices: a colour for each light."""

    choices: tuple[tuple[Criterion, ...], ...]
    """For each wish, the criteria of which one has to hold, in the order of the devices."""

    @property
    def places(self) -> frozenset[Place]:
        return frozenset().union(*(each.places for wish in self.choices for each in wish))

    def problems(self, seen: Observation) -> list[str]:
        return [
            f"nowhere: {wish[0].problems(seen)[0]}"
            for wish in self.choices
            if all(each.problems(seen) for each in wish)
        ]


class _NoPlaces:
    __slots__ = ()

    @property
    def places(self) -> frozenset[Place]:
        return frozenset()


def says_any(texts: Sequence[str], said: str) -> bool:
    """Return whether one of these words or phrases is in a text; `swim*` is any form of a word."""
    return any(re.search(_pattern(each), said, re.IGNORECASE) for each in texts)


def _pattern(text: str) -> str:
    """Return a pattern for whole words; a final number may be an ordinal, or go before `pm`.

    A text such as ": off" is the end of a clause, such as "TV: **off**.".
    """
    if text.startswith(":"):
        end = r"(?![\w-])(?![^\S\n]*[*_`]*[^\S\n]*\w)"
        return r":[\s*_`]*" + re.escape(text[1:].strip()) + end
    if text.endswith("*"):
        end = ""
    elif text[-1].isdigit():
        end = r"(?![.,:]?\d)"
    else:
        end = r"(?!\w)"
    return r"(?<![\w.,])" + re.escape(text.removesuffix("*")) + end


@dataclass(frozen=True, slots=True)
class Says(_NoPlaces):
    """The answer holds one of the texts of each group, and none of the hidden ones."""

    groups: tuple[tuple[str, ...], ...]
    hides: tuple[str, ...] = ()

    def problems(self, seen: Observation) -> list[str]:
        missing = [group for group in self.groups if not says_any(group, seen.answer)]
        wrong = [each for each in self.hides if says_any((each,), seen.answer)]
        return [
            *(f"the answer does not say {' or '.join(group)}" for group in missing),
            *(f"the answer says {each}" for each in wrong),
        ]


_NUMBER: Final = re.compile(
    r"(?<![\w.,])(?P<minus>[-\u2212\u2013]\s?|minus\s|negative\s)?(?P<digits>\d+(?:[.,]\d+)?)"
    r"(?![.,]?\d)(?P<below>[^\w.,;]*(?:C\b|degrees|degrees celsius)?\s*below\s(?:zero|freezing))?",
    re.IGNORECASE,
)
_MOST_NUMBERS: Final = 8
"""Different numbers in an answer that still says one value; more of them are a list of guesses."""


def numbers(text: str) -> list[float]:
    """Return the numbers of a text in digits."""
    return [
        float(each["digits"].replace(",", ".")) * (-1 if each["minus"] or each["below"] else 1)
        for each in _NUMBER.finditer(text)
    ]


@dataclass(frozen=True, slots=True)
class SaysNumber(_NoPlaces):
    """The answer holds this number, in digits or in words, and is no list of guesses."""

    value: float
    words: str

    def problems(self, seen: Observation) -> list[str]:
        found = set(numbers(seen.answer))
        if self.value not in found and not says_any((self.words,), seen.answer):
            return [f"the answer does not say {self.value:g}"]
        if len(found) > _MOST_NUMBERS:
            return [f"the answer says {len(found)} numbers"]
        return []


_UNSURE: Final = (
    *("not sure", "not certain", "unsure", "unknown", "unclear", "no idea", "whether"),
    *("not know", "don't know", "cannot", "can't", "could not", "couldn't", "unable"),
)


@dataclass(frozen=True, slots=True)
class Decides(_NoPlaces):
    """The answer is a clear yes or a clear no."""

    is_so: bool
    proofs: tuple[str, ...]
    """Texts that say it without yes or no."""

    denials: tuple[str, ...]
    """Texts that say the opposite."""

    def problems(self, seen: Observation) -> list[str]:
        said = seen.answer.replace("\u2019", "'")
        right, wrong = (_YES, _NO) if self.is_so else (_NO, _YES)
        problems = []
        if not re.search(right, said, re.IGNORECASE) and not says_any(self.proofs, said):
            problems.append(f"the answer does not say {'yes' if self.is_so else 'no'}")
        if re.search(wrong, said, re.IGNORECASE):
            problems.append("the answer says the opposite")
        problems += [
            f"the answer says {each}"
            for each in (*self.denials, *_UNSURE)
            if says_any((each,), said)
        ]
        return problems


_YES: Final = r"(?<!\w)(?:yes|yep|yeah)(?!\w)"
_NO: Final = r"(?<!\w)(?:no|nope)(?=\s*(?:[,.;:!*\u2013\u2014-]|$))"
"""As an answer of its own: nothing, not, no need and no change say something else."""


@dataclass(frozen=True, slots=True)
class Writes(_NoPlaces):
    """Exactly one message from this person to this address says all of this."""

    person: str
    recipient: str
    groups: tuple[tuple[str, ...], ...]
    is_draft: bool = False

    def problems(self, seen: Observation) -> list[str]:
        written, other = (seen.drafts, seen.sent) if self.is_draft else (seen.sent, seen.drafts)
        kind = "draft" if self.is_draft else "message"
        if other:
            return [f"something else than a {kind} was written"]
        if len(written) != 1:
            return [f"{len(written)} instead of one {kind}"]
        (mail,) = written
        problems = []
        if mail.person != self.person or mail.recipients != (self.recipient,):
            problems.append(f"the {kind} of {mail.person} is for {mail.recipients}")
        text = text_of(mail)
        problems += [
            f"the {kind} does not say {' or '.join(group)}"
            for group in self.groups
            if not says_any(group, text)
        ]
        return problems


def text_of(mail: SentMail) -> str:
    """Return the subject and the text of a message."""
    body = mail.message.get_body(("plain",))
    content = str(body.get_content()) if body is not None else ""
    return f"{mail.message['Subject']}\n{content}"


@dataclass(frozen=True, slots=True)
class Schedules(_NoPlaces):
    """The calendars have one more event: this person's, at this time, with one of these words."""

    person: str
    start: datetime
    words: tuple[str, ...]

    def problems(self, seen: Observation) -> list[str]:
        old = _known_events()
        new = [each for each in seen.events if _event_key(each) not in old]
        problems = _lost_events(seen)
        if len(new) != 1:
            return [*problems, f"{len(new)} new events"]
        (event,) = new
        if event.person != self.person:
            problems.append(f"the event is in the calendar of {event.person}")
        if event.start != self.start:
            problems.append(f"the event is at {event.start}")
        if not says_any(self.words, f"{event.title}\n{event.description}"):
            problems.append(f"the event is {event.title!r}")
        return problems


type _EventKey = tuple[str, str, datetime]


def _event_key(event: StoredEvent) -> _EventKey:
    return (event.person, event.title, event.start)


def _known_events() -> frozenset[_EventKey]:
    """Return the events that the calendars have before the command."""
    return frozenset(
        (person, each.title, each.start)
        for person, appointments in CALENDARS.items()
        for each in appointments
    )


def _lost_events(seen: Observation) -> list[str]:
    """Return a problem for each event that was moved, renamed or deleted."""
    lost = _known_events() - set(map(_event_key, seen.events))
    return [f"{title} of {person} is gone" for person, title, _ in sorted(lost)]


@dataclass(frozen=True, slots=True)
class Notified(_NoPlaces):
    """This person's phone received this many texts, each with one of the words; no other did."""

    person: str
    words: tuple[str, ...]
    times: int = 1

    def problems(self, seen: Observation) -> list[str]:
        texts = seen.notifications.get(self.person, ())
        others = [each for person, each in seen.notifications.items() if person != self.person]
        problems = [] if not any(others) else ["somebody else was notified"]
        if len(texts) != self.times:
            problems.append(f"{len(texts)} notifications instead of {self.times}")
        problems += [
            f"{text!r} does not say it" for text in texts if not says_any(self.words, text)
        ]
        return problems


@dataclass(frozen=True, slots=True)
class Quiet(_NoPlaces):
    """Nobody was notified; nothing is written or watched that the case does not call for."""

    may_write: bool = False
    may_schedule: bool = False
    may_watch: bool = False

    def problems(self, seen: Observation) -> list[str]:
        texts = [each for texts in seen.notifications.values() for each in texts]
        problems = [f"notified: {each}" for each in texts]
        if not self.may_write and (seen.sent or seen.drafts):
            problems.append("mail was written")
        if not self.may_watch:
            problems += [f"watches: {each}" for each in seen.routines]
        if not self.may_schedule:
            problems += _lost_events(seen)
            if len(seen.events) != len(_known_events()):
                problems.append("an event was created")
        return problems
