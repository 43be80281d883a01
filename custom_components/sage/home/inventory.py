"""The devices of Home Assistant that a person may see, as `Device` objects with their entities.

Entities in a different area than their device form a separate `Device`: a power strip with outlets
in two rooms is listed twice.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from homeassistant.const import ATTR_DEVICE_CLASS, ATTR_FRIENDLY_NAME
from homeassistant.core import Event, HomeAssistant, callback, split_entity_id
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import label_registry as lr
from homeassistant.helpers.target import TargetSelection, async_extract_referenced_entity_ids

from ..helpers import Work, async_in_slices
from ..people import Person
from ..text import key
from .disambiguation import Looks
from .extension import Extension
from .home_types import Component, Device
from .listing import MAX_LISTINGS, Area, Listing
from .listing_build import build, identify
from .prompt_text import flat_name
from .safety.gate import Gate
from .values import grouped

_LONG_AGO: Final = datetime.min.replace(tzinfo=UTC)

_NO_MATTER: Final = frozenset(
    {"capabilities", "options", "supported_features", "icon", "original_icon", "modified_at"}
)
"""Registry fields that do not affect a listing."""


@dataclass(slots=True, kw_only=True)
class _Entity:
    """An entity, with only the data that a listing needs."""

    component: Component
    registry_id: str
    full_name: str
    is_named: bool = False  # whether a person renamed the entity
    area_id: str | None = None
    device: dr.AnyDeviceEntry | None = None
    created: datetime = _LONG_AGO


@dataclass(slots=True, kw_only=True)
class _Group:
    """The entities of one device in the listing."""

    entities: list[_Entity]
    device: dr.AnyDeviceEntry | None  # None: an entity without one, or in another area than it
    area_id: str | None

    @property
    def age(self) -> tuple[datetime, str]:
        """Sort key: when the device was created, or the first of its entities in this area."""
        if self.device is not None:
            return self.device.created_at, self.device.id
        return min(each.created for each in self.entities), self.entities[0].component.id


class Inventory:
    """Lists the devices of Home Assistant that a person may see."""

    def __init__(self, hass: HomeAssistant, gate: Gate, appearance: Looks | None = None) -> None:
        """Listen to registries from the first `async_listing` on; `appearance` adds captions."""
        self._hass = hass
        self._gate = gate
        self.extension: Extension | None = None  # adds components to devices
        self._appearance = appearance
        self._changes = 0
        self._listings: dict[frozenset[str], tuple[object, Listing]] = {}
        self._building = asyncio.Lock()
        self._unsubscribe: list[Callable[[], None]] = []

    async def async_listing(self, person: Person) -> Listing:
        """Return the person's visible devices; people with equal rights share the `Listing`."""
        if not self._unsubscribe:
            self._listen()
        visible = self._gate.visible(person)
        if (listing := self._known(visible)) is not None:
            return listing
        async with self._building:
            if (known := self._known(visible)) is not None:
                return known
            revision = self._revision
            return self._keep(visible, revision, await async_in_slices(self._build(visible)))

    @callback
    def room_of(self, satellite_id: str | None, device_id: str | None) -> str | None:
        """Return the area of a satellite, or of the device without a known one; None if unknown."""
        satellite = er.async_get(self._hass).async_get(satellite_id) if satellite_id else None
        area_id = er.async_get_effective_area_id(self._hass, satellite) if satellite else None
        device = dr.async_get(self._hass).async_get(device_id) if device_id else None
        if area_id is None and device is not None:
            area_id = dr.async_get_effective_area_id(self._hass, device)
        area = ar.async_get(self._hass).async_get_area(area_id) if area_id else None
        return flat_name(area.name) if area else None

    @callback
    def close(self) -> None:
        """Stop listening and clear the cache."""
        while self._unsubscribe:
            self._unsubscribe.pop()()
        self._listings.clear()

    def _known(self, visible: frozenset[str]) -> Listing | None:
        revision, listing = self._listings.get(visible, (None, None))
        return listing if revision == self._revision else None

    @property
    def _revision(self) -> object:
        """Cache key that changes when a registry, an extension or a caption changes."""
        captions = None if self._appearance is None else self._appearance.version
        return self._changes, captions, self.extension and self.extension.version

    def _keep(self, visible: frozenset[str], revision: object, listing: Listing) -> Listing:
        _, before = self._listings.pop(visible, (None, None))
        if before is not None and (before.devices, before.areas) == (
            listing.devices,
            listing.areas,
        ):
            listing = before
        self._listings[visible] = (revision, listing)
        while len(self._listings) > MAX_LISTINGS:
            del self._listings[next(iter(self._listings))]
        return listing

    # -------------------------------------------------------------- changes

    def _listen(self) -> None:
        self._changes += 1
        for event_type in (
            er.EVENT_ENTITY_REGISTRY_UPDATED,
            dr.EVENT_DEVICE_REGISTRY_UPDATED,
            ar.EVENT_AREA_REGISTRY_UPDATED,
            fr.EVENT_FLOOR_REGISTRY_UPDATED,
            lr.EVENT_LABEL_REGISTRY_UPDATED,
        ):
            self._unsubscribe.append(self._hass.bus.async_listen(event_type, self._changed))

    @callback
    def _changed(self, event: Event[Any]) -> None:
        changes = event.data.get("changes")
        if changes is None or changes.keys() - _NO_MATTER:
            self._changes += 1

    # ------------------------------------------------------------- building

    def _build(self, visible: frozenset[str]) -> Work[Listing]:
        entities: list[_Entity] = []
        labels = self._labels()
        for entity_id in sorted(visible):
            if (entity := self._entity(entity_id, labels.get(entity_id, ()))) is not None:
                entities.append(entity)
            yield
        groups = sorted(_grouped(self._hass, entities), key=lambda group: group.age)
        areas = self._areas()
        named = [_named(group, areas.get(group.area_id or "")) for group in groups]
        yield
        ids = identify(named)
        devices: list[Device] = []
        for group, (name, _, _), device_id in zip(groups, named, ids, strict=True):
            area = areas.get(group.area_id or "")
            devices.append(self._device(group, name, device_id, area, visible))
            yield
        held = {device.area for device in devices}
        places = {area.name: area for area in areas.values() if area.name in held}
        return (yield from build(devices, places))

    def _labels(self) -> dict[str, list[str]]:
        """Return entity id -> names of its labels, also those of its device and area."""
        return grouped(
            (entity_id, flat_name(label.name) or label.label_id)
            for label in lr.async_get(self._hass).async_list_labels()
            for entity_id in async_extract_referenced_entity_ids(
                self._hass, TargetSelection({"label_id": label.label_id}), expand_group=False
            ).indirectly_referenced
        )

    def _areas(self) -> dict[str, Area]:
        floors = fr.async_get(self._hass)
        found: dict[str, Area] = {}
        for entry in ar.async_get(self._hass).async_list_areas():
            floor = floors.async_get_floor(entry.floor_id) if entry.floor_id else None
            found[entry.id] = Area(
                name=flat_name(entry.name) or entry.id,
                aliases=_flat(sorted(entry.aliases)),
                floor=flat_name(floor.name) if floor else None,
                floor_aliases=_flat(sorted(floor.aliases)) if floor else (),
            )
        return found

    def _entity(self, entity_id: str, labels: Sequence[str]) -> _Entity | None:
        entry = er.async_get(self._hass).async_get(entity_id)
        if entry is None:
            return self._unregistered(entity_id)
        device = entry.device_id and dr.async_get(self._hass).async_get(entry.device_id)
        full_name = er.async_get_full_entity_name(self._hass, entry)
        full_name = flat_name(full_name or split_entity_id(entity_id)[1].replace("_", " "))
        name = flat_name(_own_name(entry, (device.name_by_user or device.name) if device else None))
        # An alias that is no string is a placeholder for the computed name, which is not an alias.
        aliases = _flat(alias for alias in entry.aliases if isinstance(alias, str))
        return _Entity(
            component=Component(
                id=entity_id,
                name=name or full_name,
                capabilities=(entry.domain,),
                kind=entry.device_class or entry.original_device_class,
                aliases=tuple(alias for alias in aliases if alias != full_name),
                labels=tuple(labels),
            ),
            registry_id=entry.id,
            full_name=full_name,
            is_named=bool(entry.name),
            area_id=er.async_get_effective_area_id(self._hass, entry),
            device=device or None,
            created=entry.created_at,
        )

    def _unregistered(self, entity_id: str) -> _Entity | None:
        if (state := self._hass.states.get(entity_id)) is None:
            return None
        domain, object_id = split_entity_id(entity_id)
        named = state.attributes.get(ATTR_FRIENDLY_NAME) or object_id.replace("_", " ")
        name = flat_name(str(named))
        kind = flat_name(str(state.attributes.get(ATTR_DEVICE_CLASS) or ""))
        return _Entity(
            component=Component(id=entity_id, name=name, capabilities=(domain,), kind=kind or None),
            registry_id=entity_id,
            full_name=name,
        )

    def _device(
        self, group: _Group, name: str, device_id: str, area: Area | None, visible: frozenset[str]
    ) -> Device:
        entities = sorted(group.entities, key=lambda each: each.component.id)
        own = (group.device.id,) if group.device else ()
        registry_ids = (*own, *(each.registry_id for each in entities))
        more: tuple[Component, ...] = ()
        if self.extension is not None and group.device is not None:
            more = self.extension.components(group.device, visible)
        return Device(
            id=device_id,
            name=name,
            aliases=_device_aliases(name, entities),
            area=area.name if area else None,
            floor=area.floor if area else None,
            components=tuple(each.component for each in entities),
            more_components=tuple(replace(part, name=flat_name(part.name)) for part in more),
            model=_model(group.device or entities[0].device),
            registry_ids=registry_ids,
            caption=self._appearance.caption(registry_ids) if self._appearance else "",
        )


