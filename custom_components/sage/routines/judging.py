"""Decides how a check changes a routine, before anything is stored."""

from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo

from .clock_times import advance_clock
from .condition_interface import WatchedResult
from .edge import CheckStep, advance, has_expired
from .evaluation import Finding
from .mending import FAILURES, backoff
from .routine_types import EdgeKind, Memo, NewFiring, Routine, Status
from .sandbox.sandbox_types import CheckError, FunctionCall
from .watched_routine import Watching


@dataclass(slots=True, kw_only=True)
class Change:
    """A pending change of a routine."""

    watching: Watching
    routine: Routine
    memo: Memo
    edge: NewFiring | None = None
    look_again_at: datetime | None = None
    not_before: datetime | None = None
    value: bool | None = None
    is_settled: bool = False
    answered: dict[FunctionCall, WatchedResult] = field(default_factory=dict)
    chain: tuple[str, ...] = ()
    failure: CheckError | None = None
    """The error for which the code has to be repaired."""

    is_saved: bool = False
    is_news: bool = False
    """Listeners have to be told: the routine, or whether its value is known, has changed."""

    @property
    def is_urgent(self) -> bool:
        """Whether it has to be stored before anything else happens."""
        before = self.watching.memo
        after = replace(
            self.memo,
            state=before.state,
            failures=before.failures,
            unknown_since=before.unknown_since,
        )
        return self.is_replaced or self.edge is not None or before != after

    @property
    def is_replaced(self) -> bool:
        """Whether the routine itself has changed."""
        return self.routine != self.watching.routine

    def stop(self, status: Status, trouble: str = "") -> None:
        """Stop watching; the routine does not fire now, but still puts back what it changed."""
        if self.edge is not None and self.edge.edge is EdgeKind.OFF:
            if self.routine.status is not Status.ENDED:
                self.routine = replace(self.routine, status=status, trouble=trouble)
            return
        self.routine = replace(self.routine, status=status, trouble=trouble, paused_until=None)
        self.edge = None
        self.memo = replace(
            self.memo,
            last_fired=self.watching.memo.last_fired,
            fired=self.watching.memo.fired,
            is_acting=self.watching.memo.is_acting,
        )


def judge_finding(
    watching: Watching, finding: Finding, now: datetime, chain: tuple[str, ...]
) -> Change:
    """Return the change that follows from a check of a condition."""
    change = Change(
        watching=watching,
        routine=watching.routine,
        memo=watching.memo,
        answered=dict(finding.answered),
        chain=chain,
    )
    if finding.withheld is not None:
        change.stop(Status.NOT_EXPOSED, finding.withheld)
        return change
    _take_bindings(change, finding)
    outcome = finding.outcome
    if outcome is None:
        change.value, change.is_settled = watching.value, True
    elif outcome.error is not None:
        _note_failure(change, outcome.error, now)
        return change
    else:
        change.value = outcome.value
        before = watching.memo.state
        state = before if outcome.state is None else outcome.state
        change.is_settled = state == before
        change.memo = replace(change.memo, state=state, failures=0)
    _note_unknown(change, now, is_known=change.value is not None)
    step = advance(change.routine, change.memo, change.value, now)
    if watching.memo.true_since is not None and step.memo.true_since is not None:
        change.chain = watching.chain
    take_step(change, step)
    return change


def judge_clock(watching: Watching, now: datetime, zone: tzinfo) -> Change:
    """Return the change of a routine with a time at this moment."""
    change = Change(watching=watching, routine=watching.routine, memo=watching.memo)
    take_step(change, advance_clock(watching.routine, watching.memo, now, zone))
    return change


def judge_expiry(watching: Watching, now: datetime) -> Change | None:
    """Return the end of an expired routine, None for others."""
    if not has_expired(watching.routine, watching.memo, now):
        return None
    change = Change(watching=watching, routine=watching.routine, memo=watching.memo)
    take_step(change, CheckStep(memo=watching.memo, is_over=True))
    return change


def take_step(change: Change, step: CheckStep) -> None:
    """Copy memo, edge and end from the step to the change."""
    change.memo = step.memo
    change.look_again_at = step.look_again_at
    if step.edge is not None:
        assert step.at is not None
        change.edge = NewFiring(
            routine_id=change.routine.id,
            edge=step.edge,
            at=step.at,
            chain=change.chain,
        )
    if step.is_over:
        change.routine = replace(change.routine, status=Status.ENDED, paused_until=None)


def _take_bindings(change: Change, finding: Finding) -> None:
    known = change.routine.bindings
    found = finding.bindings
    if not found.keys() <= known.keys():
        change.routine = replace(change.routine, bindings={**found, **known})


def _note_unknown(change: Change, now: datetime, *, is_known: bool) -> None:
    since = None if is_known else change.memo.unknown_since or now
    change.memo = replace(change.memo, unknown_since=since)


def _note_failure(change: Change, error: CheckError, now: datetime) -> None:
    condition = change.watching.condition
    assert condition is not None
    failures = change.memo.failures + 1
    change.memo = replace(change.memo, failures=failures)
    _note_unknown(change, now, is_known=False)
    change.not_before = now + backoff(condition.interval, failures)
    if failures < FAILURES:
        return
    if change.routine.is_repaired:
        change.stop(Status.FAILING, str(error))
    else:
        change.failure = error
