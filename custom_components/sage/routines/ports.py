"""Interfaces that routines need from other parts; implemented by `routines.host` (DESIGN 3)."""

from collections.abc import Callable
from typing import Protocol

from .routine_types import Firing, Routine, RunReport
from .sandbox.sandbox_types import CheckError

type Waits = Callable[[], None]
"""Called as soon as a run waits for a person, so that it no longer delays others."""


def not_told() -> None:
    """Ignore that a run waits."""


class Runner(Protocol):
    """Executes the command of a routine as the person who asked for it."""

    async def async_run(
        self, routine: Routine, firing: Firing, waits: Waits = not_told
    ) -> RunReport:
        """Return the result; errors of models and devices are results, not exceptions.

        `chain_of` knows the context of the commands of the run.
        """

    async def async_undo(
        self, routine: Routine, fired: Firing, waits: Waits = not_told
    ) -> RunReport:
        """Put back what the firing `fired` changed."""

    def chain_of(self, context_id: str) -> tuple[str, ...]:
        """Return the ids of the routines whose commands have this context; empty for others."""


class DeliveryError(Exception):
    """The person cannot be reached now; delivery is retried later."""


class Deliverer(Protocol):
    """Delivers answers to the person of a routine, according to the options."""

    async def async_deliver(self, routine: Routine, firing: Firing) -> None:
        """Deliver `firing.answer` to the person. Raises DeliveryError.

        A second delivery of the same firing id replaces the first one, if the way allows it.
        """

    async def async_interrupted(self, routine: Routine, firing: Firing) -> str:
        """Return the sentence for a firing that a restart interrupted.

        A firing that is only JOURNALED never began, and now it is too late for it.
        """


class RepairError(Exception):
    """The code cannot be repaired."""


class RepairLaterError(RepairError):
    """The code cannot be repaired now; the repair is retried later."""


class Repairer(Protocol):
    """Has the model rewrite failing code."""

    async def async_repair(self, routine: Routine, error: CheckError) -> str:
        """Return another source with the same function.

        `routine.trigger` and `routine.when` are those of the failing condition, even if that is
        `end`. Raises RepairError, or RepairLaterError if a retry makes sense.
        """
