"""Find the Home Assistant entities that show or control SmartThings capabilities.

Most entities have the unique id `<device>_<component>_<capability>_<attribute>_<key>`. Entities of
several capabilities, such as media players, have only `<device>_<component>`.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

from homeassistant.const import EntityCategory
from homeassistant.core import CALLBACK_TYPE, Event, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import async_get_platforms

from .protocols import Mirror
from .raw import MAIN, RawDevice

PLATFORM: Final = "smartthings"

TELLING_DOMAINS: Final = (
    "lock",
    "alarm_control_panel",
    "cover",
    "valve",
    "climate",
    "water_heater",
    "vacuum",
    "lawn_mower",
    "media_player",
    "light",
    "fan",
    "humidifier",
    "siren",
    "remote",
    "camera",
    "switch",
    "select",
    "number",
    "button",
    "time",
    "date",
    "datetime",
    "text",
)
"""Domains of entities that can control a device, most specific first."""

_RANK: Final = {domain: rank for rank, domain in enumerate(TELLING_DOMAINS)}

LAMP_OF_AN_APPLIANCE: Final = "samsungce.lamp"
FIRMWARE: Final = "firmwareUpdate"


class Precision(IntEnum):
    """How exactly SAGE knows the SmartThings capabilities of an entity, most exact first."""

    CAPABILITY = 0
    """The unique id of the entity contains the id of its only SmartThings capability."""
    LISTED = 1
    """The entity shows or controls only the capabilities in the field `StandIn.capabilities`.

    This field contains

    - usually the capabilities in the property `capabilities` of the loaded entity;
    - only `firmwareUpdate`, for an `update` entity without this property;
    - nothing, if the unique id of the entity names a capability that the device does not have.
    """
    COMPONENT = 2
    """Only the SmartThings component of the entity is known, not its capabilities."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandIn:
    """An entity of a SmartThings device, with the capabilities that it shows or controls."""

    entity_id: str
    domain: str
    component: str | None
    """Id of the entity's SmartThings component; None if unknown."""

    precision: Precision
    """How exactly SAGE knows `capabilities`."""

    capabilities: frozenset[str] = frozenset()
    """Ids of the SmartThings capabilities that the entity shows or controls; empty if unknown."""

    attribute: str | None = None
    """The attribute that the entity shows; None if it shows several or none."""

    is_primary: bool = True
    """False for configuration and diagnostic entities."""

    @property
    def acts(self) -> bool:
        """Whether the entity can control the device."""
        return self.domain in _RANK

    @property
    def shows_all(self) -> bool:
        """Whether the entity shows every attribute of its capabilities.

        False for a sensor, which shows one attribute, and for `button` and `update`.
        """
        return self.attribute is None and self.domain not in {"button", "update"}

    @property
    def stands_for_the_device(self) -> bool:
        """Whether access to this entity can also give access to capabilities without an entity.

        Those are the SmartThings capabilities of the same device that no entity shows or controls.
        True for an entity that controls the device, except the lamp of an appliance.
        """
        return self.acts and LAMP_OF_AN_APPLIANCE not in self.capabilities

    def stands_for(self, component: str, capability: str) -> bool:
        """Return whether the entity shows or controls this capability of this component.

        An entity with unknown capabilities counts if it can control the device.
        """
        if self.component != component:
            return False
        if self.precision is Precision.COMPONENT:
            return self.acts
        return capability in self.capabilities


