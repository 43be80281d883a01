"""Which switch stands for which routine: neutral numbers, of which none is used twice.

The name of a switch is public and recorded, so it holds nothing of what a routine is
about: it is "Routine 3". A person may rename it, as any entity. A number is not given
again when its routine is gone, so that the history of a switch, and the automations that
name it, are about one routine only. Numbers are kept in the entity registry.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import EntityCategory, Platform
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.device_registry import DeviceEntryType, DeviceInfo

from ..const import DOMAIN

_NUMBER: Final = "number"
_LAST_NUMBER: Final = "last_number"
"""Options of SAGE in the entity registry: of a switch, and of the event entity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutineSwitch:
    """The public side of a routine."""

    entity_id: str
    number: int


def device_info(entry: ConfigEntry) -> DeviceInfo:
    """Return the one device that all entities of routines belong to."""
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
def async_switch_of(hass: HomeAssistant, entry: ConfigEntry, routine_id: str) -> RoutineSwitch:
    """Return the switch of a routine; a routine without one gets the next number."""
    registry = er.async_get(hass)
    entity_id = registry.async_get_entity_id(Platform.SWITCH, DOMAIN, routine_id)
    if entity_id is not None:
        number = _kept(registry.entities[entity_id], _NUMBER)
        if number:
            return RoutineSwitch(entity_id=entity_id, number=number)
    number = _next_number(registry, entry)
    options = {_NUMBER: number}
    if entity_id is None:
        row = registry.async_get_or_create(
            Platform.SWITCH,
            DOMAIN,
            routine_id,
            # The same in every language.
            suggested_object_id=f"{DOMAIN}_routine_{number}",
            config_entry=entry,
            entity_category=EntityCategory.CONFIG,
            get_initial_options=lambda: {DOMAIN: options},
        )
    else:
        row = registry.async_update_entity_options(entity_id, DOMAIN, options)
    return RoutineSwitch(entity_id=row.entity_id, number=number)


@callback
def async_number_of(hass: HomeAssistant, routine_id: str) -> int:
    """Return the number of a routine in the name of its switch."""
    entry = hass.config_entries.async_entries(DOMAIN)[0]
    return async_switch_of(hass, entry, routine_id).number


@callback
def async_forget_switch(hass: HomeAssistant, routine_id: str) -> None:
    """Remove the switch of a routine that is gone, with all that the registry knows of it.

    The registry keeps what was removed, should it come back. A routine does not, and there
    may be some every day.
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
    """Remove the switches of all routines but those that are `there`.

    To be called where the routines could be read: else all would go, with the names that
    people gave them.
    """
    for row in _switches(er.async_get(hass), entry):
        if row.unique_id not in there:
            async_forget_switch(hass, row.unique_id)


def routine_id_of(hass: HomeAssistant, named: str) -> str:
    """Return the id of the routine with this switch; what is no switch of one, as it is."""
    row = er.async_get(hass).async_get(named)
    if row is None or row.platform != DOMAIN or row.domain != Platform.SWITCH:
        return named
    return row.unique_id


def _next_number(registry: er.EntityRegistry, entry: ConfigEntry) -> int:
    """Return a number that no routine has had."""
    entity_id = registry.async_get_entity_id(Platform.EVENT, DOMAIN, event_unique_id(entry))
    last = 0 if entity_id is None else _kept(registry.entities[entity_id], _LAST_NUMBER)
    number = max([last, *(_kept(row, _NUMBER) for row in _switches(registry, entry))]) + 1
    if entity_id is not None:
        registry.async_update_entity_options(entity_id, DOMAIN, {_LAST_NUMBER: number})
    return number


def _kept(row: er.RegistryEntry, key: str) -> int:
    """Return a number that SAGE keeps in the registry; 0 if there is none."""
    options: Mapping[str, Any] = row.options.get(DOMAIN, {})
    number = options.get(key)
    return number if isinstance(number, int) else 0


def _switches(registry: er.EntityRegistry, entry: ConfigEntry) -> list[er.RegistryEntry]:
    return [
        row
        for row in er.async_entries_for_config_entry(registry, entry.entry_id)
        if row.platform == DOMAIN and row.domain == Platform.SWITCH
    ]
