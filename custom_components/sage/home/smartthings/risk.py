"""Decide which SmartThings commands need confirmation.

The risk of a command is the higher of these:

- the risk by category of the device and by capability: all commands of locks, alarms, doors and
  ovens need confirmation, except those that are known to be harmless
- the risk of the same action of an entity that controls the capability, from its domain and device
  class and the model's classification

Where the category does not show what the device switches, such an entity decides alone. A level
that the household has chosen for this entity can override both.
"""

from collections.abc import Mapping
from typing import Final

from homeassistant.core import HomeAssistant

from ..commands.pipeline import ValidatedCommand
from ..extension import MAIN
from ..home_types import Component, RiskClass
from ..safety.consequences import effects_of
from ..safety.risk import Effects, worst_of
from ..safety.risk_levels import Level, levels_of
from ..values import names_in
from .coverage import Coverage
from .mirror import Mirror
from .raw import RawDevice
from .withheld import is_never_offered


def _by_name(names: Mapping[RiskClass, str]) -> Mapping[str, RiskClass]:
    return {name: risk for risk, text in names.items() for name in text.split()}


_NO_CATEGORY: Final = frozenset({"other", "others"})
_VAGUE: Final = frozenset({None, "switch", "smartplug", "remotecontroller", "light"})
"""Categories that do not show what the device switches; a lamp also has a lamp capability."""

_OF_CATEGORY: Final = _by_name(
    {
        RiskClass.UNLOCK: "smartlock",
        RiskClass.DISARM: "securitypanel",
        RiskClass.OPEN: "garagedoor door gate watervalve gasvalve",
        RiskClass.SECURITY_OFF: (
            "siren camera doorbell visionsensor smokedetector leaksensor motionsensor "
            "contactsensor multifunctionalsensor presencesensor"
        ),
        RiskClass.HEAT: ("oven range cooktop stove microwave heatedmattresspad airfryer heater"),
    }
)
_OF_CAPABILITY: Final = _by_name(
    {
        RiskClass.UNLOCK: "lock lockOnly lockCodes",
        RiskClass.OPEN: "doorControl garageDoorControl valve",
        RiskClass.DISARM: "securitySystem",
        RiskClass.SECURITY_OFF: "alarm videoCamera",
        RiskClass.HEAT: "ovenMode ovenOperatingState ovenSetpoint",
    }
)
"""Capability -> risk of all commands to the component that has it, also of other capabilities."""

_HARMLESS: Final[Mapping[RiskClass, frozenset[str]]] = {
    RiskClass.UNLOCK: frozenset({"lock"}),
    RiskClass.DISARM: frozenset({"armAway"}),
    RiskClass.OPEN: frozenset({"close"}),
    RiskClass.SECURITY_OFF: frozenset({"on", "siren", "strobe", "both", "test"}),
    RiskClass.HEAT: frozenset({"off", "stop", "pause", "cancel", "close"}),
}
"""Risk -> commands that do not have it, although other commands of the component have it."""

_HARMLESS_CAPABILITIES: Final = names_in(
    "audioMute audioVolume custom.waterFilter samsungce.audioVolumeLevel "
    "samsungce.hoodFanSpeed samsungce.hoodFilter samsungce.kidsLock samsungce.kidsLockControl "
    "samsungce.lamp"
)
"""Capabilities for the lamp, the hood, the sound or the child lock of appliances and doors."""

_SOUNDING: Final = frozenset({"alarm", "switch", "videoCamera"})
"""The only capabilities with harmless commands of cameras, sirens and sensors."""

_LIT_PARTS: Final = frozenset({"hood", "lamp", "light"})  # of cooking appliances, do not heat
_LAMP_CAPABILITIES: Final = frozenset({"switchLevel", "colorControl", "colorTemperature"})


