"""The plain data of memory (DESIGN 7)."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


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
