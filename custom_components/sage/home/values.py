"""Convert states and attributes of entities to JSON values or Python values, without secrets."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from enum import Enum
from functools import lru_cache
from math import inf, isfinite
from typing import Final, cast

from homeassistant.const import STATE_UNAVAILABLE, STATE_UNKNOWN, Platform
from homeassistant.core import State, valid_entity_id
from homeassistant.util import dt as dt_util

from ..text import id_words


def names_in(text: str) -> frozenset[str]:
    """Return the names in a text that spaces separate."""
    return frozenset(text.split())


def grouped[K, V](pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Return key -> its values, both in the order of `pairs`."""
    groups: dict[K, list[V]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def leaves(value: object, name: str = "") -> Iterator[tuple[str, object]]:
    """Yield the values in nested mappings and lists, each with the key that it stands under."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from leaves(item, str(key))
    elif isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from leaves(item, name)
    else:
        yield name, value


EVENT_DAYS: Final = 14
EVENTS: Final = f"events_next_{EVENT_DAYS}_days"
ITEMS: Final = "items"
COMPLETED_ITEMS: Final = "completed_items"

_ENTRIES: Final[Mapping[str, tuple[str, ...]]] = {
    "todo": (ITEMS, COMPLETED_ITEMS),
    "calendar": (EVENTS,),
}

_NOISE: Final = names_in(
    "assumed_state attribution auto_update current display_precision gps_accuracy "
    "media_content_id media_content_type release_url source_type device_class editable "
    "entity_picture entity_picture_local friendly_name icon id initial "
    "media_position_updated_at restored state_class supported_features unit_of_measurement "
    "user_id"
)
"""Attributes that say nothing about the device's function."""

_SECRET: Final = re.compile(
    r"token|password|passwd|passphrase|passcode|secret|apikey|credential|pincode|codepin|usercode"
    r"|streamsource|streamurl|rtspurl|webhook|^entitypicture"
)
"""Secret names without separators; `entity_picture` is a URL with a token."""

_SECRET_WORDS: Final = frozenset(
    {"auth", "authorization", "bearer", "cookie", "cookies", "jwt", "oauth", "otp", "pin", "pins"}
    | {"psk", "pwd", "totp"}
)
_CODES: Final = frozenset({"code", "codes"})
_GUARDS: Final = frozenset(
    {"access", "alarm", "disarm", "door", "entry", "garage", "gate", "guest", "homekit", "keypad"}
    | {"lock", "master", "pairing", "security", "setup", "slot", "unlock", "user"}
)
"""`code` is secret alone or with one of these words: `lock_code`, but not `country_code`."""

_KEYS: Final = frozenset(
    {"access", "aes", "auth", "encryption", "local", "network", "private", "session", "shared"}
    | {"wep", "wifi", "wpa"}
)
"""`key` is secret with one of these words; alone it may be a button of a remote control."""

_LOGIN: Final = re.compile(r"(?<=://)\S+@")
_WEBHOOK: Final = re.compile(r"(?<=/webhook/)[^\s/?#]+")
_QUERY: Final = re.compile(r"(?<=[?&;#])([\w.\-]+)=[^\s&;#\"'<>]+")
_SIGNS: Final = frozenset({"key", "sig", "signature", "sid"})  # secret parameters of URLs
HIDDEN: Final = "***"

_CAPABILITY: Final = re.compile(
    r"^(min|max|supported|available)_|_(modes|list|types|options)$|_step$|_unit$|^options$"
)
"""Names of attributes that list possible values, not the current state."""

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
"""Domain -> attributes that are hidden, because another attribute shows the same."""

ENTITY_DOMAINS: Final = frozenset(Platform) | names_in(
    "automation counter group input_boolean input_button input_datetime input_number "
    "input_select input_text person plant schedule script sun timer zone"
)
"""Domains of entities, to distinguish entity ids from other texts with a dot."""

TEXTS: Final = frozenset({"input_text", "text"})  # domains whose state is a text
_NUMBERS: Final = frozenset({"number", "input_number", "counter"})
_OF_NUMBERS: Final = frozenset({"unit_of_measurement", "state_class"})  # if the state is a number
_ISO_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:")  # converted to local time
_LONGEST_TEXT: Final = 200
_LONGEST_ASKED: Final = 2000
_LONGEST_LIST: Final = 20

PERCENT: Final = "brightness_pct"

NOT_KNOWN: Final = frozenset({STATE_UNAVAILABLE, STATE_UNKNOWN})

type TypedValue = (
    bool | int | float | str | datetime | Sequence[TypedValue] | Mapping[str, TypedValue] | None
)
"""A value in the form that condition code (Python code of a routine) receives."""

STATE: Final = "state"
PAST: Final = "@"
"""Sign before the period in the names of values of the past, such as `mean@2026-03-09`."""


@lru_cache(maxsize=4096)
def is_possibility(domain: str, name: str) -> bool:
    """Return whether an attribute lists possible values (`hvac_modes`), not the current state."""
    if domain in _INPUTS and name in _OF_INPUTS:
        return True
    return name == "code_format" or bool(_CAPABILITY.search(name))


@lru_cache(maxsize=4096)
def is_secret(name: str) -> bool:
    """Return whether a name is of a secret: `access_token`, `lock_code`, not `country_code`."""
    parts = id_words(name.replace(".", "_"))
    said = {part for part in parts if not part.isdigit()}
    if _SECRET.search("".join(parts)) or said & _SECRET_WORDS:
        return True
    if said & _CODES:
        return said <= _CODES or bool(said & _GUARDS)
    return "key" in said and bool(said & _KEYS)


def without_credentials(text: str) -> str:
    """Return the text; logins, tokens and webhook ids in its URLs become `***`."""
    if "://" not in text and "?" not in text and "/webhook/" not in text:
        return text
    hidden = _WEBHOOK.sub(HIDDEN, _LOGIN.sub(f"{HIDDEN}@", text))
    return _QUERY.sub(_hidden_query, hidden)


def _hidden_query(found: re.Match[str]) -> str:
    name = found[1]
    return f"{name}={HIDDEN}" if name.lower() in _SIGNS or is_secret(name) else found[0]


def without_secrets(value: object) -> object:
    """Return a copy of a JSON value without secrets: keys such as `password`, logins in URLs."""
    if isinstance(value, Mapping):
        return {
            name: without_secrets(each) for name, each in value.items() if not is_secret(str(name))
        }
    if isinstance(value, list | tuple):
        return [without_secrets(each) for each in value]
    return without_credentials(value) if isinstance(value, str) else value


def without_codes(arguments: Mapping[str, object]) -> dict[str, object]:
    """Return arguments for display: a secret becomes `***`, or is left out of lists."""
    return {
        name: HIDDEN if is_secret(name) else without_secrets(value)
        for name, value in arguments.items()
    }


@lru_cache(maxsize=4096)
def is_shown(domain: str, name: str) -> bool:
    """Return whether the model sees this attribute without asking for it by name."""
    if name in _NOISE or is_secret(name) or is_possibility(domain, name):
        return False
    return name not in _INSTEAD.get(domain, ())


def values_of_state(state: State, *, everything: bool = False) -> dict[str, object]:
    """Return the state and attributes of an entity as a dict: name -> JSON value.

    `everything` adds the attributes that the model sees only on request. Secrets and entity ids are
    never included.
    """
    domain = state.domain
    found: dict[str, object] = {STATE: state_value(state)}
    if "brightness" in state.attributes and domain == "light":
        level = state.attributes["brightness"]
        is_number = isinstance(level, int | float)
        # Percent of 255, at least 1 if the light is on.
        found[PERCENT] = max(int(bool(level)), round(level * 100 / 255)) if is_number else None
    longest = _LONGEST_ASKED if everything else _LONGEST_TEXT
    for name, value in state.attributes.items():
        is_wanted = not is_secret(name) and (everything or is_shown(domain, name))
        if is_wanted and not names_entities(value):
            found[str(name)] = plain(value, longest)
    if domain == "calendar" and state.attributes.get("all_day"):
        start, end = (dt_util.parse_date(str(found.get(name))[:10]) for name in _EVENT_TIMES)
        if start is not None and end is not None:
            found |= zip(_EVENT_TIMES, map(str, (start, last_day(start, end))), strict=True)
    return found


_EVENT_TIMES: Final = ("start_time", "end_time")


def last_day(start: date, end: date) -> date:
    """Return the last day of an all-day event, whose `end` is the day after it."""
    return max(start, end - timedelta(days=1))


def current(state: State) -> State:
    """Return a state with the values that run on after they were written, computed for now.

    - `remaining` of a running timer: written when the timer starts
    - `media_position` of a playing media player: written when the playback starts or jumps; left
      out if it is unknown when it was written
    """
    if state.domain not in ("timer", "media_player"):
        return state
    attributes, now = dict(state.attributes), dt_util.utcnow()
    if state.domain == "timer" and state.state == "active" and "remaining" in attributes:
        del attributes["remaining"]
        if (finish := point_in_time(attributes.get("finishes_at"))) is not None:
            left = max(0, round((finish - now).total_seconds()))
            attributes["remaining"] = str(timedelta(seconds=left))
    elif state.domain == "media_player" and state.state == "playing":
        position = attributes.pop("media_position", None)
        written = point_in_time(attributes.get("media_position_updated_at"))
        if isinstance(position, int | float) and written is not None:
            since = max(0.0, (now - written).total_seconds())
            end = attributes.get("media_duration")
            longest = end if isinstance(end, int | float) and end > 0 else inf
            attributes["media_position"] = round(min(position + since, max(longest, position)))
    if attributes == state.attributes:
        return state
    times = (state.last_changed, state.last_reported, state.last_updated, state.context)
    return State(state.entity_id, state.state, attributes, *times, validate_entity_id=False)


def state_value(state: State) -> object:
    """Return the state of an entity; a number if it is numeric, None for a password field."""
    text, attributes = state.state, state.attributes
    if text in NOT_KNOWN:
        return text
    if state.domain in TEXTS and attributes.get("mode") == "password":
        return None
    is_numeric = state.domain in _NUMBERS or not _OF_NUMBERS.isdisjoint(attributes)
    if is_numeric:
        try:
            return _number(float(text))
        except ValueError:
            return text
    return plain(text)


def plain(value: object, longest: int = _LONGEST_TEXT) -> object:
    """Return the value as JSON data, without secrets; dates and times become local ISO text.

    Texts of more than `longest` characters and long lists are cut. A cut list ends with "… 5 more".
    """
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, Enum):
        return plain(value.value, longest)
    # Strings first: the check for a mapping is slow.
    if not isinstance(value, str) and isinstance(value, Mapping):
        return {
            str(name): plain(each, longest)
            for name, each in value.items()
            if not is_secret(str(name))
        }
    if isinstance(value, list | tuple | set | frozenset):
        is_set = isinstance(value, set | frozenset)
        items = sorted(map(str, value)) if is_set else list(value)
        most = _LONGEST_LIST * longest // _LONGEST_TEXT
        shown = [plain(each, longest) for each in items[:most]]
        return [*shown, f"… {len(items) - most} more"] if len(items) > most else shown
    if (as_dict := getattr(value, "as_dict", None)) is not None:
        return plain(as_dict(), longest)
    text = value if type(value) is str else _moment(value) or str(value)
    if _ISO_MOMENT.match(text) and (moment := dt_util.parse_datetime(text)):
        return _moment(moment)
    text = without_credentials(text)
    return text if len(text) <= longest else f"{text[:longest].rstrip()}…"