def effects_of_command(
    hass: HomeAssistant, mirror: Mirror, coverage: Coverage, command: ValidatedCommand
) -> Effects:
    """Return a command's component, risk (UNRESOLVED if unknown) and unclassified entities."""
    effects = Effects()
    device = mirror.device(command.source_id)
    component = device.component(command.component_id) if device else None
    if device is None or component is None:
        effects.add(command.affected, RiskClass.UNRESOLVED)
        return effects
    own = risk_of(device, component, command)
    covered = coverage.of(device.id)
    entities = covered.commanders(component.id, command.capability)
    levels = [levels_of(hass).choice(each.entity_id) for each in entities]
    if Level.NEVER in levels:
        effects.add(command.affected, RiskClass.NEVER)
        return effects
    if levels and all(level is Level.FREE for level in levels):
        effects.add(command.affected, None)
        return effects
    # If only buttons control the capability, assess the command as a press. If only buttons
    # control the device, do so only for a device without a category.
    tells = _category(device, component) is None or bool(
        covered.covering(component.id, command.capability, acting=True)
    )
    only_buttons = tells and all(each.domain == "button" for each in entities)
    of_entities = [
        effects_of(hass, each.entity_id, each.domain, service, {})
        for each in entities
        if (
            service := "press"
            if only_buttons
            else service_for(each.domain, command.description.name)
        )
    ]
    if own is RiskClass.UNCLEAR and any(each.entities for each in of_entities):
        own = None
    chosen = RiskClass.CHOSEN if Level.ASK in levels else None
    effects.add(command.affected, worst_of((own, chosen, *(each.risk for each in of_entities))))
    effects.unclassified.update(*(each.unclassified for each in of_entities))
    return effects


def service_for(domain: str, command: str) -> str | None:
    """Return the service of `domain` that does the same as a SmartThings command, e.g. `unlock`.

    If the effect is unclear, it is the riskier service. None for `button` and `update`.
    """
    match domain:
        case "button" | "update":
            return None
        case "lock":
            return "lock" if command == "lock" else "unlock"
        case "cover" | "valve":
            return f"close_{domain}" if command == "close" else f"open_{domain}"
        case "alarm_control_panel":
            return "alarm_arm_away" if command == "armAway" else "alarm_disarm"
    return "turn_off" if command in _HARMLESS[RiskClass.HEAT] else "turn_on"


def risk_of(device: RawDevice, component: Component, command: ValidatedCommand) -> RiskClass | None:
    """Return the risk of a SmartThings command, without that of entities; None for no risk."""
    if is_never_offered(command.capability):
        return RiskClass.UNRESOLVED
    risks = {_OF_CATEGORY.get(each) for each in _categories(device, component)}
    risks |= {_OF_CAPABILITY.get(each) for each in (*component.capabilities, command.capability)}
    if command.capability in _HARMLESS_CAPABILITIES and RiskClass.UNLOCK not in risks:
        return None
    category = _category(device, component)
    is_lamp = category == "light" and not _LAMP_CAPABILITIES.isdisjoint(component.capabilities)
    unclear = RiskClass.UNCLEAR if category in _VAGUE and not is_lamp else None
    at_risk = (
        each for each in risks if each and not _is_harmless(each, device, component, command)
    )
    return worst_of((unclear, *at_risk))


def _is_harmless(
    risk: RiskClass, device: RawDevice, component: Component, command: ValidatedCommand
) -> bool:
    """Return whether a command does not have a risk that others of the component have."""
    if risk is RiskClass.DISARM and command.description.name == "armStay":
        values = device.values.get(component.id, {}).get("securitySystem", {})
        armed = values.get("securitySystemStatus")
        return armed is not None and armed.value not in {None, "armedAway"}
    if risk is RiskClass.HEAT and (
        component.id in _LIT_PARTS
        or (
            command.description.name == "setMachineState" and command.arguments == {"state": "stop"}
        )
    ):
        return True
    if risk is RiskClass.SECURITY_OFF and command.capability not in _SOUNDING:
        return False
    return command.description.name in _HARMLESS[risk]


def _categories(device: RawDevice, component: Component) -> list[str]:
    return [each.kind for each in (component, device.component(MAIN)) if each and each.kind]


def _category(device: RawDevice, component: Component) -> str | None:
    """Return the category of the component, else of the component `main`; None if unknown."""
    known = (each for each in _categories(device, component) if each not in _NO_CATEGORY)
    return next(known, None)
