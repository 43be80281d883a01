"""Which entities of Home Assistant stand for which parts of a raw device.

Home Assistant's integration names what an entity is made of in its unique id:
`<device>_<component>_<capability>_<attribute>_<key>`. Entities made of several
capabilities, such as a media player, have `<device>_<component>` only; what they
are made of is then the public attribute `capabilities` of the entity itself.
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

from .parts import Mirror
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
"""Domains of entities that act on a device, from the one that tells most what it is."""

_RANK: Final = {domain: rank for rank, domain in enumerate(TELLING_DOMAINS)}

LAMP_OF_AN_APPLIANCE: Final = "samsungce.lamp"
FIRMWARE: Final = "firmwareUpdate"


class Precision(IntEnum):
    """How exactly it is known what an entity is made of."""

    CAPABILITY = 0
    """Its unique id names the capability."""
    LISTED = 1
    """The entity itself lists its capabilities."""
    COMPONENT = 2
    """All that is known is the component."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandIn:
    """An entity, and what of its raw device it stands for."""

    entity_id: str
    domain: str
    component: str | None
    """None when that is not known."""

    precision: Precision
    capabilities: frozenset[str] = frozenset()
    """What it is made of; nothing for `Precision.COMPONENT`."""

    attribute: str | None = None
    """The one attribute that it shows; None when it shows several."""

    is_primary: bool = True
    """False for settings and diagnostics, which say little about the device."""

    @property
    def acts(self) -> bool:
        """Whether the device can be controlled with it."""
        return self.domain in _RANK

    @property
    def shows_all(self) -> bool:
        """Whether it shows its capabilities as a whole, not one attribute of them."""
        return self.attribute is None and self.domain not in {"button", "update"}

    @property
    def stands_for_the_device(self) -> bool:
        """Whether it may answer for parts that have no entity: an oven's lamp may not."""
        return self.acts and LAMP_OF_AN_APPLIANCE not in self.capabilities

    def stands_for(self, component: str, capability: str) -> bool:
        """Tell whether it is made of this capability of this component."""
        if self.component != component:
            return False
        if self.precision is Precision.COMPONENT:
            return self.acts
        return capability in self.capabilities


@dataclass(frozen=True, slots=True)
class DeviceCoverage:
    """All entities of one raw device."""

    stand_ins: tuple[StandIn, ...] = ()

    @property
    def entity_ids(self) -> frozenset[str]:
        """The ids of all of them."""
        return frozenset(each.entity_id for each in self.stand_ins)

    def showing(self, component: str, capability: str, attribute: str) -> tuple[StandIn, ...]:
        """Return the entities that show exactly this attribute."""
        return tuple(
            each
            for each in self.stand_ins
            if each.attribute == attribute and each.stands_for(component, capability)
        )

    def made_of(self, component: str, capability: str) -> tuple[StandIn, ...]:
        """Return the entities for a capability, only those known most exactly."""
        return _most_exact(
            each for each in self.stand_ins if each.stands_for(component, capability)
        )

    def acting_on(self, component: str, capability: str) -> tuple[StandIn, ...]:
        """Return the entities that control a capability, only those known most exactly.

        An entity of the domain `update` does nothing but install, and that is a command.
        """
        return _most_exact(
            each
            for each in self.stand_ins
            if (each.acts or each.domain == "update") and each.stands_for(component, capability)
        )

    def actuators(self, component: str) -> tuple[StandIn, ...]:
        """Return the entities that answer for what has no entity of its own.

        Those of the component, else of `main`, else of the device; of these the ones
        that are no mere settings, and of these the ones of the most telling domain.
        """
        acting = [each for each in self.stand_ins if each.stands_for_the_device]
        for candidates in (
            [each for each in acting if each.component == component],
            [each for each in acting if each.component == MAIN],
            acting,
        ):
            if candidates:
                best = min(map(_telling, candidates))
                return tuple(each for each in candidates if _telling(each) == best)
        return ()


def _most_exact(found: Iterable[StandIn]) -> tuple[StandIn, ...]:
    stand_ins = tuple(found)
    best = min((each.precision for each in stand_ins), default=Precision.COMPONENT)
    return tuple(each for each in stand_ins if each.precision == best)


def _telling(stand_in: StandIn) -> tuple[bool, int]:
    return not stand_in.is_primary, _RANK[stand_in.domain]


class Coverage:
    """The entities of all raw devices; made anew when devices or entities change."""

    def __init__(self, hass: HomeAssistant, mirror: Mirror) -> None:
        """Make it; what it finds out is kept only between `setup` and `close`."""
        self._hass = hass
        self._mirror = mirror
        self._changes = 0
        self._known: dict[str, DeviceCoverage] = {}
        self._known_at: object = None
        self._unsubscribe: CALLBACK_TYPE | None = None

    @callback
    def setup(self) -> None:
        """Listen to what changes the entities."""
        if self._unsubscribe is None:
            self._unsubscribe = self._hass.bus.async_listen(
                er.EVENT_ENTITY_REGISTRY_UPDATED, self._entity_changed
            )

    @callback
    def close(self) -> None:
        """Stop listening."""
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        self._known_at = None

    def of(self, device_id: str) -> DeviceCoverage:
        """Return the entities of a device in the cloud; none for an unknown one."""
        self._settle()
        return self._known.get(device_id, DeviceCoverage())

    @property
    def version(self) -> object:
        """Something that is equal as long as the answers are."""
        self._settle()
        return self._known_at

    def _settle(self) -> None:
        if self._unsubscribe is None:
            # Nothing tells of changes: everything is looked up anew each time.
            self._changes += 1
        # Entities are added to a platform, and replaced with it, without any event
        # when the registry knows them from before.
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
        # An entity that was removed cannot be looked up any more.
        if entry is None or entry.platform == PLATFORM:
            self._changes += 1


def _counts(entry: er.RegistryEntry, device: RawDevice) -> bool:
    """Tell whether a person knows of an entity: one disabled by default is not there."""
    return (
        entry.platform == PLATFORM
        and entry.config_entry_id == device.entry_id
        and entry.disabled_by is not er.RegistryEntryDisabler.INTEGRATION
    )


def stand_in(entry: er.RegistryEntry, device: RawDevice, entity: Entity | None) -> StandIn:
    """Find out what an entity stands for."""
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
        # It is made of one capability that is not known: that is not the component.
        precision = Precision.LISTED
    if not rest and precision is Precision.COMPONENT and entry.domain == "update":
        precision, capabilities = Precision.LISTED, frozenset({FIRMWARE})
    if LAMP_OF_AN_APPLIANCE in capabilities and entry.domain == "light":
        # It also reads the switch of the appliance, which is not the lamp's.
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
    """Split `<component>_<rest>`; ids of components may hold underscores themselves."""
    ids = sorted((each.id for each in device.components), key=len, reverse=True)
    for component_id in ids:
        if text == component_id or text.startswith(f"{component_id}_"):
            return component_id, text[len(component_id) + 1 :]
    return None, text


def _capability_of(
    text: str, device: RawDevice, component_id: str | None
) -> tuple[str | None, str | None]:
    """Split `<capability>_<attribute>_<key>`."""
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
    """Return the capabilities that the entity itself says it is made of."""
    told: Any = getattr(entity, "capabilities", None)
    component = device.component(component_id) if component_id else None
    if component is None or not isinstance(told, set | frozenset | list | tuple):
        return frozenset()
    return frozenset(map(str, told)) & frozenset(component.capabilities)
