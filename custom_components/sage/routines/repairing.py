"""Lets the model repair failing condition code in the background.

The code is repaired only once; if the new code fails, too, the routine is stopped.
"""

import logging
from dataclasses import replace
from datetime import timedelta
from typing import Final

from .evaluation import Evaluator
from .interfaces import ConditionOwner, RepairError, Rewrite
from .routine_types import Condition, Routine, RoutineError, UncheckableError
from .sandbox.sandbox_types import CheckError

_LOGGER = logging.getLogger(__name__)

FAILURES: Final = 3
"""The model repairs condition code after this many errors in a row."""

LONGEST_BACKOFF: Final = timedelta(minutes=5)


def backoff(interval: float, failures: int) -> timedelta:
    """Return the pause before the condition code runs again after an error.

    `interval`: usual seconds between two evaluations. The pause doubles with each error in a row
    (`failures`), up to LONGEST_BACKOFF.
    """
    seconds = interval * 2.0 ** min(failures, 16)
    return min(timedelta(seconds=seconds), LONGEST_BACKOFF)


async def async_repair(
    evaluator: Evaluator,
    rewrite: Rewrite,
    routine: Routine,
    condition: Condition,
    error: CheckError,
) -> Routine | CheckError | None:
    """Let the model rewrite the code of a condition of a routine, and test the new code.

    Returns the routine with the new code; the error if the code cannot be repaired; None if the
    model or the sandbox is unavailable, so that the code may be repairable later.
    """
    try:
        return await _async_repaired(evaluator, rewrite, routine, condition, error)
    except (RepairError, RoutineError) as err:
        # Report the original error, which says more than why the repair failed.
        _LOGGER.debug("A routine could not be repaired: %s", err)
        is_later = isinstance(err, UncheckableError) or getattr(err, "is_temporary", False)
        return None if is_later else error
    except Exception:
        _LOGGER.exception("The repair of a routine failed")
        return error


async def _async_repaired(
    evaluator: Evaluator,
    rewrite: Rewrite,
    routine: Routine,
    condition: Condition,
    error: CheckError,
) -> Routine:
    """Return the routine with rewritten code that has run once without an error.

    Raises RepairError if the model fails or the new code has an error. Raises RoutineError if the
    person may not read a value that the new code reads.
    """
    source = await rewrite(routine, condition, error)
    trial = await evaluator.async_try(replace(condition, source=source), ConditionOwner.of(routine))
    if trial.outcome.error is not None:
        raise RepairError(str(trial.outcome.error))
    return replace(
        routine.with_source(condition, source),
        bindings={**trial.bindings, **routine.bindings},
        is_repaired=True,
        trouble=None,
    )
