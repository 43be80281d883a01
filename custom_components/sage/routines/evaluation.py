"""Evaluates the condition of a routine once, with the values of a snapshot of the home."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from .interfaces import ConditionOwner, FunctionProvider, WithheldError
from .routine_types import Condition, RoutineError, UncheckableError
from .sandbox.sandbox import Sandbox
from .sandbox.sandbox_types import (
    CheckError,
    CheckOutcome,
    Fault,
    FunctionCall,
    FunctionResult,
    SandboxError,
    Value,
)
from .snapshot import Snapshot

QUICK: Final = 0.02
"""Seconds after which a call of a condition function counts as slow.

A slow call must not occupy a worker: the evaluation ends, and begins again with the result.
"""

MOST_SLOW: Final = 8
"""Maximum number of slow calls in one evaluation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """What SAGE keeps in memory of the last evaluation of a routine's condition."""

    at: datetime | None = None
    """When the evaluation ended (UTC); None before the first regular evaluation."""

    keys: frozenset[str] = frozenset()
    """The values that the code read, see `FunctionResult.keys`."""

    fresh_until: datetime | None = None
    """When the first value that the code read expires, such as the current time; or None."""

    is_settled: bool = False
    """Whether the result stays valid while all values that the code reads stay the same.

    True if the code's last run left its stored data (`Memo.state`) unchanged.
    """

    chain: tuple[str, ...] = ()
    """Ids of the routines whose commands led to this evaluation, the earliest first."""

    not_before: datetime | None = None
    """When the code may run again after an error (UTC); None: at any time."""

    look_again_at: datetime | None = None
    """When to check the routine again even if no value changes (UTC); None: never.

    This is the end of a hold time (`Condition.hold`), or the due time of a time trigger.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """The result of running condition code once, as a test."""

    outcome: CheckOutcome
    bindings: Mapping[str, str] = field(default_factory=dict)
    """Device name in any branch of the code -> reference."""

    faults: tuple[str, ...] = ()
    """Error texts for calls in any branch that cannot succeed; each contains the line and a fix."""


class _SlowError(Exception):
    """A call of a condition function is slow."""


class Evaluator:
    """Runs condition code in the sandbox, and answers its calls with the values of the home."""

    def __init__(self, sandbox: Sandbox, functions: FunctionProvider) -> None:
        """`functions` has the functions that condition code may call."""
        self._sandbox = sandbox
        self._functions = functions

    async def async_evaluate(
        self,
        condition: Condition,
        owner: ConditionOwner,
        snapshot: Snapshot,
        state: Mapping[str, Value] | None = None,
    ) -> CheckOutcome:
        """Evaluate a condition with the values of a snapshot of the home.

        The error of the outcome has the fault WITHHELD if the person may not read a value.
        `state`: the dict in which the code keeps data between runs. Raises SandboxError if the
        sandbox cannot run, NotRecordedError if a value in a past snapshot is unknown.
        """
        run = _Run(self._functions, owner, snapshot)
        try:
            while True:
                try:
                    outcome = await self._sandbox.async_run(
                        condition.source,
                        condition.function,
                        ask=run.async_ask,
                        state=state,
                        at=snapshot.at,
                    )
                except _SlowError:
                    await run.async_pending()
                else:
                    return replace(outcome, answers=run.answers)
        except WithheldError as err:
            error = CheckError(fault=Fault.WITHHELD, message=str(err), detail=err.call)
            return CheckOutcome(error=error, answers=run.answers)
        finally:
            run.stop()

    async def async_try(
        self, condition: Condition, owner: ConditionOwner, state: Mapping[str, Value] | None = None
    ) -> Trial:
        """Run the code of a condition once, as a test, and check the calls of all its branches.

        Errors of the code are in `Trial.outcome`. Raises:

        - UncheckableError: the sandbox cannot run.
        - RoutineError: the person may not read a value.
        """
        snapshot = Snapshot()
        try:
            wrong = await self._sandbox.async_validate(condition.source, condition.function)
            if wrong is not None:
                return Trial(outcome=CheckOutcome(error=wrong))
            outcome = await self.async_evaluate(condition, owner, snapshot, state)
        except SandboxError as err:
            raise UncheckableError(err) from err
        error = outcome.error
        if error is not None and error.fault is Fault.WITHHELD:
            raise RoutineError(error.message)
        bindings: dict[str, str] = {}
        faults: list[str] = []
        for call, line in self._functions.foresee(condition.source).items():
            try:
                answer = await self._functions.async_answer(owner, call, snapshot)
            except WithheldError as err:
                answer = FunctionResult(error=str(err))
            bindings |= answer.bindings
            if answer.error:
                faults.append(f"line {line}: {answer.error}")
        return Trial(
            outcome=outcome,
            bindings=bindings | outcome.bindings,
            faults=tuple(faults),
        )


class _Run:
    """The calls of condition functions in one evaluation; equal calls are answered once."""

    def __init__(
        self, functions: FunctionProvider, owner: ConditionOwner, snapshot: Snapshot
    ) -> None:
        self._functions = functions
        self._owner = owner
        self._snapshot = snapshot
        self._pending: tuple[FunctionCall, asyncio.Task[FunctionResult]] | None = None
        self._slow = 0
        self.answers: dict[FunctionCall, FunctionResult] = {}

    async def async_ask(self, call: FunctionCall) -> FunctionResult:
        """Return the result of a call. Raises _SlowError, WithheldError, NotRecordedError."""
        if (known := self.answers.get(call)) is not None:
            return known
        answering = self._functions.async_answer(self._owner, call, self._snapshot)
        task = asyncio.Task(answering, eager_start=True)
        self._pending = (call, task)
        if not task.done() and self._slow < MOST_SLOW:
            await asyncio.wait((task,), timeout=QUICK)
        if not task.done() and self._slow < MOST_SLOW:
            self._slow += 1
            raise _SlowError
        return await self.async_pending()

    async def async_pending(self) -> FunctionResult:
        """Return the result of the last call. Raises WithheldError, NotRecordedError."""
        assert self._pending is not None
        call, task = self._pending
        answer = self.answers[call] = await task
        return answer

    def stop(self) -> None:
        """Cancel a call whose result is not needed any more."""
        if self._pending is not None:
            self._pending[1].cancel()
