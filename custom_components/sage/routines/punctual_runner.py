"""Executes commands unless they are too late."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from .clock_times import LATEST
from .ports import Deliverer, Runner, Waits, not_told
from .routine_types import Firing, FiringStep, Routine, RunReport, Status

LONGEST_WAIT: Final = timedelta(minutes=15)
"""A firing that waited longer for another run of its routine is not executed."""

_ALIKE: Final = timedelta(minutes=1)
"""Missed firings within this time after a report are not reported again."""

_STILL_MEANT: Final = frozenset({Status.WATCHING, Status.ENDED})
"""Statuses in which a firing is still wanted; ENDED because it may be the last firing."""


class PunctualRunner:
    """A `Runner` that reports outdated firings to the person without executing them.

    - Those that were due longer ago than `LATEST`: "open the garage at eight" is not meant for
      the next morning, when the power is back.
    - Those that waited longer than `LONGEST_WAIT` for another run of the same routine, for
      example while its person is asked for an hour.
    - Those that are waiting when their routine is paused or stops by itself.
    """

    def __init__(self, runner: Runner, deliverer: Deliverer, now: Callable[[], datetime]) -> None:
        """Execute with `runner`; `deliverer` words the report of a late firing."""
        self._runner = runner
        self._deliverer = deliverer
        self._now = now
        self._ended: dict[str, datetime] = {}
        """Routine id -> when its last run ended."""

        self._told: dict[str, datetime] = {}
        """Routine id -> when a missed firing was last reported."""

    async def async_run(
        self, routine: Routine, firing: Firing, waits: Waits = not_told
    ) -> RunReport:
        """Return the result."""
        if self._is_missed(routine, firing):
            return await self._async_missed(routine, firing)
        try:
            return await self._runner.async_run(routine, firing, waits)
        finally:
            self._ended = _recent(self._ended, self._now(), LATEST) | {routine.id: self._now()}

    async def async_undo(
        self, routine: Routine, fired: Firing, waits: Waits = not_told
    ) -> RunReport:
        """Put back what a firing changed, which is never too late."""
        return await self._runner.async_undo(routine, fired, waits)

    def chain_of(self, context_id: str) -> tuple[str, ...]:
        """Return the ids of the routines whose commands have this context."""
        return self._runner.chain_of(context_id)

    def _is_missed(self, routine: Routine, firing: Firing) -> bool:
        age = self._now() - firing.at
        if routine.status not in _STILL_MEANT or age > LATEST:
            return True
        ended = self._ended.get(routine.id)
        has_waited = ended is not None and firing.at < ended
        return has_waited and age > LONGEST_WAIT

    async def _async_missed(self, routine: Routine, firing: Firing) -> RunReport:
        now = self._now()
        self._told = _recent(self._told, now, _ALIKE)
        if routine.id in self._told:
            # The logbook shows it nevertheless.
            return RunReport(answer="", is_failure=True)
        # Nothing was done.
        missed = replace(firing, step=FiringStep.JOURNALED)
        answer = await self._deliverer.async_interrupted(routine, missed)
        self._told[routine.id] = now
        return RunReport(answer=answer, is_failure=True)


def _recent(times: dict[str, datetime], now: datetime, span: timedelta) -> dict[str, datetime]:
    return {routine_id: at for routine_id, at in times.items() if abs(now - at) <= span}
