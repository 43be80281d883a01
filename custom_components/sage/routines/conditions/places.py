"""Finds the entity for a call without a device, such as the only weather entity."""

from collections.abc import Iterable

from homeassistant.core import HomeAssistant

from ...home.home import Home
from .function_calls import CallArguments, FunctionCallError, WithheldError
from .name_resolution import Bound, Names
from .stored_references import EntityTarget, entity_of, reference_of_entity


async def async_only(
    hass: HomeAssistant, home: Home, names: Names, call: CallArguments, domain: str
) -> Bound[EntityTarget]:
    """Return the named entity of a domain, or the only one that there is.

    The choice is also bound. Raises FunctionCallError, HomeError, WithheldError.
    """
    if name := call.text("device"):
        bound = await names.async_main(call, name)
        if not bound.place.entity_id.startswith(f"{domain}."):
            others = _listed(visible(home, call, domain))
            raise FunctionCallError(f"{name} is no {domain}. There is: {others}.")
        return bound
    # Names in condition code cannot begin with a tab.
    key = f"\t{domain}"
    reference = call.owner.bindings.get(key)
    if reference is None:
        there = visible(home, call, domain)
        if not there:
            raise FunctionCallError(
                f"This person may read no {domain} entity. Somebody has to expose one to Assist."
            )
        if len(there) > 1:
            raise FunctionCallError(f"There are several; name one as device: {_listed(there)}.")
        reference = reference_of_entity(hass, there[0])
    if (place := entity_of(hass, reference)) is None:
        raise WithheldError
    return Bound(place=place, bindings={key: reference})


def visible(home: Home, call: CallArguments, domain: str) -> list[str]:
    """Return the ids of the entities of a domain that the person may read now."""
    prefix = f"{domain}."
    return sorted(
        each
        for each in home.gate.visible(call.person)
        if each.startswith(prefix) and home.gate.may_read(call.person, each)
    )


def _listed(entity_ids: Iterable[str]) -> str:
    return ", ".join(entity_ids) or "none"
