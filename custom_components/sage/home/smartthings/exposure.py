"""Decide which SmartThings attributes and commands a person may use.

- If entities show an attribute or control a capability, the person must have the permission to use
  one of these entities.
- If there are no such entities, the person must have the permission to use an entity that controls
  the device.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from ...people.person import Person
from .coverage import Coverage, DeviceCoverage, Precision, StandIn
from .protocols import Definitions, Mirror
from .raw import Definition
from .withheld import (
    does_something,
    is_never_offered,
    is_noise,
    is_secret,
    tells_something,
)

type Capabilities = Mapping[str, tuple[str, ...]]
"""Component id -> ids of capabilities."""

_MAX_CACHED: Final = 4096
"""Maximum number of cached results of `_rows`, one for each device and set of visible entities."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A capability of a component, with the ids of the device's entities that a person may see.

    The methods decide which commands and attributes of the capability SAGE offers to the person.
    `Gate` has already decided which entities the person may see; it is not asked again.
    """

    device_id: str
    component_id: str
    capability: str
    coverage: DeviceCoverage
    visible: frozenset[str]
    """Ids of the device's entities that the person may see."""

    def any_visible(self, stand_ins: Iterable[StandIn]) -> bool:
        """Return whether the person may see any of these entities."""
        return any(each.entity_id in self.visible for each in stand_ins)

    def may_command(self) -> bool:
        """Return whether to offer the commands of the capability."""
        return self.any_visible(commanders(self.coverage, self.component_id, self.capability))

    def may_read(self, attribute: str) -> bool:
        """Return whether to offer this attribute of the capability."""
        return not is_secret(self.capability, attribute) and self.any_visible(
            readers(self.coverage, self.component_id, self.capability, attribute)
        )

    def is_shown_by_an_entity(self, attribute: str) -> bool:
        """Return whether an entity that the person may see shows this attribute."""
        place = self.component_id, self.capability
        if showing := self.coverage.showing(*place, attribute):
            return self.any_visible(showing)
        return self.any_visible(
            each
            for each in self.coverage.made_of(*place)
            if each.precision is not Precision.COMPONENT and each.shows_all
        )

    def is_served(self) -> bool:
        """Return whether an entity, visible or not, has the commands of the capability."""
        return any(
            each.precision is not Precision.COMPONENT
            for each in self.coverage.acting_on(self.component_id, self.capability)
        )


@dataclass(frozen=True, slots=True)
class _Row:
    """A capability that a person may use, and its commands and attributes that no entity offers."""

    component_id: str
    capability: str
    adds_commands: bool
    adds: tuple[str, ...]
    """Attributes that no visible entity shows."""


class EntityGate(Protocol):
    """Interface to the permission checks for entities (class `Gate`)."""

    def may_read(self, person: Person, entity_id: str) -> bool:
        """Return whether the person may currently read this entity."""

    def may_control(self, person: Person, entity_id: str) -> bool:
        """Return whether the person may currently control this entity."""


