"""The data types of memory."""

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Final

REQUEST_DAYS: Final = 90
"""Days after which requests (`Origin.REQUEST`) are deleted by default."""


class Origin(StrEnum):
    """The source of a memory."""

    REQUEST = "request"
    """A request about the home at that moment, without a fact about the person."""

    SAID = "said"
    """An utterance to SAGE, or the reply to a question."""

    TOLD = "told"
    """A fact that the person asked SAGE to remember."""

    CORRECTED = "corrected"
    """A fact with which the person corrected SAGE."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """A memory to store."""

    text: str = field(repr=False)
    at: datetime
    """Time of the utterance; aware, UTC."""

    place: str | None = None
    """Name of the area where it was said."""

    origin: Origin = Origin.SAID
    question: str | None = field(default=None, repr=False)
    """SAGE's question, if the text is a reply."""

    tainted: bool = False
    """Whether the text was said in a run that had read untrusted text."""

    @property
    def embedded(self) -> str:
        """The text that recall searches, by vector and by words."""
        return f"{self.question} {self.text}" if self.question else self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory(NewMemory):
    """A stored memory; `at` is the last time it was said."""

    id: int
    """Unique for one person and never reused."""

    count: int = 1
    """How often the text was said; repeated utterances are one memory."""

    first_at: datetime
    """The first time the text was said; aware, UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """A memory that matches a question."""

    memory: Memory
    score: float
    """Higher is better; comparable only within one recall."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayLine:
    """A memory on one day, with how often it was said on that day."""

    memory_id: int
    text: str = field(repr=False)
    question: str | None = field(repr=False)
    at: datetime
    """The first time it was said on that day; aware, UTC."""

    place: str | None
    origin: Origin
    tainted: bool
    times: int
    """How often it was said on that day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """Everything that was said on a day, in order."""

    date: date
    """The local date, in the time zone of the home."""

    starts: datetime
    ends: datetime
    lines: tuple[DayLine, ...]
    content_hash: str
    """Hash of everything that a summary of the day may mention."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DaySummary:
    """The facts about the person that the memories of a day show, as text."""

    date: date
    text: str = field(repr=False)
    content_hash: str
    """`Day.content_hash` when the summary was written."""

    made_at: datetime
    model: str
    """The language model that wrote the summary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A summary of everything known about the person."""

    text: str = field(repr=False)
    made_at: datetime
    model: str
    """The language model that wrote the profile."""

    dates: tuple[date, ...]
    """The days that the profile is based on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A correction of the profile by the person."""

    id: int
    at: datetime
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Everything known about the person, latest first, without requests."""

    told: tuple[Memory, ...] = ()
    """Facts that the person asked SAGE to remember, or with which they corrected SAGE."""

    said: tuple[Memory, ...] = ()
    """Utterances since the profile was made, except facts and requests."""

    profile: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """Days after which memories are deleted; 0 means never."""

    days: int = 0
    request_days: int = REQUEST_DAYS
    """Days after which requests (`Origin.REQUEST`) are deleted; 0 means never."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySettings:
    """The settings of a person for their memory; stored in their file."""

    enabled: bool = True
    """Whether new memories are stored."""

    retention_days: int | None = None
    """Days after which memories are deleted; None for the default of the household."""

    request_days: int | None = None
    """Days after which requests are deleted; None for the default of the household."""

    hinted: bool = False
    """Whether the person was told, after their first command, that SAGE remembers."""

    @property
    def has_own_retention(self) -> bool:
        """Whether the person set any retention."""
        return self.retention_days is not None or self.request_days is not None

    def retention(self, household: Retention) -> Retention:
        """Return the retention: the person's settings, else the household's."""
        days, request_days = self.retention_days, self.request_days
        return Retention(
            days=household.days if days is None else days,
            request_days=household.request_days if request_days is None else request_days,
        )
