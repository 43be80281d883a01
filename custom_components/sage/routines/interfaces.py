"""The interfaces through which routines use the rest of SAGE, with their implementations.

- `FunctionProvider` answers the calls of condition code: `conditions/condition_functions.py`.
- `Runner` executes a firing: `host/firing_runs.py`.
- `Deliverer` brings the answer to the person: `delivery/deliverer.py`.
- `Rewrite` repairs failing code: `host/code_repair.py`.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, Protocol, Self

from ..people.person import Person
from .routine_types import Condition, Firing, Routine
from .sandbox.sandbox_types import (
    CheckError,
    ConditionFunction,
    FunctionCall,
    FunctionResult,
    Value,
)

type ChangeListener = Callable[[str, str | None], None]
"""Called with the key of the changed value, and the id of the context of the change, if known."""


EVERY_CHECK: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""`WatchedResult.fresh_until` of answers that are asked again at every check, such as `now()`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionOwner:
    """The person for whom condition code reads; their exposure and permissions apply."""

    person: Person
    bindings: Mapping[str, str] = field(default_factory=dict)
    """Name in the code -> reference to the registries, which a rename does not break."""

    @classmethod
    def of(cls, routine: Routine) -> Self:
        """Return the person of a routine, with the routine's bindings."""
        return cls(person=routine.person, bindings=routine.bindings)


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedResult:
    """The answer to a call of a condition function, and how long it is valid."""

    answer: FunctionResult
    keys: frozenset[str] = frozenset()
    """When the value of one of these keys changes, the answer may change.

    A key is an entity id, or an attribute of SmartThings (`conditions/change_reports.py`).
    """

    fresh_until: datetime | None = None
    """When the call has to be answered again, even without a change (UTC); None: never."""

    bindings: Mapping[str, str] = field(default_factory=dict)
    """Name in the code -> reference to the registries, to be stored with the routine."""

    is_free_text: bool = False
    """The value may be untrusted text, which prompts have to fence."""

    is_withheld: bool = False
    """No answer, because the device no longer exists or the person may no longer see it."""


type WatchedResults = Mapping[FunctionCall, WatchedResult]


def bindings_in(answers: WatchedResults) -> dict[str, str]:
    """Return name -> reference to the registries, for all names that the answers used."""
    return {
        name: reference for each in answers.values() for name, reference in each.bindings.items()
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Foresight:
    """The result of a static analysis of condition code."""

    answered: WatchedResults = field(default_factory=dict)
    """Calls with literal arguments -> their present answers."""

    faults: tuple[str, ...] = ()
    """Calls that cannot be answered, with the line and how to fix them."""

    doubts: tuple[str, ...] = ()
    """Comparisons that can never be true, with the line and how to fix them."""

    @property
    def bindings(self) -> dict[str, str]:
        """Name in the code -> reference to the registries, for all names in `answered`."""
        return bindings_in(self.answered)


class FunctionProvider(Protocol):
    """Answers calls of condition functions; checks that the person may read the values."""

    @property
    def functions(self) -> tuple[ConditionFunction, ...]:
        """The functions that condition code may call."""

    async def async_answer(
        self, owner: ConditionOwner, questions: Collection[FunctionCall]
    ) -> WatchedResults:
        """Return an answer to each call; errors are answers with an `error`."""

    async def async_foresee(self, owner: ConditionOwner, source: str) -> Foresight:
        """Return the static analysis of all branches of condition code."""

    def watch(self, keys: Collection[str], listener: ChangeListener) -> Callable[[], None]:
        """Call the listener when the value of a key changes; returns the unsubscribe function."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """The result of a firing: of its command, or of putting its changes back."""

    answer: str
    """The text for the person; empty if there is nothing to deliver."""

    is_failure: bool = False
    """The action was not completed."""

    changed: frozenset[str] = frozenset()
    """Keys (as in `WatchedResult.keys`) of the values that the firing changed."""

    undo: Mapping[str, Value] | None = None
    """The data for putting the changes of the firing back, as JSON."""


type Waits = Callable[[], None]
"""Called as soon as a run waits for a person, so that it no longer delays other runs."""


def not_told() -> None:
    """Do nothing when a run waits; the default for `Waits`."""


class Runner(Protocol):
    """Executes the command of a routine as the person who asked for it."""

    async def async_run(
        self, routine: Routine, firing: Firing, waits: Waits = not_told
    ) -> RunReport:
        """Execute the command; return the result, also for errors of models and devices."""

    async def async_undo(
        self, routine: Routine, fired: Firing, waits: Waits = not_told
    ) -> RunReport:
        """Put back the changes of the firing `fired`; return the result."""

    def chain_of(self, context_id: str) -> tuple[str, ...]:
        """Return the ids of the routines that led to this context, in order; often empty."""


class DeliveryError(Exception):
    """The person cannot be reached now; delivery is retried later."""


class Deliverer(Protocol):
    """Delivers answers to the person of a routine, according to the options."""

    async def async_deliver(self, routine: Routine, firing: Firing) -> None:
        """Deliver `firing.answer` to the person. Raises DeliveryError.

        A second delivery of the same firing id replaces the first one, where the way of delivery
        can do that.
        """

    async def async_interrupted(self, routine: Routine, firing: Firing) -> str:
        """Return the sentence for a firing that was not completed.

        If its step is JOURNALED, it never began and is too late now. Otherwise a restart
        interrupted it.
        """


class RepairError(Exception):
    """The code cannot be repaired."""


class RepairLaterError(RepairError):
    """The code cannot be repaired now; the repair is retried later."""


type Rewrite = Callable[[Routine, Condition, CheckError], Awaitable[str]]
"""Lets the model rewrite the code of one of the conditions of a routine.

Returns new source code with a function of the same name. Raises RepairError, or RepairLaterError
if a retry makes sense.
"""
