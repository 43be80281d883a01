"""Resolves device names in condition code to entities and attributes.

A routine stores the result for each name, so that the name still works after the device is renamed.
The stored data are bindings: key -> reference (`stored_references.py`), e.g. "desk lamp" ->
"entity:<registry id>". A key has one of these forms:

- `name`: a device or entity;
- `name<tab>component<tab>attribute`: an attribute of a device; the component may be empty;
- `<tab>domain`: the only entity of a domain, for a call without a device name.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from weakref import WeakKeyDictionary

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.translation import async_get_translations

from ...home.groups import TELLING_ONLY
from ...home.home import Home
from ...home.home_types import Component, Device, HomeError
from ...home.listing import Listing
from ...home.smartthings.raw import MAIN, AttributePlace
from ...home.values import STATE, is_secret, item_attributes
from ...text.words import id_key, nearest
from ..interfaces import CallArguments, FunctionCallError, NotNowError, WithheldError
from .stored_references import (
    HANDLES,
    EntityTarget,
    RawTarget,
    device_of,
    entity_of,
    raw_of,
    reference_of,
    reference_of_entity,
    reference_of_raw,
    registry_device_of,
)

_PERCENT: Final = "brightness_pct"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound[P]:
    """The entity, entities or attribute that a device name in condition code means."""

    place: P
    attribute: str = STATE
    bindings: dict[str, str] = field(default_factory=dict)
    """Bindings for the routine to store, e.g. "desk lamp" -> "entity:<registry id>"."""


type BoundTarget = EntityTarget | RawTarget


class Names:
    """Resolves device names in condition code to entities and attributes."""

    def __init__(self, hass: HomeAssistant, home: Home) -> None:
        """`home` lists the devices that a person may see."""
        self._hass = hass
        self._home = home
        self._references: WeakKeyDictionary[Listing, dict[tuple[str, str, str], str]] = (
            WeakKeyDictionary()
        )

    async def async_main(self, call: CallArguments, name: str) -> Bound[EntityTarget]:
        """Return the main entity of the device `name`, such as the lock, not its battery.

        Raises these errors:

        - FunctionCallError: the name is empty;
        - HomeError: the name is unknown or ambiguous, or the device has no main entity;
        - WithheldError: the device was removed, or the owner of the condition may not see it.
        """
        bindings: dict[str, str] = {}
        whole = await self._async_whole(call, name, bindings)
        if (place := entity_of(self._hass, whole)) is not None:
            return Bound(place=place, bindings=bindings)
        part = _key(name, "", STATE)
        if (reference := self._known(call, part)) is None:
            listing = await self._home.of(call.person).async_listing()
            device = device_of(self._hass, listing, whole)
            reference = reference_of_entity(self._hass, _main_part(device).id)
        bindings[part] = reference
        if (found := entity_of(self._hass, reference)) is None:
            raise WithheldError
        return Bound(place=found, bindings=bindings)

    async def async_attribute(
        self, call: CallArguments, name: str, attribute: str, component: str = ""
    ) -> Bound[BoundTarget]:
        """Return where to read an attribute of a device: an entity, or a SmartThings attribute.

        `component`: the part of the device, e.g. "freezer"; empty: any part. Raises HomeError,
        FunctionCallError, WithheldError, NotNowError.
        """
        if attribute.casefold() in {"", STATE} and not component:
            main = await self.async_main(call, name)
            return Bound(place=main.place, bindings=main.bindings)
        part = _key(name, component, attribute)
        if (reference := self._known(call, part)) is not None:
            bindings = {part: reference}
            if (whole := self._known(call, name)) is not None:
                bindings[name] = whole
        else:
            bindings = {}
            reference = await self._async_part(call, name, attribute, component, bindings)
            bindings[part] = reference
        if (raw := raw_of(self._hass, reference)) is not None:
            return Bound(place=raw, attribute=raw.attribute, bindings=bindings)
        if (entity := entity_of(self._hass, reference)) is None:
            raise WithheldError
        return Bound(place=entity, attribute=_entity_attribute(attribute), bindings=bindings)

    async def async_entities(
        self, call: CallArguments, name: str
    ) -> Bound[tuple[EntityTarget, ...]]:
        """Return all entities of the named device.

        Raises FunctionCallError, HomeError, WithheldError.
        """
        bindings: dict[str, str] = {}
        whole = await self._async_whole(call, name, bindings)
        if (place := entity_of(self._hass, whole)) is not None:
            return Bound(place=(place,), bindings=bindings)
        listing = await self._home.of(call.person).async_listing()
        device = device_of(self._hass, listing, whole)
        registry = er.async_get(self._hass)
        places = tuple(
            EntityTarget(each.id, is_registered=registry.async_get(each.id) is not None)
            for each in device.components
        )
        return Bound(place=places, bindings=bindings)

    async def async_only(self, call: CallArguments, domain: str) -> Bound[EntityTarget]:
        """Return the entity of `domain` that the argument `device` of the call names.

        If `device` is empty, returns the entity that the routine used before, or else the only
        entity of `domain`. Raises FunctionCallError if none or several are possible, HomeError,
        WithheldError.
        """
        if name := call.text("device"):
            bound = await self.async_main(call, name)
            if not bound.place.entity_id.startswith(f"{domain}."):
                others = ", ".join(self.visible(call, domain)) or "none"
                raise FunctionCallError(f"{name} is no {domain}. There is: {others}.")
            return bound
        # Names in condition code cannot begin with a tab.
        key = f"\t{domain}"
        if (reference := self._known(call, key)) is None:
            there = self.visible(call, domain)
            if not there:
                raise FunctionCallError(
                    f"This person may read no {domain} entity. Somebody has to expose one to "
                    "Assist."
                )
            if len(there) > 1:
                raise FunctionCallError(
                    f"There are several; name one as device: {', '.join(there)}."
                )
            reference = reference_of_entity(self._hass, there[0])
        if (place := entity_of(self._hass, reference)) is None:
            raise WithheldError
        return Bound(place=place, bindings={key: reference})

    def visible(self, call: CallArguments, domain: str) -> list[str]:
        """Return the ids of the entities of `domain` that the condition's owner may read now."""
        gate, person = self._home.gate, call.person
        return sorted(
            each
            for each in gate.visible(person)
            if each.startswith(f"{domain}.") and gate.may_read(person, each)
        )

    # ------------------------------------------------------------- lookups

    @staticmethod
    def _known(call: CallArguments, key: str) -> str | None:
        return call.owner.bindings.get(key)

    async def _async_whole(self, call: CallArguments, name: str, bindings: dict[str, str]) -> str:
        if not name:
            raise FunctionCallError("device must not be empty: give its id, name or entity id.")
        reference = self._known(call, name)
        if reference is None and name.startswith(HANDLES):
            reference = name
        if reference is None:
            listing = await self._home.of(call.person).async_listing()
            reference = reference_of(self._hass, listing, listing.find(name))
        bindings[name] = reference
        return reference

    async def _async_part(
        self,
        call: CallArguments,
        name: str,
        attribute: str,
        component: str,
        bindings: dict[str, str],
    ) -> str:
        """Return a reference to the entity or SmartThings attribute that provides `attribute`.

        The reference is cached as long as the listing. Adds the device name and the reference to
        the whole device to `bindings`.
        """
        whole = await self._async_whole(call, name, bindings)
        listing = await self._home.of(call.person).async_listing()
        cached = self._references.setdefault(listing, {})
        key = (whole, component, attribute)
        if key not in cached:
            cached[key] = await self._async_find(call, listing, whole, attribute, component)
        return cached[key]

    async def _async_find(
        self, call: CallArguments, listing: Listing, whole: str, attribute: str, component: str
    ) -> str:
        alone = entity_of(self._hass, whole)
        if alone is not None:
            device = self._device_with(listing, alone)
        else:
            device = device_of(self._hass, listing, whole)
        parts = [each for each in device.components if alone is None or each.id == alone.entity_id]
        raw: tuple[AttributePlace, ...] = ()
        if alone is None:
            raw = await self._home.smartthings.async_places(call.person, device)
        if component:
            parts, raw = _of_component(device, parts, raw, component)
        having = await self._async_having(device, parts, _entity_attribute(attribute))
        if len(having) == 1:
            return reference_of_entity(self._hass, having[0].id)
        if having:
            names = ", ".join(each.id for each in having)
            raise HomeError(
                f"Several components of {device.id} have {attribute}. Name one as component: "
                f"{names}."
            )
        found = _raw_having(raw, attribute)
        if len(found) > 1:
            distinct = _distinct_names(raw)
            names = ", ".join(repr(distinct[each]) for each in found)
            raise HomeError(
                f"Several values of {device.id} are called {attribute}. Give one of these as "
                f"attribute: {names}."
            )
        if found:
            device_id = registry_device_of(self._hass, device)
            assert device_id is not None
            return reference_of_raw(RawTarget(device_id, *found[0][1:]))
        if alone is None and not self._home.smartthings.reader.is_certain(device):
            raise NotNowError
        raise HomeError(await self._async_missing(call, device, parts, raw, attribute))

    def _device_with(self, listing: Listing, place: EntityTarget) -> Device:
        try:
            return listing.find(place.entity_id).device
        except HomeError:
            # The routine has used this entity: it is loading, or the person may no longer see it.
            gone = self._hass.states.get(place.entity_id) is None
            raise (NotNowError if gone else WithheldError) from None

    async def _async_having(
        self, device: Device, parts: Sequence[Component], attribute: str
    ) -> Sequence[Component]:
        """Return the entities in `parts` that have `attribute`.

        If there are none, return those that can have it in another state, such as the volume of a
        TV that is off. If the main entity of `device` is among several entities found, return only
        the main entity.
        """
        if is_secret(attribute):
            return ()
        having = [each for each in parts if self._has(each.id, attribute)]
        if not having:
            having = [each for each in parts if await self._async_may_have(each.id, attribute)]
        if len(having) > 1:
            main = _main_or_none(device)
            having = [each for each in having if each is main] or having
        return having

    def _has(self, entity_id: str, attribute: str) -> bool:
        state = self._hass.states.get(entity_id)
        if attribute == STATE or state is None:
            return attribute == STATE
        if attribute == _PERCENT and state.domain == "light":
            return "brightness" in state.attributes
        return attribute in state.attributes

    async def _async_may_have(self, entity_id: str, attribute: str) -> bool:
        """Return whether the entity can have the attribute in another state.

        Example: the volume of a TV that is off.
        """
        domain = entity_id.partition(".")[0]
        texts = await async_get_translations(self._hass, "en", "entity_component", {domain})
        prefix = f"component.{domain}.entity_component._.state_attributes.{attribute}."
        return any(each.startswith(prefix) for each in texts)

    async def _async_missing(
        self,
        call: CallArguments,
        device: Device,
        parts: Sequence[Component],
        raw: Sequence[AttributePlace],
        attribute: str,
    ) -> str:
        if any(each.id == attribute for each in device.components):
            return f'{attribute} is a component, no attribute: get_state("{attribute}") reads it.'
        entries = {name for each in parts for name in item_attributes(each.id.partition(".")[0])}
        if attribute in entries:
            return (
                f"A condition cannot read {attribute}. Use get_calendar for the events of a "
                "calendar, and get_state for the number of items that are left on a list."
            )
        names: dict[str, None] = {}
        documents = await self._home.of(call.person).async_document([each.id for each in parts])
        for document in documents:
            own = (each.name for each in document.attributes if each.name not in entries)
            names |= dict.fromkeys(own)
        values = self._home.smartthings.reader
        distinct = _distinct_names(raw)
        in_cloud = [distinct[each] for each in raw if values.peek(each) is not None]
        near = nearest(attribute, [*names, *in_cloud], likeness=0.7)
        return (
            f"{device.id} has no attribute {attribute}."
            + (f" The nearest: {', '.join(near)}." if near else "")
            + (f" It has: {', '.join(names)}." if names else "")
            + (f" In SmartThings: {', '.join(in_cloud)}." if in_cloud else "")
        )


