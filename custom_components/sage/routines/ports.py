"""What routines need of the rest of the house; handed in by `routine_host` (DESIGN 3)."""

from collections.abc import Callable
from typing import Protocol

from .model import Firing, Routine, RunReport
from .sandbox.model import CheckError

type Waits = Callable[[], None]
"""Called as soon as a run waits for a person: it holds up no other from then on."""


def not_told() -> None:
    """Do nothing: for whoever need not know that a run waits."""


class Runner(Protocol):
    """Carries out the command of a routine as the person who asked for it."""

    async def async_run(
        self, routine: Routine, firing: Firing, waits: Waits = not_told
    ) -> RunReport:
        """Return what became of it; never raises for what a model or a device does.

        Commands of the run have a context of which `chain_of` knows the firing.
        """

    async def async_undo(
        self, routine: Routine, fired: Firing, waits: Waits = not_told
    ) -> RunReport:
        """Put back what the firing `fired` changed."""

    def chain_of(self, context_id: str) -> tuple[str, ...]:
        """Return the ids of the routines whose commands have this context; empty for others."""


class DeliveryError(Exception):
    """The person could not be reached now; it is tried again later."""


class Deliverer(Protocol):
    """Brings words to the person of a routine, the way the options say."""

    async def async_deliver(self, routine: Routine, firing: Firing) -> None:
        """Bring `firing.answer` to the person. Raises DeliveryError.

        Told twice for one firing id it is seen once, as far as the way allows that.
        """

    async def async_interrupted(self, routine: Routine, firing: Firing) -> str:
        """Return the sentence for a firing that a restart broke off.

        One that is only JOURNALED was never begun: it is too late for it.
        """


class RepairError(Exception):
    """No other code could be had."""


class RepairLaterError(RepairError):
    """No other code could be had now; it is tried again later."""


class Repairer(Protocol):
    """Has the model write failing code anew."""

    async def async_repair(self, routine: Routine, error: CheckError) -> str:
        """Return another source with the same function.

        `routine.trigger` and `routine.when` are those of the condition that fails, also
        where that is its `end`. Raises RepairError, or RepairLaterError where it is worth
        trying again.
        """
