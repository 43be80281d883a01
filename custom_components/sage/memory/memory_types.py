"""Data types and exceptions of the memory package; no message contains the text of a memory."""

from dataclasses import dataclass, field, replace
from datetime import date, datetime
from enum import StrEnum

from ..storage.store_error import StoreError


class Origin(StrEnum):
    """The kind of an utterance, such as a one-time request or a fact to remember."""

    REQUEST = "request"
    """A one-time request such as "turn on the light"; contains no fact about the person."""

    SAID = "said"
    """An ordinary utterance, e.g. a reply to a question from SAGE."""

    TOLD = "told"
    """A fact that the person explicitly asked SAGE to remember."""

    CORRECTED = "corrected"
    """A fact that the person stated to correct SAGE."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A text that a person said once or several times."""

    text: str = field(repr=False)
    at: datetime
    """Time of the utterance, the latest one of a stored memory; aware, UTC."""

    place: str | None = None
    """Name of the area where the person spoke; None if unknown."""

    origin: Origin = Origin.SAID
    question: str | None = field(default=None, repr=False)
    """The question from SAGE that this text answers; None if the text is not a reply."""

    tainted: bool = False
    """Whether the text may come from untrusted content, such as mail."""

    id: int = 0
    """Unique within the person's file; SAGE never reuses it. 0 before the memory is stored."""

    count: int = 1
    """Number of times the person said this text; repetitions share one memory."""

    first_at: datetime | None = None
    """Time of the first utterance, UTC; None before the memory is stored."""

    score: float = field(default=0.0, compare=False)
    """Relevance in a search, higher is better; comparable only within one search."""

    @property
    def embedded(self) -> str:
        """The text for the search index: SAGE's question, if any, and the person's answer."""
        return f"{self.question} {self.text}" if self.question else self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """What a person said on one local day."""

    date: date
    """Date in Home Assistant's time zone."""

    starts: datetime
    ends: datetime
    text: str = field(repr=False)
    """What the person said, as text for a language model; empty if none of it is trusted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A text about the person, written by a language model from the summaries of all days."""

    text: str = field(repr=False)
    made_at: datetime
    model: str
    """Name of the language model that wrote the profile."""

    dates: tuple[date, ...]
    """Dates of the memories and corrections that the profile refers to, ascending."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recollection:
    """What SAGE knows about a person: the profile, and memories."""

    profile: str = field(default="", repr=False)
    """The person's profile as text; empty if there is none."""

    memories: tuple[Memory, ...] = field(default=(), repr=False)

    @property
    def is_empty(self) -> bool:
        """Whether there is neither a profile nor a memory."""
        return not self.profile and not self.memories

    @property
    def is_tainted(self) -> bool:
        """Whether a memory may contain untrusted text, e.g. from mail."""
        return any(memory.tainted for memory in self.memories)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySettings:
    """A person's own memory settings, stored in the person's file, or the household's defaults."""

    enabled: bool = True
    """Whether SAGE stores new memories."""

    retention_days: int | None = None
    """Days to keep memories, 0 means forever; None uses the household's default."""

    request_days: int | None = None
    """Days to keep requests such as "turn on the light", 0 means the same as for memories.

    None uses the household's default.
    """

    hinted: bool = False
    """Whether SAGE has already informed the person that it stores memories."""

    @property
    def has_own_retention(self) -> bool:
        """Whether the person overrides at least one of the household's retention periods."""
        return self.retention_days is not None or self.request_days is not None

    def over(self, household: MemorySettings) -> MemorySettings:
        """Return the settings with the household's default instead of each missing period."""
        days, request_days = self.retention_days, self.request_days
        return replace(
            self,
            retention_days=household.retention_days if days is None else days,
            request_days=household.request_days if request_days is None else request_days,
        )


class MemoryStoreError(StoreError):
    """Raised when a memory file cannot be used; `fault` says why."""


class MemoryRefusedError(MemoryStoreError):
    """Raised when a memory call is invalid, such as for an unknown id; the file itself works."""

    def __init__(self, key: str, text: str) -> None:
        """Set the translation key of the exception, and the message."""
        super().__init__(text, None)
        self.key = key
