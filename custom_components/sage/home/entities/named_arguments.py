"""Arguments that name other devices: from what a model calls them to entity ids.

A model knows devices by the short ids and names of the listing; actions of Home
Assistant want entity ids. What is not found stays as it is, for the gate to judge.
"""

from collections.abc import Mapping
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar

from ..home_types import Command, HomeError
from ..listing import Found, Listing


def with_entity_ids(
    hass: HomeAssistant,
    listing: Listing,
    command: Command,
    domain: str,
    arguments: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the arguments with the names in references replaced by ids.

    Of a device with several parts, the part of the command's own domain is meant.
    """
    references = {each.name for each in command.arguments if each.is_reference}
    return {
        name: _resolved(hass, listing, domain, name, value) if name in references else value
        for name, value in arguments.items()
    }


def _resolved(hass: HomeAssistant, listing: Listing, domain: str, name: str, value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_resolved(hass, listing, domain, name, each) for each in value]
    if not isinstance(value, str):
        return value
    if "area" in name:
        area = ar.async_get(hass).async_get_area_by_name(value)
        return area.id if area is not None else value
    try:
        found = listing.find(value)
    except HomeError:
        return value
    return _entity_id(found, domain) or value


def _entity_id(found: Found, domain: str) -> str | None:
    if found.component is not None:
        return found.component.id
    components = found.device.components
    fitting = [each for each in components if domain in each.capabilities] or list(components)
    return fitting[0].id if len(fitting) == 1 else None
