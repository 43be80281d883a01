"""Resolves device names in condition code to entities and attributes.

A routine stores the result for each name, so that the name still works after the device is renamed.
The stored data are bindings: key -> reference, e.g. "desk lamp" -> "entity:<registry id>". A key
has one of these forms:

- `name`: a device or entity;
- `name<tab>component<tab>attribute`: an attribute of a device; the component may be empty;
- `<tab>domain`: the only entity of a domain, for a call without a device name.

The forms of a reference: `references.py`.
"""

from ...home import STATE, Device, HomeError, Listing
from ..evaluation import WithheldError
from .calls import ConditionCall, NotNowError
from .references import device_of, entity_of, reference_of, reference_of_entity


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
        reference = reference_of_entity(
            call.hass, call.sources.values.attributes.main_of(device).id
        )
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
    attributes = call.sources.values.attributes
    return _bound_entity(call, part, reference), attributes.name_of(attribute)


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
        reference = reference_of(call.hass, await _async_listing(call), name)
    call.bindings[name] = reference
    return reference


async def _async_find(call: ConditionCall, whole: str, attribute: str, component: str) -> str:
    """Return a reference to the entity, or the key of the extension, that provides `attribute`."""
    listing, alone = await _async_listing(call), entity_of(call.hass, whole)
    if alone is None:
        device = device_of(call.hass, listing, whole)
    else:
        device = _device_with(call, listing, alone)
    where = await call.sources.values.attributes.async_find(
        call.person, device, attribute, component=component, entity_id=alone
    )
    if where is None:
        raise NotNowError
    is_entity = call.sources.home.extension_of(where) is None
    return reference_of_entity(call.hass, where) if is_entity else where


def _device_with(call: ConditionCall, listing: Listing, entity_id: str) -> Device:
    try:
        return listing.find(entity_id).device
    except HomeError:
        # The routine has used this entity: it is loading, or the person may no longer see it.
        gone = call.hass.states.get(entity_id) is None
        raise (NotNowError if gone else WithheldError) from None


def _key(name: str, component: str, attribute: str) -> str:
    # Names have no tabs, since `calls.text` removes them.
    return f"{name}\t{component}\t{attribute}"
