"""Evaluates the conditions of several routines together in the sandbox."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from .interfaces import (
    ConditionOwner,
    Foresight,
    FunctionProvider,
    WatchedResult,
    WatchedResults,
    bindings_in,
)
from .result_collection import PATIENCE, ResultCollector, Want
from .routine_types import Condition, RoutineError, UncheckableError
from .sandbox.sandbox import Sandbox
from .sandbox.sandbox_types import (
    Check,
    CheckError,
    CheckOutcome,
    Fault,
    FunctionCall,
    FunctionResult,
    SandboxError,
    Value,
)

ROUNDS: Final = 8
"""Maximum number of runs of the code in one evaluation of a condition.

The code runs again after a function call whose result was not available yet.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRequest:
    """The request to evaluate one condition."""

    id: str
    condition: Condition
    owner: ConditionOwner
    state: Mapping[str, Value] = field(default_factory=dict)
    asked: WatchedResults = field(default_factory=dict)
    """The function calls of the last run, such as `get_state("lamp")`, with their results.

    These calls are repeated before the code runs.
    """

    early: WatchedResults = field(default_factory=dict)
    """Results that were read shortly before; their function calls are not repeated."""

    is_settled: bool = False
    """Whether the condition's last result is still valid if no function call has a new result.

    If True, the code runs only if a new result differs from the one in `asked`.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The result of evaluating one condition, with the results of its function calls."""

    outcome: CheckOutcome | None = None
    """The result of running the code of the condition. None in two cases:

    - All function calls in the code still have the results of the last run.
    - `withheld` is set.
    """

    answered: WatchedResults = field(default_factory=dict)
    """The function calls of the condition code, such as `get_state("lamp")`, with their results."""

    withheld: CheckError | None = None
    """The error if the person may not read a value that the code reads; None if permitted."""

    @property
    def bindings(self) -> dict[str, str]:
        """Device name in the code -> reference, e.g. `{"lamp": "entity:<registry id>"}`."""
        return bindings_in(self.answered)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """The result of running the Python code of a condition once, as a test."""

    outcome: CheckOutcome
    answered: WatchedResults = field(default_factory=dict)
    foresight: Foresight = field(default_factory=Foresight)
    """The result of the static analysis of all branches of the code."""

    @property
    def bindings(self) -> dict[str, str]:
        """Device name in the code -> reference, e.g. `{"lamp": "entity:<registry id>"}`."""
        return self.foresight.bindings | bindings_in(self.answered)


