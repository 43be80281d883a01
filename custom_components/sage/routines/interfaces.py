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
"""`WatchedResult.fresh_until` of answers that are valid for one check only, such as `now()`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionOwner:
    """The person who owns a condition; the code reads with that person's permissions."""

    person: Person
    bindings: Mapping[str, str] = field(default_factory=dict)
    """Device name in the code -> stored registry reference, which stays valid after a rename.

    The forms of names and references: `conditions/name_resolution.py`,
    `conditions/stored_references.py`.
    """

    @classmethod
    def of(cls, routine: Routine) -> Self:
        """Return the owner of a routine's conditions, with the routine's bindings."""
        return cls(person=routine.person, bindings=routine.bindings)


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedResult:
    """The answer to a call of a condition function, and how long it is valid."""

    answer: FunctionResult
    keys: frozenset[str] = frozenset()
    """Keys of the values on which the answer depends; a change of a value may change the answer.

    A key is an entity id, or names a SmartThings attribute (`conditions/change_reports.py`).
    """

    fresh_until: datetime | None = None
    """When the answer expires, even without a change of a value (UTC); None: never."""

    bindings: Mapping[str, str] = field(default_factory=dict)
    """Device name in the call -> stored registry reference; the routine stores this."""

    is_free_text: bool = False
    """Whether the value may be untrusted text, which prompts have to mark as data."""

    is_withheld: bool = False
    """Whether there is no answer, since the device is gone or the person may no longer see it."""


type WatchedResults = Mapping[FunctionCall, WatchedResult]


def bindings_in(answers: WatchedResults) -> dict[str, str]:
    """Return device name -> stored registry reference, merged from all answers."""
    return {
        name: reference for each in answers.values() for name, reference in each.bindings.items()
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Foresight:
    """The result of a static analysis of condition code."""

    answered: WatchedResults = field(default_factory=dict)
    """Calls with literal arguments -> their current answers."""

    faults: tuple[str, ...] = ()
    """A text for each call that cannot be answered, with its line and a fix."""

    doubts: tuple[str, ...] = ()
    """A text for each comparison that can never be true, with its line and a fix."""

    @property
    def bindings(self) -> dict[str, str]:
        """Device name in the code -> stored registry reference, for all names in `answered`."""
        return bindings_in(self.answered)


class FunctionProvider(Protocol):
    """Answers calls of condition functions, after a check that the person may read the values."""

    @property
    def functions(self) -> tuple[ConditionFunction, ...]:
        """The functions that condition code may call."""

    async def async_answer(
        self, owner: ConditionOwner, questions: Collection[FunctionCall]
    ) -> WatchedResults:
        """Return an answer to each call; an error is an answer with an `error` text."""

    async def async_foresee(self, owner: ConditionOwner, source: str) -> Foresight:
        """Return the static analysis of all branches of condition code."""

    def watch(self, keys: Collection[str], listener: ChangeListener) -> Callable[[], None]:
        """Call the listener when the value of a key changes; return the unsubscribe function."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """The result of running a routine's action, or of undoing its changes."""

    answer: str
    """The text for the person; empty if there is nothing to deliver."""

    is_failure: bool = False
    """Whether the action was not completed."""

    changed: frozenset[str] = frozenset()
    """Keys (as in `WatchedResult.keys`) of the values that the run changed."""

    undo: Mapping[str, Value] | None = None
    """JSON data for undoing the changes later; None if nothing can be undone."""


type Waits = Callable[[], None]
"""Called when a run starts to wait for a person, so that other runs can start meanwhile."""


def not_told() -> None:
    """Do nothing; the default for a `Waits` callback."""


class Runner(Protocol):
    """Executes the actions of routines, as the person who asked for the routine."""

    async def async_run(
        self, routine: Routine, firing: Firing, waits: Waits = not_told
    ) -> RunReport:
        """Execute the routine's action; return the result, also after errors of models and devices.

        `waits` is called when the run starts to wait for the person.
        """

    async def async_undo(
        self, routine: Routine, fired: Firing, waits: Waits = not_told
    ) -> RunReport:
        """Undo the changes of the firing `fired`; return the result.

        `waits` is called when the run starts to wait for the person.
        """

    def chain_of(self, context_id: str) -> tuple[str, ...]:
        """Return the ids of the routines whose runs led to this context, in order; often empty."""


class DeliveryError(Exception):
    """The person cannot be reached now; the delivery is retried later."""


class Deliverer(Protocol):
    """Delivers answers of routines to their person, by the configured delivery method."""

    async def async_deliver(self, routine: Routine, firing: Firing) -> None:
        """Deliver `firing.answer` to the person. Raises DeliveryError.

        A repeated delivery of the same firing replaces the earlier message, if the delivery method
        supports that.
        """

    async def async_interrupted(self, routine: Routine, firing: Firing) -> str:
        """Return the message for the person about a firing that was not completed.

        A firing in the step JOURNALED has not begun and is now too late. In a later step, the run
        was interrupted, for example by a restart.
        """


class RepairError(Exception):
    """The model cannot repair the condition code."""


class RepairLaterError(RepairError):
    """The condition code cannot be repaired now; the repair is retried later."""


type Rewrite = Callable[[Routine, Condition, CheckError], Awaitable[str]]
"""Asks the model to rewrite the code of one of the conditions of a routine.

Returns new source code with a function of the same name. Raises RepairError, or RepairLaterError if
a retry makes sense.
"""
