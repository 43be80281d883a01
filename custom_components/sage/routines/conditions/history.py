"""The functions `get_history` and `held_minutes` for condition code: past values of devices."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from homeassistant.core import State
from homeassistant.util import dt as dt_util

from ...home.home_types import HomeError
from ...home.recorded import Recorded
from ...home.safety.free_text import is_free_text, options_of
from ...home.values import NOT_KNOWN, STATE, value_of
from ..sandbox.sandbox_types import EVERY_CHECK, FunctionResult, Value
from .calls import ConditionCall, condition_function, number
from .last_day import RecordedSnapshot
from .names import async_attribute, async_main

MOST_POINTS: Final = 500
MOST_MINUTES: Final = 7 * 24 * 60
_MOST_MINUTES_OF_ATTRIBUTES: Final = 24 * 60

_SHORTEST: Final = timedelta(seconds=10)
_LONGEST: Final = timedelta(minutes=5)
"""Maximum validity of a `get_history` result: its oldest values become too old over time."""

_MOST_ROWS: Final = 5_000
"""Maximum number of recorded states that are read for the values of an attribute."""

_FURTHEST: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class _Point:
    at: datetime
    value: Value


@condition_function(
    returns="list[dict]",
    description=(
        "What a device was in the last minutes: a list of {'at': datetime, 'value': ...}, "
        "oldest first, beginning with the value that it had then; one entry a change, the "
        f"newest {MOST_POINTS}. Up to seven days, attributes up to one. Of entities only."
    ),
)
async def get_history(
    call: ConditionCall, device: str, minutes: float, attribute: str = ""
) -> FunctionResult:
    """Return the device's values in the last `minutes`, with times."""
    attribute = attribute or STATE
    most = MOST_MINUTES if attribute == STATE else _MOST_MINUTES_OF_ATTRIBUTES
    minutes = number("minutes", minutes, 1, most)
    place = await async_attribute(call, device, attribute)
    if isinstance(place, str):
        raise HomeError(
            f"Of {attribute} no history is kept, as no entity has it. Read it with get_attribute, "
            "and keep what is needed in the dict `state`."
        )
    entity_id, attribute = place
    state = await call.async_known_state(entity_id)
    try:
        call.sources.recorded.check(entity_id)
    except HomeError as err:
        raise HomeError(f"{err} Keep what is needed in the dict `state` instead.") from err
    span = timedelta(minutes=minutes)
    start = call.snapshot.at - span
    points = await _async_points(call.sources.recorded, state, attribute, start)
    shown = _shown(points, state, attribute, start)
    return FunctionResult(
        value=[{"at": dt_util.as_local(each.at), "value": each.value} for each in shown],
        fresh_until=call.snapshot.at + min(max(span / 100, _SHORTEST), _LONGEST),
        is_free_text=is_free_text(
            state.domain,
            attribute,
            [each.value for each in shown],
            options_of(state.domain, state.attributes),
        ),
    )


async def _async_points(
    recorded: Recorded, state: State, attribute: str, start: datetime
) -> list[_Point]:
    """Return the recorded values of an attribute since `start`, with the one that applied then."""
    # The recorder writes with a delay.
    await recorded.async_commit()
    by_attribute = attribute != STATE
    rows = await recorded.async_newest(
        state,
        start,
        dt_util.utcnow(),
        _MOST_ROWS if by_attribute else MOST_POINTS,
        attributes=by_attribute,
    )
    return [
        _Point(row.last_updated, value_of(row, attribute))
        for row in rows
        if row.state not in NOT_KNOWN
    ]


def _shown(points: list[_Point], state: State, attribute: str, start: datetime) -> list[_Point]:
    """Return the value that applied at `start`, and all changes until `state`."""
    changed = state.last_changed if attribute == STATE else state.last_updated
    earlier = [each for each in points if each.at <= state.last_updated]
    shown: list[_Point] = []
    for point in (*earlier, _Point(changed, value_of(state, attribute))):
        at = max(point.at, start)
        if shown and shown[-1].at == at:
            shown.pop()
        if not shown or (shown[-1].value != point.value and at > shown[-1].at):
            shown.append(_Point(at, point.value))
    return shown[-MOST_POINTS:]


@condition_function(
    returns="float",
    description=(
        "For how many minutes the main value has been what it is now, such as: "
        "get_state(d) == 'on' and held_minutes(d) >= 10. Up to seven days."
    ),
    is_recorded=True,
)
async def held_minutes(call: ConditionCall, device: str) -> FunctionResult:
    """Return for how many minutes the device's main entity has had its current state.

    Restarts of Home Assistant do not count as changes.
    """
    state = await call.async_known_state(await async_main(call, device))
    if isinstance(call.snapshot, RecordedSnapshot):
        since = await call.snapshot.async_held_since(state)
    else:
        # Restarts of Home Assistant and integrations reset `State.last_changed`.
        key = (held_minutes.name, state.entity_id, state.last_changed)
        read = partial(_async_held_since, call.sources.recorded, state)
        since, _ = await call.sources.async_kept(key, _FURTHEST, read)
    minutes = max(0.0, (call.snapshot.at - since).total_seconds() / 60)
    return FunctionResult(value=round(minutes, 2), fresh_until=EVERY_CHECK)


async def _async_held_since(recorded: Recorded, state: State) -> datetime:
    try:
        recorded.check(state.entity_id)
    except HomeError:
        return state.last_changed
    return await recorded.async_held_since(state, dt_util.utcnow() - _FURTHEST)