def _own_name(entry: er.RegistryEntry, device_name: str | None) -> str:
    """Return the name of an entity without the name of its device; empty if nothing is left."""
    if entry.name is None:
        unprefixed = entry.original_name_unprefixed
        return unprefixed if unprefixed is not None else entry.original_name or ""
    # Home Assistant 2026.11 stores names by people without the device's name, 2026.10 with it.
    if device_name:
        length = len(device_name) + 1
        if f"{entry.name} "[:length].casefold() == f"{device_name} ".casefold():
            return entry.name[length:].lstrip()
    return entry.name


def _flat(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, map(flat_name, names))))


def _device_aliases(name: str, entities: list[_Entity]) -> tuple[str, ...]:
    """Return the other names of a device: the aliases of its entities, and their names.

    A name counts if a person chose it or if the device has only one entity, and if it does not
    start with the name of the device.
    """
    found: dict[str, None] = {}
    for entity in entities:
        if (entity.is_named or len(entities) == 1) and not key(entity.full_name).startswith(
            key(name)
        ):
            found[entity.full_name] = None
        found |= dict.fromkeys(entity.component.aliases)
    return tuple(alias for alias in found if key(alias) != key(name))


def _model(device: dr.AnyDeviceEntry | None) -> str | None:
    if not isinstance(device, dr.DeviceEntry):
        return None
    return flat_name(" ".join(filter(None, (device.manufacturer, device.model)))) or None