class Evaluator:
    """Runs condition code in the sandbox, which cannot call Home Assistant.

    The evaluator reads the values, such as `get_state("lamp")`, before the run. If a value is
    missing, it reads the value and runs the code again.
    """

    def __init__(
        self, sandbox: Sandbox, answers: FunctionProvider, asking: ResultCollector
    ) -> None:
        """`answers` has the functions that condition code may call; `asking` calls them."""
        self._sandbox = sandbox
        self._answers = answers
        self._asking = asking

    async def async_try(
        self, condition: Condition, owner: ConditionOwner, state: Mapping[str, Value] | None = None
    ) -> Trial:
        """Run the code of a condition once, as a test.

        Errors of the code are in `Trial.outcome`. `state`: the dict in which the code keeps data
        between runs. Raises:

        - UncheckableError: the sandbox cannot run.
        - RoutineError: the person may not read a value.
        """
        try:
            wrong = await self._sandbox.async_validate(condition.source, condition.function)
            if wrong is not None:
                return Trial(outcome=CheckOutcome(id="", error=wrong))
            request = CheckRequest(id="", condition=condition, owner=owner, state=state or {})
            finding = (await self.async_evaluate([request], patience=None))[""]
        except SandboxError as err:
            raise UncheckableError(err) from err
        if finding.outcome is None:
            raise RoutineError(str(finding.withheld))
        foresight = await self._answers.async_foresee(owner, condition.source)
        return Trial(outcome=finding.outcome, answered=finding.answered, foresight=foresight)

    async def async_evaluate(
        self, requests: Collection[CheckRequest], *, patience: float | None = PATIENCE
    ) -> dict[str, Finding]:
        """Evaluate conditions; return `CheckRequest.id` -> result.

        Leaves out conditions with a function call that takes longer than `patience` seconds (None:
        no limit). Raises SandboxError if the sandbox cannot run, or takes longer than `patience` to
        start.
        """
        await self._sandbox.async_ready(patience)
        # The sandbox never calls Home Assistant: the results of the calls are read before the run.
        findings: dict[str, Finding] = {}
        known = await self._async_refresh(requests, patience)
        running: list[CheckRequest] = []
        for request in requests:
            answers = known.get(request.id)
            if answers is None:
                continue
            finding = _without_running(request, answers)
            if finding is None:
                running.append(request)
            else:
                findings[request.id] = finding
        for rounds_left in reversed(range(ROUNDS)):
            if not running:
                break
            outcomes = await self._async_run(running, known)
            again: list[CheckRequest] = []
            for request in running:
                outcome = outcomes[request.id]
                if outcome.missing and rounds_left:
                    again.append(request)
                else:
                    findings[request.id] = _finding(outcome, known[request.id])
            running = await self._async_more(again, outcomes, known, findings, patience)
        return findings

    async def _async_refresh(
        self, requests: Collection[CheckRequest], patience: float | None
    ) -> dict[str, dict[FunctionCall, WatchedResult]]:
        """Repeat the calls of each condition's last evaluation; return request id -> results.

        The calls are those of condition functions (`CheckRequest.asked`). Results in
        `CheckRequest.early` are used without a new call. Leaves out requests with a call that takes
        longer than `patience` seconds.
        """
        wants = [
            Want(
                id=request.id,
                owner=request.owner,
                questions=[each for each in request.asked if each not in request.early],
            )
            for request in requests
            if any(each not in request.early for each in request.asked)
        ]
        asked = await self._asking.async_ask(wants, patience=patience) if wants else {}
        wanted = {want.id for want in wants}
        return {
            request.id: {**request.early, **asked.get(request.id, {})}
            for request in requests
            if request.id not in wanted or request.id in asked
        }

    async def _async_more(
        self,
        requests: Sequence[CheckRequest],
        outcomes: Mapping[str, CheckOutcome],
        known: dict[str, dict[FunctionCall, WatchedResult]],
        findings: dict[str, Finding],
        patience: float | None,
    ) -> list[CheckRequest]:
        """Get the missing results of function calls; return the requests whose code can run again.

        Adds the results to `known`. Leaves out requests with a call that takes longer than
        `patience` seconds. If the person may not read one of the values, the request is finished:
        its result is added to `findings`.
        """
        if not requests:
            return []
        wants = [
            Want(
                id=request.id,
                owner=request.owner,
                questions=outcomes[request.id].missing,
                alone=True,
            )
            for request in requests
        ]
        asked = await self._asking.async_ask(wants, patience=patience)
        ready: list[CheckRequest] = []
        for request in requests:
            more = asked.get(request.id)
            if more is None:
                continue
            known[request.id].update(more)
            withheld = _withheld(more)
            if withheld is None:
                ready.append(request)
            else:
                findings[request.id] = Finding(answered=known[request.id], withheld=withheld)
        return ready

    async def _async_run(
        self,
        requests: Sequence[CheckRequest],
        known: Mapping[str, Mapping[FunctionCall, WatchedResult]],
    ) -> Mapping[str, CheckOutcome]:
        return await self._sandbox.async_run(
            [
                Check(
                    id=request.id,
                    source=request.condition.source,
                    function=request.condition.function,
                    state=request.state,
                    answers=_answers(known[request.id]),
                )
                for request in requests
            ]
        )


def _without_running(request: CheckRequest, answers: WatchedResults) -> Finding | None:
    """Return the result of a request whose code need not run; None if the code has to run.

    The code need not run if no call has a new result, or if the person may not read one of the
    values.
    """
    withheld = _withheld(answers)
    if withheld is not None:
        return Finding(answered=answers, withheld=withheld)
    if request.is_settled and _answers(answers) == _answers(request.asked):
        return Finding(answered=answers)
    return None


def _withheld(answers: WatchedResults) -> CheckError | None:
    return next(
        (
            CheckError(fault=Fault.WITHHELD, message=each.answer.error, detail=str(question))
            for question, each in answers.items()
            if each.is_withheld
        ),
        None,
    )


def _finding(outcome: CheckOutcome, known: Mapping[FunctionCall, WatchedResult]) -> Finding:
    answered = {each: known[each] for each in outcome.questions if each in known}
    if not outcome.missing:
        return Finding(outcome=outcome, answered=answered)
    message = f"It still asks something new after {ROUNDS} runs."
    hint = "Ask with fixed arguments, or with what list_devices returns."
    error = CheckError(fault=Fault.EXCEPTION, message=message, hint=hint, detail=message)
    return Finding(outcome=replace(outcome, error=error, value=None), answered=answered)


def _answers(answered: Mapping[FunctionCall, WatchedResult]) -> dict[FunctionCall, FunctionResult]:
    return {question: each.answer for question, each in answered.items()}
