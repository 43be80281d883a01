"""Finds the entity for a call without a device, such as the only weather entity."""

from collections.abc import Iterable

from homeassistant.core import HomeAssistant

from ...home.home import Home
from .function_calls import Asked, LentError, WithheldError
from .name_resolution import Bound, Names
from .stored_references import EntityPlace, entity_of, reference_of_entity


async def async_only(
    hass: HomeAssistant, home: Home, names: Names, asked: Asked, domain: str
) -> Bound[EntityPlace]:
    """Return the named entity of a domain, or the only one that there is.

    The choice is also bound. Raises LentError, HomeError, WithheldError.
    """
    if name := asked.text("device"):
        bound = await names.async_main(asked, name)
        if not bound.place.entity_id.startswith(f"{domain}."):
            others = _listed(visible(home, asked, domain))
            raise LentError(f"{name} is no {domain}. There is: {others}.")
        return bound
    # Names in condition code cannot begin with a tab.
    key = f"\t{domain}"
    reference = asked.asker.bindings.get(key)
    if reference is None:
        there = visible(home, asked, domain)
        if not there:
            raise LentError(
                f"This person may read no {domain} entity. Somebody has to expose one to Assist."
            )
        if len(there) > 1:
            raise LentError(f"There are several; name one as device: {_listed(there)}.")
        reference = reference_of_entity(hass, there[0])
    if (place := entity_of(hass, reference)) is None:
        raise WithheldError
    return Bound(place=place, bindings={key: reference})


def visible(home: Home, asked: Asked, domain: str) -> list[str]:
    """Return the ids of the entities of a domain that the person may read now."""
    prefix = f"{domain}."
    return sorted(
        each
        for each in home.gate.visible(asked.person)
        if each.startswith(prefix) and home.gate.may_read(asked.person, each)
    )


def _listed(entity_ids: Iterable[str]) -> str:
    return ", ".join(entity_ids) or "none"