def _key(name: str, component: str, attribute: str) -> str:
    # Names have no tabs, since `CallArguments.text` removes them.
    return f"{name}\t{component}\t{attribute}"


def _entity_attribute(text: str) -> str:
    """Return an attribute name in Home Assistant's spelling: lower case with underscores."""
    return text.strip().casefold().replace(" ", "_")


def _main_part(device: Device) -> Component:
    """Return the main entity of a device.

    Raises HomeError with a list of the entities if there is no main entity.
    """
    if (found := _main_or_none(device)) is not None:
        return found
    parts = ", ".join(
        f'{each.id} "{each.name}"' if each.name else each.id for each in device.components
    )
    raise HomeError(f"{device.id} has several components; give the id of one as device: {parts}.")


def _main_or_none(device: Device) -> Component | None:
    """Return the main entity of a device; None if there is none.

    The main entity is the only entity, else the only one with the name of the device, else the only
    one outside the domains in `TELLING_ONLY`.
    """
    for group in (
        device.components,
        [each for each in device.components if each.name == device.name],
        [each for each in device.components if not TELLING_ONLY.intersection(each.capabilities)],
    ):
        if len(group) == 1:
            return group[0]
    return None


def _of_component(
    device: Device, parts: Sequence[Component], raw: Sequence[AttributePlace], component: str
) -> tuple[list[Component], tuple[AttributePlace, ...]]:
    """Return the entities (`parts`) and SmartThings attributes (`raw`) that belong to a component.

    `component`: an id, name or capability, as written in condition code. Raises HomeError if there
    are none.
    """
    wanted = id_key(component)
    entities = [
        each
        for each in parts
        if wanted in {id_key(each.id), id_key(each.name), *map(id_key, each.aliases)}
        or wanted in {id_key(capability) for capability in each.capabilities}
        or wanted == MAIN
    ]
    values = tuple(
        each
        for each in raw
        if wanted
        in {
            id_key(each.component),
            id_key(each.capability),
            id_key(each.capability.rpartition(".")[2]),
            id_key(f"{each.component}.{each.capability}"),
        }
    )
    if not entities and not values:
        names = ", ".join(dict.fromkeys([*(p.id for p in parts), *(r.component for r in raw)]))
        raise HomeError(f'{device.id} has no component "{component}". It has: {names}.')
    return entities, values


