"""Decide which SmartThings commands need confirmation.

The risk of a command is the higher of these:

- the risk by capability, command and category of the device; commands of locks, alarms, doors and
  ovens need confirmation unless they are known to be harmless
- the risk of the same action of an entity that controls the capability, such as a lock

Where the category does not show what the device switches, such an entity decides alone.

A level that the household has chosen for this entity can override both.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from homeassistant.core import HomeAssistant

from ...text.words import id_words
from ..home_types import RiskClass
from ..safety.consequences import effects_of
from ..safety.risk import Effects, worst_of
from ..safety.risk_levels import Level, levels_of
from .commands import RawCommand
from .coverage import Coverage, CoveringEntity
from .mirror import Mirror
from .raw import MAIN, RawComponent, RawDevice
from .withheld import is_never_offered

_NO_CATEGORY: Final = frozenset({"other", "others"})

_OF_CATEGORY: Final[Mapping[str, RiskClass]] = {
    "smartlock": RiskClass.UNLOCK,
    "securitypanel": RiskClass.DISARM,
    "garagedoor": RiskClass.OPEN,
    "door": RiskClass.OPEN,
    "gate": RiskClass.OPEN,
    "watervalve": RiskClass.OPEN,
    "gasvalve": RiskClass.OPEN,
    "siren": RiskClass.SECURITY_OFF,
    "camera": RiskClass.SECURITY_OFF,
    "doorbell": RiskClass.SECURITY_OFF,
    "visionsensor": RiskClass.SECURITY_OFF,
    "smokedetector": RiskClass.SECURITY_OFF,
    "leaksensor": RiskClass.SECURITY_OFF,
    "motionsensor": RiskClass.SECURITY_OFF,
    "contactsensor": RiskClass.SECURITY_OFF,
    "multifunctionalsensor": RiskClass.SECURITY_OFF,
    "presencesensor": RiskClass.SECURITY_OFF,
    "oven": RiskClass.HEAT,
    "range": RiskClass.HEAT,
    "cooktop": RiskClass.HEAT,
    "stove": RiskClass.HEAT,
    "microwave": RiskClass.HEAT,
    "heatedmattresspad": RiskClass.HEAT,
    "airfryer": RiskClass.HEAT,
    "heater": RiskClass.HEAT,
}
"""Category of a device -> risk of its commands, unless they are harmless (see `_is_harmless`)."""

_OF_CAPABILITY: Final[Mapping[str, RiskClass]] = {
    "securitySystem": RiskClass.DISARM,
    "valve": RiskClass.OPEN,
    "alarm": RiskClass.SECURITY_OFF,
    "videoCamera": RiskClass.SECURITY_OFF,
}
_OF_PART: Final[Mapping[str, RiskClass]] = {
    "lock": RiskClass.UNLOCK,
    "lockOnly": RiskClass.UNLOCK,
    "lockCodes": RiskClass.UNLOCK,
    "doorControl": RiskClass.OPEN,
    "garageDoorControl": RiskClass.OPEN,
}
"""Capability -> risk of all commands to the component that has it, also of other capabilities."""

_LOCKING: Final = frozenset({"lock", "close"})
_HARMLESS_LOCKS: Final = frozenset({"kids", "child", "water", "panel", "button", "key", "screen"})
_VAGUE: Final = frozenset({None, "switch", "smartplug", "remotecontroller", "light"})
"""Categories that do not show what the device switches; a lamp also has a lamp capability."""

_LAMP_CAPABILITIES: Final = frozenset({"switchLevel", "colorControl", "colorTemperature"})
_HEATING_WORDS: Final = frozenset(
    {"oven", "cooktop", "microwave", "burner", "cook", "recipe", "preheat"}
)
_HARMLESS_PARTS: Final = frozenset(
    {
        "lamp",
        "light",
        "lighting",
        "hood",
        "kids",
        "sound",
        "beep",
        "volume",
        "audio",
        "display",
        "brightness",
        "language",
        "clock",
        "filter",
        "alarm",
        "notification",
    }
)
"""Words for parts and functions of appliances that do not heat."""

_APPLIANCES_WITH_DOORS: Final = frozenset(
    {
        "oven",
        "microwave",
        "refrigerator",
        "kimchirefrigerator",
        "winecellar",
        "dishwasher",
        "washer",
        "dryer",
        "clothingcaremachine",
        "shoescaremachine",
    }
)

_ENDING: Final = frozenset({"off", "stop", "pause", "cancel", "end", "close", "abort"})
_ENDED_VALUES: Final = _ENDING | frozenset({"closed", "paused", "stopped", "idle", "none"})
_ENDED: Final = frozenset({"turn", "switch", "power", "door", "valve", "shade", "operation"})
"""Words that may accompany a word for ending in a harmless command, such as `turn` in `turnOff`."""

_STATES: Final = frozenset({"state", "mode", "level", "power", "switch", "status", "setpoint"})
_SAFEGUARDS: Final = frozenset({"auto", "safe", "safety", "protection", "lock", "delay", "timer"})
"""Words for protections; a command that switches off a protection may be risky."""

_SILENCING: Final = _ENDING | frozenset(
    {
        "toggle",
        "disable",
        "disarm",
        "mute",
        "silence",
        "privacy",
        "bypass",
        "delete",
        "clear",
        "remove",
    }
)
_SOUNDING: Final = frozenset({"siren", "strobe", "both", "on", "test"})
_WIPING: Final = frozenset({"firmware", "factory", "reboot", "restart", "reset", "ota"})
_HARMLESS_UPKEEP: Final = frozenset({"check", "filter"})
_FULLY_ARMED: Final = "armedAway"
_LAMPS: Final = frozenset({"lamp", "light", "lighting"})


@dataclass(frozen=True, slots=True, kw_only=True)
class RawPart:
    """The properties of a SmartThings component that determine the risk of its commands."""

    id: str = MAIN
    categories: frozenset[str] = frozenset()
    """Categories of this component and of the component `main`, in lower case."""

    category: str | None = None
    """Category of this component, or else of the component `main`; None if unknown."""

    capabilities: frozenset[str] = frozenset()
    """Ids of this component's capabilities."""

    armed: str | None = None
    """Current state of the security system; None if unknown or if there is no such system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawAction:
    """A SmartThings command; `arguments` maps argument names to values."""

    capability: str
    command: str
    arguments: Mapping[str, Any]

    @property
    def words(self) -> frozenset[str]:
        """The words in the ids of the capability and the command."""
        return frozenset(id_words(self.capability)) | self.command_words

    @property
    def command_words(self) -> frozenset[str]:
        """The words in the id of the command."""
        return frozenset(id_words(self.command))

    @property
    def ends(self) -> bool:
        """Whether the command only switches off, closes or stops something, such as `closeDoor`."""
        words = self.command_words - _ENDED or self.command_words
        if words and words <= _ENDING:
            return not self.arguments
        return self._sets_to_nothing and bool(words & _STATES) and not self.words & _SAFEGUARDS

    @property
    def silences(self) -> bool:
        """Whether the command may switch off a protection, such as a camera or alarm."""
        return bool(self.words & _SILENCING) or self._sets_to_nothing

    @property
    def is_about_a_child_lock(self) -> bool:
        """Whether the command concerns a child lock, panel lock or the like of an appliance."""
        return "lock" in self.words and bool(self.words & _HARMLESS_LOCKS)

    @property
    def _sets_to_nothing(self) -> bool:
        """Whether the only argument means off, closed, stopped or zero, as in `setLevel(0)`."""
        if len(self.arguments) != 1 or "set" not in self.command_words:
            return False
        (value,) = self.arguments.values()
        if isinstance(value, str):
            return value.casefold() in _ENDED_VALUES
        return isinstance(value, int | float) and value == 0


class RawRisks:
    """Assesses the risk of SmartThings commands to the devices of this home."""

    def __init__(self, hass: HomeAssistant, mirror: Mirror, coverage: Coverage) -> None:
        self._hass = hass
        self._mirror = mirror
        self._coverage = coverage

    def effects(self, command: RawCommand) -> Effects:
        """Return the component that a command affects, its risk, and the unclassified entities.

        The risk is UNRESOLVED for an unknown device or component.
        """
        effects = Effects()
        device = self._mirror.device(command.raw_device_id)
        component = device.component(command.component_id) if device else None
        if device is None or component is None:
            effects.add(command.affected, RiskClass.UNRESOLVED)
            return effects
        action = RawAction(
            capability=command.capability, command=command.command, arguments=command.arguments
        )
        part = self._part(device, component)
        own = risk_of(part, action)
        covered = self._coverage.of(device.id)
        entities = covered.commanders(component.id, command.capability)
        levels = [levels_of(self._hass).choice(each.entity_id) for each in entities]
        if Level.NEVER in levels or own is RiskClass.MAINTENANCE:
            effects.add(command.affected, RiskClass.NEVER if Level.NEVER in levels else own)
            return effects
        if levels and all(level is Level.FREE for level in levels):
            effects.add(command.affected, None)
            return effects
        # If only buttons control the capability, assess the command as a press. If only buttons
        # control the device, do so only for a device without a category.
        tells = part.category is None or bool(
            covered.covering(component.id, command.capability, acting=True)
        )
        only_buttons = tells and all(each.domain == "button" for each in entities)
        of_entities = [self._effects_as_entity(each, action, only_buttons) for each in entities]
        if own is RiskClass.UNCLEAR and any(each.entities for each in of_entities):
            own = None
        chosen = RiskClass.CHOSEN if Level.ASK in levels else None
        effects.add(command.affected, worst_of((own, chosen, *(each.risk for each in of_entities))))
        effects.unclassified.update(*(each.unclassified for each in of_entities))
        return effects

    def _effects_as_entity(
        self, entity: CoveringEntity, action: RawAction, only_buttons: bool
    ) -> Effects:
        service = "press" if only_buttons else service_for(entity.domain, action)
        if service is None:
            return Effects()
        return effects_of(self._hass, entity.entity_id, entity.domain, service, {})

    def _part(self, device: RawDevice, component: RawComponent) -> RawPart:
        main = device.component(MAIN)
        categories = [
            each.category.replace(" ", "").casefold()
            for each in (component, main)
            if each and each.category
        ]
        alarm = self._mirror.attributes(device.id, component.id, "securitySystem")
        armed = alarm.get("securitySystemStatus")
        return RawPart(
            id=component.id,
            categories=frozenset(categories),
            category=next((each for each in categories if each not in _NO_CATEGORY), None),
            capabilities=frozenset(component.capabilities),
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


def risk_of(part: RawPart, action: RawAction) -> RiskClass | None:
    """Return the risk of a SmartThings command; None if it needs no confirmation.

    The entities of the device are not considered.
    """
    if is_never_offered(action.capability):
        return RiskClass.UNRESOLVED
    if action.words & _WIPING and not action.words & _HARMLESS_UPKEEP:
        return RiskClass.MAINTENANCE
    risks = [_OF_CATEGORY.get(each) for each in part.categories]
    risks += [_OF_PART.get(each) for each in {*part.capabilities, action.capability}]
    risks.append(_OF_CAPABILITY.get(action.capability))
    words = frozenset(id_words(action.capability))
    if "lock" in words and not action.is_about_a_child_lock:
        risks.append(RiskClass.UNLOCK)
    if words & _HEATING_WORDS:
        risks.append(RiskClass.HEAT)
    is_lamp = part.category == "light" and part.capabilities & _LAMP_CAPABILITIES
    if part.category in _VAGUE and not is_lamp and not action.is_about_a_child_lock:
        risks.append(RiskClass.UNCLEAR)
    return worst_of(each for each in risks if each and not _is_harmless(each, part, action))


def _is_harmless(risk: RiskClass, part: RawPart, action: RawAction) -> bool:
    """Return whether a command has no risk, although other commands of the component have it."""
    match risk:
        case RiskClass.UNLOCK:
            return action.command in _LOCKING
        case RiskClass.DISARM:
            is_weaker = action.command == "armStay" and part.armed in {None, _FULLY_ARMED}
            return action.command in {"armAway", "armStay"} and not is_weaker
        case RiskClass.OPEN:
            # The door of an appliance, such as a microwave, is not an entrance. Switching off a
            # relay may open a door.
            return (
                bool(part.categories & _APPLIANCES_WITH_DOORS or action.words & _LAMPS)
                or action.command in _LOCKING
                or (action.ends and ("valve" in action.words or "off" not in action.command_words))
            )
        case RiskClass.SECURITY_OFF:
            if action.capability == "alarm" or "siren" in part.categories:
                return action.command in _SOUNDING
            return not action.silences
        case RiskClass.UNCLEAR:
            return False
    lit = frozenset(id_words(part.id)) & (_LAMPS | {"hood"})
    return action.ends or bool(lit or frozenset(id_words(action.capability)) & _HARMLESS_PARTS)
