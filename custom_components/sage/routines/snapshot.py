"""A snapshot of the home: what condition code sees in one evaluation."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from homeassistant.core import HomeAssistant, State
from homeassistant.util import dt as dt_util


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A report of a watched value, or a change of the permission to read it."""

    key: str
    """The watched value, see `FunctionResult.keys`."""

    at: datetime
    context_id: str | None = None
    """Id of the Home Assistant context of the change, if known."""

    is_value: bool = True
    """Whether a value was reported; False for a change of a permission or name."""

    before: object = None
    """The value before the report: a `State` or None, or the value of a SmartThings attribute."""

    after: object = None


class Snapshot:
    """The home now, or at an earlier report. It stays the same while it is read."""

    is_past = False
    """Whether the values come from the recorder."""

    def __init__(self, reports: Sequence[Report] = (), number: int = 0) -> None:
        """Take the snapshot right after the first `number` reports; if these are all, now.

        `reports`: the latest reports of values, the oldest first; later ones may be appended.
        """
        self._reports = reports
        self._number = number
        is_now = number >= len(reports)
        self.at = dt_util.utcnow() if is_now else reports[number - 1].at
        """The time, UTC."""

        reported = () if is_now else reports[:number]
        self._reported = {each.key: each.after for each in reported if each.is_value}

    def value(self, key: str, now: object) -> object:
        """Return the value of `key` (`FunctionResult.keys`) in the snapshot; `now`: its value now.

        For an entity, the value is its `State`, or None.
        """
        if key in self._reported:
            return self._reported[key]
        later = (each for each in self._reports[self._number :] if each.is_value)
        return next((each.before for each in later if each.key == key), now)

    async def async_state(self, hass: HomeAssistant, entity_id: str) -> State | None:
        """Return the state of an entity in the snapshot; None if it had none."""
        state = self.value(entity_id, hass.states.get(entity_id))
        return state if isinstance(state, State) else None