def type_of(value: object) -> str:
    """Return the JSON type of a Python value: boolean, number, list, object or string (default)."""
    match value:
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case list():
            return "list"
        case Mapping():
            return "object"
        case _:
            return "string"


def _moment(value: object) -> str:
    """Return a date or time as ISO text in local time; empty for other values."""
    if isinstance(value, datetime):
        local = dt_util.as_local(value) if value.tzinfo else value
        return local.isoformat(sep=" ", timespec="seconds")[:19]
    return value.isoformat() if isinstance(value, date | time) else ""


def point_in_time(value: object) -> datetime | None:
    """Convert a datetime or ISO timestamp with a time zone to local time; None for others."""
    if isinstance(value, str):
        value = dt_util.parse_datetime(value) if _ISO_MOMENT.match(value) else None
    if isinstance(value, datetime) and value.tzinfo is not None:
        return dt_util.as_local(value)
    return None


def names_entities(value: object) -> bool:
    """Return whether a value is an entity id or a list of them."""
    if isinstance(value, list | tuple | set | frozenset):
        return bool(value) and all(names_entities(each) for each in value)
    return (
        isinstance(value, str)
        and value.partition(".")[0] in ENTITY_DOMAINS
        and valid_entity_id(value)
    )


def _number(value: float) -> float | None:
    """Return the number with at most three decimals; None if it is not finite."""
    if not isfinite(value):
        return None
    rounded = round(value, 3)
    return int(rounded) if rounded == int(rounded) and abs(rounded) < 1e15 else rounded


def item_attributes(domain: str) -> tuple[str, ...]:
    """Return the attributes with the items of a list (`todo`) or the events of a calendar."""
    return _ENTRIES.get(domain, ())


def value_of(state: State, attribute: str) -> TypedValue:
    """Return the value of an attribute as a Python object; for "state", the state itself.

    Numbers are int or float, timestamps are aware local datetimes. None if the attribute is
    missing, is secret or contains entity ids.
    """
    if attribute == STATE:
        return _moment_of_state(state) or cast("TypedValue", state_value(state))
    if attribute == PERCENT:
        return cast("TypedValue", values_of_state(state).get(PERCENT))
    value = state.attributes.get(attribute)
    if value is None or is_secret(attribute) or names_entities(value):
        return None
    return point_in_time(value) or cast("TypedValue", plain(value, _LONGEST_ASKED))


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
