"""All routines of the household: the door for tools, services and entities (DESIGN 8)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from .answers import Answered, Answers, Asker
from .model import Memo, Routine, RoutineEvent
from .sandbox.model import CheckOutcome, LentFunction, Question


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What condition code gives at this moment."""

    outcome: CheckOutcome
    answered: Mapping[Question, Answered] = field(default_factory=dict)

    @property
    def bindings(self) -> dict[str, str]:
        """References of all names that the code used."""
        return {
            name: reference
            for each in self.answered.values()
            for name, reference in each.bindings.items()
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A routine with what is known of it at this moment."""

    routine: Routine
    memo: Memo
    next_check: datetime | None = None
    """UTC; None where nothing is due by the clock."""


class Routines:
    """Makes, watches, pauses and ends routines.

    Who may do what with whose routine is decided by the caller: a routine is given by
    its id here, and everybody else filters by `Routine.owner`.
    """

    @property
    def functions(self) -> tuple[LentFunction, ...]:
        """What condition code may call."""
        raise NotImplementedError

    @property
    def answers(self) -> Answers:
        """Who answers the questions of condition code."""
        raise NotImplementedError

    async def async_load(self) -> None:
        """Read what is stored; nothing is watched yet. Raises RoutineError."""
        raise NotImplementedError

    async def async_start(self) -> None:
        """Begin to watch: Home Assistant has started. Firings that were cut short go on."""
        raise NotImplementedError

    async def async_close(self) -> None:
        """Stop watching, end the sandbox, close the file."""
        raise NotImplementedError

    async def async_try(
        self, source: str, function: str, asker: Asker, state: Mapping[str, object] | None = None
    ) -> Trial:
        """Run condition code once. Raises RoutineError where no sandbox can be had."""
        raise NotImplementedError

    async def async_create(self, routine: Routine) -> Watched:
        """Store the routine, check it for the first time, watch it.

        When this returns it is on the disk. Raises RoutineError: too many, a time that is
        past, code that fails.
        """
        raise NotImplementedError

    def get(self, routine_id: str) -> Watched | None:
        """Return one routine."""
        raise NotImplementedError

    def list(self, owner: str | None) -> tuple[Watched, ...]:
        """Return the routines of one person, of the household for None, the oldest first."""
        raise NotImplementedError

    def list_all(self) -> tuple[Watched, ...]:
        """Return all routines, for entities."""
        raise NotImplementedError

    async def async_pause(self, routine_id: str, until: datetime | None = None) -> Watched:
        """Stop watching, perhaps until a time (UTC)."""
        raise NotImplementedError

    async def async_resume(self, routine_id: str) -> Watched:
        """Watch again; what the condition is then is the first "before"."""
        raise NotImplementedError

    async def async_delete(self, routine_id: str) -> None:
        """Forget the routine. One that is firing is not cut short."""
        raise NotImplementedError

    async def async_owner_gone(self, owner: str) -> None:
        """Pause what belonged to somebody who was removed."""
        raise NotImplementedError

    def listen(self, listener: Callable[[RoutineEvent], None]) -> Callable[[], None]:
        """Call the listener at each event; returns what ends that."""
        raise NotImplementedError
