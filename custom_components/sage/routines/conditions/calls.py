"""A call of a condition function: what it may read, what it has read, and how it resolves names.

A routine stores what each name in its code means, so that the name still works after the device is
renamed. The stored data are bindings: key -> reference, e.g. "desk lamp" -> "entity:<registry id>".
A key has one of these forms:

- `name`: a device or entity;
- `name<tab>component<tab>attribute`: an attribute of a device; the component may be empty;
- `<tab>domain`: the only entity of a domain, for a call without a device name.

A reference has one of these forms, which a rename does not change:

- `entity:<registry id>`: an entity;
- `id:<entity id>`: an entity without a registry entry;
- `device:<registry id of an entity>`: the device in SAGE's list that has this entity;
- the key of an attribute that no entity offers (`MoreAttribute.key`).
"""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util

from ...external import External
from ...home import STATE, CodeValues, Device, Home, HomeError, Listing, is_known
from ...people import Person
from ..evaluation import Snapshot, WithheldError
from ..sandbox.contract import ConditionFunction, FunctionResult

ENTITY: Final = "entity"
_UNREGISTERED: Final = "id"
_DEVICE: Final = "device"

_LARGEST_NUMBER: Final = 1_000_000
_MOST_KEPT: Final = 500


class NotNowError(Exception):
    """Raised when a value cannot be read now, for example of an unavailable device."""


class Sources:
    """What condition functions read: the home, the recorder, and sources outside the home."""

    def __init__(self, hass: HomeAssistant, home: Home, external: External) -> None:
        """`external`: mail and TV guides, as far as they are configured."""
        self.hass = hass
        self.home = home
        self.external = external
        self.values = CodeValues(home)
        self._kept: dict[tuple[object, ...], tuple[datetime, Any]] = {}

    async def async_kept[T](
        self, key: tuple[object, ...], lifetime: timedelta, read: Callable[[], Awaitable[T]]
    ) -> tuple[T, datetime]:
        """Return the result of `read`, which is read again after `lifetime`, and its expiry."""
        now = dt_util.utcnow()
        until, value = self._kept.get(key, (now, None))
        if until <= now:
            until, value = now + lifetime, await read()
            while len(self._kept) >= _MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = (until, value)
        return value, until


