"""Dry run: finds when a routine would have fired in the last 24 hours.

A dry run evaluates the condition of the routine with states from the recorder.
"""

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import batched
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ...helpers.slices import Breaks
from ...home.home_types import HomeError
from ...home.recorded import Recorded
from ..edge import advance
from ..interfaces import ConditionOwner
from ..routine_types import Condition, EdgeKind, Memo, Routine
from ..sandbox.sandbox import Sandbox
from ..sandbox.sandbox_types import (
    Check,
    CheckOutcome,
    FunctionCall,
    FunctionResult,
    SandboxError,
    Value,
)
from .condition_functions import ConditionFunctions
from .replay import Past, Replay, ReplayError, ReplayProblem, Timeline

LENGTH: Final = timedelta(hours=24)
_MOST_POINTS: Final = 1_500
_MOST_CHANGES: Final = 1_200
_FINEST: Final = 60.0
"""Shortest time in seconds between evaluations of a condition that depends on the time."""

_ROUNDS: Final = 8
_AT_ONCE: Final = 100
_STATE: Final = "state"
_CLOCK: Final = frozenset({"now", "today", "utcnow"})
"""Methods such as `datetime.now()`, for which the dry run cannot supply a past time.

The function `now()` of condition code is not included, since the dry run can supply its result.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRun:
    """The result of a dry run: when a routine would have fired in the past."""

    since: datetime
    """Start of the examined period, UTC."""

    times: tuple[datetime, ...] = ()
    """The times at which the routine would have fired, UTC, oldest first."""

    true: tuple[tuple[datetime, datetime], ...] = ()
    """Start and end of each period in which the condition was true, UTC, oldest first."""

    problem: ReplayProblem | None = None
    """The reason why `times` are unknown; None if they are known."""


@dataclass(slots=True)
class _Run:
    """The input and the intermediate data of one dry run."""

    routine: Routine
    condition: Condition
    owner: ConditionOwner
    start: datetime
    end: datetime
    replays: dict[FunctionCall, Replay] = field(default_factory=dict)
    timelines: dict[str, Timeline] = field(default_factory=dict)
    read: dict[str, tuple[bool, bool]] = field(default_factory=dict)
    """Entity id -> two booleans about its recorded states in `timelines`.

    The first one: whether the states include attributes. The second one: whether there are also
    states from before `start`.
    """

    def answers(self, at: datetime) -> dict[FunctionCall, FunctionResult]:
        """Return call -> result at the past time `at`, for all calls in `replays`."""
        past = Past(at, self.timelines)
        return {question: each.answer(past) for question, each in self.replays.items()}


async def async_would_have_fired(
    hass: HomeAssistant, functions: ConditionFunctions, sandbox: Sandbox, routine: Routine
) -> DryRun:
    """Return when the routine would have fired (executed its action) in the last 24 hours.

    If the times cannot be found, `DryRun.problem` has the reason.
    """
    end = dt_util.utcnow()
    start = end - LENGTH
    if not isinstance(routine.trigger, Condition):
        return DryRun(since=start, problem=ReplayProblem.NO_CONDITION)
    if routine.end is not None:
        return DryRun(since=start, problem=ReplayProblem.HAS_END)
    if not _CLOCK.isdisjoint(_attributes(routine.trigger.source)):
        # The dry run cannot supply a past time to these methods.
        return DryRun(since=start, problem=ReplayProblem.READS_MORE)
    owner = ConditionOwner.of(routine)
    run = _Run(replace(routine, expires=None, undo_after=False), routine.trigger, owner, start, end)
    dry_run = _DryRunner(hass, functions, sandbox, run)
    try:
        points, outcomes = await dry_run.async_replayed()
        times = dry_run.fired(points, outcomes)
    except ReplayError as err:
        return DryRun(since=start, problem=err.reason)
    except SandboxError:
        return DryRun(since=start, problem=ReplayProblem.NO_SANDBOX)
    return DryRun(since=start, times=tuple(times), true=_spans(points, outcomes, end))


class _DryRunner:
    """Finds when one routine would have fired in the past; each object is used once."""

    def __init__(
        self, hass: HomeAssistant, functions: ConditionFunctions, sandbox: Sandbox, run: _Run
    ) -> None:
        self._hass = hass
        self._functions = functions
        self._sandbox = sandbox
        self._run = run
        self._recorded = Recorded(hass)

    async def async_replayed(self) -> tuple[list[datetime], list[CheckOutcome]]:
        """Evaluate the condition for all times when its value may have changed.

        Returns these times, oldest first, and the outcome for each of them. Raises ReplayError if
        past values are missing, and SandboxError if code cannot run.
        """
        await self._async_learn_now()
        for _ in range(_ROUNDS):
            points = self._points()
            outcomes = await self._async_outcomes(points)
            missing = {each for outcome in outcomes for each in outcome.missing}
            if not missing:
                return points, outcomes
            await self._async_learn(missing)
        raise ReplayError(ReplayProblem.FAILS)

    # ------------------------------------------------------------ calls of functions

    async def _async_learn_now(self) -> None:
        """Find the functions that the condition code calls, by running it with current values."""
        run = self._run
        answers: dict[FunctionCall, FunctionResult] = {}
        for _ in range(_ROUNDS):
            check = _check(run.condition, "now", {}, answers)
            outcome = (await self._sandbox.async_run([check]))["now"]
            if not outcome.missing:
                break
            results = await self._functions.async_answer(run.owner, outcome.missing)
            if any(each.is_withheld for each in results.values()):
                raise ReplayError(ReplayProblem.WITHHELD)
            answers |= {question: each.answer for question, each in results.items()}
        await self._async_learn(outcome.questions)

    async def _async_learn(self, questions: Iterable[FunctionCall]) -> None:
        run = self._run
        for question in questions:
            if question not in run.replays:
                run.replays[question] = await self._functions.async_replay(run.owner, question)
        await self._async_read()

    async def _async_read(self) -> None:
        """Read the recorded states of the entities in `replays` that were not read yet."""
        run = self._run
        needed: dict[str, tuple[bool, bool]] = {}
        for each in run.replays.values():
            for entity_id in each.entities:
                attributes, before = needed.get(entity_id, (False, False))
                needed[entity_id] = (
                    attributes or each.attribute is not None,
                    before or each.looks_back,
                )
        if needed and not run.read:
            self._check_recorder(next(iter(needed)))
            await self._recorded.async_commit()
        for entity_id, (attributes, before) in needed.items():
            if run.read.get(entity_id) != (attributes, before):
                run.timelines[entity_id] = await self._async_timeline(
                    entity_id, attributes=attributes, before=before
                )
                run.read[entity_id] = (attributes, before)
        self._check_attributes()

    async def _async_timeline(self, entity_id: str, *, attributes: bool, before: bool) -> Timeline:
        self._check_recorder(entity_id)
        like = self._hass.states.get(entity_id)
        if like is None:
            raise ReplayError(ReplayProblem.WITHHELD)
        start = self._run.start - (LENGTH if before else timedelta(0))
        states = await self._recorded.async_newest(
            like, start, self._run.end, _MOST_CHANGES, attributes=attributes
        )
        if len(states) >= _MOST_CHANGES:
            raise ReplayError(ReplayProblem.TOO_MANY_CHANGES)
        return Timeline(states)

    def _check_recorder(self, entity_id: str) -> None:
        if not self._recorded.is_there:
            raise ReplayError(ReplayProblem.NO_RECORDER)
        try:
            self._recorded.check(entity_id)
        except HomeError:
            raise ReplayError(ReplayProblem.NOT_RECORDED) from None

    def _check_attributes(self) -> None:
        """Raise ReplayError if the recorder does not store an attribute that the code reads."""
        for each in self._run.replays.values():
            if each.attribute is None:
                continue
            for entity_id in each.entities:
                now = self._hass.states.get(entity_id)
                is_there = now is not None and each.attribute in now.attributes
                if is_there and not self._run.timelines[entity_id].has(each.attribute):
                    raise ReplayError(ReplayProblem.NOT_RECORDED)

    # ------------------------------------------------------------ evaluation in the past

    def _points(self) -> list[datetime]:
        """Return the times when the value of the condition may have changed, oldest first.

        Raises ReplayError if values changed too often.
        """
        run = self._run
        points = {run.start}
        for entity_id in {name for each in run.replays.values() for name in each.entities}:
            points.update(run.timelines[entity_id].changes(run.start, run.end))
        if len(points) > _MOST_CHANGES:
            raise ReplayError(ReplayProblem.TOO_MANY_CHANGES)
        for each in run.replays.values():
            points.update(each.moments(run.start, run.end))
        if any(each.depends_on_clock for each in run.replays.values()):
            points.update(_minutes(run, _MOST_POINTS - len(points)))
        return sorted(points)

    async def _async_outcomes(self, points: Sequence[datetime]) -> list[CheckOutcome]:
        outcomes: list[CheckOutcome] = []
        breaks = Breaks()
        state: Mapping[str, Value] = {}
        # With a state dict, each evaluation needs the state after the previous one.
        at_once = 1 if _keeps_state(self._run.condition.source) else _AT_ONCE
        for some in batched(points, at_once, strict=False):
            checks: list[Check] = []
            for at in some:
                answers = self._run.answers(at)
                checks.append(_check(self._run.condition, str(len(checks)), state, answers))
                await breaks.async_take()
            results = await self._sandbox.async_run(checks)
            outcomes += [results[each.id] for each in checks]
            state = outcomes[-1].state if outcomes[-1].state is not None else state
        return outcomes

    def fired(self, points: Sequence[datetime], outcomes: Sequence[CheckOutcome]) -> list[datetime]:
        """Return the times at which the routine would have fired.

        `outcomes`: the outcome of the condition code for each time in `points`. Raises ReplayError
        if the code failed each time.
        """
        if all(each.error is not None for each in outcomes):
            raise ReplayError(ReplayProblem.FAILS)
        fired: list[datetime] = []
        memo, again, value = Memo(), None, None
        for at, outcome in zip(points, outcomes, strict=True):
            moments = [at] if again is None or again >= at else [again, at]
            for moment in moments:
                value = outcome.value if moment is at else value
                step = advance(self._run.routine, memo, value, moment)
                memo, again = step.memo, step.look_again_at
                if step.edge is EdgeKind.ON and step.at is not None:
                    fired.append(step.at)
                if step.is_over:
                    return fired
        if again is not None and again <= self._run.end:
            step = advance(self._run.routine, memo, value, again)
            fired += [again] if step.edge is EdgeKind.ON else []
        return fired


def _spans(
    points: Sequence[datetime], outcomes: Sequence[CheckOutcome], end: datetime
) -> tuple[tuple[datetime, datetime], ...]:
    """Return start and end of each period in which the condition was true.

    `outcomes`: the outcome for each time in `points`; it applies until the next time, or `end`.
    """
    spans: list[tuple[datetime, datetime]] = []
    for at, until, outcome in zip(points, (*points[1:], end), outcomes, strict=True):
        if outcome.value is not True:
            continue
        start = spans.pop()[0] if spans and spans[-1][1] == at else at
        spans.append((start, until))
    return tuple(spans)


def _check(
    condition: Condition,
    name: str,
    state: Mapping[str, Value],
    answers: Mapping[FunctionCall, FunctionResult],
) -> Check:
    return Check(
        id=name, source=condition.source, function=condition.function, state=state, answers=answers
    )


def _minutes(run: _Run, most: int) -> Iterable[datetime]:
    """Yield times in the period of the dry run, a fixed number of minutes apart; at most `most`."""
    step = max(_FINEST, run.condition.interval)
    count = max(1, min(most, int((run.end - run.start).total_seconds() // step)))
    length = (run.end - run.start).total_seconds() / count
    length = -(-length // _FINEST) * _FINEST
    at = run.start.replace(second=0, microsecond=0) + timedelta(seconds=_FINEST)
    while at <= run.end:
        yield at
        at += timedelta(seconds=length)


def _keeps_state(source: str) -> bool:
    """Return whether the code uses `state`, the dict that persists between evaluations."""
    return any(isinstance(each, ast.Name) and each.id == _STATE for each in _nodes(source))


def _attributes(source: str) -> set[str]:
    return {each.attr for each in _nodes(source) if isinstance(each, ast.Attribute)}


def _nodes(source: str) -> Iterable[ast.AST]:
    """Return all nodes of the syntax tree of `source`; none for invalid Python."""
    try:
        return tuple(ast.walk(ast.parse(source)))
    except SyntaxError, ValueError:
        return ()
