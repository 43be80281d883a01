"""Limits for the actions of routines: rate, loops and lateness.

A firing is one execution of a routine's action. A loop is a routine that triggers itself, directly
or through other routines.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
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


# Clouds report changes late.
AFTERMATH: Final = timedelta(seconds=10)
"""A change within this time after an action may be an effect of the action."""

SUSPICIONS: Final = 3
"""A routine that seems to trigger itself this often within ten minutes is stopped."""

# One occurrence is not enough: for some seconds after a command, Home Assistant assigns the context
# of the command to all changes of the entity, including manual ones.
ROUNDS: Final = 3
"""A routine that has fired this often in one chain of triggers is stopped.

In a chain, each firing triggers the next one: in ("a", "b", "a"), routine "a" has fired 2 times. A
stopped routine has the status LOOPING and does not fire until a person resumes it.
"""

SUSPICION_WINDOW: Final = timedelta(minutes=10)
"""The period in which SAGE counts how often a routine seems to trigger itself."""


@dataclass(slots=True, kw_only=True)
class _Edge:
    routine_id: str
    at: datetime
    keys: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ran:
    began: datetime
    ended: datetime
    changed: frozenset[str]
    trace: frozenset[str]
    """Ids of the routine that ran, and of all routines that led to this run."""


class LoopGuard:
    """Detects routines that trigger themselves, directly or through other routines.

    A routine counts as triggering itself if one of two rules applies:

    - By Home Assistant context: the routine has already fired ROUNDS times in the chain of firings
      that triggers it now.
    - By time: the routine was triggered SUSPICIONS times within SUSPICION_WINDOW, each time by a
      value that it had changed shortly before. Changes by routines that it had triggered count,
      too. This rule also finds loops through clouds that report no context.
    """

    def __init__(self, chain_of: Callable[[str], tuple[str, ...]]) -> None:
        """`chain_of`: Home Assistant context id -> ids of the routines that led to this context."""
        self._chain_of = chain_of
        self._edges: deque[_Edge] = deque()
        self._runs: deque[_Ran] = deque()

    def chain(self, causes: Iterable[Cause], routine_id: str) -> tuple[str, ...]:
        """Return the ids of the routines that led to the changes `causes`, the earliest first.

        Example: ("a", "b", "a") if "a" triggered "b", "b" triggered "a" again, and then "a" made
        the change. If the changes have different chains, returns the chain in which `routine_id`
        occurs most often; empty if no routine led to the changes.
        """
        contexts = {context for _, context in causes if context is not None}
        found = [self._chain_of(context) for context in contexts]
        return max(found, key=lambda chain: (chain.count(routine_id), len(chain)), default=())

    def note_edge(
        self, routine_id: str, keys: Collection[str], at: datetime, chain: Sequence[str] = ()
    ) -> bool:
        """Record that a routine was triggered; return whether it triggers itself.

        `keys`: keys of the changed values, e.g. the entity id "light.desk". `chain`: ids of the
        routines whose commands caused the changes, the earliest first.
        """
        self._drop_old(at)
        self._edges.append(_Edge(routine_id=routine_id, at=at, keys=frozenset(keys)))
        own = [edge for edge in self._edges if edge.routine_id == routine_id]
        suspicious = sum(routine_id in self._suspects(edge) for edge in own)
        # One occurrence proves no loop: a person who undoes the action may trigger it again.
        return suspicious >= SUSPICIONS or chain.count(routine_id) >= ROUNDS

    def note_run(
        self, firing: Firing, changed: Collection[str], *, began: datetime, ended: datetime
    ) -> None:
        """Record which values an execution of a routine's action has changed.

        `changed`: keys of these values, e.g. the entity id "light.desk". `began` and `ended`: start
        and end of the execution, UTC.
        """
        if not changed:
            return
        edges = [
            edge
            for edge in self._edges
            if edge.routine_id == firing.routine_id and edge.at == firing.at
        ]
        led = (self._suspects(edge) for edge in edges)
        trace = frozenset((firing.routine_id, *firing.chain)).union(*led)
        self._runs.append(_Ran(began=began, ended=ended, changed=frozenset(changed), trace=trace))

    def forget(self, routine_id: str) -> None:
        """Delete what `note_edge` recorded about a routine, e.g. after a person resumed it."""
        self._edges = deque(edge for edge in self._edges if edge.routine_id != routine_id)

    def _suspects(self, edge: _Edge) -> frozenset[str]:
        """Return the ids of the routines whose actions may have caused `edge`, a firing."""
        explaining = (
            run.trace
            for run in self._runs
            if run.began < edge.at <= run.ended + AFTERMATH and run.changed & edge.keys
        )
        return frozenset().union(*explaining)

    def _drop_old(self, now: datetime) -> None:
        while self._edges and now - self._edges[0].at > SUSPICION_WINDOW:
            self._edges.popleft()
        while self._runs and now - self._runs[0].ended > SUSPICION_WINDOW:
            self._runs.popleft()


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
