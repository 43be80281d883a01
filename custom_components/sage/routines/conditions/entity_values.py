"""Converts entity states and attributes to typed values for condition code."""

from datetime import datetime
from typing import Final, cast

from homeassistant.const import STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import State
from homeassistant.util import dt as dt_util

from ...home.values import (
    STATE,
    is_secret,
    names_entities,
    plain,
    point_in_time,
    state_value,
    values_of_state,
)
from ..sandbox.sandbox_types import Value

NOT_KNOWN: Final = frozenset({STATE_UNAVAILABLE, STATE_UNKNOWN})

_PERCENT: Final = "brightness_pct"
_LONGEST: Final = 2000


def value_of(state: State, attribute: str) -> Value:
    """Return the value of an attribute; for the attribute "state", the state itself.

    Numbers are int or float, times are aware local datetimes. None if the attribute is missing, is
    secret or contains entity ids.
    """
    if attribute == STATE:
        return _moment_of_state(state) or cast("Value", state_value(state))
    if attribute == _PERCENT:
        return cast("Value", values_of_state(state).get(_PERCENT))
    value = state.attributes.get(attribute)
    if value is None or is_secret(attribute) or names_entities(value):
        return None
    return point_in_time(value) or cast("Value", plain(value, _LONGEST))


def is_known(state: State | None) -> bool:
    """Return whether the entity exists and is neither unavailable nor unknown."""
    return state is not None and state.state not in NOT_KNOWN


def _moment_of_state(state: State) -> datetime | None:
    if state.domain != "input_datetime":
        return point_in_time(state.state)
    if not (state.attributes.get("has_date") and state.attributes.get("has_time")):
        return None
    found = dt_util.parse_datetime(state.state)
    # Without a time zone: local time, as typed by a person.
    return found and dt_util.as_local(found)
