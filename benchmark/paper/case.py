"""A case of the paper's benchmark: start state, person, command, events and criteria."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from enum import StrEnum
from typing import Any, NamedTuple, Protocol


class Category(StrEnum):
    """The challenges of the paper (section V), and commands without a challenge."""

    PERSONALIZATION = "personalization"
    INTENT = "intent resolution"
    DEVICE = "device resolution"
    PERSISTENCE = "persistence"
    CHAINING = "command chaining"
    DIRECT = "direct command"


class Suite(StrEnum):
    """The three sets of cases."""

    MAIN = "main"
    """The paper's 50."""

    UNSEEN = "unseen"
    """10 of the same kinds, not used while prompts are worked on."""

    DIALOG = "dialog"
    """6 with a scripted person who answers questions."""


class Component(StrEnum):
    """The parts of SAGE that a case needs (Table I of the paper)."""

    PERSONALIZATION = "personalization"
    HUMAN_INTERACTION = "human interaction"
    PLANNER = "planner"
    DOCUMENTATION = "API documentation"
    ATTRIBUTES = "attribute retrieval"
    COMMANDS = "command execution"
    DISAMBIGUATION = "device disambiguation"
    CODE_WRITING = "condition code writing"
    POLLING = "condition polling"
    MAIL = "email"
    CALENDAR = "calendar"
    CONTACTS = "contacts"
    WEATHER = "weather"
    TV_SCHEDULE = "TV schedule search"


class Place(NamedTuple):
    """An attribute of a device of the simulated home."""

    device: str
    """Key of the device in the file of the home, such as `light_bed`."""

    component: str
    capability: str
    attribute: str

    def __str__(self) -> str:
        """Return the path in one line."""
        return f"{self.device} {self.component}/{self.capability}.{self.attribute}"


type State = Mapping[Place, Any]
"""Values of attributes, as the cloud has them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEvent:
    """An event of a person's calendar."""

    person: str
    title: str
    start: datetime
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentMail:
    """A message that a server accepted, or a draft."""

    person: str
    recipients: tuple[str, ...]
    message: EmailMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """The world after a command or an event."""

    state: State
    before: State
    """The state before the command, or right after the event."""

    answer: str
    """The last words of the method; without ids."""

    sent: Sequence[SentMail] = ()
    drafts: Sequence[SentMail] = ()
    events: Sequence[StoredEvent] = ()
    """All events of all calendars."""

    notifications: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Person -> texts on the person's phone since the command or the event."""

    routines: Sequence[str] = ()
    """Entities of the conditions that are watched."""


class Criterion(Protocol):
    """A condition of success."""

    @property
    def places(self) -> frozenset[Place]:
        """Return the attributes that a solution may change."""

    def problems(self, seen: Observation) -> list[str]:
        """Return what is not as it should be, one sentence each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A change of the home after the command, and what has to follow from it."""

    says: str = ""
    """What the person says after the change; the criteria see the answer to it."""

    sets: Mapping[Place, Any] = field(default_factory=dict)
    """Values that devices report, as if somebody opened a door."""

    restarts: bool = False
    """Home Assistant stops and starts before the values are set."""

    minutes: float = 1.0
    """Time that passes afterwards."""

    criteria: tuple[Criterion, ...] = ()
    allowed: frozenset[Place] = frozenset()
    """Attributes that may change, in addition to those of the criteria."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answerer:
    """A scripted person who answers questions of the method."""

    replies: tuple[str, ...]
    """Replies in turn; the last one is repeated."""

    needed: int = 1
    """Number of questions that the task calls for; further ones are superfluous."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperCase:
    """One task of the benchmark."""

    id: str
    suite: Suite = Suite.MAIN
    person: str
    """Key of the person who speaks: see `people.py`."""

    command: str
    categories: frozenset[Category]
    components: frozenset[Component]
    given: Mapping[Place, Any] = field(default_factory=dict)
    """Values that differ from the start state of the home."""

    criteria: tuple[Criterion, ...]
    """They hold after the command, before any event."""

    allowed: frozenset[Place] = frozenset()
    """Attributes that may change, in addition to those of the criteria."""

    events: tuple[Event, ...] = ()
    rains: frozenset[str] = frozenset()
    """Places where it rains in this case; the sun shines in the others."""

    confirmations: int = 0
    """Number of confirmations by code that the task calls for at most."""

    answerer: Answerer | None = None
    rubric: str = ""
    """Questions for a model judge; only summaries have one."""

    is_passed_by_idle: bool = False
    """Doing nothing and saying nothing is right here."""
