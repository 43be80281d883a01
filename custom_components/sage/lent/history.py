"""`get_history`: what a device was, from the recorder."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from homeassistant.core import HomeAssistant, State
from homeassistant.util import dt as dt_util

from ..home.free_text import is_free_text, options_of
from ..home.values import STATE
from ..routines.answers import Answered
from ..routines.sandbox.model import Answer, LentFunction, Parameter, Value
from .entity_values import NOT_KNOWN, is_known, value_of
from .lender import Asked, LentError
from .names import Names
from .recorded import Recorded
from .references import RawPlace
from .states import DEVICE, Sight, answer_of

MOST_POINTS: Final = 500
MOST_MINUTES: Final = 7 * 24 * 60
_MOST_MINUTES_OF_ATTRIBUTES: Final = 24 * 60

_SHORTEST: Final = timedelta(seconds=10)
_LONGEST: Final = timedelta(minutes=5)
"""How long what was read is used again; the value of this moment is always added."""

_KEPT: Final = 200

type _Key = tuple[str, str, float]


@dataclass(frozen=True, slots=True)
class _Point:
    at: datetime
    value: Value


class GetHistory:
    """The values of the last minutes."""

    function = LentFunction(
        name="get_history",
        parameters=(
            DEVICE,
            Parameter(name="minutes", type="float"),
            Parameter(name="attribute", type="str", required=False, default=""),
        ),
        returns="list[dict]",
        description=(
            "What a device was in the last minutes: a list of {'at': datetime, 'value': ...}, "
            "oldest first, beginning with the value that it had then; one entry a change, the "
            f"newest {MOST_POINTS}. Up to seven days, attributes up to one. Of entities only."
        ),
    )

    def __init__(self, hass: HomeAssistant, names: Names, sight: Sight, recorded: Recorded) -> None:
        """Find by name, look with the eyes of the person."""
        self._hass = hass
        self._names = names
        self._sight = sight
        self._recorded = recorded
        self._known: dict[_Key, tuple[datetime, list[_Point]]] = {}

    async def async_answer(self, asked: Asked) -> Answered:
        """Return the points; unknown while the device is."""
        name, attribute = asked.text("device"), asked.text("attribute") or STATE
        most = MOST_MINUTES if attribute == STATE else _MOST_MINUTES_OF_ATTRIBUTES
        minutes = asked.number("minutes", 1, most)
        bound = await self._names.async_attribute(asked, name, attribute)
        if isinstance(bound.place, RawPlace):
            raise LentError(
                f"Of {attribute} in SmartThings no history is kept. Read it with get_attribute, "
                "and keep what is needed in the dict `state`."
            )
        state = self._sight.state(asked.person, bound.place)
        if state is None or not is_known(state):
            return answer_of(bound.place, state, bound.attribute, bound.bindings)
        self._recorded.check(state.entity_id)
        lifetime = min(max(timedelta(minutes=minutes) / 100, _SHORTEST), _LONGEST)
        points = await self._async_points(state, bound.attribute, minutes, lifetime)
        shown = _shown(points, state, bound.attribute, minutes)
        return Answered(
            answer=Answer(
                value=[{"at": dt_util.as_local(each.at), "value": each.value} for each in shown]
            ),
            keys=frozenset({state.entity_id}),
            fresh_until=dt_util.utcnow() + lifetime,
            bindings=bound.bindings,
            is_free_text=is_free_text(
                state.domain,
                bound.attribute,
                [each.value for each in shown],
                options_of(state.domain, state.attributes),
            ),
        )

    async def _async_points(
        self, state: State, attribute: str, minutes: float, lifetime: timedelta
    ) -> list[_Point]:
        now = dt_util.utcnow()
        key = (state.entity_id, attribute, minutes)
        until, points = self._known.get(key, (now, []))
        if now < until:
            return points
        rows = await self._recorded.async_newest(
            state,
            now - timedelta(minutes=minutes),
            now,
            MOST_POINTS,
            attributes=attribute != STATE,
        )
        points = [
            _Point(row.last_updated, value_of(row, attribute))
            for row in rows
            if row.state not in NOT_KNOWN
        ]
        while len(self._known) >= _KEPT:
            del self._known[next(iter(self._known))]
        self._known[key] = (now + lifetime, points)
        return points


def _shown(points: list[_Point], state: State, attribute: str, minutes: float) -> list[_Point]:
    """Return the points of the time up to now, each change once."""
    start = dt_util.utcnow() - timedelta(minutes=minutes)
    changed = state.last_changed if attribute == STATE else state.last_updated
    found: list[_Point] = []
    for point in (*points, _Point(changed, value_of(state, attribute))):
        at = max(point.at, start)
        if found and found[-1].at == at:
            found.pop()
        if not found or (found[-1].value != point.value and at > found[-1].at):
            found.append(_Point(at, point.value))
    return found[-MOST_POINTS:]
