"""The interface that answers calls of condition code; injected from outside (DESIGN 3 and 8)."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, Self

from ..people.person import Person
from .routine_types import Routine
from .sandbox.sandbox_types import ConditionFunction, FunctionCall, FunctionResult

type ChangeListener = Callable[[str, str | None], None]
"""Called with the key of what changed, and the id of the context that changed it, if known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionOwner:
    """The person on whose behalf condition code reads; exposure and permissions are theirs."""

    person: Person
    bindings: Mapping[str, str] = field(default_factory=dict)
    """Name in the code -> reference to the registries, which a rename does not break."""

    @classmethod
    def of(cls, routine: Routine) -> Self:
        """Return the person on whose behalf the conditions of a routine read."""
        return cls(person=routine.person, bindings=routine.bindings)


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedResult:
    """An answer, and how long it holds."""

    answer: FunctionResult
    keys: frozenset[str] = frozenset()
    """What to watch: when one of these changes, the answer may change."""

    fresh_until: datetime | None = None
    """When it has to be asked again even without a change (UTC); None: never.

    A time in the past means at every check, as for `now()`.
    """

    bindings: Mapping[str, str] = field(default_factory=dict)
    """References of the names that were used, to be stored with the routine."""

    is_free_text: bool = False
    """The value may be untrusted text, which prompts have to fence (DESIGN 10)."""

    is_withheld: bool = False
    """The named thing no longer exists, or the person may no longer see it."""


type WatchedResults = Mapping[FunctionCall, WatchedResult]


def bindings_in(answers: WatchedResults) -> dict[str, str]:
    """Return the references of all names that were used for answers."""
    return {
        name: reference for each in answers.values() for name, reference in each.bindings.items()
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Foresight:
    """The result of a static analysis of condition code."""

    answered: WatchedResults = field(default_factory=dict)
    """Calls with literal arguments, answered now."""

    faults: tuple[str, ...] = ()
    """Calls that cannot be answered, with the line and how to fix them."""

    doubts: tuple[str, ...] = ()
    """Comparisons that can never be true, with the line and how to fix them."""

    @property
    def bindings(self) -> dict[str, str]:
        """References of all names."""
        return bindings_in(self.answered)


class FunctionProvider(Protocol):
    """Answers questions through the gate."""

    @property
    def functions(self) -> tuple[ConditionFunction, ...]:
        """The functions that condition code may call."""

    async def async_answer(
        self, owner: ConditionOwner, questions: Collection[FunctionCall]
    ) -> WatchedResults:
        """Return an answer to each question; errors are answers with an `error`."""

    async def async_foresee(self, owner: ConditionOwner, source: str) -> Foresight:
        """Return the static analysis of all branches of condition code."""

    def watch(self, keys: Collection[str], listener: ChangeListener) -> Callable[[], None]:
        """Call the listener when one of these changes; returns the unsubscribe function."""
