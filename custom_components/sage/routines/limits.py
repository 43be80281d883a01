"""What keeps routines from running away: how often they fire, and whether by themselves."""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from .model import Firing

type Cause = tuple[str, str | None]
"""Key of what changed, and the id of the context that changed it, if known."""

PER_MINUTE: Final = 10
PER_HOUR: Final = 60
"""A routine that fires more often than one of these is stopped."""

IN_ALL_PER_HOUR: Final = 300
"""Above it, the one that fired most is stopped, if it fired at least `MANY_PER_HOUR` times.

The others go on: the firing queue spreads them.
"""

MANY_PER_HOUR: Final = 20

MOST_PER_PERSON: Final = 50
"""So many routines a person may have, and the household."""

_MINUTE: Final = timedelta(minutes=1)
_HOUR: Final = timedelta(hours=1)


class RateLimits:
    """Counts firings; what was before a restart does not count."""

    def __init__(self, *, in_all_per_hour: int = IN_ALL_PER_HOUR) -> None:
        """Start with nothing fired."""
        self._in_all_per_hour = in_all_per_hour
        self._fired: deque[tuple[datetime, str]] = deque()

    def note(self, routine_id: str, at: datetime) -> str | None:
        """Count a firing. Returns the id of the routine that is to be stopped, if one is.

        It need not be the one that fires: where all together are too many, it is the one
        that fired most.
        """
        # What lies ahead was noted before the clock was set back.
        self._fired = deque(each for each in self._fired if timedelta(0) <= at - each[0] < _HOUR)
        self._fired.append((at, routine_id))
        own = [when for when, fired in self._fired if fired == routine_id]
        if len(own) > PER_HOUR or sum(at - when < _MINUTE for when in own) > PER_MINUTE:
            return routine_id
        return self._busiest() if len(self._fired) > self._in_all_per_hour else None

    def forget(self, routine_id: str) -> None:
        """Count anew, as after a person had it watched again."""
        self._fired = deque(each for each in self._fired if each[1] != routine_id)

    def _busiest(self) -> str | None:
        counts: dict[str, int] = {}
        for _, routine_id in self._fired:
            counts[routine_id] = counts.get(routine_id, 0) + 1
        busiest = max(counts, key=lambda each: counts[each])
        return busiest if counts[busiest] >= MANY_PER_HOUR else None


AFTERMATH: Final = timedelta(seconds=10)
"""A change so long after a run may still be its doing: a cloud tells it late."""

SUSPICIONS: Final = 3
"""So many edges in `SUSPICION_WINDOW` that its own runs explain, and it is a loop."""

ROUNDS: Final = 3
"""A routine that led so many times to its own edge is a loop, however long the rounds take.

Not once: for some seconds after a command Home Assistant lends its context to whatever the
entity tells, also to what a person does by hand.
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
    """The routine, and those that led to its run."""


class LoopGuard:
    """Tells whether a routine set itself off, directly or by way of others.

    By the context of a change where it belongs to a run whose chain holds the routine.
    Changes that come from a cloud have lost their context: there, an edge is suspicious whose
    keys a run of the routine, or one that it led to, has changed shortly before. A person may
    do just that once, by undoing what a routine did; so both take several.
    """

    def __init__(self, chain_of: Callable[[str], tuple[str, ...]]) -> None:
        """`chain_of` returns the ids of the routines that led to a context."""
        self._chain_of = chain_of
        self._edges: deque[_Edge] = deque()
        self._runs: deque[_Ran] = deque()

    def chain(self, causes: Iterable[Cause], routine_id: str) -> tuple[str, ...]:
        """Return the chain that holds the routine most often, of such ones the longest."""
        contexts = {context for _, context in causes if context is not None}
        found = [self._chain_of(context) for context in contexts]
        return max(found, key=lambda chain: (chain.count(routine_id), len(chain)), default=())

    def note_edge(
        self, routine_id: str, keys: Collection[str], at: datetime, chain: Sequence[str] = ()
    ) -> bool:
        """Note an edge with what led to it: keys that changed, routines; True if it is a loop."""
        self._drop_old(at)
        self._edges.append(_Edge(routine_id=routine_id, at=at, keys=frozenset(keys)))
        own = [edge for edge in self._edges if edge.routine_id == routine_id]
        suspicious = sum(routine_id in self._suspects(edge) for edge in own)
        return suspicious >= SUSPICIONS or chain.count(routine_id) >= ROUNDS

    def note_run(
        self, firing: Firing, changed: Collection[str], *, began: datetime, ended: datetime
    ) -> None:
        """Note what the run of a firing changed; times in UTC."""
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
        """Suspect it anew, as after a person had it watched again."""
        self._edges = deque(edge for edge in self._edges if edge.routine_id != routine_id)

    def _suspects(self, edge: _Edge) -> frozenset[str]:
        """Return the routines whose runs explain an edge."""
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
