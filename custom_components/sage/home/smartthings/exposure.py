"""What of raw devices a person may read and command: exposure and permissions (DESIGN 5).

People expose entities, not capabilities. What an entity stands for follows that
entity; what has no entity follows the entities that the device is controlled with.
What is permitted right now is asked of the gate each time; listings go by the ids
that the gate gave as visible.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from ...people.person import Person
from .coverage import Coverage, DeviceCoverage, Precision, StandIn
from .parts import Definitions, Mirror
from .withheld import is_never_offered, is_noise, is_secret, tells_something

type Capabilities = Mapping[str, tuple[str, ...]]
"""Component id -> ids of capabilities."""

_KEPT: Final = 4096
"""Listings kept; one a device and set of visible entities of it."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """One capability that may belong into a listing."""

    device_id: str
    component_id: str
    capability: str
    coverage: DeviceCoverage
    visible: frozenset[str]
    """The visible entities of this device."""

    def any_visible(self, stand_ins: Iterable[StandIn]) -> bool:
        """Tell whether one of these entities is visible."""
        return any(each.entity_id in self.visible for each in stand_ins)

    def may_command(self) -> bool:
        """Tell whether commands may be sent, as far as exposure is concerned."""
        return self.any_visible(commanders(self.coverage, self.component_id, self.capability))

    def may_read(self, attribute: str) -> bool:
        """Tell whether an attribute may be read, as far as exposure is concerned."""
        return not is_secret(self.capability, attribute) and self.any_visible(
            readers(self.coverage, self.component_id, self.capability, attribute)
        )

    def is_shown_by_an_entity(self, attribute: str) -> bool:
        """Tell whether a visible entity shows this attribute as well."""
        place = self.component_id, self.capability
        if showing := self.coverage.showing(*place, attribute):
            return self.any_visible(showing)
        return self.any_visible(
            each
            for each in self.coverage.made_of(*place)
            if each.precision is Precision.LISTED and each.acts
        )


type _Test = Callable[[_Asked], bool]


class EntityGate(Protocol):
    """The gate for entities, as far as it is needed here."""

    def may_read(self, person: Person, entity_id: str) -> bool:
        """Tell whether the person may read this entity now."""

    def may_control(self, person: Person, entity_id: str) -> bool:
        """Tell whether the person may act on this entity now."""


class RawExposure:
    """The gate for raw attributes and commands; implements `parts.Exposure`."""

    def __init__(
        self, gate: EntityGate, mirror: Mirror, coverage: Coverage, definitions: Definitions
    ) -> None:
        """Make it; definitions are only asked for names that are known already."""
        self._gate = gate
        self._mirror = mirror
        self._coverage = coverage
        self._definitions = definitions
        self._shown: dict[tuple[str, frozenset[str]], Capabilities] = {}
        self._allowed: dict[tuple[str, frozenset[str]], Capabilities] = {}
        self._listed_at: object = None

    # ------------------------------------------------------------- right now

    def may_read(
        self, person: Person, device_id: str, component_id: str, capability: str, attribute: str
    ) -> bool:
        """Tell whether the person may read this attribute now."""
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
        """Tell whether the person may send commands of this capability now."""
        if not self._is_usable(device_id, component_id, capability):
            return False
        coverage = self._coverage.of(device_id)
        return any(
            self._gate.may_control(person, each.entity_id)
            for each in commanders(coverage, component_id, capability)
        )

    def _is_usable(self, device_id: str, component_id: str, capability: str) -> bool:
        """Tell whether the device really has this, and it is not withheld from all."""
        if is_never_offered(capability):
            return False
        return any(
            component.id == component_id and capability in component.capabilities
            for component in self._mirror.usable(device_id)
        )

    # ------------------------------------------------------------- listings

    def shown(self, device_id: str, visible: frozenset[str]) -> Capabilities:
        """Return component id -> capabilities for a listing of what shows these entities.

        Only what a raw view adds: commands that no entity serves, and values that no
        visible entity shows.
        """
        return self._listed(self._shown, device_id, visible, self._adds_something)

    def allowed(self, device_id: str, visible: frozenset[str]) -> Capabilities:
        """Return component id -> all capabilities that may be read or commanded."""
        return self._listed(self._allowed, device_id, visible, self._is_allowed)

    def _listed(
        self,
        kept: dict[tuple[str, frozenset[str]], Capabilities],
        device_id: str,
        visible: frozenset[str],
        belongs: _Test,
    ) -> Capabilities:
        if self._listed_at != (now := self._coverage.version) or len(kept) > _KEPT:
            self._shown.clear()
            self._allowed.clear()
            self._listed_at = now
        coverage = self._coverage.of(device_id)
        ours = coverage.entity_ids & visible
        if not ours:
            return {}
        if (found := kept.get((device_id, ours))) is None:
            found = {
                component.id: capabilities
                for component in self._mirror.usable(device_id)
                if (
                    capabilities := tuple(
                        capability
                        for capability in component.capabilities
                        if not is_never_offered(capability)
                        and belongs(_Asked(device_id, component.id, capability, coverage, ours))
                    )
                )
            }
            kept[device_id, ours] = found
        return found

    def _is_allowed(self, asked: _Asked) -> bool:
        if self._has_commands(asked.capability) and asked.may_command():
            return True
        return any(map(asked.may_read, self._attributes(asked)))

    def _adds_something(self, asked: _Asked) -> bool:
        if is_noise(asked.capability):
            return False
        served = any(
            each.precision is not Precision.COMPONENT
            for each in asked.coverage.acting_on(asked.component_id, asked.capability)
        )
        if not served and self._has_commands(asked.capability) and asked.may_command():
            return True
        return any(
            not asked.is_shown_by_an_entity(attribute) and asked.may_read(attribute)
            for attribute in self._attributes(asked)
            if tells_something(attribute) and self._has_value(asked, attribute)
        )

    def _has_commands(self, capability: str) -> bool:
        """Tell whether there are commands; what nothing is known of may have some."""
        known = self._definitions.known(capability)
        return bool(known.commands) or not (known.is_complete or known.attributes)

    def _attributes(self, asked: _Asked) -> frozenset[str]:
        known = self._definitions.known(asked.capability)
        reported = self._mirror.attributes(asked.device_id, asked.component_id, asked.capability)
        return frozenset(reported).union(each.name for each in known.attributes)

    def _has_value(self, asked: _Asked, attribute: str) -> bool:
        reported = self._mirror.attributes(asked.device_id, asked.component_id, asked.capability)
        told = reported.get(attribute)
        return told is not None and told.value not in (None, "", [], {})


def readers(
    coverage: DeviceCoverage, component_id: str, capability: str, attribute: str
) -> tuple[StandIn, ...]:
    """Return the entities of which one must be readable for an attribute.

    Those that show it, else those made of its capability, else those that the
    device is controlled with. An entity that a person disabled is there, and unreadable.
    """
    return (
        coverage.showing(component_id, capability, attribute)
        or coverage.made_of(component_id, capability)
        or coverage.actuators(component_id)
    )


def commanders(coverage: DeviceCoverage, component_id: str, capability: str) -> tuple[StandIn, ...]:
    """Return the entities of which one must be controllable for a capability's commands.

    Those that control it, else those that the device is controlled with. An entity
    that only shows it neither permits nor forbids.
    """
    return coverage.acting_on(component_id, capability) or coverage.actuators(component_id)