def _raw_having(raw: Sequence[AttributePlace], attribute: str) -> list[AttributePlace]:
    """Return the SmartThings attributes in `raw` that have the name `attribute`.

    Tries full names (with component and capability) first, short ones last. If several have the
    name, returns only those of the component `main`, if there are any.
    """
    wanted = id_key(attribute)
    for level in range(4):
        found = [each for each in raw if wanted == id_key(_spellings(each)[level])]
        if len(found) > 1:
            found = [each for each in found if each.component == MAIN] or found
        if found:
            return found
    return []


def _spellings(place: AttributePlace) -> tuple[str, str, str, str]:
    """Return the names that condition code may use for a SmartThings attribute, longest first."""
    short = place.capability.rpartition(".")[2]
    full = f"{place.capability}.{place.attribute}"
    return (
        f"{place.component}.{full}",
        full,
        f"{short}.{place.attribute}",
        place.attribute,
    )


def _distinct_names(places: Sequence[AttributePlace]) -> dict[AttributePlace, str]:
    """Return for each place the shortest of its `_spellings` that no other place has."""
    spellings = {each: _spellings(each) for each in places}
    uses = Counter(key for each in spellings.values() for key in set(map(id_key, each)))
    return {
        place: next((name for name in reversed(names) if uses[id_key(name)] == 1), names[0])
        for place, names in spellings.items()
    }
