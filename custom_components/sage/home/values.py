"""The values of an entity as a model should see them: plain, short, nothing secret."""

import re
from collections.abc import Collection, Mapping
from datetime import date, datetime, time
from enum import Enum
from math import isfinite
from typing import Final

from homeassistant.const import STATE_UNAVAILABLE, STATE_UNKNOWN, Platform
from homeassistant.core import State, valid_entity_id
from homeassistant.util import dt as dt_util

_NOISE: Final = frozenset(
    {
        "assumed_state",
        "attribution",
        "auto_update",
        "current",
        "display_precision",
        "gps_accuracy",
        "media_content_id",
        "media_content_type",
        "release_url",
        "source_type",
        "device_class",
        "editable",
        "entity_picture",
        "entity_picture_local",
        "friendly_name",
        "icon",
        "id",
        "initial",
        "media_position_updated_at",
        "restored",
        "state_class",
        "supported_features",
        "unit_of_measurement",
        "user_id",
    }
)
"""Attributes that say nothing of what the thing does."""

_SECRET: Final = re.compile(r"token|password|secret|api_key|^entity_picture")
"""Attributes that no model may ever see: the picture of a camera holds its token."""

_CAPABILITY: Final = re.compile(
    r"^(min|max|supported|available)_|_(modes|list|types|options)$|_step$|_unit$|^options$"
)
"""Attributes that tell what is possible, not what is."""

_OF_INPUTS: Final = frozenset({"min", "max", "step", "mode", "pattern"})
_INPUTS: Final = frozenset(
    {"number", "input_number", "text", "input_text", "input_datetime", "script", "automation"}
)

_INSTEAD: Final = {
    "light": frozenset(
        {"brightness", "color_mode", "hs_color", "rgbw_color", "rgbww_color", "xy_color"}
    ),
    "cover": frozenset({"is_closed"}),
    "valve": frozenset({"is_closed"}),
    "camera": frozenset({"frontend_stream_type"}),
}
"""Attributes of a domain that another one says better."""

_ENTITY_DOMAINS: Final = frozenset(Platform) | {
    "automation",
    "counter",
    "group",
    "input_boolean",
    "input_button",
    "input_datetime",
    "input_number",
    "input_select",
    "input_text",
    "person",
    "plant",
    "schedule",
    "script",
    "sun",
    "timer",
    "zone",
}
"""What comes before the point of an entity id, and not of any other text."""

_ISO_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:")
"""Points in time, which people tell in local time."""

_LONGEST_TEXT: Final = 200
_LONGEST_ASKED: Final = 2000
_LONGEST_LIST: Final = 20

STATE: Final = "state"


def is_possibility(domain: str, name: str) -> bool:
    """Tell whether an attribute says what an entity can do, rather than what it does."""
    if domain in _INPUTS and name in _OF_INPUTS:
        return True
    return name == "code_format" or bool(_CAPABILITY.search(name))


def is_secret(name: str) -> bool:
    """Tell whether no model may see the attribute."""
    return bool(_SECRET.search(name))


def is_shown(domain: str, name: str) -> bool:
    """Tell whether an attribute is shown without being asked for."""
    if name in _NOISE or is_secret(name) or is_possibility(domain, name):
        return False
    return name not in _INSTEAD.get(domain, ())


def values_of_state(state: State, *, everything: bool = False) -> dict[str, object]:
    """Return attribute name -> plain value; the state itself first, as `state`.

    `everything` adds what is told only when asked for; secrets are never there,
    nor is what names other entities: that may not be visible.
    """
    domain = state.domain
    found: dict[str, object] = {STATE: state_value(state)}
    if "brightness" in state.attributes and domain == "light":
        found["brightness_pct"] = _percent(state.attributes["brightness"])
    longest = _LONGEST_ASKED if everything else _LONGEST_TEXT
    for name, value in state.attributes.items():
        if is_secret(name) or names_entities(value):
            continue
        if everything or is_shown(domain, name):
            found[str(name)] = plain(value, longest)
    return found


def state_value(state: State) -> object:
    """Return the state, as a number where it is one; None for a hidden text."""
    text, attributes = state.state, state.attributes
    if text in {STATE_UNAVAILABLE, STATE_UNKNOWN}:
        return text
    if state.domain == "text" and attributes.get("mode") == "password":
        return None
    if _is_number(state):
        try:
            return _number(float(text))
        except ValueError:
            return text
    return plain(text)


def plain(value: object, longest: int = _LONGEST_TEXT) -> object:
    """Return the value as JSON has it; what is too long says how much is left out."""
    if value is None or isinstance(value, bool | int):
        return value
    return _plain(value, longest)


def _plain(value: object, longest: int) -> object:
    if isinstance(value, Enum):
        return plain(value.value, longest)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, Mapping | set | frozenset | list | tuple):
        return _plain_collection(value, longest)
    text = _moment(value) or str(value)
    if _ISO_MOMENT.match(text) and (moment := dt_util.parse_datetime(text)):
        return _moment(moment)
    return text if len(text) <= longest else f"{text[:longest].rstrip()}…"


def _plain_collection(value: Mapping[object, object] | Collection[object], longest: int) -> object:
    if isinstance(value, Mapping):
        return {str(name): plain(each, longest) for name, each in value.items()}
    items = sorted(map(str, value)) if isinstance(value, set | frozenset) else list(value)
    most = _LONGEST_LIST * longest // _LONGEST_TEXT
    kept = [plain(each, longest) for each in items[:most]]
    return [*kept, f"… {len(items) - most} more"] if len(items) > most else kept


def _moment(value: object) -> str:
    """Return local time; nothing for what is no time."""
    if isinstance(value, datetime):
        local = dt_util.as_local(value) if value.tzinfo else value
        return local.isoformat(sep=" ", timespec="seconds")[:19]
    return value.isoformat() if isinstance(value, date | time) else ""


def point_in_time(value: object) -> datetime | None:
    """Return a point in time as an aware local datetime; None for what is no point in time."""
    if isinstance(value, str):
        value = dt_util.parse_datetime(value) if _ISO_MOMENT.match(value) else None
    if isinstance(value, datetime) and value.tzinfo is not None:
        return dt_util.as_local(value)
    return None


def names_entities(value: object) -> bool:
    """Tell whether a value is an entity id or a list of them."""
    if isinstance(value, list | tuple | set | frozenset):
        return bool(value) and all(names_entities(each) for each in value)
    return (
        isinstance(value, str)
        and value.partition(".")[0] in _ENTITY_DOMAINS
        and valid_entity_id(value)
    )


def _is_number(state: State) -> bool:
    attributes = state.attributes
    return (
        state.domain in {"number", "input_number", "counter"}
        or "unit_of_measurement" in attributes
        or "state_class" in attributes
    )


def _number(value: float) -> float | None:
    """Return it with three decimals at most; None for what is no number at all."""
    if not isfinite(value):
        return None
    rounded = round(value, 3)
    return int(rounded) if rounded == int(rounded) and abs(rounded) < 1e15 else rounded


def _percent(brightness: object) -> int | None:
    """Return 1..100; Home Assistant counts brightness from 0 to 255."""
    if not isinstance(brightness, int | float):
        return None
    return max(1, round(brightness * 100 / 255)) if brightness else 0