def _grouped(hass: HomeAssistant, entities: list[_Entity]) -> list[_Group]:
    alone = (each for each in entities if each.device is None)
    groups = [_Group(entities=[each], device=None, area_id=each.area_id) for each in alone]
    by_device = grouped((each.device.id, each) for each in entities if each.device is not None)
    for members in by_device.values():
        groups += _split_by_area(hass, members)
    return groups


def _split_by_area(hass: HomeAssistant, members: list[_Entity]) -> list[_Group]:
    """Return the entities of one device as one group per area.

    `_Group.device` is set for only one group: the group in the device's own area or, if there is no
    such group, the largest one.
    """
    device = members[0].device
    assert device is not None
    by_area = grouped((entity.area_id, entity) for entity in members)
    home = dr.async_get_effective_area_id(hass, device)
    if home not in by_area or home is None:
        home = max(by_area, key=lambda area_id: (area_id is not None, len(by_area[area_id])))
        # Entities without area stay with the device.
        by_area[home] = [*by_area[home], *(by_area.pop(None, []) if home else [])]
    return [
        _Group(entities=group, device=device if area_id == home else None, area_id=area_id)
        for area_id, group in by_area.items()
    ]


def _named(group: _Group, area: Area | None) -> tuple[str, str | None, str]:
    """Return the name of the device, its area, and the text for an id without a name.

    The name is the one that people gave to the device, else its default name.
    """
    first = group.entities[0]
    alone, device = len(group.entities) == 1, group.device or first.device
    name = first.full_name
    if device is not None and not (alone and group.device is None):
        own = name if alone and first.is_named else None
        name = device.name_by_user or own or device.name or name
    if area and device is not None and group.device is None and not alone:
        name = f"{name} {area.name}"
    first_id = first.component.id
    return flat_name(name) or first_id, area.name if area else None, split_entity_id(first_id)[1]
