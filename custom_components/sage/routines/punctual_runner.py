"""Carries out commands unless they come much too late."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from .clock_times import LATEST
from .model import Firing, FiringStep, Routine, RunReport
from .ports import Deliverer, Runner


class PunctualRunner:
    """A `Runner` that tells rather than does what was due longer ago than `LATEST`.

    "Open the garage at eight" is not meant for the next morning, when the power is back.
    """

    def __init__(self, runner: Runner, deliverer: Deliverer, now: Callable[[], datetime]) -> None:
        """Have `runner` do what is not late, and `deliverer` find words for what is."""
        self._runner = runner
        self._deliverer = deliverer
        self._now = now

    async def async_run(self, routine: Routine, firing: Firing) -> RunReport:
        """Return what became of it."""
        if self._now() - firing.at <= LATEST:
            return await self._runner.async_run(routine, firing)
        # As it was before it began: nothing of it was done.
        missed = replace(firing, step=FiringStep.JOURNALED)
        answer = await self._deliverer.async_interrupted(routine, missed)
        return RunReport(answer=answer, is_failure=True)

    async def async_undo(self, routine: Routine, fired: Firing) -> RunReport:
        """Put back what a firing changed; that is never too late."""
        return await self._runner.async_undo(routine, fired)

    def chain_of(self, context_id: str) -> tuple[str, ...]:
        """Return the ids of the routines whose commands have this context."""
        return self._runner.chain_of(context_id)
