"""Check the arguments of a command that refer to entities other than its target.

An argument must not select other targets, contain a template, or name an entity that the person may
not use.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import unquote

from homeassistant.const import ENTITY_MATCH_ALL
from homeassistant.core import HomeAssistant, split_entity_id
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import label_registry as lr
from homeassistant.helpers.template import is_template_string

from ...people import Person
from ..home_types import CommandDescription, HomeError
from .action_sequence import TARGET_KEYS, targeted_entities
from .gate import Gate

_REDIRECTING: Final = frozenset({*TARGET_KEYS, "target"})

_ENTITY_ID: Final = re.compile(r"[a-z0-9_]+\.[a-z0-9_]+")
_REGISTRY_ID: Final = re.compile(r"[0-9a-f]{32}|[0-9a-z]{26}")

_READ_ONLY_DOMAINS: Final = frozenset(
    {"sensor", "binary_sensor", "weather", "sun", "zone", "person", "device_tracker", "event"}
)
"""A reference to an entity of these domains needs read permission; others need control."""

_PLACES_ONLY: Final = frozenset({"clean_area"})
"""Commands with an area argument that is a place to go to, not a set of devices."""


def check_fields(
    gate: Gate,
    person: Person,
    command: CommandDescription,
    arguments: Mapping[str, Any],
    *,
    is_script: bool = False,
) -> None:
    """Raise HomeError if an argument is not allowed for this person.

    Forbidden are other targets (`entity_id`, `area_id`), templates, and references to entities that
    the person may not use. The fields of a script (`is_script`) select no target, but may refer to
    entities under these names.
    """
    references = {each.name for each in command.arguments if each.is_reference}
    for name, value in arguments.items():
        if name.strip().casefold() in _REDIRECTING and not (is_script and name in references):
            raise HomeError(
                f"The argument {name} is not allowed: a command acts on the device it names. "
                "Send one command per device."
            )
        for text in _strings(value):
            # A template can read all states.
            if is_template_string(text):
                raise HomeError(f"The argument {name} must be plain text, not a template.")
            hidden = _hidden_in(gate, person, text)
            if not hidden and name in references:
                hidden = _hidden_reference(gate, person, text, command)
            if hidden:
                raise HomeError(
                    f'The argument {name} names "{hidden}", which does not exist or may not be '
                    "used by this person. Use a device from the list of devices."
                )


def hidden_reference(gate: Gate, person: Person, value: Any) -> str | None:
    """Return the first forbidden id or template in `value`; None if there is none."""
    found = (
        text if is_template_string(text) else _hidden_in(gate, person, text)
        for text in _strings(value)
    )
    return next(filter(None, found), None)


def without_hidden(gate: Gate, person: Person, value: Any) -> Any:
    """Return a response without the parts that mention entities that the person may not read."""
    if isinstance(value, str):
        return "" if _hidden_in(gate, person, value, control=False) else value
    if isinstance(value, Mapping):
        texts = (each for each in value.values() if isinstance(each, str))
        if any(_hidden_in(gate, person, each, control=False) for each in texts):
            return {}
        return {
            key: without_hidden(gate, person, each)
            for key, each in value.items()
            if not _hidden_in(gate, person, str(key), control=False)
        }
    if isinstance(value, list | tuple):
        cleaned = (without_hidden(gate, person, each) for each in value)
        return [each for each in cleaned if each not in ({}, "")]
    return value


def _hidden_in(gate: Gate, person: Person, text: str, *, control: bool = True) -> str | None:
    """Return the first entity id or registry id in a text that the person may not use, or None.

    Ids that do not exist are ignored. If the text is the id of an area, floor or label, and the
    person may read none of the main entities there, the whole text is returned.
    """
    plain = _decoded(text)
    registry = er.async_get(gate.hass)
    for entity_id in map(str, _ENTITY_ID.findall(plain)):
        is_there = gate.hass.states.get(entity_id) or registry.async_get(entity_id)
        if is_there and not _may_name(gate, person, entity_id, control=control):
            return entity_id
    for token in _REGISTRY_ID.findall(plain):
        for entity_id in _behind_registry_id(gate.hass, token):
            if not _may_name(gate, person, entity_id, control=control):
                return str(token)
    members = _behind_place(gate.hass, plain.strip())
    if members and not any(gate.may_read(person, each) for each in members):
        return text
    return None


def _hidden_reference(
    gate: Gate, person: Person, text: str, command: CommandDescription
) -> str | None:
    """Return the first forbidden entity in the value of a reference argument, else None."""
    plain = _decoded(text)
    if ENTITY_MATCH_ALL in {part.strip() for part in plain.split(",")}:
        return text
    for part in (part.strip() for part in plain.split(",")):
        # An entity id that does not exist is forbidden: somebody could create it later.
        if _ENTITY_ID.fullmatch(part) and not _may_name(gate, person, part, control=True):
            return part
        if command.name.rpartition(".")[2] in _PLACES_ONLY:
            continue
        members = _behind_place(gate.hass, part)
        if any(not _may_name(gate, person, each, control=True) for each in members):
            return part
    return None


def _may_name(gate: Gate, person: Person, entity_id: str, *, control: bool) -> bool:
    if control and split_entity_id(entity_id)[0] not in _READ_ONLY_DOMAINS:
        return gate.may_control(person, entity_id)
    return gate.may_read(person, entity_id)


def _behind_registry_id(hass: HomeAssistant, token: str) -> list[str]:
    entities = er.async_get(hass)
    if (entity := entities.entities.get_entry(token)) is not None:
        return [entity.entity_id]
    if dr.async_get(hass).async_get(token) is not None:
        # Forbid a device without entities: the gate rejects this id, because no entity has it.
        return _everyday(hass, {"device_id": token}) or [f"device.{token}"]
    # Config entry ids are upper case.
    get_entry = hass.config_entries.async_get_entry
    if (entry := get_entry(token.upper()) or get_entry(token)) is None:
        return []
    found = er.async_entries_for_config_entry(entities, entry.entry_id)
    return [each.entity_id for each in found] or [f"config_entry.{token}"]


def _behind_place(hass: HomeAssistant, text: str) -> list[str]:
    target: dict[str, str] = {}
    if ar.async_get(hass).async_get_area(text) is not None:
        target["area_id"] = text
    if fr.async_get(hass).async_get_floor(text) is not None:
        target["floor_id"] = text
    if lr.async_get(hass).async_get_label(text) is not None:
        target["label_id"] = text
    return _everyday(hass, target) if target else []


def _everyday(hass: HomeAssistant, target: Mapping[str, str]) -> list[str]:
    """Return the entities of a target, except configuration and diagnostic entities."""
    registry = er.async_get(hass)
    found = targeted_entities(hass, target, "") or ()
    return sorted(
        each
        for each in found
        if hass.states.get(each) is not None
        and ((entry := registry.async_get(each)) is None or entry.entity_category is None)
    )


def _decoded(text: str) -> str:
    """Return a text in lower case with all percent escapes decoded."""
    for _ in range(3):
        decoded = unquote(text)
        if decoded == text:
            break
        text = decoded
    return text.lower()


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from _strings(key)
            yield from _strings(each)
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _strings(each)
