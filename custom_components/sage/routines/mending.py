"""Failing checks: they back off, are repaired once in the background, and then stop."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Final

from homeassistant.core import HomeAssistant

from .condition_interface import ConditionOwner
from .evaluation import CheckRequest, Evaluator, Finding
from .ports import Repairer, RepairError, RepairLaterError
from .routine_types import Condition, Routine, RoutineError
from .sandbox.sandbox import Sandbox
from .sandbox.sandbox_types import CheckError, SandboxError

FAILURES: Final = 3
"""Failures in a row after which the model repairs the code."""

LONGEST_BACKOFF: Final = timedelta(minutes=5)

FIRST_REPAIR_PAUSE: Final = timedelta(minutes=5)
LONGEST_REPAIR_PAUSE: Final = timedelta(hours=1)
"""Longest pause between repair attempts while the model is unavailable; the pause doubles."""


def backoff(interval: float, failures: int) -> timedelta:
    """Return the pause of a check after `failures` failures in a row."""
    seconds = interval * 2.0 ** min(failures, 16)
    return min(timedelta(seconds=seconds), LONGEST_BACKOFF)


def repair_pause(attempts: int) -> timedelta:
    """Return the pause after `attempts` repair attempts without a model."""
    return min(FIRST_REPAIR_PAUSE * 2.0 ** (min(attempts, 16) - 1), LONGEST_REPAIR_PAUSE)


_LOGGER = logging.getLogger(__name__)

type Mended = Callable[[Routine, Routine | str | None], Awaitable[None]]
"""Receives the failed routine, and the repaired one, an error, or None to retry later."""


class Mending:
    """Has failing code rewritten, and tests it before it is used."""

    def __init__(
        self,
        hass: HomeAssistant,
        *,
        repairer: Repairer,
        sandbox: Sandbox,
        evaluator: Evaluator,
        done: Mended,
    ) -> None:
        """Get code from `repairer`, test it with `evaluator`, pass it to `done`."""
        self._hass = hass
        self._repairer = repairer
        self._sandbox = sandbox
        self._evaluator = evaluator
        self._done = done
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, routine: Routine, condition: Condition, error: CheckError) -> None:
        """Start a task that repairs one of the conditions of a routine."""
        task = self._hass.async_create_background_task(
            self._async_mend(routine, condition, error), "sage routines: repair", eager_start=False
        )
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def async_stop(self) -> None:
        """Cancel repairs; the next failure starts them again."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _async_mend(self, routine: Routine, condition: Condition, error: CheckError) -> None:
        result: Routine | str | None
        try:
            result = await self._async_mended(routine, condition, error)
        except (RepairLaterError, SandboxError) as err:
            # The error says nothing about the routine.
            _LOGGER.debug("A routine is repaired later: %s", err)
            result = None
        except RepairError as err:
            # Report the original error, which says more than why the repair failed.
            _LOGGER.debug("A routine could not be repaired: %s", err)
            result = str(error)
        except Exception:
            _LOGGER.exception("The repair of a routine failed")
            result = str(error)
        try:
            await self._done(routine, result)
        except RoutineError as err:
            # The next failure starts the repair again.
            _LOGGER.warning("What became of a repair was not written: %s", err)

    async def _async_mended(
        self, routine: Routine, condition: Condition, error: CheckError
    ) -> Routine:
        """Return the routine with other code that runs. Raises RepairError, SandboxError."""
        when = routine.when_checked(condition)
        source = await self._repairer.async_repair(
            replace(routine, trigger=condition, when=when), error
        )
        finding = await self._async_try(routine, source, condition.function)
        if finding.withheld is not None:
            raise RepairError(finding.withheld)
        if finding.outcome is not None and finding.outcome.error is not None:
            raise RepairError(str(finding.outcome.error))
        return replace(
            routine.with_source(condition, source),
            bindings={**finding.bindings, **routine.bindings},
            is_repaired=True,
            trouble="",
        )

    async def _async_try(self, routine: Routine, source: str, function: str) -> Finding:
        wrong = await self._sandbox.async_validate(source, function)
        if wrong is not None:
            raise RepairError(str(wrong))
        owner = ConditionOwner(person=routine.person, bindings=routine.bindings)
        request = CheckRequest(id=routine.id, source=source, function=function, owner=owner)
        findings = await self._evaluator.async_evaluate([request], patience=None)
        return findings[routine.id]
