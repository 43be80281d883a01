"""Evaluates the condition of a routine for all reports since its last evaluation."""

import asyncio
import logging
from dataclasses import replace
from typing import Final

from .check_state import CheckState, Look
from .edge import is_other
from .evaluation import Evaluator
from .interfaces import ConditionOwner
from .registry import RoutineEntry
from .sandbox.sandbox_types import SandboxError
from .snapshot import Snapshot

_LOGGER = logging.getLogger(__name__)

MOST_MOMENTS: Final = 50
"""Maximum number of moments that one evaluation covers; the others are evaluated later."""


async def async_look(evaluator: Evaluator, entry: RoutineEntry, state: CheckState) -> Look:
    """Evaluate the condition after each report in turn, until its value differs.

    The last moment is now. Raises SandboxError.
    """
    condition = entry.routine.condition(entry.memo)
    assert condition is not None
    owner, memo, number = ConditionOwner.of(entry.routine), entry.memo, 0
    for _ in range(MOST_MOMENTS):
        number = state.next_moment(number)
        snapshot = Snapshot(state.reports, number)
        finding = await evaluator.async_evaluate(condition, owner, snapshot, memo.state)
        outcome = finding.outcome
        if number == len(state.reports) or outcome.error or is_other(memo, outcome.value):
            break
        if outcome.state is not None:
            memo = replace(memo, state=outcome.state)
    return Look(entry=entry, memo=memo, finding=finding, number=number)


def looked(task: asyncio.Task[Look]) -> Look | None:
    """Return the result of `async_look`; None if it failed, or the sandbox did."""
    if task.cancelled():
        return None
    if (error := task.exception()) is None:
        return task.result()
    if not isinstance(error, SandboxError):
        # An error of SAGE in one evaluation must not stop the others.
        _LOGGER.error("A condition could not be evaluated", exc_info=error)
    return None
