"""Evaluates the condition of a routine once, with the values of a snapshot of the home."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from homeassistant.core import HomeAssistant, State
from homeassistant.util import dt as dt_util

from ..people import Person
from .routine_types import Condition, Routine, RoutineError, UncheckableError
from .sandbox.contract import (
    CheckError,
    CheckOutcome,
    Fault,
    FunctionCall,
    FunctionResult,
    SandboxError,
    Value,
    constant_calls,
)
from .sandbox.sandbox import Sandbox

_LOGGER = logging.getLogger(__name__)

QUICK: Final = 0.02
"""Seconds after which a call of a condition function counts as slow.

A slow call must not occupy a worker: the evaluation ends, and begins again with the result.
"""

MOST_SLOW: Final = 8  # maximum number of slow calls in one evaluation


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A report of a watched value."""

    key: str  # the watched value, see `FunctionResult.keys`
    at: datetime
    before: object = None
    """The value before the report: a `State` or None, or the value of another key."""

    after: object = None


class Snapshot:
    """The home now, or at an earlier report. It stays the same while it is read."""

    is_past = False  # whether the values come from the recorder

    def __init__(self, reports: Sequence[Report] = (), number: int = 0) -> None:
        """Take the snapshot after `number` of `reports`, oldest first, or now if these are all."""
        self._reports = reports
        self._number = number
        is_now = number >= len(reports)
        self.at = dt_util.utcnow() if is_now else reports[number - 1].at  # the time, UTC
        reported = () if is_now else reports[:number]
        self._reported = {each.key: each.after for each in reported}

    def value(self, key: str, now: object) -> object:
        """Return the value of `key` in the snapshot: of an entity its `State` or None."""
        if key in self._reported:
            return self._reported[key]
        later = self._reports[self._number :]
        return next((each.before for each in later if each.key == key), now)

    async def async_state(self, hass: HomeAssistant, entity_id: str) -> State | None:
        """Return the state of an entity in the snapshot; None if it had none."""
        state = self.value(entity_id, hass.states.get(entity_id))
        return state if isinstance(state, State) else None


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


type Answer = Callable[
    [Person, Mapping[str, str], FunctionCall, Snapshot], Coroutine[Any, Any, FunctionResult]
]
"""Returns the result of a call of condition code in a snapshot (`ConditionFunctions`).

Takes the person whose permissions apply, and the device references of the code's routine
(`Routine.bindings`). An invalid call has a result with an `error`. Raises WithheldError,
NotRecordedError.
"""


type Rewrite = Callable[[Routine, Condition, CheckError], Awaitable[str]]
"""Asks the model to rewrite the failing code of one of the conditions of a routine.

Returns new source code with a function of the same name. Raises RoutineError.
"""


class _SlowError(Exception):
    """A call of a condition function is slow."""

    def __init__(self, call: FunctionCall, answering: asyncio.Task[FunctionResult]) -> None:
        super().__init__()
        self.call = call
        self.answering = answering


