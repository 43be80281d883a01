"""Earlier states from Home Assistant's recorder, also those before the last change."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from homeassistant.const import COMPRESSED_STATE_LAST_UPDATED, COMPRESSED_STATE_STATE
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers.recorder import DATA_INSTANCE, get_instance
from homeassistant.util import dt as dt_util

from .commands.undo_history import SET_BY_PEOPLE
from .home_types import EARLIER, Fact, HomeError, Outcome, Reading
from .prompt_text import is_free_text_of
from .values import NOT_KNOWN, STATE, TypedValue, plain, value_of, values_of_state

if TYPE_CHECKING:
    from homeassistant.components.recorder.core import Recorder

_PIECE: Final = timedelta(hours=1)  # length of the first piece; each further piece is twice as long
_INSTANT: Final = timedelta(microseconds=1)

_MOST_HELD: Final = 1_000  # maximum states read to find since when an entity has its state
_COMMIT_SECONDS: Final = 10.0


class Point(NamedTuple):
    """A value that an entity got at a time."""

    at: float  # timestamp of the time, in seconds
    value: TypedValue
    is_known: bool = True  # False while the entity was unavailable or unknown


def changes(points: Iterable[Point], start: float) -> list[Point]:
    """Return the known value at `start` and all later changes; unknown values are no change."""
    shown: list[Point] = []
    for point in points:
        at = max(point.at, start)
        if point.is_known and shown and shown[-1].at == at:
            shown.pop()
        if point.is_known and (not shown or (shown[-1].value != point.value and at > shown[-1].at)):
            shown.append(Point(at, point.value))
    return shown


class Recorded:
    """Reads earlier states of entities. The caller must check the person's read permission."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass

    @property
    def is_there(self) -> bool:
        """Whether this Home Assistant has a recorder."""
        return DATA_INSTANCE in self._hass.data

    def check(self, entity_id: str) -> None:
        """Raise HomeError if the recorder is missing or does not record the entity."""
        if not self.is_there:
            raise HomeError("This Home Assistant has no recorder, so the past is unknown.")
        entity_filter = self._instance.entity_filter
        if entity_filter is not None and not entity_filter(entity_id):
            raise HomeError(f"The recorder of this Home Assistant leaves out {entity_id}.")

    @property
    def oldest(self) -> datetime:
        """The time (UTC) of the oldest state of any entity; now if there is none."""
        oldest = self._instance.states_manager.oldest_ts
        return dt_util.utcnow() if oldest is None else dt_util.utc_from_timestamp(oldest)

    @property
    def _instance(self) -> Recorder:
        return get_instance(self._hass)

    async def _async_job[T](self, job: Callable[..., T], *arguments: Any) -> T:
        """Return the result of `job(hass, ...)`, which runs in a thread of the recorder."""
        return await self._instance.async_add_executor_job(job, self._hass, *arguments)

    async def async_statistics(
        self, entity_id: str, start: datetime, end: datetime
    ) -> Sequence[Mapping[str, Any]]:
        """Return the statistics of the hours that begin in a period, in the unit of the state."""
        from homeassistant.components.recorder import statistics  # noqa: PLC0415 - as in `_read`

        read, kinds = statistics.statistics_during_period, {"min", "max", "mean", "change"}
        rows = await self._async_job(read, start, end, {entity_id}, "hour", None, kinds)
        return rows.get(entity_id, ())

    async def async_newest(
        self, now: State, start: datetime, end: datetime, most: int
    ) -> list[State]:
        """Return up to `most` latest states of an entity between two times (UTC), oldest first.

        If all states fit, the first one is the state at `start`. `now`: the current state.
        """
        return await self._async_pieces(now, start, end, most, _states, attributes=True)

    async def async_points(
        self, now: State, attribute: str, start: datetime, end: datetime, most: int
    ) -> list[Point]:
        """Return up to `most` latest values of an attribute between two times, oldest first.

        The state `now` of the entity is the last of them if it is not older than `end`. If all
        values fit, the first one is the value at `start`.
        """
        others, convert = attribute != STATE, partial(_points, now, attribute)
        points = await self._async_pieces(now, start, end, most, convert, attributes=others)
        last = now.last_updated_timestamp
        while points and points[-1].at > last:
            points.pop()
        changed = last if others else now.last_changed_timestamp
        if changed <= end.timestamp():
            points.append(_point(changed, now, attribute))
        return points

    async def _async_pieces[T](
        self,
        now: State,
        start: datetime,
        end: datetime,
        most: int,
        convert: Callable[[Sequence[Any]], list[T]],
        *,
        attributes: bool,
    ) -> list[T]:
        found: list[T] = []
        length = _PIECE
        while end > start and len(found) <= most:
            # The last state of the earlier piece is the initial state of the later piece.
            since = max(start, end - length)
            found[:0] = await self._async_job(
                _read, now.entity_id, since, end, attributes, since == start, convert
            )
            end, length = since, length * 2
        return found[-most:]

    async def async_held_since(self, state: State, oldest: datetime) -> datetime:
        """Return the time (UTC) when the entity entered its current state.

        The search ends at `oldest`. A time of unavailability, such as a restart, is not a change.
        Of an entity that is not recorded, it is the last change of any kind.
        """
        try:
            self.check(state.entity_id)
        except HomeError:
            return state.last_changed
        await self.async_commit()
        points = await self.async_points(state, STATE, oldest, state.last_changed, _MOST_HELD)
        since = changes(points, oldest.timestamp())[-1].at
        return min(state.last_changed, dt_util.utc_from_timestamp(since))

    async def async_commit(self) -> None:
        """Wait up to 10 seconds until the recorder has stored recent changes."""
        try:
            async with asyncio.timeout(_COMMIT_SECONDS):
                await self._instance.async_block_till_done()
        except TimeoutError:
            # The recorder is busy: use the states that it has stored so far.
            return