@dataclass(frozen=True, slots=True)
class DeviceCoverage:
    """All entities of one SmartThings device, with the capabilities that they show or control."""

    stand_ins: tuple[StandIn, ...] = ()

    @property
    def entity_ids(self) -> frozenset[str]:
        """The ids of all entities of the device."""
        return frozenset(each.entity_id for each in self.stand_ins)

    def showing(self, component: str, capability: str, attribute: str) -> tuple[StandIn, ...]:
        """Return the entities, such as sensors, that show only this attribute."""
        return tuple(
            each
            for each in self.stand_ins
            if each.attribute == attribute and each.stands_for(component, capability)
        )

    def made_of(self, component: str, capability: str) -> tuple[StandIn, ...]:
        """Return the entities that show or control a capability.

        Only those with the highest `StandIn.precision` among them are returned.
        """
        return _most_exact(
            each for each in self.stand_ins if each.stands_for(component, capability)
        )

    def acting_on(self, component: str, capability: str) -> tuple[StandIn, ...]:
        """Return the entities that control a capability.

        Only those with the highest `StandIn.precision` among them are returned. `update` entities
        count, too, because they can install firmware.
        """
        return _most_exact(
            each
            for each in self.stand_ins
            if (each.acts or each.domain == "update") and each.stands_for(component, capability)
        )

    def actuators(self, component: str) -> tuple[StandIn, ...]:
        """Return the entities whose permissions also apply to a capability without an entity.

        A person may use the capability if they may use one of these entities. SAGE finds them in
        this order:

        1. All entities that control the device, except the lamp of an appliance.
        2. Of these, only those of `component`, the component of the capability. If there are none,
           only those of the component `main`; if there are none either, all.
        3. Of these, only those that are not for configuration or diagnosis; if there are none, all.
        4. Of these, only those of the most specific domain, the first one in `TELLING_DOMAINS`.
        """
        acting = [each for each in self.stand_ins if each.stands_for_the_device]
        for candidates in (
            [each for each in acting if each.component == component],
            [each for each in acting if each.component == MAIN],
            acting,
        ):
            if candidates:
                best = min(map(_rank, candidates))
                return tuple(each for each in candidates if _rank(each) == best)
        return ()


def _most_exact(found: Iterable[StandIn]) -> tuple[StandIn, ...]:
    stand_ins = tuple(found)
    best = min((each.precision for each in stand_ins), default=Precision.COMPONENT)
    return tuple(each for each in stand_ins if each.precision == best)


def _rank(stand_in: StandIn) -> tuple[bool, int]:
    return not stand_in.is_primary, _RANK[stand_in.domain]


class Coverage:
    """The entities of all SmartThings devices; updated when devices or entities change."""

    def __init__(self, hass: HomeAssistant, mirror: Mirror) -> None:
        """Store the dependencies; results are cached only between `setup` and `close`."""
        self._hass = hass
        self._mirror = mirror
        self._changes = 0
        self._known: dict[str, DeviceCoverage] = {}
        self._known_at: object = None
        self._unsubscribe: CALLBACK_TYPE | None = None

    @callback
    def setup(self) -> None:
        """Listen for changes of the entity registry."""
        if self._unsubscribe is None:
            self._unsubscribe = self._hass.bus.async_listen(
                er.EVENT_ENTITY_REGISTRY_UPDATED, self._entity_changed
            )

    @callback
    def close(self) -> None:
        """Stop listening and caching."""
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        self._known_at = None

    def of(self, device_id: str) -> DeviceCoverage:
        """Return the entities of a device by its SmartThings id; empty for an unknown device."""
        self._settle()
        return self._known.get(device_id, DeviceCoverage())

    @property
    def version(self) -> object:
        """A value that changes whenever `of` may return a new result."""
        self._settle()
        return self._known_at

    def _settle(self) -> None:
        if self._unsubscribe is None:
            # Without listening for changes, the mapping must be rebuilt each time.
            self._changes += 1
        # A reload adds or replaces the entities of a platform without a registry event.
        loaded = tuple(
            (platform, len(platform.entities))
            for platform in async_get_platforms(self._hass, PLATFORM)
        )
        now = (self._mirror.revision, self._changes, loaded)
        if now != self._known_at:
            self._known = self._build()
            self._known_at = now

    def _build(self) -> dict[str, DeviceCoverage]:
        devices = {device.id: device for device in self._mirror.devices()}
        found: defaultdict[str, list[StandIn]] = defaultdict(list)
        registry = er.async_get(self._hass)
        entities = self._loaded_entities()
        for entry_id in {device.entry_id for device in devices.values()}:
            for entry in er.async_entries_for_config_entry(registry, entry_id):
                device = devices.get(entry.unique_id.partition("_")[0])
                if device is None or not _counts(entry, device):
                    continue
                found[device.id].append(stand_in(entry, device, entities.get(entry.entity_id)))
        return {device_id: DeviceCoverage(tuple(each)) for device_id, each in found.items()}

    def _loaded_entities(self) -> dict[str, Entity]:
        return {
            entity_id: entity
            for platform in async_get_platforms(self._hass, PLATFORM)
            for entity_id, entity in platform.entities.items()
        }

    @callback
    def _entity_changed(self, event: Event[er.EventEntityRegistryUpdatedData]) -> None:
        entry = er.async_get(self._hass).async_get(event.data["entity_id"])
        # The entry of a removed entity is missing, so its platform is unknown.
        if entry is None or entry.platform == PLATFORM:
            self._changes += 1


