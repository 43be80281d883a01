"""Lets the model repair failing condition code in the background.

The code is repaired only once; if the new code fails, too, the routine is stopped.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Final

from homeassistant.core import HomeAssistant

from .evaluation import Evaluator
from .interfaces import ConditionOwner, RepairError, Rewrite
from .routine_types import Condition, Routine, RoutineError, UncheckableError
from .sandbox.sandbox_types import CheckError

_LOGGER = logging.getLogger(__name__)

FAILURES: Final = 3
"""The model repairs condition code after this many errors in a row."""

LONGEST_BACKOFF: Final = timedelta(minutes=5)

FIRST_REPAIR_PAUSE: Final = timedelta(minutes=5)
LONGEST_REPAIR_PAUSE: Final = timedelta(hours=1)
"""Maximum pause between two attempts to repair condition code.

A repair is postponed if the model or the sandbox is unavailable. The pause is FIRST_REPAIR_PAUSE
after the first postponement, and doubles after each further one.
"""


def backoff(interval: float, failures: int) -> timedelta:
    """Return the pause before the condition code runs again after an error.

    `interval`: usual seconds between two evaluations. The pause doubles with each error in a row
    (`failures`), up to LONGEST_BACKOFF.
    """
    seconds = interval * 2.0 ** min(failures, 16)
    return min(timedelta(seconds=seconds), LONGEST_BACKOFF)


def repair_pause(attempts: int) -> timedelta:
    """Return the pause before the next attempt to repair condition code.

    `attempts`: how often the repair has been postponed so far, at least 1. For 1, the pause is
    FIRST_REPAIR_PAUSE; each further postponement doubles it, up to LONGEST_REPAIR_PAUSE.
    """
    return min(FIRST_REPAIR_PAUSE * 2.0 ** (min(attempts, 16) - 1), LONGEST_REPAIR_PAUSE)


type Repaired = Callable[[Routine, Routine | CheckError | None], Awaitable[None]]
"""Called with the routine whose condition code failed, and the result of the repair.

The result is the routine with repaired code, or its error, or None if the repair is retried later.
"""


class Repairs:
    """Lets the model rewrite failing condition code, and tests the new code before it is used."""

    def __init__(
        self, hass: HomeAssistant, rewrite: Rewrite, evaluator: Evaluator, done: Repaired
    ) -> None:
        """`rewrite` gets new code from the model, `evaluator` tests it, `done` gets the result."""
        self._hass = hass
        self._rewrite = rewrite
        self._evaluator = evaluator
        self._done = done
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, routine: Routine, condition: Condition, error: CheckError) -> None:
        """Start to repair the code of `condition` in the background.

        `routine`: the routine with this condition.
        """
        task = self._hass.async_create_background_task(
            self._async_repair(routine, condition, error),
            "sage routines: repair",
            eager_start=False,
        )
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @property
    def is_busy(self) -> bool:
        """Whether condition code is being repaired."""
        return bool(self._tasks)

    async def async_idle(self) -> None:
        """Wait until no condition code is being repaired."""
        while self._tasks:
            await asyncio.wait(tuple(self._tasks))

    async def async_stop(self) -> None:
        """Cancel all repairs of condition code."""
        # After a restart, the next error of the code starts a new repair.
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _async_repair(
        self, routine: Routine, condition: Condition, error: CheckError
    ) -> None:
        result: Routine | CheckError | None
        try:
            result = await self._async_repaired(routine, condition, error)
        except (RepairError, RoutineError) as err:
            # If the model or the sandbox is unavailable, the code may be repairable later.
            # Otherwise, report the original error, which says more than why the repair failed.
            _LOGGER.debug("A routine could not be repaired: %s", err)
            is_later = isinstance(err, UncheckableError) or getattr(err, "is_temporary", False)
            result = None if is_later else error
        except Exception:
            _LOGGER.exception("The repair of a routine failed")
            result = error
        try:
            await self._done(routine, result)
        except RoutineError as err:
            # The next failure starts the repair again.
            _LOGGER.warning("The result of a repair could not be stored: %s", err)

    async def _async_repaired(
        self, routine: Routine, condition: Condition, error: CheckError
    ) -> Routine:
        """Return the routine with rewritten code that has run once without an error.

        Raises RepairError if the model fails or the new code has an error. Raises RoutineError if
        the person may not read a value that the new code reads.
        """
        source = await self._rewrite(routine, condition, error)
        trial = await self._evaluator.async_try(
            replace(condition, source=source), ConditionOwner.of(routine)
        )
        if trial.outcome.error is not None:
            raise RepairError(str(trial.outcome.error))
        return replace(
            routine.with_source(condition, source),
            bindings={**trial.bindings, **routine.bindings},
            is_repaired=True,
            trouble=None,
        )
