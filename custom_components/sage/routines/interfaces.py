"""The interfaces through which routines use other parts of SAGE.

- `FunctionProvider`: executes the calls of condition code (`conditions/condition_functions.py`).
- `Runner`: executes the action of a routine (`host/firing_runs.py`).
- `Deliverer`: brings the answer to the person (`delivery/deliverer.py`).
- `Rewrite`: asks the model to repair failing condition code (`host/code_repair.py`).
"""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Protocol, Self

from ..people.person import Person
from .routine_types import Condition, Firing, Routine
from .sandbox.sandbox_types import (
    CheckError,
    ConditionFunction,
    FunctionCall,
    FunctionResult,
    Value,
)

if TYPE_CHECKING:
    # The queue of actions runs without Home Assistant in tests.
    from .snapshot import Report, Snapshot


EVERY_CHECK: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""Expiry time of results that are valid for one evaluation only, such as `now()`."""


type ChangeListener = Callable[[Report], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionOwner:
    """The person whose permissions apply when the code of a condition reads the home."""

    person: Person
    bindings: Mapping[str, str] = field(default_factory=dict)
    """Device name in the code -> reference, e.g. `{"lamp": "entity:<registry id>"}`.

    References stay valid after a rename; their forms: `conditions/stored_references.py`.
    """

    @classmethod
    def of(cls, routine: Routine) -> Self:
        """Return the `ConditionOwner` of a routine: its owner and its device references."""
        return cls(person=routine.person, bindings=routine.bindings)


class FunctionProvider(Protocol):
    """Implements the functions, such as `get_state`, that the Python code of a condition may call.

    Each function checks that the person may read the value.
    """

    @property
    def functions(self) -> tuple[ConditionFunction, ...]:
        """The functions that condition code may call."""

    async def async_answer(
        self, owner: ConditionOwner, call: FunctionCall, snapshot: Snapshot
    ) -> FunctionResult:
        """Return the result of a call in a snapshot; an invalid call has a result with an `error`.

        Raises WithheldError. Raises NotRecordedError if the result in a past snapshot is unknown.
        """

    def foresee(self, source: str) -> Mapping[FunctionCall, int]:
        """Return the calls with constant arguments in any branch of the code: call -> line."""

    def watch(self, keys: Collection[str], listener: ChangeListener) -> Callable[[], None]:
        """Call the listener at each report of a value; return the unsubscribe function.

        `keys`: the watched values: entity ids, or names of SmartThings attributes.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """The result of running a routine's action, or of undoing its changes."""

    answer: str
    """The text for the person; empty if there is nothing to deliver."""

    tainted: bool = False
    """Whether the answer may contain untrusted text, such as text from a mail."""

    is_failure: bool = False
    """Whether the action was not completed."""

    undo: Mapping[str, Value] | None = None
    """JSON data from which the changes can be undone later; None if nothing can be undone."""


class Runner(Protocol):
    """Executes the actions of routines with the rights of the routine's owner."""

    async def async_run(self, routine: Routine, firing: Firing) -> RunReport:
        """Execute the routine's action and return the result, even after errors."""

    async def async_undo(self, routine: Routine, fired: Firing) -> RunReport:
        """Undo the changes of an earlier execution (`fired`) of the action; return the result."""

    def chain_of(self, context_id: str) -> tuple[str, ...]:
        """Return the ids of the routines that led to a Home Assistant context, the earliest first.

        The last id is the routine that ran in this context. Empty if no routine did.
        """


class Deliverer(Protocol):
    """Delivers the answers of routines to their owners."""

    async def async_deliver(self, routine: Routine, firing: Firing) -> None:
        """Deliver the text `firing.answer` to the owner of the routine.

        If possible, a repeated delivery replaces the earlier message.
        """

    async def async_interrupted(self, routine: Routine, firing: Firing) -> str:
        """Return the text that tells the person about a missed or interrupted action.

        The action was missed if `firing.step` is JOURNALED; otherwise, it was interrupted.
        """


class RepairError(Exception):
    """Raised when the model cannot repair the condition code."""

    def __init__(self, text: str, *, is_temporary: bool = False) -> None:
        """`is_temporary`: the model is unavailable, so the repair is tried again later."""
        super().__init__(text)
        self.is_temporary = is_temporary


type Rewrite = Callable[[Routine, Condition, CheckError], Awaitable[str]]
"""Asks the model to rewrite the failing code of one of the conditions of a routine.

Returns new source code with a function of the same name. Raises RepairError.
"""


class WithheldError(Exception):
    """Raised when condition code reads a device that was removed, or that the owner may not see."""

    def __init__(self, call: str = "", message: str = "") -> None:
        """`call`: the call in the code. `message`: a text for the owner of the condition."""
        super().__init__(message)
        self.call = call


class NotRecordedError(Exception):
    """Raised when a result in a past snapshot is unknown; `reason` is shown to people."""

    def __init__(self, reason: StrEnum) -> None:
        super().__init__(reason.value)
        self.reason = reason