@dataclass(slots=True, kw_only=True)
class ConditionCall:
    """One call in condition code, with the permissions of the condition's owner.

    The methods raise HomeError, with a sentence that says how to fix the code, for a name that is
    empty, unknown or ambiguous, and WithheldError if the device was removed, or the person may not
    see it.
    """

    hass: HomeAssistant
    sources: Sources
    person: Person  # the owner of the condition
    bound: Mapping[str, str]  # the bindings that the routine has stored
    snapshot: Snapshot
    keys: set[str] = field(default_factory=set)
    """The values that were read, see `FunctionResult.keys`."""

    bindings: dict[str, str] = field(default_factory=dict)
    """The names that were resolved, see `FunctionResult.bindings`."""

    # ------------------------------------------------------------- values

    async def async_state(self, entity_id: str) -> State | None:
        """Return the state of an entity in the snapshot; None while it is loading."""
        is_there = self.hass.states.get(entity_id) is not None
        if is_there and not self.sources.home.gate.may_read(self.person, entity_id):
            raise WithheldError
        self.keys.add(entity_id)
        return await self.snapshot.async_state(self.hass, entity_id)

    async def async_known_state(self, entity_id: str) -> State:
        """Return the state of an entity. Raises NotNowError if it is unknown."""
        state = await self.async_state(entity_id)
        if state is None or not is_known(state):
            raise NotNowError
        return state

    def readable(self, domain: str) -> list[str]:
        """Return the ids of the entities of a domain that the person may read."""
        return self.sources.home.gate.readable(self.person, domain)

    async def async_listing(self) -> Listing:
        """Return the devices that the person may see."""
        return await self.sources.home.of(self.person).async_listing()

    # ------------------------------------------------------------- names

    async def async_main(self, name: str) -> str:
        """Return the device's main entity, such as the lock. Raises HomeError if it has none."""
        whole = await self._async_whole(name)
        if (entity_id := entity_of(self.hass, whole)) is not None:
            return entity_id
        key = f"{name}\t\t{STATE}"
        if (reference := self.bound.get(key)) is None:
            device = device_of(self.hass, await self.async_listing(), whole)
            main = self.sources.values.main_of(device)
            reference = reference_of_entity(self.hass, main.id)
        return self._bound_entity(key, reference)

    async def async_attribute(
        self, name: str, attribute: str, component: str = ""
    ) -> tuple[str, str] | str:
        """Return where to read an attribute: entity id and name, or the key of an extension.

        `component`: the part of the device, e.g. "freezer"; empty: any part. Raises NotNowError.
        """
        if attribute.casefold() in {"", STATE} and not component:
            return await self.async_main(name), STATE
        # Names have no tabs, since `ConditionFunctions` removes them.
        key = f"{name}\t{component}\t{attribute}"
        if (reference := self.bound.get(key)) is None:
            whole = await self._async_whole(name)
            reference = await self._async_find(whole, attribute, component)
        elif (whole := self.bound.get(name, "")) != "":
            self.bindings[name] = whole
        if self.sources.home.extension_of(reference) is not None:
            self.bindings[key] = reference
            return reference
        return self._bound_entity(key, reference), self.sources.values.name_of(attribute)

    async def async_entities(self, name: str) -> list[str]:
        """Return the ids of all entities of the named device."""
        whole = await self._async_whole(name)
        if (entity_id := entity_of(self.hass, whole)) is not None:
            return [entity_id]
        device = device_of(self.hass, await self.async_listing(), whole)
        return [part.id for part in device.components]

    async def async_only(self, domain: str, name: str) -> str:
        """Return the id of the entity of `domain` with this name.

        If `name` is empty, returns the entity that the routine used before, or else the only entity
        of `domain`.
        """
        if name:
            entity_id = await self.async_main(name)
            if not entity_id.startswith(f"{domain}."):
                others = ", ".join(self.readable(domain)) or "none"
                raise HomeError(f"{name} is no {domain}. There is: {others}.")
            return entity_id
        # Names in condition code cannot begin with a tab.
        key = f"\t{domain}"
        if (reference := self.bound.get(key)) is None:
            readable = self.readable(domain)
            if not readable:
                raise HomeError(
                    f"This person may read no {domain} entity. Somebody has to expose one to "
                    "Assist."
                )
            if len(readable) > 1:
                raise HomeError(f"There are several; name one as device: {', '.join(readable)}.")
            reference = reference_of_entity(self.hass, readable[0])
        return self._bound_entity(key, reference)

    def _bound_entity(self, key: str, reference: str) -> str:
        self.bindings[key] = reference
        if (entity_id := entity_of(self.hass, reference)) is None:
            raise WithheldError
        return entity_id

    async def _async_whole(self, name: str) -> str:
        if not name:
            raise HomeError("device must not be empty: give its id, name or entity id.")
        if (reference := self.bound.get(name)) is None:
            reference = reference_of(self.hass, await self.async_listing(), name)
        self.bindings[name] = reference
        return reference

    async def _async_find(self, whole: str, attribute: str, component: str) -> str:
        """Return a reference to the entity, or the extension's key, that provides `attribute`."""
        listing, alone = await self.async_listing(), entity_of(self.hass, whole)
        if alone is None:
            device = device_of(self.hass, listing, whole)
        else:
            try:
                device = listing.find(alone).device
            except HomeError:
                # The routine has used this entity: it is loading, or may no longer be seen.
                gone = self.hass.states.get(alone) is None
                raise (NotNowError if gone else WithheldError) from None
        where = await self.sources.values.async_find(
            self.person, device, attribute, component=component, entity_id=alone
        )
        if where is None:
            raise NotNowError
        is_entity = self.sources.home.extension_of(where) is None
        return reference_of_entity(self.hass, where) if is_entity else where


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeFunction(ConditionFunction):
    """A condition function with its implementation."""

    async_answer: Callable[..., Awaitable[FunctionResult]]
    """Takes a `ConditionCall` and the arguments: texts without line breaks, other values unchecked.

    Raises HomeError with a sentence that says how to fix the call; WithheldError; NotNowError.
    """

    is_recorded: bool  # whether the result in a past snapshot is known