class RawExposure:
    """Decides which SmartThings attributes and commands a person may use.

    It also selects the capabilities for the device list that the model sees.
    """

    def __init__(
        self, gate: EntityGate, mirror: Mirror, coverage: Coverage, definitions: Definitions
    ) -> None:
        """Store the dependencies; only cached definitions are used, so no request is sent."""
        self._gate = gate
        self._mirror = mirror
        self._coverage = coverage
        self._definitions = definitions
        self._cached: dict[tuple[str, frozenset[str]], tuple[_Row, ...]] = {}
        self._cached_version: object = None

    # ------------------------------------------------------------- permission now

    def may_read(
        self, person: Person, device_id: str, component_id: str, capability: str, attribute: str
    ) -> bool:
        """Return whether the person may currently read this attribute."""
        if not self._is_usable(device_id, component_id, capability):
            return False
        if is_secret(capability, attribute):
            return False
        coverage = self._coverage.of(device_id)
        return any(
            self._gate.may_read(person, each.entity_id)
            for each in readers(coverage, component_id, capability, attribute)
        )

    def may_command(
        self, person: Person, device_id: str, component_id: str, capability: str
    ) -> bool:
        """Return whether the person may currently send commands of this capability."""
        if not self._is_usable(device_id, component_id, capability):
            return False
        coverage = self._coverage.of(device_id)
        return any(
            self._gate.may_control(person, each.entity_id)
            for each in commanders(coverage, component_id, capability)
        )

    def _is_usable(self, device_id: str, component_id: str, capability: str) -> bool:
        """Return whether the capability is enabled and not on the list of forbidden ones."""
        if is_never_offered(capability):
            return False
        return any(
            component.id == component_id and capability in component.capabilities
            for component in self._mirror.usable(device_id)
        )

    # ------------------------------------------------------------- listings

    def shown(self, device_id: str, visible: frozenset[str]) -> Capabilities:
        """Return a device's capabilities for the device list: component id -> capability ids.

        Contains only capabilities with commands that no entity has, or with values that no visible
        entity shows. `visible`: ids of the entities that the person may see.
        """
        return _by_component(
            row
            for row in self._rows(device_id, visible)
            if row.adds_commands
            or any(self._may_have_value(device_id, row, attribute) for attribute in row.adds)
        )

    def allowed(self, device_id: str, visible: frozenset[str]) -> Capabilities:
        """Return the capabilities that a person may use: component id -> capability ids.

        `visible`: ids of the entities that the person may see.
        """
        return _by_component(self._rows(device_id, visible))

    def _rows(self, device_id: str, visible: frozenset[str]) -> tuple[_Row, ...]:
        """Return all allowed capabilities of a device; cached until devices or entities change."""
        if (
            self._cached_version != (now := self._coverage.version)
            or len(self._cached) > _MAX_CACHED
        ):
            self._cached.clear()
            self._cached_version = now
        coverage = self._coverage.of(device_id)
        ours = coverage.entity_ids & visible
        if not ours:
            return ()
        if (rows := self._cached.get((device_id, ours))) is None:
            rows = self._cached[device_id, ours] = tuple(
                row
                for component in self._mirror.usable(device_id)
                for capability in component.capabilities
                if (row := self._row(_Asked(device_id, component.id, capability, coverage, ours)))
            )
        return rows

    def _row(self, asked: _Asked) -> _Row | None:
        """Return what the person may use of a capability; None if the person may use nothing."""
        if is_never_offered(asked.capability):
            return None
        definition = self._definitions.known(asked.capability)
        # A capability whose definition is unknown may have commands.
        is_unknown = not (definition.is_complete or definition.attributes or definition.commands)
        commands = tuple(each.name for each in definition.commands) or (("",) * is_unknown)
        attributes = self._attributes(asked, definition)
        may_command = bool(commands) and asked.may_command()
        if not may_command and not any(map(asked.may_read, attributes or {""})):
            return None
        is_listed = not is_noise(asked.capability)
        return _Row(
            asked.component_id,
            asked.capability,
            adds_commands=is_listed
            and may_command
            and not asked.is_served()
            and any(map(does_something, commands)),
            adds=tuple(
                attribute
                for attribute in sorted(attributes)
                if is_listed
                and tells_something(attribute)
                and not asked.is_shown_by_an_entity(attribute)
                and asked.may_read(attribute)
            ),
        )

    def _attributes(self, asked: _Asked, definition: Definition) -> frozenset[str]:
        reported = self._mirror.attributes(asked.device_id, asked.component_id, asked.capability)
        return frozenset(reported).union(each.name for each in definition.attributes)

    def _may_have_value(self, device_id: str, row: _Row, attribute: str) -> bool:
        """Return whether an attribute has a value; True while no values are known."""
        reported = self._mirror.attributes(device_id, row.component_id, row.capability)
        if not reported:
            return True
        current = reported.get(attribute)
        return current is not None and current.value not in (None, "", [], {})


def _by_component(rows: Iterable[_Row]) -> Capabilities:
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(row.component_id, []).append(row.capability)
    return {component_id: tuple(capabilities) for component_id, capabilities in found.items()}


def readers(
    coverage: DeviceCoverage, component_id: str, capability: str, attribute: str
) -> tuple[StandIn, ...]:
    """Return the entities that decide who may read an attribute.

    A person may read the attribute if they may read one of these entities.
    """
    # Disabled entities count, too: without them, other entities would decide instead.
    return (
        coverage.showing(component_id, capability, attribute)
        or coverage.made_of(component_id, capability)
        or coverage.actuators(component_id)
    )


def commanders(coverage: DeviceCoverage, component_id: str, capability: str) -> tuple[StandIn, ...]:
    """Return the entities that decide who may command a capability.

    A person may command the capability if they may control one of these entities.
    """
    return coverage.acting_on(component_id, capability) or coverage.actuators(component_id)
