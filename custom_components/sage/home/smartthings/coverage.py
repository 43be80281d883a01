"""Decide which SmartThings attributes and commands a person may use.

- If entities show an attribute or control a capability, the person must have the permission to use
  one of these entities.
- If there are no such entities, the person must have the permission to use an entity that controls
  the device.

Most entities have the unique id `<device>_<component>_<capability>_<attribute>_<key>`. Entities of
several capabilities, such as media players, have only `<device>_<component>`.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from homeassistant.const import EntityCategory
from homeassistant.core import CALLBACK_TYPE, Event, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import async_get_platforms

from ...people import Person
from ..extension import MAIN
from ..safety.gate import Gate
from .definitions import DefinitionStore
from .mirror import Mirror
from .raw import SMARTTHINGS, RawDevice
from .withheld import does_something, is_never_offered, is_noise, is_secret, tells_something

_READ_ONLY: Final = frozenset({"sensor", "binary_sensor", "event", "image", "update"})
_SETTINGS: Final = ("switch", "select", "number", "button", "time", "date", "datetime", "text")
"""Domains of entities that control a part of a device, most telling first.

Entities of other domains, such as locks and media players, control the device as a whole.
"""

LAMP_OF_AN_APPLIANCE: Final = "samsungce.lamp"


@dataclass(frozen=True, slots=True, kw_only=True)
class CoveringEntity:
    """An entity of a SmartThings device, with the capabilities that it shows or controls."""

    entity_id: str
    domain: str
    component: str | None  # id of the entity's SmartThings component; None if unknown
    capabilities: frozenset[str] | None
    """Ids of the SmartThings capabilities that the entity shows or controls; None if unknown."""

    is_exact: bool = False
    """Whether the unique id of the entity contains the id of its only SmartThings capability."""

    attribute: str | None = None
    """The attribute that the entity shows; None if it shows several or none."""

    is_primary: bool = True  # False for configuration and diagnostic entities

    @property
    def acts(self) -> bool:
        """Whether the entity can control the device."""
        return self.domain not in _READ_ONLY

    def covers(self, component: str, capability: str) -> bool:
        """Return whether the entity shows or controls this capability of this component.

        An entity with unknown capabilities counts if it can control the device.
        """
        if self.component != component:
            return False
        return self.acts if self.capabilities is None else capability in self.capabilities

    @property
    def rank(self) -> tuple[bool, int]:
        """The order in which entities decide about capabilities without an entity."""
        place = _SETTINGS.index(self.domain) + 1 if self.domain in _SETTINGS else 0
        return not self.is_primary, place


@dataclass(frozen=True, slots=True)
class DeviceCoverage:
    """All entities of one SmartThings device, with the capabilities that they show or control."""

    entities: tuple[CoveringEntity, ...] = ()

    def showing(
        self, component: str, capability: str, attribute: str
    ) -> tuple[CoveringEntity, ...]:
        """Return the entities that show an attribute: those that show only this, else all."""
        return self._sensors(component, capability, attribute) or tuple(
            each
            for each in self.covering(component, capability)
            if each.capabilities is not None and each.attribute is None and each.domain != "button"
        )

    def _sensors(
        self, component: str, capability: str, attribute: str
    ) -> tuple[CoveringEntity, ...]:
        return tuple(
            each
            for each in self.entities
            if each.attribute == attribute and each.covers(component, capability)
        )

    def covering(
        self, component: str, capability: str, *, acting: bool = False
    ) -> tuple[CoveringEntity, ...]:
        """Return the entities that show or control a capability.

        Entities that are known exactly exclude the others. `acting`: only entities that can control
        the device.
        """
        found = [
            each
            for each in self.entities
            if each.covers(component, capability) and (each.acts or not acting)
        ]
        return (
            tuple(each for each in found if each.is_exact)
            or tuple(each for each in found if each.capabilities is not None)
            or tuple(found)
        )

    # Disabled entities count, too: without them, other entities would decide instead.

    def readers(
        self, component: str, capability: str, attribute: str
    ) -> tuple[CoveringEntity, ...]:
        """Return the entities that decide who may read an attribute.

        A person may read the attribute if they may read one of these entities.
        """
        return (
            self._sensors(component, capability, attribute)
            or self.covering(component, capability)
            or self.actuators(component)
        )

    def commanders(self, component: str, capability: str) -> tuple[CoveringEntity, ...]:
        """Return the entities that decide who may command a capability.

        A person may command the capability if they may control one of these entities.
        """
        return self.covering(component, capability, acting=True) or self.actuators(component)

    def actuators(self, component: str) -> tuple[CoveringEntity, ...]:
        """Return the entities that decide about the capabilities without an entity.

        These are entities that control the device, except the lamp of an appliance: those of
        `component`, else those of `main`, else all. Of these, only those that are not for
        configuration or diagnosis, and control the most of the device.
        """
        acting = [
            each
            for each in self.entities
            if each.acts and LAMP_OF_AN_APPLIANCE not in (each.capabilities or ())
        ]
        candidates = (
            [each for each in acting if each.component == component]
            or [each for each in acting if each.component == MAIN]
            or acting
        )
        best = min((each.rank for each in candidates), default=None)
        return tuple(each for each in candidates if each.rank == best)


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
        now = (self._mirror.revision, self._changes)
        if now != self._known_at:
            self._known = self._build()
            self._known_at = now

    def _build(self) -> dict[str, DeviceCoverage]:
        devices = {device.id: device for device in self._mirror.devices()}
        found: defaultdict[str, list[CoveringEntity]] = defaultdict(list)
        registry = er.async_get(self._hass)
        loaded = {
            entity_id: entity
            for platform in async_get_platforms(self._hass, SMARTTHINGS)
            for entity_id, entity in platform.entities.items()
        }
        for entry_id in {device.entry_id for device in devices.values()}:
            for entry in er.async_entries_for_config_entry(registry, entry_id):
                device = devices.get(entry.unique_id.partition("_")[0])
                # An entity that a person disabled counts.
                if (
                    device is not None
                    and device.entry_id == entry_id
                    and entry.platform == SMARTTHINGS
                    and entry.disabled_by is not er.RegistryEntryDisabler.INTEGRATION
                ):
                    found[device.id].append(_covering(entry, device, loaded.get(entry.entity_id)))
        return {device_id: DeviceCoverage(tuple(each)) for device_id, each in found.items()}

    @callback
    def _entity_changed(self, event: Event[er.EventEntityRegistryUpdatedData]) -> None:
        entry = er.async_get(self._hass).async_get(event.data["entity_id"])
        # The entry of a removed entity is missing, so its platform is unknown.
        if entry is None or entry.platform == SMARTTHINGS:
            self._changes += 1


def _covering(entry: er.RegistryEntry, device: RawDevice, entity: Entity | None) -> CoveringEntity:
    """Return an entity's component and capabilities; `entity`: None if not loaded."""
    rest = entry.unique_id.partition("_")[2]
    # Component ids may contain underscores.
    components = [each for each in device.components if f"{rest}_".startswith(f"{each.id}_")]
    component = max(components, key=lambda each: len(each.id), default=None)
    known: frozenset[str] = frozenset(component.capabilities) if component else frozenset()
    rest = rest[len(component.id) + 1 :] if component else rest
    capability, _, attribute = rest.partition("_")
    reported: Any = getattr(entity, "capabilities", None)
    listed = known & frozenset(map(str, reported if isinstance(reported, set | frozenset) else ()))
    capabilities: frozenset[str] | None = listed
    if capability in known:
        capabilities = frozenset({capability})
    elif not listed and not rest:
        # The unique id names nothing but the component.
        capabilities = None
    if entry.domain == "light" and LAMP_OF_AN_APPLIANCE in (capabilities or ()):
        # The light also lists the switch of the appliance, which does not control the lamp.
        capabilities = frozenset({LAMP_OF_AN_APPLIANCE})
    is_of_attribute = capability in known and bool(attribute) and entry.domain != "button"
    return CoveringEntity(
        entity_id=entry.entity_id,
        domain=entry.domain,
        component=component.id if component else None,
        capabilities=capabilities,
        is_exact=capability in known,
        attribute=attribute.partition("_")[0] if is_of_attribute else None,
        is_primary=entry.entity_category not in {EntityCategory.CONFIG, EntityCategory.DIAGNOSTIC},
    )