class Evaluator:
    """Runs condition code in the sandbox, and answers its calls with the values of the home."""

    def __init__(self, sandbox: Sandbox, answer: Answer) -> None:
        """`answer` executes the calls of condition functions."""
        self.sandbox = sandbox
        self._answer = answer
        self._trying: defaultdict[str | None, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def async_evaluate(
        self,
        condition: Condition,
        person: Person,
        bindings: Mapping[str, str],
        snapshot: Snapshot,
        state: Mapping[str, Value] | None = None,
    ) -> CheckOutcome:
        """Evaluate a condition with the values of a snapshot of the home.

        The error of the outcome has the fault WITHHELD if the person may not read a value.
        `bindings`: the device references of the code's routine (`Routine.bindings`).
        `state`: the dict in which the code keeps data between runs. Raises SandboxError if the
        sandbox cannot run, NotRecordedError if a value in a past snapshot is unknown.
        """
        answers: dict[FunctionCall, FunctionResult] = {}
        tasks: list[asyncio.Task[FunctionResult]] = []
        slow: set[FunctionCall] = set()

        async def async_ask(call: FunctionCall) -> FunctionResult:
            # Equal calls are answered once.
            if (answer := answers.get(call)) is not None:
                return answer
            task = asyncio.Task(self._answer(person, bindings, call, snapshot), eager_start=True)
            tasks.append(task)
            if not task.done() and len(slow) < MOST_SLOW:
                await asyncio.wait((task,), timeout=QUICK)
                if not task.done():
                    slow.add(call)
                    raise _SlowError(call, task)
            answers[call] = await task
            return answers[call]

        try:
            while True:
                try:
                    outcome = await self.sandbox.async_run(
                        condition.source,
                        condition.function,
                        ask=async_ask,
                        state=state,
                        at=snapshot.at,
                    )
                except _SlowError as err:
                    answers[err.call] = await err.answering
                else:
                    return replace(outcome, answers=answers)
        except WithheldError as err:
            error = CheckError(fault=Fault.WITHHELD, message=str(err), detail=err.call)
            return CheckOutcome(error=error, answers=answers)
        finally:
            for task in tasks:
                task.cancel()

    async def async_try(
        self,
        condition: Condition,
        person: Person,
        bindings: Mapping[str, str] = MappingProxyType({}),
        state: Mapping[str, Value] | None = None,
    ) -> CheckOutcome:
        """Run the code of a condition once, as a test, and check the calls of all its branches.

        Errors of the code are in the outcome. The code reads what the person may read; `bindings`
        and `state` are those of its routine, if it has one. Raises:

        - UncheckableError: the sandbox cannot run.
        - RoutineError: the person may not read a value.
        """
        snapshot = Snapshot()
        # One test at a time for each person: many tests must not delay the regular evaluations.
        async with self._trying[person.user_id]:
            try:
                wrong = await self.sandbox.async_validate(condition.source, condition.function)
                if wrong is not None:
                    return CheckOutcome(error=wrong)
                outcome = await self.async_evaluate(condition, person, bindings, snapshot, state)
            except SandboxError as err:
                raise UncheckableError(err) from err
            error = outcome.error
            if error is not None and error.fault is Fault.WITHHELD:
                raise RoutineError(error.message)
            foreseen: dict[str, str] = {}
            faults: list[str] = []
            calls = constant_calls(condition.source, self.sandbox.functions)
            for call, line in calls.items():
                try:
                    answer = await self._answer(person, bindings, call, snapshot)
                except WithheldError as err:
                    answer = FunctionResult(error=str(err))
                foreseen |= answer.bindings
                if answer.error:
                    faults.append(f"line {line}: {answer.error}")
            return replace(outcome, foreseen=foreseen, faults=tuple(faults))

    async def async_repair(
        self, rewrite: Rewrite, routine: Routine, condition: Condition, error: CheckError
    ) -> Routine | CheckError | None:
        """Let the model rewrite the code of a condition of a routine, and test the new code.

        Returns the routine with the new code; `error` if the code cannot be repaired; None if the
        model or the sandbox is unavailable, so that the code may be repairable later.
        """
        try:
            new = replace(condition, source=await rewrite(routine, condition, error))
            outcome = await self.async_try(new, routine.person, routine.bindings)
        except RoutineError as err:
            # Report the original error, which says more than why the repair failed.
            _LOGGER.debug("A routine could not be repaired: %s", err)
            return None if err.is_temporary else error
        except Exception:
            _LOGGER.exception("The repair of a routine failed")
            return error
        if outcome.error is not None:
            return error
        is_end = condition == routine.end
        return replace(
            routine,
            trigger=routine.trigger if is_end else new,
            end=new if is_end else routine.end,
            bindings={**outcome.bindings, **routine.bindings},
            is_repaired=True,
            trouble=None,
        )
