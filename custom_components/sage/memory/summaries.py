"""What was made of a person's memories: a summary a day, and the profile (DESIGN 7)."""

from dataclasses import dataclass, field
from datetime import date, datetime

from .model import Memory, Origin


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
