"""Criteria that accept every correct solution."""

from dataclasses import dataclass
from datetime import date
from typing import Any, Final, Protocol

from ..commands.case import says_any
from .case import Criterion, Observation, Place, SentMail
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
        text = _text(mail)
        problems += [
            f"the {kind} does not say {' or '.join(group)}"
            for group in self.groups
            if not says_any(group, text)
        ]
        return problems


def _text(mail: SentMail) -> str:
    body = mail.message.get_body(("plain",))
    content = str(body.get_content()) if body is not None else ""
    return f"{mail.message['Subject']}\n{content}"


@dataclass(frozen=True, slots=True)
class Schedules(_NoPlaces):
    """The person's calendar has one more event: on this day, at this hour, with these words."""

    person: str
    day: date
    hour: int
    words: tuple[str, ...]
    known: int
    """Number of events before."""

    def problems(self, seen: Observation) -> list[str]:
        own = [each for each in seen.events if each.person == self.person]
        if len(own) != self.known + 1:
            return [f"{len(own)} events instead of {self.known + 1}"]
        found = [
            each
            for each in own
            if says_any(self.words, f"{each.title}\n{each.description}")
            and (each.start.date(), each.start.hour) == (self.day, self.hour)
        ]
        return [] if found else [f"no event on {self.day} at {self.hour} with {self.words}"]


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
    """Nobody was notified, and nothing was written that the case does not call for."""

    may_write: bool = False
    may_schedule: bool = False

    def problems(self, seen: Observation) -> list[str]:
        texts = [each for texts in seen.notifications.values() for each in texts]
        problems = [f"notified: {each}" for each in texts]
        if not self.may_write and (seen.sent or seen.drafts):
            problems.append("mail was written")
        known = sum(map(len, CALENDARS.values()))
        if not self.may_schedule and len(seen.events) != known:
            problems.append(f"{len(seen.events)} events instead of {known}")
        return problems
