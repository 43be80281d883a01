"""Resolves device names in condition code to entities and attributes.

A routine stores the result for each name, so that the name still works after the device is renamed.
The stored data are bindings: key -> reference, e.g. "desk lamp" -> "entity:<registry id>". A key
has one of these forms:

- `name`: a device or entity;
- `name<tab>component<tab>attribute`: an attribute of a device; the component may be empty;
- `<tab>domain`: the only entity of a domain, for a call without a device name.

The forms of a reference: `references.py`.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final

from ...home import (
    MAIN,
    STATE,
    Component,
    Device,
    HomeError,
    Listing,
    MoreAttribute,
    item_attributes,
)
from ...text import id_key, nearest
from ..evaluation import WithheldError
from .calls import ConditionCall, NotNowError
from .references import device_of, entity_of, reference_of, reference_of_entity

_PERCENT: Final = "brightness_pct"


async def async_main(call: ConditionCall, name: str) -> str:
    """Return the id of the main entity of the device `name`, such as the lock, not its battery.

    Raises HomeError if the name is empty, unknown or ambiguous, or if the device has no main
    entity; WithheldError if the device was removed, or the person may not see it.
    """
    whole = await _async_whole(call, name)
    if (entity_id := entity_of(call.hass, whole)) is not None:
        return entity_id
    part = _key(name, "", STATE)
    if (reference := call.owner.bindings.get(part)) is None:
        device = device_of(call.hass, await _async_listing(call), whole)
        reference = reference_of_entity(call.hass, call.sources.values.main_of(device).id)
    return _bound_entity(call, part, reference)


async def async_attribute(
    call: ConditionCall, name: str, attribute: str, component: str = ""
) -> tuple[str, str] | str:
    """Return where to read an attribute of a device: entity id and name, or key of an extension.

    `component`: the part of the device, e.g. "freezer"; empty: any part. Raises HomeError,
    WithheldError, NotNowError.
    """
    if attribute.casefold() in {"", STATE} and not component:
        return await async_main(call, name), STATE
    part = _key(name, component, attribute)
    if (reference := call.owner.bindings.get(part)) is None:
        whole = await _async_whole(call, name)
        reference = await _async_find(call, whole, attribute, component)
    elif (whole := call.owner.bindings.get(name, "")) != "":
        call.bindings[name] = whole
    if call.sources.home.extension_of(reference) is not None:
        call.bindings[part] = reference
        return reference
    return _bound_entity(call, part, reference), _entity_attribute(attribute)


async def async_entities(call: ConditionCall, name: str) -> list[str]:
    """Return the ids of all entities of the named device. Raises HomeError, WithheldError."""
    whole = await _async_whole(call, name)
    if (entity_id := entity_of(call.hass, whole)) is not None:
        return [entity_id]
    device = device_of(call.hass, await _async_listing(call), whole)
    return [part.id for part in device.components]


async def async_only(call: ConditionCall, domain: str, name: str) -> str:
    """Return the id of the entity of `domain` with this name.

    If `name` is empty, returns the entity that the routine used before, or else the only entity
    of `domain`. Raises HomeError if none or several are possible, WithheldError.
    """
    if name:
        entity_id = await async_main(call, name)
        if not entity_id.startswith(f"{domain}."):
            others = ", ".join(call.readable(domain)) or "none"
            raise HomeError(f"{name} is no {domain}. There is: {others}.")
        return entity_id
    # Names in condition code cannot begin with a tab.
    key = f"\t{domain}"
    if (reference := call.owner.bindings.get(key)) is None:
        readable = call.readable(domain)
        if not readable:
            raise HomeError(
                f"This person may read no {domain} entity. Somebody has to expose one to Assist."
            )
        if len(readable) > 1:
            raise HomeError(f"There are several; name one as device: {', '.join(readable)}.")
        reference = reference_of_entity(call.hass, readable[0])
    return _bound_entity(call, key, reference)


def _bound_entity(call: ConditionCall, key: str, reference: str) -> str:
    """Bind a name to the reference of an entity, and return the id of the entity."""
    call.bindings[key] = reference
    if (entity_id := entity_of(call.hass, reference)) is None:
        raise WithheldError
    return entity_id


async def _async_listing(call: ConditionCall) -> Listing:
    return await call.sources.home.of(call.person).async_listing()


async def _async_whole(call: ConditionCall, name: str) -> str:
    """Return the reference of a device or entity, and bind the name to it."""
    if not name:
        raise HomeError("device must not be empty: give its id, name or entity id.")
    if (reference := call.owner.bindings.get(name)) is None:
        reference = reference_of(call.hass, (await _async_listing(call)).find(name))
    call.bindings[name] = reference
    return reference


async def _async_find(call: ConditionCall, whole: str, attribute: str, component: str) -> str:
    """Return a reference to the entity, or the key of the extension, that provides `attribute`."""
    listing, extensions = await _async_listing(call), call.sources.home.extensions.values()
    alone = entity_of(call.hass, whole)
    more: list[MoreAttribute] = []
    if alone is None:
        device = device_of(call.hass, listing, whole)
        parts = list(device.components)
        for extension in extensions:
            more += await extension.async_attributes(call.person, device)
    else:
        device = _device_with(call, listing, alone)
        parts = [part for part in device.components if part.id == alone]
    if component:
        parts, more = _of_component(device, parts, more, component)
    having = await call.sources.values.async_having(device, parts, _entity_attribute(attribute))
    if len(having) == 1:
        return reference_of_entity(call.hass, having[0].id)
    if having:
        names = ", ".join(part.id for part in having)
        raise HomeError(
            f"Several components of {device.id} have {attribute}. Name one as component: {names}."
        )
    spelled = _spelled(more)
    if (only := _only(device, spelled, attribute)) is not None:
        return only.key
    if alone is None and not all(extension.is_current(device) for extension in extensions):
        raise NotNowError
    others: dict[str, list[str]] = {}
    for each in more:
        owner = call.sources.home.extension_of(each.key)
        if each.value is not None and owner is not None:
            others.setdefault(owner.title, []).append(_distinct(spelled, each))
    raise HomeError(await _async_missing(call, device, parts, others, attribute))


def _device_with(call: ConditionCall, listing: Listing, entity_id: str) -> Device:
    try:
        return listing.find(entity_id).device
    except HomeError:
        # The routine has used this entity: it is loading, or the person may no longer see it.
        gone = call.hass.states.get(entity_id) is None
        raise (NotNowError if gone else WithheldError) from None


async def _async_missing(
    call: ConditionCall,
    device: Device,
    parts: Sequence[Component],
    others: Mapping[str, Sequence[str]],
    attribute: str,
) -> str:
    """Return the error for an attribute that the device does not have."""
    if any(part.id == attribute for part in device.components):
        return f'{attribute} is a component, no attribute: get_state("{attribute}") reads it.'
    entries = {name for part in parts for name in item_attributes(part.id.partition(".")[0])}
    if attribute in entries:
        return (
            f"A condition cannot read {attribute}. Use get_calendar for the events of a "
            "calendar, and get_state for the number of items that are left on a list."
        )
    home = call.sources.home.of(call.person)
    names: dict[str, None] = {}
    for document in await home.async_document([part.id for part in parts]):
        names |= dict.fromkeys(a.name for a in document.attributes if a.name not in entries)
    near = nearest(attribute, [*names, *chain(*others.values())], likeness=0.7)
    return (
        f"{device.id} has no attribute {attribute}."
        + (f" The nearest: {', '.join(near)}." if near else "")
        + (f" It has: {', '.join(names)}." if names else "")
        + "".join(f" In {title}: {', '.join(other)}." for title, other in others.items())
    )


def _key(name: str, component: str, attribute: str) -> str:
    # Names have no tabs, since `calls.text` removes them.
    return f"{name}\t{component}\t{attribute}"


def _entity_attribute(text: str) -> str:
    """Return an attribute name in Home Assistant's spelling: lower case with underscores."""
    return text.strip().casefold().replace(" ", "_")


