"""The plain data of memory (DESIGN 7)."""

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Final

REQUEST_DAYS: Final = 90
"""How long requests about the moment stay, unless the household or a person decides."""


class Origin(StrEnum):
    """How SAGE came to know something."""

    REQUEST = "request"
    """An utterance about the home at that moment, with which no fact was told."""

    SAID = "said"
    """An utterance to SAGE, or the reply to a question."""

    TOLD = "told"
    """Said in order to be remembered."""

    CORRECTED = "corrected"
    """Said in order to set right what SAGE believed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """Something to be remembered."""

    text: str = field(repr=False)
    at: datetime
    """When it was said; aware, UTC."""

    place: str | None = None
    """Name of the area where it was said."""

    origin: Origin = Origin.SAID
    question: str | None = field(default=None, repr=False)
    """The question of SAGE that the text replies to."""

    tainted: bool = False
    """Said in a run that had read untrusted text (DESIGN 10)."""

    @property
    def embedded(self) -> str:
        """The text that its vector and its words for recall stand for."""
        return f"{self.question} {self.text}" if self.question else self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory(NewMemory):
    """Something that is remembered; `at` is when it was said last."""

    id: int
    """Key within the memory of one person; never used again for another memory."""

    count: int = 1
    """How often it was said: what is said again folds."""

    first_at: datetime
    """When it was said first; aware, UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """A memory that fits a question."""

    memory: Memory
    score: float
    """How well it fits; higher is better, comparable within one recall only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayLine:
    """Something that was said on a day."""

    memory_id: int
    text: str = field(repr=False)
    question: str | None = field(repr=False)
    at: datetime
    """When it was said first on that day; aware, UTC."""

    place: str | None
    origin: Origin
    tainted: bool
    times: int
    """How often it was said on that day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """What was said on a day, in the order in which it was said."""

    date: date
    """By the clocks of the home."""

    starts: datetime
    ends: datetime
    lines: tuple[DayLine, ...]
    content_hash: str
    """Changes with anything that a summary of the day might mention."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DaySummary:
    """What a day says about the person."""

    date: date
    text: str = field(repr=False)
    content_hash: str
    """Of the day that the text was made from."""

    made_at: datetime
    model: str
    """What wrote it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What is known about the person."""

    text: str = field(repr=False)
    made_at: datetime
    model: str
    """What wrote it."""

    dates: tuple[date, ...]
    """The days that it rests on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What the person said to set their profile right."""

    id: int
    at: datetime
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Everything that is known about the person, the latest first; no requests."""

    told: tuple[Memory, ...] = ()
    """What was told in order to be remembered, or set right."""

    said: tuple[Memory, ...] = ()
    """What else was said since the profile was made."""

    profile: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """Days after which memories are forgotten; 0 for never."""

    days: int = 0
    request_days: int = REQUEST_DAYS
    """Of requests about the moment; they never stay longer than `days`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySettings:
    """What a person decided about their memory; kept in their file."""

    enabled: bool = True
    """Whether anything new is remembered."""

    retention_days: int | None = None
    """How long; None as long as the household's options say."""

    request_days: int | None = None
    """How long requests about the moment; None as long as the household's options say."""

    @property
    def has_own_retention(self) -> bool:
        """Whether the person decided how long any memories stay."""
        return self.retention_days is not None or self.request_days is not None

    def retention(self, household: Retention) -> Retention:
        """Return how long memories stay: the person's choice counts before the household's."""
        days, request_days = self.retention_days, self.request_days
        return Retention(
            days=household.days if days is None else days,
            request_days=household.request_days if request_days is None else request_days,
        )