# ------------------------------------------------------------------ exposure


type Capabilities = Mapping[str, Sequence[str]]
"""Component id -> ids of capabilities."""


class RawExposure:
    """Decides which SmartThings attributes and commands a person may use, and which to list."""

    def __init__(
        self, gate: Gate, mirror: Mirror, coverage: Coverage, definitions: DefinitionStore
    ) -> None:
        self._gate = gate
        self._mirror = mirror
        self._coverage = coverage
        self._definitions = definitions

    # ------------------------------------------------------------- permission now

    def may_read(
        self, person: Person, device_id: str, component_id: str, capability: str, attribute: str
    ) -> bool:
        """Return whether the person may currently read this attribute."""
        return (
            self._is_usable(device_id, component_id, capability)
            and not is_secret(capability, attribute)
            and any(
                self._gate.may_read(person, each.entity_id)
                for each in self._coverage.of(device_id).readers(
                    component_id, capability, attribute
                )
            )
        )

    def may_command(
        self, person: Person, device_id: str, component_id: str, capability: str
    ) -> bool:
        """Return whether the person may currently send commands of this capability."""
        return self._is_usable(device_id, component_id, capability) and any(
            self._gate.may_control(person, each.entity_id)
            for each in self._coverage.of(device_id).commanders(component_id, capability)
        )

    def _is_usable(self, device_id: str, component_id: str, capability: str) -> bool:
        return not is_never_offered(capability) and self._mirror.has(
            device_id, component_id, capability
        )

    # ------------------------------------------------------------- listings

    def usable(
        self, device_id: str, visible: frozenset[str], *, only_more: bool = False
    ) -> Capabilities:
        """Return the capabilities that a person may use: component id -> capability ids.

        `visible`: ids of the entities that the person may see. `only_more`: only those for the
        device list, which add commands or values that no visible entity has.
        """
        device = self._mirror.device(device_id)
        ours = visible.intersection(e.entity_id for e in self._coverage.of(device_id).entities)
        capabilities: dict[str, list[str]] = {}
        for component in device.components if device is not None and ours else ():
            for capability in component.capabilities:
                adds = self._adds(device_id, component.id, capability, ours)
                if adds or (adds is not None and not only_more):
                    capabilities.setdefault(component.id, []).append(capability)
        return capabilities

    def _adds(
        self, device_id: str, component_id: str, capability: str, visible: frozenset[str]
    ) -> bool | None:
        """Return whether a capability adds to the visible entities; None if it is not allowed."""
        if is_never_offered(capability):
            return None
        coverage = self._coverage.of(device_id)
        definition = self._definitions.known(capability)
        # A capability whose definition is unknown may have commands.
        is_unknown = not (definition.is_complete or definition.attributes or definition.commands)
        commands = [each.name for each in definition.commands] or [""] * is_unknown
        may_command = bool(commands) and _any(
            visible, coverage.commanders(component_id, capability)
        )
        reported = self._mirror.attributes(device_id, component_id, capability)
        attributes = {each.name for each in definition.attributes}.union(reported) or {""}
        readable = [
            each
            for each in attributes
            if not is_secret(capability, each)
            and _any(visible, coverage.readers(component_id, capability, each))
        ]
        if not may_command and not readable:
            return None
        if is_noise(capability):
            return False
        has_commands_of_an_entity = any(
            each.capabilities is not None
            for each in coverage.covering(component_id, capability, acting=True)
        )
        return (
            may_command and not has_commands_of_an_entity and any(map(does_something, commands))
        ) or any(
            tells_something(each)
            and (current := reported.get(each)) is not None
            and current.value not in (None, "", [], {})
            and not _any(visible, coverage.showing(component_id, capability, each))
            for each in readable
        )


def _any(visible: frozenset[str], entities: Iterable[CoveringEntity]) -> bool:
    return any(each.entity_id in visible for each in entities)
