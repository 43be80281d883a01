"""Decide which SmartThings commands need confirmation.

The risk of a command is the higher of these:

- the risk by capability, command and category (`risk_rules`)
- the risk of the same action of an entity that controls the capability, such as a lock

Where the category does not show what the device switches, such an entity decides alone.

A level that the household has chosen for this entity can override both.
"""

from collections.abc import Mapping
from typing import Final

from homeassistant.core import HomeAssistant

from ..home_types import RiskClass
from ..safety.consequences import effects_of
from ..safety.risk import Effects, worst_of
from ..safety.risk_levels import Level, levels_of
from .coverage import Coverage, StandIn
from .exposure import commanders
from .protocols import Mirror
from .raw import MAIN, RawComponent, RawDevice
from .risk_rules import RawAction, RawThing, risk_of

_NO_CATEGORY: Final = frozenset({"other", "others"})


class RawRisks:
    """Assesses the risk of SmartThings commands to the devices of this home."""

    def __init__(self, hass: HomeAssistant, mirror: Mirror, coverage: Coverage) -> None:
        self._hass = hass
        self._mirror = mirror
        self._coverage = coverage

    def of(
        self,
        device_id: str,
        component_id: str,
        capability: str,
        command: str,
        arguments: Mapping[str, object],
    ) -> RiskClass | None:
        """Return the risk of a command; None if it needs no confirmation.

        `arguments`: argument name -> value. Returns UNRESOLVED for an unknown device or component.
        """
        return self.assess(device_id, component_id, capability, command, arguments)[0]

    def assess(
        self,
        device_id: str,
        component_id: str,
        capability: str,
        command: str,
        arguments: Mapping[str, object],
    ) -> tuple[RiskClass | None, frozenset[str]]:
        """Return the risk of a command, as `of`, and the ids of the unclassified entities."""
        no_entities = frozenset[str]()
        device = self._mirror.device(device_id)
        component = device.component(component_id) if device else None
        if device is None or component is None:
            return RiskClass.UNRESOLVED, no_entities
        action = RawAction(capability=capability, command=command, arguments=arguments)
        thing = self._thing(device, component)
        own = risk_of(thing, action)
        covered = self._coverage.of(device_id)
        entities = commanders(covered, component_id, capability)
        levels = [levels_of(self._hass).choice(each.entity_id) for each in entities]
        if Level.NEVER in levels:
            return RiskClass.NEVER, no_entities
        if own is RiskClass.MAINTENANCE:
            return own, no_entities
        if levels and all(level is Level.FREE for level in levels):
            return None, no_entities
        # If only buttons control the capability, assess the command as a press. If only buttons
        # control the device, do so only for a device without a category.
        tells = thing.category is None or bool(covered.acting_on(component_id, capability))
        only_buttons = tells and all(each.domain == "button" for each in entities)
        effects = [self._effects_as_entity(each, action, only_buttons) for each in entities]
        if own is RiskClass.UNCLEAR and any(each.entities for each in effects):
            own = None
        chosen = RiskClass.CHOSEN if Level.ASK in levels else None
        return (
            worst_of((own, chosen, *(each.risk for each in effects))),
            no_entities.union(*(each.unclassified for each in effects)),
        )

    def _effects_as_entity(
        self, stand_in: StandIn, action: RawAction, only_buttons: bool
    ) -> Effects:
        service = "press" if only_buttons else service_for(stand_in.domain, action)
        if service is None:
            return Effects()
        return effects_of(self._hass, stand_in.entity_id, stand_in.domain, service, {})

    def _thing(self, device: RawDevice, component: RawComponent) -> RawThing:
        main = device.component(MAIN)
        categories = [
            _category(each.category) for each in (component, main) if each and each.category
        ]
        known_categories = [each for each in categories if each not in _NO_CATEGORY]
        alarm = self._mirror.attributes(device.id, component.id, "securitySystem")
        armed = alarm.get("securitySystemStatus")
        return RawThing(
            categories=frozenset(categories),
            category=known_categories[0] if known_categories else None,
            capabilities=frozenset(component.capabilities),
            part=component.id,
            armed=str(armed.value) if armed and armed.value else None,
        )


def service_for(domain: str, action: RawAction) -> str | None:
    """Return the service of `domain` that does the same as a SmartThings command, e.g. `unlock`.

    If the effect is unclear, it is the riskier service. None for `button` and `update`.
    """
    match domain:
        case "button" | "update":
            return None
        case "lock":
            return "lock" if action.command == "lock" else "unlock"
        case "cover":
            return "close_cover" if action.ends else "open_cover"
        case "valve":
            return "close_valve" if action.ends else "open_valve"
        case "alarm_control_panel":
            return "alarm_arm_away" if action.command == "armAway" else "alarm_disarm"
    return "turn_off" if action.ends else "turn_on"


def _category(category: str) -> str:
    return category.replace(" ", "").casefold()
