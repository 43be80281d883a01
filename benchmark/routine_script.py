"""Two hundred routines of several kinds and people, an hour of changes, and all edges in it.

The edges are derived from the script alone, independently of the measured code.
"""

import random
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import cycle
from typing import Any, Final

from homeassistant.util import dt as dt_util
from homeassistant.util.ulid import ulid_now

from custom_components.sage.people.person import KnownBy
from custom_components.sage.routines.routine_types import Condition, EdgeKind, Repeat, Routine

from .custom_components.sage_large_home.layout import things

INTERVAL: Final = 5.0
AT_ONCE: Final = 5.0
"""Maximum seconds from a change to its edge.

Normally it is some tenths. But real time counts as simulated time, and on a busy machine the
garbage collector alone may need two seconds for the large home.
"""

BY_THE_CLOCK: Final = INTERVAL + AT_ONCE
"""Seconds from when an edge is due by the time to the check that finds it."""

_WINDOW: Final = 300
"""Seconds; twice that divides an hour, so that windows follow from the clock."""

_HOLD: Final = 120
_HELD: Final = 180

type Value = bool | None
type Edge = tuple[float, EdgeKind]


@dataclass(frozen=True, slots=True)
class Signal:
    """What an entity is in the course of the hour."""

    entity_id: str
    first: str
    changes: tuple[tuple[float, str], ...]
    """Seconds from the start, and the state from then on."""

    times: tuple[float, ...]

    def at(self, when: float) -> str:
        index = bisect_right(self.times, when) - 1
        return self.first if index < 0 else self.changes[index][1]

    def since(self, when: float) -> float:
        """Return when the state that it has at a time began."""
        index = bisect_right(self.times, when) - 1
        return float("-inf") if index < 0 else self.times[index]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A routine, and the edges that it has in the hour, and may have soon after."""

    kind: str
    routine: Routine
    signals: tuple[Signal, ...]
    edges: tuple[Edge, ...]
    tolerance: float


@dataclass(slots=True)
class _Maker:
    """Makes plans; each takes entities of its own."""

    chance: random.Random
    seconds: int
    owners: Any
    free: dict[str, list[str]]
    plans: list[Plan] = field(default_factory=list)

    def signal(
        self,
        domain: str,
        states: tuple[str, ...],
        spans: Callable[[], float],
        *,
        avoid: Callable[[float], bool] = lambda _: False,
    ) -> Signal:
        """Return an entity that goes through states in turn, each for a span of seconds."""
        entity_id = self.free[domain].pop()
        changes = []
        turn = cycle(states[1:] + states[:1])
        when = self.chance.uniform(20, 200)
        while when < self.seconds - 30:
            if not avoid(when):
                changes.append((when, next(turn)))
            when += spans()
        return Signal(entity_id, states[0], tuple(changes), tuple(each for each, _ in changes))

    def add(
        self,
        kind: str,
        body: str,
        signals: Sequence[Signal],
        value: Callable[[float], Value],
        *,
        due: Sequence[float] = (),
        hold: int = 0,
        undo_after: bool = False,
    ) -> None:
        """Add a routine; `value` is what its condition is at a time, `due` when it may change."""
        number = len(self.plans)
        function = f"is_so_{number}"
        routine = Routine(
            id=ulid_now(),
            owner=next(self.owners),
            known_by=KnownBy.SIGN_IN,
            agent_id="agent",
            language="en",
            request=f"request {number}",
            when=f"condition {number}",
            command=f"command {number}",
            trigger=Condition(
                function=function,
                source=f"def {function}():\n{body}",
                interval=INTERVAL,
                hold=timedelta(seconds=hold),
            ),
            repeat=Repeat.ALWAYS,
            created_at=dt_util.utcnow(),
            undo_after=undo_after,
        )
        times = sorted({*due, *(when for signal in signals for when in signal.times)})
        self.plans.append(
            Plan(
                kind=kind,
                routine=routine,
                signals=tuple(signals),
                edges=tuple(_edges(times, value, hold, undo_after=undo_after)),
                tolerance=BY_THE_CLOCK if due else AT_ONCE,
            )
        )


def _edges(
    times: Sequence[float], value: Callable[[float], Value], hold: int, *, undo_after: bool
) -> list[Edge]:
    found: list[Edge] = []
    before, since, fired = value(0.0), 0.0, False
    for index, when in enumerate(times):
        now = value(when)
        if now is None:
            continue
        if now and not before:
            since, fired = when, False
        if now and not hold and not before:
            found.append((when, EdgeKind.ON))
            fired = True
        if not now and before and undo_after and any(kind is EdgeKind.ON for _, kind in found):
            found.append((when, EdgeKind.OFF))
        before = now
        if hold and now and not fired:
            end = next((each for each in times[index + 1 :] if value(each) is False), None)
            if end is None or end > since + hold:
                found.append((since + hold, EdgeKind.ON))
            fired = True
    return found


def plans(number: int, owners: Sequence[str | None], *, seconds: int, seed: int) -> list[Plan]:
    """Return `count` routines, of all kinds in turn, distributed among the owners."""
    chance = random.Random(seed)
    free: dict[str, list[str]] = {}
    for thing in things():
        key = thing.kind or thing.domain
        free.setdefault(key, []).append(thing.entity_id)
    for entity_ids in free.values():
        chance.shuffle(entity_ids)
    maker = _Maker(chance, seconds, cycle(owners), free)
    kinds = cycle(
        (_state, _state, _number, _hold, _two, _state, _held, _window, _put_back, _history)
    )
    while len(maker.plans) < number:
        next(kinds)(maker)
    return maker.plans


def _long(maker: _Maker) -> Callable[[], float]:
    return lambda: maker.chance.uniform(60, 500)


def _state(maker: _Maker) -> None:
    """Watch a state that is sometimes unknown."""
    signal = maker.signal(
        "light", ("off", "on", "unavailable", "on", "off", "unavailable"), _long(maker)
    )

    def value(when: float) -> Value:
        state = signal.at(when)
        return None if state == "unavailable" else state == "on"

    body = f'    return get_state("{signal.entity_id}") == "on"\n'
    maker.add("state", body, [signal], value)


def _number(maker: _Maker) -> None:
    signal = maker.signal("temperature", ("20.5", "24.9", "25.5", "26", "23"), _long(maker))
    body = (
        f'    warm = float(get_state("{signal.entity_id}"))\n'
        '    state["most"] = max(state.get("most", warm), warm)\n'
        "    return warm > 25\n"
    )
    maker.add("number, own dict", body, [signal], lambda when: float(signal.at(when)) > 25)


def _hold(maker: _Maker) -> None:
    def span() -> float:
        return maker.chance.choice((maker.chance.uniform(20, 110), maker.chance.uniform(130, 500)))

    signal = maker.signal("outlet", ("off", "on"), span)
    body = f'    return get_state("{signal.entity_id}") == "on"\n'
    maker.add("held for 2 minutes", body, [signal], lambda t: signal.at(t) == "on", hold=_HOLD)


def _two(maker: _Maker) -> None:
    first = maker.signal("light", ("off", "on"), _long(maker))
    second = maker.signal("outlet", ("off", "on"), _long(maker))
    body = (
        f'    names = ["{first.entity_id}", "{second.entity_id}"]\n'
        '    return all(get_state(name) == "on" for name in names)\n'
    )
    maker.add(
        "two devices",
        body,
        [first, second],
        lambda when: first.at(when) == second.at(when) == "on",
    )


def _held(maker: _Maker) -> None:
    def span() -> float:
        return maker.chance.choice((maker.chance.uniform(30, 165), maker.chance.uniform(200, 500)))

    signal = maker.signal("light", ("off", "on"), span)
    body = (
        f'    name = "{signal.entity_id}"\n'
        f'    return get_state(name) == "on" and held_minutes(name) >= {_HELD // 60}\n'
    )
    maker.add(
        "held_minutes",
        body,
        [signal],
        lambda when: signal.at(when) == "on" and when - signal.since(when) >= _HELD,
        # A moment later, since these are no exact numbers.
        due=[when + _HELD + 0.001 for when, state in signal.changes if state == "on"],
    )


def _window(maker: _Maker) -> None:
    def is_near(when: float) -> bool:
        return not 15 <= when % _WINDOW <= _WINDOW - 15

    signal = maker.signal("light", ("off", "on"), _long(maker), avoid=is_near)
    body = (
        f'    dim = get_state("{signal.entity_id}") == "on"\n'
        f"    return (now().minute // {_WINDOW // 60}) % 2 == 1 and dim\n"
    )
    maker.add(
        "now",
        body,
        [signal],
        lambda when: int(when // _WINDOW) % 2 == 1 and signal.at(when) == "on",
        due=[float(each) for each in range(_WINDOW, maker.seconds, _WINDOW)],
    )


def _put_back(maker: _Maker) -> None:
    signal = maker.signal("blind", ("closed", "open"), _long(maker))
    body = f'    return get_state("{signal.entity_id}") == "open"\n'
    maker.add("put back after", body, [signal], lambda t: signal.at(t) == "open", undo_after=True)


def _history(maker: _Maker) -> None:
    """Watch for a rise, which ten minutes later is none any more."""
    signal = maker.signal("humidity", ("40", "48"), lambda: maker.chance.uniform(650, 1100))
    body = (
        f'    points = get_history("{signal.entity_id}", 10)\n'
        '    values = [float(point["value"]) for point in points]\n'
        "    return values[-1] - values[0] >= 5\n"
    )
    maker.add(
        "get_history",
        body,
        [signal],
        lambda when: float(signal.at(when)) - float(signal.at(when - 600)) >= 5,
    )
