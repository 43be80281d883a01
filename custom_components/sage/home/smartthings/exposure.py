"""Decide which SmartThings attributes and commands a person may use.

- If entities show an attribute or control a capability, the person must have the permission to use
  one of these entities.
- If there are no such entities, the person must have the permission to use an entity that controls
  the device.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...people.person import Person
from ..safety.gate import Gate
from .coverage import Coverage, CoveringEntity, DeviceCoverage
from .definitions import DefinitionStore
from .mirror import Mirror
from .withheld import (
    does_something,
    is_never_offered,
    is_noise,
    is_secret,
    tells_something,
)

type Capabilities = Mapping[str, tuple[str, ...]]
"""Component id -> ids of capabilities."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A capability that a person may use, and its commands and attributes that no entity offers."""

    component_id: str
    capability: str
    adds_commands: bool
    adds: tuple[str, ...]
    """Attributes that no visible entity shows."""


class RawExposure:
    """Decides which SmartThings attributes and commands a person may use.

    It also selects the capabilities for the device list that the model sees.
    """

    def __init__(
        self, gate: Gate, mirror: Mirror, coverage: Coverage, definitions: DefinitionStore
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
        if self._cached_version != (now := self._coverage.version):
            self._cached.clear()
            self._cached_version = now
        ours = self._coverage.of(device_id).entity_ids & visible
        if not ours:
            return ()
        if (rows := self._cached.get((device_id, ours))) is None:
            rows = self._cached[device_id, ours] = tuple(
                row
                for component in self._mirror.usable(device_id)
                for capability in component.capabilities
                if not is_never_offered(capability)
                and (row := self._row(device_id, component.id, capability, ours))
            )
        return rows

    def _row(
        self, device_id: str, component_id: str, capability: str, visible: frozenset[str]
    ) -> _Row | None:
        """Return what the person may use of a capability; None if the person may use nothing."""
        coverage = self._coverage.of(device_id)
        definition = self._definitions.known(capability)
        # A capability whose definition is unknown may have commands.
        is_unknown = not (definition.is_complete or definition.attributes or definition.commands)
        commands = tuple(each.name for each in definition.commands) or (("",) * is_unknown)
        reported = self._mirror.attributes(device_id, component_id, capability)
        attributes = frozenset(reported).union(each.name for each in definition.attributes)
        readable = [
            attribute
            for attribute in sorted(attributes or {""})
            if not is_secret(capability, attribute)
            and _any(visible, coverage.readers(component_id, capability, attribute))
        ]
        may_command = bool(commands) and _any(
            visible, coverage.commanders(component_id, capability)
        )
        if not may_command and not readable:
            return None
        is_listed = not is_noise(capability)
        has_commands_of_an_entity = any(
            each.capabilities is not None
            for each in coverage.covering(component_id, capability, acting=True)
        )
        return _Row(
            component_id,
            capability,
            adds_commands=is_listed
            and may_command
            and not has_commands_of_an_entity
            and any(map(does_something, commands)),
            adds=tuple(
                attribute
                for attribute in readable
                if is_listed
                and attribute
                and tells_something(attribute)
                and not _is_shown(coverage, visible, component_id, capability, attribute)
            ),
        )

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


def _any(visible: frozenset[str], entities: Iterable[CoveringEntity]) -> bool:
    """Return whether the person may see one of these entities."""
    return any(each.entity_id in visible for each in entities)


def _is_shown(
    coverage: DeviceCoverage,
    visible: frozenset[str],
    component_id: str,
    capability: str,
    attribute: str,
) -> bool:
    """Return whether an entity that the person may see shows this attribute."""
    if showing := coverage.showing(component_id, capability, attribute):
        return _any(visible, showing)
    covering = coverage.covering(component_id, capability)
    return _any(visible, (each for each in covering if each.shows_all))
