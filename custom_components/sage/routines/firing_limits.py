"""Limits for the actions of routines: rate, loops and lateness.

A firing is one execution of a routine's action. A loop is a routine that triggers itself, directly
or through other routines.
"""

from collections import deque
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Final

from .routine_types import Firing, Routine, Status

type Cause = tuple[str, str | None]
"""A change: the key of the changed value, and the id of the Home Assistant context of the change.

The key is an entity id or the name of a SmartThings attribute. The context id is None if unknown.
"""

PER_MINUTE: Final = 10
PER_HOUR: Final = 60
"""A routine that fires more often than PER_MINUTE or PER_HOUR is stopped."""

MOST_PER_PERSON: Final = 50
"""Maximum number of routines of one person, or of the household."""

_MINUTE: Final = timedelta(minutes=1)
_HOUR: Final = timedelta(hours=1)


class RateLimits:
    """Counts how often routines fired in the last hour, and finds those that fire too often."""

    def __init__(self) -> None:
        self._fired: deque[tuple[datetime, str]] = deque()

    def note(self, routine_id: str, at: datetime) -> bool:
        """Count one firing of a routine; return whether the routine fires too often."""
        # Drop times in the future: the clock was set back since.
        self._fired = deque(each for each in self._fired if timedelta(0) <= at - each[0] < _HOUR)
        self._fired.append((at, routine_id))
        own = [when for when, fired in self._fired if fired == routine_id]
        return len(own) > PER_HOUR or sum(at - when < _MINUTE for when in own) > PER_MINUTE

    def forget(self, routine_id: str) -> None:
        """Reset the count of a routine, for example after a person resumed it."""
        self._fired = deque(each for each in self._fired if each[1] != routine_id)


ROUNDS: Final = 3
"""A routine that has fired this often in one chain of triggers is stopped.

In a chain, each firing triggers the next one: in ("a", "b", "a"), routine "a" has fired 2 times. A
stopped routine has the status LOOPING and does not fire until a person resumes it.

One occurrence is not enough: for some seconds after a command, Home Assistant assigns the context
of the command to all changes of the entity, including manual ones.
"""


def chain_of_causes(
    chain_of: Callable[[str], tuple[str, ...]], causes: Iterable[Cause], routine_id: str
) -> tuple[str, ...]:
    """Return the ids of the routines that led to the changes `causes`, the earliest first.

    `chain_of`: Home Assistant context id -> ids of the routines that led to this context.

    Example: ("a", "b", "a") if "a" triggered "b", "b" triggered "a" again, and then "a" made the
    change. If the changes have different chains, returns the chain in which `routine_id` occurs
    most often; empty if no routine led to the changes.
    """
    contexts = {context for _, context in causes if context is not None}
    chains = map(chain_of, contexts)
    return max(chains, key=lambda chain: (chain.count(routine_id), len(chain)), default=())


LATEST: Final = timedelta(hours=12)
"""An action that is overdue by more than this is not executed; the person is informed."""

STILL_MEANT: Final = frozenset({Status.WATCHING, Status.ENDED})
"""Statuses of a routine in which its waiting actions are still executed.

ENDED is one of them, because a routine ends when it fires for the last time.
"""


def is_missed(routine: Routine, firing: Firing, now: datetime) -> bool:
    """Return whether an action must not be executed any more; the person gets a report instead.

    Such an action was due longer ago than `LATEST`, or its routine was paused or stopped meanwhile.
    """
    return routine.status not in STILL_MEANT or now - firing.at > LATEST
