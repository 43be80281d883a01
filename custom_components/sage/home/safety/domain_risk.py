"""The risk of an action, decided by the domain and device class of its entity.

For locks and alarm panels, every service that is not known to be harmless counts as risky.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ..home_types import RiskClass

SEVERITY: Final = (
    RiskClass.NEVER,
    RiskClass.UNLOCK,
    RiskClass.DISARM,
    RiskClass.LIFE,
    RiskClass.OPEN,
    RiskClass.SECURITY_OFF,
    RiskClass.HEAT,
    RiskClass.FOOD,
    RiskClass.NETWORK,
    RiskClass.MAINTENANCE,
    RiskClass.FILE,
    RiskClass.UNRESOLVED,
    RiskClass.UNCLEAR,
    RiskClass.CHOSEN,
    RiskClass.FOREIGN,
    RiskClass.OUTSIDE,
)
"""All risk classes, worst first."""


def worst_of(risks: Iterable[RiskClass | None]) -> RiskClass | None:
    """Return the worst of these risk classes; None if all are None."""
    found = [risk for risk in risks if risk is not None]
    return min(found, key=SEVERITY.index, default=None)


@dataclass(frozen=True, slots=True)
class Thing:
    """The properties of an entity that determine its risk."""

    entity_id: str
    domain: str
    device_class: str | None
    hottest: float | None
    """Maximum target temperature in °C; None if unknown."""

    state: str | None


@dataclass(frozen=True, slots=True)
class ServiceCall:
    """A service call on one entity."""

    service: str
    arguments: Mapping[str, Any]

    @property
    def starts(self) -> bool:
        """Whether the call can switch something on; True for unknown services."""
        if self.service in _SWITCHING_ON:
            return True
        return self.service not in _ENDING and self._value not in _NOTHING

    @property
    def stops(self) -> bool:
        """Whether the call may switch something off, such as `toggle`, the value 0 or an option."""
        value = self._value
        return self.service in _SWITCHING_OFF or isinstance(value, str) or value in _NOTHING

    @property
    def _value(self) -> object:
        """The value that the call sets, texts in lower case; None without a value."""
        value = next(
            (self.arguments[name] for name in _VALUE_NAMES if name in self.arguments), None
        )
        return value.casefold() if isinstance(value, str) else value


OUTLET: Final = "outlet"
"""Device class of a switch that only supplies power."""

_NOTHING: Final = (0, "off", "idle", "standby", "stop", "stopped", "pause", "paused")
"""Values of Home Assistant that mean off or at rest."""

_VALUE_NAMES: Final = ("option", "value", "hvac_mode", "operation_mode", "preset_mode", "mode")
_ENDING: Final = frozenset({"turn_off", "stop", "pause", "cancel"})
_SWITCHING_OFF: Final = frozenset(
    {"turn_off", "toggle", "disable_motion_detection", "stop", "cancel", "pause"}
)
_SWITCHING_ON: Final = frozenset({"turn_on", "toggle", "press", "open", "pulse"})

_HOTTEST_ROOM: Final = 60.0
"""Degrees Celsius. A higher maximum means an oven or a sauna, not a thermostat."""

PLAIN_SERVICES: Final = frozenset({"turn_on", "turn_off", "toggle"})

_HARMLESS_COVER_CLASSES: Final = frozenset(
    {"awning", "blind", "curtain", "damper", "shade", "shutter", "window"}
)
ENTRANCE_COVER_CLASSES: Final = frozenset({"garage", "gate", "door"})
_CLOSING: Final = frozenset(
    {
        "close_cover",
        "stop_cover",
        "close_cover_tilt",
        "stop_cover_tilt",
        "close_valve",
        "stop_valve",
    }
)
_POSITIONS: Final = {
    "set_cover_position": "position",
    "set_cover_tilt_position": "tilt_position",
    "set_valve_position": "position",
}
_ARMING: Final = frozenset(
    {"alarm_arm_away", "alarm_arm_home", "alarm_arm_night", "alarm_arm_vacation", "alarm_trigger"}
)
_ARMING_FULLY: Final = frozenset({"alarm_arm_away", "alarm_arm_vacation", "alarm_trigger"})
_ARMED_FULLY: Final = frozenset({"armed_away", "armed_vacation"})

_HIDING: Final = frozenset({"off", "disable", "privacy", "delete"})
"""Words in the names of services that stop a camera from recording, or delete recordings."""

_HOUSEKEEPING_DOMAINS: Final = frozenset(
    {
        "hassio",
        "backup",
        "recorder",
        "system_log",
        "logger",
        "frontend",
        "cloud",
        "persistent_states",
        "zha",
        "zwave_js",
        "mqtt",
        "matter",
        "ota",
    }
)
"""Domains with services that affect the system, not a device of the home."""

_EVERYDAY_OF_HOMEASSISTANT: Final = frozenset({"turn_on", "turn_off", "toggle", "update_entity"})
_MAINTENANCE_WORDS: Final = frozenset(
    {"install", "restart", "reboot", "reset", "firmware", "factory", "purge", "reload", "ota"}
)


def domain_risk(thing: Thing, action: ServiceCall) -> RiskClass | None:
    """Return the risk of an action, from the domain and device class of its entity.

    None if the action needs no confirmation. `consequences` finds the entities that scripts, scenes
    and groups affect.
    """
    service = action.service
    match thing.domain:
        case "lock":
            risk, is_risky = RiskClass.UNLOCK, service != "lock"
        case "alarm_control_panel":
            weakens = service in _ARMING - _ARMING_FULLY and thing.state in _ARMED_FULLY
            risk, is_risky = RiskClass.DISARM, weakens or service not in _ARMING
        case "cover":
            is_entrance = thing.device_class in ENTRANCE_COVER_CLASSES
            risk, is_risky = RiskClass.OPEN, is_entrance and _opens(action)
        case "valve":
            risk, is_risky = RiskClass.OPEN, _opens(action)
        case "siren":
            risk, is_risky = RiskClass.SECURITY_OFF, action.stops
        case "camera":
            hides = not _HIDING.isdisjoint(service.split("_"))
            risk, is_risky = RiskClass.SECURITY_OFF, action.stops or hides
        case "update":
            risk, is_risky = RiskClass.MAINTENANCE, service not in {"skip", "clear_skipped"}
        case "climate":
            is_hot = thing.hottest is not None and thing.hottest > _HOTTEST_ROOM
            risk, is_risky = RiskClass.HEAT, is_hot and action.starts
        case _:
            return None
    return risk if is_risky else None


def action_to(thing: Thing, state: str, attributes: Mapping[str, Any]) -> ServiceCall:
    """Return the service call that sets an entity to a state; if unclear, the riskier one."""
    match thing.domain:
        case "lock":
            return ServiceCall("lock" if state in {"locked", "locking"} else "unlock", {})
        case "alarm_control_panel":
            armed = state.startswith("armed_")
            return ServiceCall(
                f"alarm_arm_{state.removeprefix('armed_')}" if armed else "disarm", {}
            )
        case "cover" | "valve":
            position = attributes.get("current_position", attributes.get("position"))
            shut = state in {"closed", "closing"} and position in {None, 0}
            return ServiceCall(f"{'close' if shut else 'open'}_{thing.domain}", {})
    on = state not in {"off", "idle", "unavailable", "unknown", "0", "0.0", "stopped"}
    return ServiceCall("turn_on" if on else "turn_off", {})


def maintenance_risk(thing: Thing, domain: str, service: str) -> RiskClass | None:
    """Return MAINTENANCE if the call restarts, resets or updates a device, or affects the system.

    None for other calls.
    """
    if is_housekeeping(domain, service):
        return RiskClass.MAINTENANCE
    if domain == "homeassistant":
        return None
    if thing.domain == "button" and thing.device_class in {"restart", "update"}:
        return RiskClass.MAINTENANCE
    named = _MAINTENANCE_WORDS & set(service.split("_")) and domain != "counter"
    return RiskClass.MAINTENANCE if named else None


def is_housekeeping(domain: str, service: str) -> bool:
    """Return whether a service affects the system and not a device, such as `backup.create`."""
    if domain == "homeassistant":
        return service not in _EVERYDAY_OF_HOMEASSISTANT
    return domain in _HOUSEKEEPING_DOMAINS


def closes(thing: Thing, action: ServiceCall) -> bool:
    """Return whether the call only closes or stops a cover or valve."""
    return thing.domain in {"cover", "valve"} and not _opens(action)


def _opens(action: ServiceCall) -> bool:
    if action.service in _CLOSING:
        return False
    if (name := _POSITIONS.get(action.service)) is None:
        return True
    position = action.arguments.get(name)
    return not (isinstance(position, int | float) and position == 0)


DECISIVE_DOMAINS: Final = frozenset(
    {"lock", "alarm_control_panel", "cover", "valve", "siren", "climate", "camera", "update"}
)
"""Domains that decide the risk of an action, see `domain_risk`."""

DECISIVE_CLASSES: Final[Mapping[str, frozenset[str]]] = {
    "cover": _HARMLESS_COVER_CLASSES | ENTRANCE_COVER_CLASSES,
    "button": frozenset({"identify", "restart", "update"}),
}