def _of_component(
    device: Device, parts: Sequence[Component], more: Sequence[MoreAttribute], component: str
) -> tuple[list[Component], list[MoreAttribute]]:
    """Return the entities (`parts`) and other attributes (`more`) that belong to a component.

    `component`: an id, name or capability, as written in condition code. Raises HomeError if there
    are none.
    """
    wanted = id_key(component)

    def is_meant(*names: str) -> bool:
        return wanted in map(id_key, names)

    entities = [
        part
        for part in parts
        if is_meant(part.id, part.name, *part.aliases, *part.capabilities, MAIN)
    ]
    values = [
        each
        for each in more
        if is_meant(each.component, *(name.rpartition(".")[0] for name in _spellings(each)[:3]))
    ]
    if not entities and not values:
        names = ", ".join(
            dict.fromkeys([*(p.id for p in parts), *(each.component for each in more)])
        )
        raise HomeError(f'{device.id} has no component "{component}". It has: {names}.')
    return entities, values


def _spellings(attribute: MoreAttribute) -> tuple[str, str, str, str]:
    """Return the names that condition code may use for an attribute, longest first."""
    short = attribute.capability.rpartition(".")[2]
    full = f"{attribute.capability}.{attribute.name}"
    return f"{attribute.component}.{full}", full, f"{short}.{attribute.name}", attribute.name


def _spelled(attributes: Sequence[MoreAttribute]) -> Mapping[str, list[MoreAttribute]]:
    """Return for each spelling the attributes that it may mean."""
    spelled: defaultdict[str, list[MoreAttribute]] = defaultdict(list)
    for attribute in attributes:
        for name in dict.fromkeys(map(id_key, _spellings(attribute))):
            spelled[name].append(attribute)
    return spelled


def _only(
    device: Device, spelled: Mapping[str, Sequence[MoreAttribute]], attribute: str
) -> MoreAttribute | None:
    """Return the attribute with this spelling; None if there is none.

    The main component has priority. Raises HomeError if several are possible.
    """
    matches = spelled.get(id_key(attribute), ())
    if len(matches) > 1:
        matches = [each for each in matches if each.component == MAIN] or matches
    if len(matches) > 1:
        names = ", ".join(repr(_distinct(spelled, each)) for each in matches)
        raise HomeError(
            f"Several values of {device.id} are called {attribute}. Give one of these as "
            f"attribute: {names}."
        )
    return matches[0] if matches else None


def _distinct(spelled: Mapping[str, Sequence[MoreAttribute]], attribute: MoreAttribute) -> str:
    """Return the shortest spelling of an attribute that no other one has."""
    names = _spellings(attribute)
    return next((name for name in reversed(names) if len(spelled[id_key(name)]) == 1), names[0])