def _counts(entry: er.RegistryEntry, device: RawDevice) -> bool:
    """Return whether an entity belongs to the device and its integration has not disabled it.

    An entity that a person disabled counts.
    """
    return (
        entry.platform == PLATFORM
        and entry.config_entry_id == device.entry_id
        and entry.disabled_by is not er.RegistryEntryDisabler.INTEGRATION
    )


def stand_in(entry: er.RegistryEntry, device: RawDevice, entity: Entity | None) -> StandIn:
    """Convert a registry entry to a `StandIn`: an entity with its component and capabilities.

    `entity`: the loaded entity, or None if it is not loaded.
    """
    component, rest = _component_of(entry.unique_id.partition("_")[2], device)
    capability, attribute = _capability_of(rest, device, component)
    known = _listed(entity, device, component)
    if capability is not None:
        precision, capabilities = Precision.CAPABILITY, frozenset({capability})
    elif known:
        precision, capabilities = Precision.LISTED, known
    else:
        precision, capabilities = Precision.COMPONENT, frozenset()
    if rest and precision is Precision.COMPONENT:
        # The rest of the unique id names an unknown capability, so the entity does not represent
        # the whole component.
        precision = Precision.LISTED
    if not rest and precision is Precision.COMPONENT and entry.domain == "update":
        precision, capabilities = Precision.LISTED, frozenset({FIRMWARE})
    if LAMP_OF_AN_APPLIANCE in capabilities and entry.domain == "light":
        # The light also lists the switch of the appliance, which does not control the lamp.
        capabilities = frozenset({LAMP_OF_AN_APPLIANCE})
    return StandIn(
        entity_id=entry.entity_id,
        domain=entry.domain,
        component=component,
        precision=precision,
        capabilities=capabilities,
        attribute=attribute if entry.domain != "button" else None,
        is_primary=entry.entity_category not in {EntityCategory.CONFIG, EntityCategory.DIAGNOSTIC},
    )


def _component_of(text: str, device: RawDevice) -> tuple[str | None, str]:
    """Split `<component>_<rest>` into component and rest; component ids may contain underscores.

    The component is None if the device has no such component.
    """
    ids = sorted((each.id for each in device.components), key=len, reverse=True)
    for component_id in ids:
        if text == component_id or text.startswith(f"{component_id}_"):
            return component_id, text[len(component_id) + 1 :]
    return None, text


def _capability_of(
    text: str, device: RawDevice, component_id: str | None
) -> tuple[str | None, str | None]:
    """Return the capability and the attribute in `text`; None for each that is unknown.

    `text` has the form `<capability>_<attribute>_<key>`.
    """
    component = device.component(component_id) if component_id else None
    if component is None or not text:
        return None, None
    for capability in sorted(component.capabilities, key=len, reverse=True):
        if text == capability:
            return capability, None
        if text.startswith(f"{capability}_"):
            return capability, text[len(capability) + 1 :].partition("_")[0] or None
    return None, None


def _listed(entity: Entity | None, device: RawDevice, component_id: str | None) -> frozenset[str]:
    """Return the capabilities in the property `capabilities` of an entity; empty if it has none."""
    reported: Any = getattr(entity, "capabilities", None)
    component = device.component(component_id) if component_id else None
    if component is None or not isinstance(reported, set | frozenset | list | tuple):
        return frozenset()
    return frozenset(map(str, reported)) & frozenset(component.capabilities)
