"""Limits for routines: rates of firing, loops, and firings that come too late."""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from .clock_times import LATEST
from .routine_types import Firing, Routine, Status

type Cause = tuple[str, str | None]
"""Key of the changed value, and the id of the context that changed it, if known."""

PER_MINUTE: Final = 10
PER_HOUR: Final = 60
"""A routine that exceeds one of these limits is stopped."""

IN_ALL_PER_HOUR: Final = 300
"""Most firings of all routines together in an hour.

Above this total, the routine that fired most is stopped, if it fired `MANY_PER_HOUR` times. The
others continue; the firing queue spreads them.
"""

MANY_PER_HOUR: Final = 20

MOST_PER_PERSON: Final = 50
"""Most routines of a person, and of the household."""

_MINUTE: Final = timedelta(minutes=1)
_HOUR: Final = timedelta(hours=1)


class RateLimits:
    """Counts the firings of the last hour, and finds the routines that fire too often."""

    def __init__(self, *, in_all_per_hour: int = IN_ALL_PER_HOUR) -> None:
        self._in_all_per_hour = in_all_per_hour
        self._fired: deque[tuple[datetime, str]] = deque()

    def note(self, routine_id: str, at: datetime) -> str | None:
        """Count a firing. Return the id of the routine to stop, None if there is none.

        If the total of all routines is too high, this is the routine that fired most.
        """
        # Times in the future are from before the clock was set back.
        self._fired = deque(each for each in self._fired if timedelta(0) <= at - each[0] < _HOUR)
        self._fired.append((at, routine_id))
        own = [when for when, fired in self._fired if fired == routine_id]
        if len(own) > PER_HOUR or sum(at - when < _MINUTE for when in own) > PER_MINUTE:
            return routine_id
        return self._busiest() if len(self._fired) > self._in_all_per_hour else None

    def forget(self, routine_id: str) -> None:
        """Reset the count, for example after a person resumed the routine."""
        self._fired = deque(each for each in self._fired if each[1] != routine_id)

    def _busiest(self) -> str | None:
        counts: dict[str, int] = {}
        for _, routine_id in self._fired:
            counts[routine_id] = counts.get(routine_id, 0) + 1
        busiest = max(counts, key=lambda each: counts[each])
        return busiest if counts[busiest] >= MANY_PER_HOUR else None


AFTERMATH: Final = timedelta(seconds=10)
"""A change this soon after a run may be caused by the run, since clouds report late."""

SUSPICIONS: Final = 3
"""A routine loops if its own runs explain this many of its firings in SUSPICION_WINDOW."""

ROUNDS: Final = 3
"""A routine loops if it occurs this often in the chain that led to its own firing.

More than once, because for some seconds after a command Home Assistant assigns its context to
all changes of the entity, also to those by hand.
"""

SUSPICION_WINDOW: Final = timedelta(minutes=10)


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
    """Ids of the routine and of the routines that led to its run."""


class LoopGuard:
    """Detects routines that trigger themselves, directly or through others.

    There are two signs of a loop. First, the context of the change belongs to a run that the
    routine led to. Second, for changes from a cloud, which have no context: a run of the routine,
    or one that it led to, changed the same values shortly before. A person who undoes what a
    routine did causes these signs once, so both need several occurrences.
    """

    def __init__(self, chain_of: Callable[[str], tuple[str, ...]]) -> None:
        """`chain_of` takes a context id; it returns the ids of the routines that led to it."""
        self._chain_of = chain_of
        self._edges: deque[_Edge] = deque()
        self._runs: deque[_Ran] = deque()

    def chain(self, causes: Iterable[Cause], routine_id: str) -> tuple[str, ...]:
        """Return the ids of the routines whose commands led to these changes, in order.

        Of several such chains: the one that contains `routine_id` most often, then the longest.
        """
        contexts = {context for _, context in causes if context is not None}
        found = [self._chain_of(context) for context in contexts]
        return max(found, key=lambda chain: (chain.count(routine_id), len(chain)), default=())

    def note_edge(
        self, routine_id: str, keys: Collection[str], at: datetime, chain: Sequence[str] = ()
    ) -> bool:
        """Record that a routine is about to fire; return whether it loops.

        `keys`: the values that changed. `chain`: ids of the routines that led to the change.
        """
        self._drop_old(at)
        self._edges.append(_Edge(routine_id=routine_id, at=at, keys=frozenset(keys)))
        own = [edge for edge in self._edges if edge.routine_id == routine_id]
        suspicious = sum(routine_id in self._suspects(edge) for edge in own)
        return suspicious >= SUSPICIONS or chain.count(routine_id) >= ROUNDS

    def note_run(
        self, firing: Firing, changed: Collection[str], *, began: datetime, ended: datetime
    ) -> None:
        """Record the keys of the values that the run of a firing changed; times in UTC."""
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
        """Reset the suspicion, for example after a person resumed the routine."""
        self._edges = deque(edge for edge in self._edges if edge.routine_id != routine_id)

    def _suspects(self, edge: _Edge) -> frozenset[str]:
        """Return the routines whose runs may have caused a firing."""
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


LONGEST_WAIT: Final = timedelta(minutes=15)
"""A firing that waited longer for another run of its routine is not executed."""

_ALIKE: Final = timedelta(minutes=1)
"""Missed firings within this time after a report are not reported again."""

_STILL_MEANT: Final = frozenset({Status.WATCHING, Status.ENDED})
"""Statuses in which a firing is still wanted; ENDED because it may be the last firing."""


class Lateness:
    """Finds firings that are reported to the person instead of being executed.

    - Those that were due longer ago than `LATEST`: "open the garage at eight" must not be executed
      the next morning, when the power is back.
    - Those that waited longer than `LONGEST_WAIT` for another run of the same routine, for
      example while its person is asked for an hour.
    - Those that are waiting when their routine is paused or stops by itself.
    """

    def __init__(self, now: Callable[[], datetime]) -> None:
        """Start without runs; `now` returns the time (UTC)."""
        self._now = now
        self._ended: dict[str, datetime] = {}
        """Routine id -> when its last run ended."""

        self._told: dict[str, datetime] = {}
        """Routine id -> when a missed firing was last reported."""

    def is_missed(self, routine: Routine, firing: Firing) -> bool:
        """Return whether a firing is too late to be executed."""
        age = self._now() - firing.at
        if routine.status not in _STILL_MEANT or age > LATEST:
            return True
        ended = self._ended.get(routine.id)
        has_waited = ended is not None and firing.at < ended
        return has_waited and age > LONGEST_WAIT

    def note_run(self, routine_id: str) -> None:
        """Record that a run of a routine has ended now."""
        self._ended = _recent(self._ended, self._now(), LATEST) | {routine_id: self._now()}

    def may_tell(self, routine_id: str) -> bool:
        """Return whether to inform the person of a missed firing; the logbook always shows it."""
        self._told = _recent(self._told, self._now(), _ALIKE)
        return routine_id not in self._told

    def note_told(self, routine_id: str) -> None:
        """Record that the person was informed of a missed firing now."""
        self._told[routine_id] = self._now()


def _recent(times: dict[str, datetime], now: datetime, span: timedelta) -> dict[str, datetime]:
    return {routine_id: at for routine_id, at in times.items() if abs(now - at) <= span}