def _read[T](
    hass: HomeAssistant,
    entity_id: str,
    start: datetime,
    end: datetime,
    attributes: bool,
    first: bool,
    convert: Callable[[Sequence[Any]], list[T]],
) -> list[T]:
    from homeassistant.components.recorder import history  # noqa: PLC0415 - only with a recorder

    rows = history.get_significant_states(
        hass,
        # The recorder excludes changes exactly at the start.
        start - _INSTANT,
        end,
        [entity_id],
        include_start_time_state=first,
        significant_changes_only=not attributes,
        minimal_response=not attributes,
        no_attributes=not attributes,
        compressed_state_format=not attributes,
    )
    return convert(rows.get(entity_id, ()))


def _states(rows: Sequence[Any]) -> list[State]:
    return [
        State(
            row.entity_id,
            row.state,
            row.attributes,
            last_changed=row.last_changed,
            last_updated=row.last_updated,
            validate_entity_id=False,
        )
        for row in rows
    ]


def _points(now: State, attribute: str, rows: Sequence[Any]) -> list[Point]:
    if attribute != STATE:
        return [_point(each.last_updated_timestamp, each, attribute) for each in _states(rows)]
    # Without attributes, rows are compressed. Most states occur often.
    states = {
        text: _point(
            0.0, State(now.entity_id, text or "", now.attributes, validate_entity_id=False)
        )
        for text in {each[COMPRESSED_STATE_STATE] for each in rows}
    }
    return [
        Point(each[COMPRESSED_STATE_LAST_UPDATED], *states[each[COMPRESSED_STATE_STATE]][1:])
        for each in rows
    ]


def _point(at: float, state: State, attribute: str = STATE) -> Point:
    # The recorder has no state for the time after an entity was removed.
    is_known = state.state not in NOT_KNOWN and state.state != ""
    return Point(at, value_of(state, attribute) if is_known else None, is_known)


_FURTHEST: Final = timedelta(days=7)
_MOST_OLD: Final = 2_000

_TOLD: Final = (SET_BY_PEOPLE - {"brightness"}) | {"brightness_pct"}
"""Attributes returned by default: those that only people or commands change."""

_PERCENT: Final = {"brightness": "brightness_pct"}  # attribute -> attribute that models see instead


async def async_earlier(
    hass: HomeAssistant,
    readings: Iterable[Reading],
    attributes: Iterable[str] | None,
    outcomes: Sequence[Outcome],
) -> tuple[Reading, ...]:
    """Return the earlier values as in `HomeView.async_read_earlier`. Raises HomeError.

    - `readings`: the current values; those of extensions have no earlier values
    - `outcomes`: those of the person's commands, oldest first; used only for entities that the
      recorder leaves out
    """
    names = _TOLD if attributes is None else {_PERCENT.get(each, each) for each in attributes}
    found: list[Reading] = []
    for each in readings:
        state = hass.states.get(each.component_id) if each.is_entity else None
        if state is None:
            continue
        before = await _async_before(hass, state, outcomes)
        if earlier := _earlier(each, state, before, names):
            found.append(earlier)
    if not found:
        raise HomeError(
            "The earlier value is unknown: neither Home Assistant's history nor the undo record "
            "has it. Finish with `could_not`."
        )
    return tuple(found)


async def _async_before(
    hass: HomeAssistant, state: State, outcomes: Sequence[Outcome]
) -> Sequence[tuple[State, datetime | None]]:
    """Return the earlier states of an entity and when they ended (UTC), latest first."""
    recorded, entity_id = Recorded(hass), state.entity_id
    try:
        recorded.check(entity_id)
    except HomeError:
        restored = [e.restore for e in reversed(outcomes) if e.component_id == entity_id]
        return [
            (State(entity_id, str(each[STATE]), each, validate_entity_id=False), None)
            for each in restored
            if STATE in each
        ]
    await recorded.async_commit()
    now = dt_util.utcnow()
    rows = await recorded.async_newest(state, now - _FURTHEST, now, _MOST_OLD)
    known = [each for each in rows if each.state not in NOT_KNOWN]
    ends = [*(each.last_updated for each in known[1:]), state.last_updated]
    return [*zip(known, ends, strict=False)][::-1]


def _earlier(
    reading: Reading,
    state: State,
    before: Sequence[tuple[State, datetime | None]],
    names: Collection[str],
) -> Reading | None:
    """Return a reading with earlier values of the attributes in `names`; None if there are none.

    The earlier value of an attribute is the latest one that differs from the current value.
    Attributes without such a value are left out.
    """
    now = values_of_state(state, everything=True)
    units = {fact.name: fact.unit for fact in reading.attributes}
    facts: list[Fact] = []
    rows = [(values_of_state(row, everything=True), end) for row, end in before]
    for name in sorted(names):
        earlier = ((row.get(name), end) for row, end in rows)
        was = next((each for each in earlier if _is_other(each[0], now.get(name))), None)
        if was is None:
            continue
        value, end = was
        is_free = is_free_text_of(state, name, value)
        earlier_name, unit = f"{EARLIER}{name}", units.get(name)
        facts.append(Fact(name=earlier_name, value=value, unit=unit, is_free_text=is_free))
        if end is not None:
            facts.append(Fact(name=f"{earlier_name}_until", value=plain(end)))
    return replace(reading, attributes=tuple(facts)) if facts else None


def _is_other(earlier: object, now: object) -> bool:
    is_known = earlier is not None and not (isinstance(earlier, str) and earlier in NOT_KNOWN)
    return is_known and earlier != now
