"""The switch entities of routines, and the public numbers in their names.

Everybody can read the name of a switch. So it is neutral, such as "Routine 3", unless the option
for the person's request as the name is on (`switch_names`). People may rename a switch like any
entity. Numbers are never reused, so that the history of a switch, and automations with this switch,
refer to one routine only. Numbers are stored with the routines: Home Assistant writes the entity
registry with a delay, so a crash would lose them.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import EntityCategory, Platform
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.device_registry import DeviceEntryType, DeviceInfo

from ...const import DOMAIN
from ..routine_numbers import KnownNumbers
from ..routine_types import Routine

_NUMBER: Final = "number"
"""Registry option of a switch: a copy of the routine's number, needed if the file is lost."""

_LAST_NUMBER: Final = "last_number"
"""Registry option of the event entity, where older versions stored the highest number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutineSwitch:
    """The switch entity of a routine; its name and number are public."""

    entity_id: str
    number: int


def device_info(entry: ConfigEntry) -> DeviceInfo:
    """Return the device info that all entities of routines share."""
    return DeviceInfo(
        identifiers={(DOMAIN, f"{entry.entry_id}_routines")},
        translation_key="routines",
        manufacturer="SAGE",
        model="Routines",
        entry_type=DeviceEntryType.SERVICE,
    )


def event_unique_id(entry: ConfigEntry) -> str:
    """Return the unique id of the event entity of all routines."""
    return f"{entry.entry_id}_routines"


@callback
def async_switch_of(hass: HomeAssistant, entry: ConfigEntry, routine: Routine) -> RoutineSwitch:
    """Return the switch of a routine; registers the switch if necessary."""
    row = er.async_get(hass).async_get_or_create(
        Platform.SWITCH,
        DOMAIN,
        routine.id,
        # The entity id is the same in every language.
        suggested_object_id=f"{DOMAIN}_routine_{routine.number}",
        config_entry=entry,
        entity_category=EntityCategory.CONFIG,
        get_initial_options=lambda: {DOMAIN: {_NUMBER: routine.number}},
    )
    return RoutineSwitch(entity_id=row.entity_id, number=routine.number)


@callback
def async_known_numbers(hass: HomeAssistant, entry: ConfigEntry) -> KnownNumbers:
    """Return the routine numbers that the entity registry knows.

    The store of the routines needs them if its file has no numbers: an older version wrote the
    file, or the file is new and replaces a lost one.
    """
    registry = er.async_get(hass)
    known = {row.unique_id: _kept(row, _NUMBER) for row in _switches(registry, entry)}
    entity_id = registry.async_get_entity_id(Platform.EVENT, DOMAIN, event_unique_id(entry))
    return KnownNumbers(
        routines={routine_id: number for routine_id, number in known.items() if number > 0},
        last=0 if entity_id is None else _kept(registry.entities[entity_id], _LAST_NUMBER),
    )


@callback
def async_forget_switch(hass: HomeAssistant, routine_id: str) -> None:
    """Remove the switch of a deleted routine from the entity registry, including its old settings.

    Home Assistant keeps the settings of removed entities in case they return. A deleted routine
    never returns, and there may be several each day.
    """
    registry = er.async_get(hass)
    entity_id = registry.async_get_entity_id(Platform.SWITCH, DOMAIN, routine_id)
    if entity_id is not None:
        registry.async_remove(entity_id)
    if registry.deleted_entities.pop((Platform.SWITCH, DOMAIN, routine_id), None) is not None:
        registry.async_schedule_save()


@callback
def async_forget_strange_switches(
    hass: HomeAssistant, entry: ConfigEntry, there: Collection[str]
) -> None:
    """Remove the switches of routines whose id is not in `there`.

    Call this only after the routines were read. Otherwise it removes all switches, with their
    user-defined names.
    """
    for row in _switches(er.async_get(hass), entry):
        if row.unique_id not in there:
            async_forget_switch(hass, row.unique_id)


def routine_id_of(hass: HomeAssistant, named: str) -> str:
    """Return the id of the routine if `named` is the entity id of its switch, otherwise `named`."""
    row = er.async_get(hass).async_get(named)
    if row is None or row.platform != DOMAIN or row.domain != Platform.SWITCH:
        return named
    return row.unique_id


def _kept(row: er.RegistryEntry, key: str) -> int:
    """Return a number that SAGE has stored in the options of a registry entry; 0 if none."""
    options: Mapping[str, Any] = row.options.get(DOMAIN, {})
    number = options.get(key)
    return number if isinstance(number, int) else 0


def _switches(registry: er.EntityRegistry, entry: ConfigEntry) -> list[er.RegistryEntry]:
    return [
        row
        for row in er.async_entries_for_config_entry(registry, entry.entry_id)
        if row.platform == DOMAIN and row.domain == Platform.SWITCH
    ]