def number(name: str, value: object, lowest: float, highest: float) -> float:
    """Return a number argument, limited to the range. Raises HomeError beyond a million."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise HomeError(f"{name} has to be a number, not {type(value).__name__}.")
    if not -_LARGEST_NUMBER <= value <= _LARGEST_NUMBER:
        raise HomeError(f"{name} has to be a number from {lowest:g} to {highest:g}.")
    return min(max(value, lowest), highest)


def condition_function(
    *, returns: str, description: str, is_recorded: bool = False
) -> Callable[[Callable[..., Awaitable[FunctionResult]]], HomeFunction]:
    """Let condition code call a coroutine; `description` is for the model."""

    def decorate(answer: Callable[..., Awaitable[FunctionResult]]) -> HomeFunction:
        _, *parameters = inspect.signature(answer).parameters.values()
        return HomeFunction(
            name=answer.__name__,
            parameters=tuple(parameters),
            returns=returns,
            description=description,
            async_answer=answer,
            is_recorded=is_recorded,
        )

    return decorate


# ------------------------------------------------------------- references


def reference_of_entity(hass: HomeAssistant, entity_id: str) -> str:
    """Return the reference that a routine stores for an entity, such as `entity:<registry id>`."""
    entry = er.async_get(hass).async_get(entity_id)
    return f"{_UNREGISTERED}:{entity_id}" if entry is None else f"{ENTITY}:{entry.id}"


def reference_of(hass: HomeAssistant, listing: Listing, name: str) -> str:
    """Return the reference that a routine stores for a device or one of its entities.

    A device with only one entity gets the reference of this entity. Raises HomeError if no device
    or several devices have the name.
    """
    found = listing.find(name)
    device, part = found.device, found.component
    if part is None and (len(device.components) > 1 or device.more_components):
        entry = er.async_get(hass).async_get(device.components[0].id)
        if entry is not None and entry.device_id is not None:
            return f"{_DEVICE}:{entry.id}"
    return reference_of_entity(hass, (part or device.components[0]).id)


def entity_of(hass: HomeAssistant, reference: str) -> str | None:
    """Return a reference's entity id, or None. Raises WithheldError if it is gone or disabled."""
    kind, _, rest = reference.partition(":")
    if kind == _UNREGISTERED:
        # Registered meanwhile or not, it is still the same entity.
        return rest
    return _entry(hass, rest).entity_id if kind == ENTITY else None


def device_of(hass: HomeAssistant, listing: Listing, reference: str) -> Device:
    """Return the device in `listing` that a stored reference means.

    Raises WithheldError if `reference` does not mean a device (`device:...`), or if `listing` does
    not contain the device.
    """
    kind, _, rest = reference.partition(":")
    if kind != _DEVICE:
        raise WithheldError
    entry = _entry(hass, rest)
    rows = er.async_entries_for_device(er.async_get(hass), entry.device_id or "")
    for entity_id in (entry.entity_id, *(row.entity_id for row in rows)):
        with suppress(HomeError):
            return listing.find(entity_id).device
    raise WithheldError


def _entry(hass: HomeAssistant, registry_id: str) -> er.RegistryEntry:
    entry = er.async_get(hass).entities.get_entry(registry_id)
    if entry is None or entry.disabled:
        raise WithheldError
    return entry
