"""The functions `now` and `is_dark`, which the code of a routine's condition may call."""

from datetime import datetime, timedelta
from typing import Final

from homeassistant.const import SUN_EVENT_SUNRISE, SUN_EVENT_SUNSET
from homeassistant.core import HomeAssistant
from homeassistant.helpers.sun import get_astral_event_next
from homeassistant.util import dt as dt_util

from ..interfaces import EVERY_CHECK, CallArguments, FunctionCallError
from ..sandbox.sandbox_types import ConditionFunction, FunctionResult

_LONGEST: Final = timedelta(hours=1)
"""Maximum validity of an `is_dark` result, since the home's location or the clock may change."""


class Now:
    """Implements `now` for the Python code of conditions: the current time."""

    function = ConditionFunction(
        name="now",
        returns="datetime",
        description="The local date and time, with its time zone.",
    )

    async def async_answer(self, call: CallArguments) -> FunctionResult:
        """Return the local time; the result is valid for one evaluation of the condition only."""
        return FunctionResult(value=dt_util.as_local(call.snapshot.at), fresh_until=EVERY_CHECK)


class IsDark:
    """Implements `is_dark` for the Python code of conditions: whether the sun is down."""

    function = ConditionFunction(
        name="is_dark",
        returns="bool",
        description="Whether the sun is below the horizon.",
    )

    def __init__(self, hass: HomeAssistant) -> None:
        """`hass` provides the location of the home, for sunrise and sunset."""
        self._hass = hass
        self._known: tuple[datetime, bool, datetime] | None = None

    async def async_answer(self, call: CallArguments) -> FunctionResult:
        """Return whether the sun is down.

        The result is valid until the next sunrise or sunset, but not longer than an hour.
        """
        at = call.snapshot.at
        if self._known is None or not self._known[0] <= at < self._known[2]:
            dark, until = darkness(self._hass, at)
            self._known = (at, dark, min(until, at + _LONGEST))
        _, dark, until = self._known
        return FunctionResult(value=dark, fresh_until=until)


def darkness(hass: HomeAssistant, at: datetime) -> tuple[bool, datetime]:
    """Return whether the sun is down at `at`, and the time of the next sunrise or sunset (UTC).

    Raises FunctionCallError if the sun does not rise or set within a year after `at`.
    """
    try:
        rising = get_astral_event_next(hass, SUN_EVENT_SUNRISE, at)
        setting = get_astral_event_next(hass, SUN_EVENT_SUNSET, at)
    except ValueError:
        raise FunctionCallError(
            "The sun does not rise and set where this home is. Use now()."
        ) from None
    return rising < setting, min(rising, setting)
