"""Decide which SmartThings attributes and commands a person may use.

- If entities show an attribute or control a capability, the person must have the permission to use
  one of these entities.
- If there are no such entities, the person must have the permission to use an entity that controls
  the device.
"""

from collections.abc import Iterable, Mapping, Sequence

from ...people import Person
from ..safety.gate import Gate
from .coverage import Coverage, CoveringEntity
from .definitions import DefinitionStore
from .mirror import Mirror
from .withheld import (
    does_something,
    is_never_offered,
    is_noise,
    is_secret,
    tells_something,
)

type Capabilities = Mapping[str, Sequence[str]]
"""Component id -> ids of capabilities."""

type _Row = tuple[str, str, bool]
"""Component id, capability id, and whether the capability is in the device list."""


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
        capabilities: dict[str, list[str]] = {}
        for component_id, capability, adds in self._rows(device_id, visible):
            if adds or not only_more:
                capabilities.setdefault(component_id, []).append(capability)
        return capabilities

    def _rows(self, device_id: str, visible: frozenset[str]) -> tuple[_Row, ...]:
        """Return all usable capabilities of a device; cached until devices or entities change."""
        if self._cached_version != (now := self._coverage.version):
            self._cached.clear()
            self._cached_version = now
        device = self._mirror.device(device_id)
        ours = self._coverage.of(device_id).entity_ids & visible
        if device is None or not ours:
            return ()
        if (rows := self._cached.get((device_id, ours))) is None:
            rows = self._cached[device_id, ours] = tuple(
                (component.id, capability, adds)
                for component in device.components
                for capability in component.capabilities
                if (adds := self._adds(device_id, component.id, capability, ours)) is not None
            )
        return rows

    def _adds(
        self, device_id: str, component_id: str, capability: str, visible: frozenset[str]
    ) -> bool | None:
        """Return whether a capability adds something to the entities that the person may see.

        None if the person may use nothing of the capability.
        """
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
    """Return whether the person may see one of these entities."""
    return any(each.entity_id in visible for each in entities)
