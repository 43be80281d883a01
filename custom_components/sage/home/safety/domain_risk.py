"""The risk of an action, decided by the domain, device class and names of its entity.

For locks and alarm panels, every service that is not known to be harmless counts as risky.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ..home_types import RiskClass
from . import risk_words

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
    own_names: tuple[str, ...]
    """Names of the entity itself."""

    names: tuple[str, ...]
    """Names of the entity and of its device."""

    part_names: tuple[str, ...] | None = None
    """Names of a switch without those of its device, if it may be one of the device's functions.

    Example: `Power cool` of a refrigerator. None for other entities.
    """


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
        return self.service not in _ENDING and not self._sets_to_nothing

    @property
    def stops(self) -> bool:
        """Whether the call may switch something off or set it to 0, such as `toggle` or `stop`."""
        return self.service in _SWITCHING_OFF or self._sets_to_nothing

    @property
    def _sets_to_nothing(self) -> bool:
        value = next(
            (self.arguments[name] for name in _VALUE_NAMES if name in self.arguments), None
        )
        if isinstance(value, str):
            return risk_words.plain(value) in risk_words.STOPPING.words
        return isinstance(value, int | float) and value == 0


OUTLET: Final = "outlet"
"""Device class of a switch that only supplies power."""

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
_ARMED_FULLY: Final = frozenset({"armed_away", "armed_vacation"})

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
_BUTTON_DOMAINS: Final = frozenset({"button", "input_button"})


def domain_risk(thing: Thing, action: ServiceCall) -> RiskClass | None:
    """Return the risk of an action, from the domain, device class and names of its entity.

    None if the action needs no confirmation.
    """
    return DOMAIN_RISKS.get(thing.domain, _named_risk)(thing, action)


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


def _lock_risk(_thing: Thing, action: ServiceCall) -> RiskClass | None:
    return None if action.service == "lock" else RiskClass.UNLOCK


def _alarm_risk(thing: Thing, action: ServiceCall) -> RiskClass | None:
    if action.service not in _ARMING:
        return RiskClass.DISARM
    weaker = action.service not in {"alarm_arm_away", "alarm_arm_vacation", "alarm_trigger"}
    return RiskClass.DISARM if weaker and thing.state in _ARMED_FULLY else None


def _cover_risk(thing: Thing, action: ServiceCall) -> RiskClass | None:
    return RiskClass.OPEN if _is_entrance(thing) and _opens(action) else None


def _valve_risk(_thing: Thing, action: ServiceCall) -> RiskClass | None:
    return RiskClass.OPEN if _opens(action) else None


def _siren_risk(_thing: Thing, action: ServiceCall) -> RiskClass | None:
    return RiskClass.SECURITY_OFF if action.stops else None


def _camera_risk(_thing: Thing, action: ServiceCall) -> RiskClass | None:
    words = set(action.service.split("_"))
    if action.stops or words & {"off", "disable", "privacy", "delete"}:
        return RiskClass.SECURITY_OFF
    return None


def _update_risk(_thing: Thing, action: ServiceCall) -> RiskClass | None:
    return None if action.service in {"skip", "clear_skipped"} else RiskClass.MAINTENANCE


def _climate_risk(thing: Thing, action: ServiceCall) -> RiskClass | None:
    hot = thing.hottest is not None and thing.hottest > _HOTTEST_ROOM
    return RiskClass.HEAT if hot and action.starts else None


def _no_risk(_thing: Thing, _action: ServiceCall) -> RiskClass | None:
    return None


def _named_risk(thing: Thing, action: ServiceCall) -> RiskClass | None:
    """Return the risk of a switch, helper, button or number, based on its names."""
    if risk_words.LIGHTING.names(thing.own_names):
        return None
    return worst_of(
        (
            _named_entrance_risk(thing, action),
            _named_security_risk(thing, action),
            _named_dependence(thing, action),
            _named_heat_risk(thing, action),
        )
    )


def _named_heat_risk(thing: Thing, action: ServiceCall) -> RiskClass | None:
    stops = thing.domain in _BUTTON_DOMAINS and risk_words.STOPPING.names(thing.own_names)
    if stops or not action.starts or thing.domain == "automation":
        return None
    return RiskClass.HEAT if risk_words.HEATING_APPLIANCE.names(thing.names) else None


def _named_dependence(thing: Thing, action: ServiceCall) -> RiskClass | None:
    """Return the risk of switching off what people, animals, food or the network depend on."""
    if thing.domain not in {"switch", "input_boolean"} or not action.stops:
        return None
    part = thing.part_names
    if risk_words.LIFE.names(thing.names if part is None else part):
        return RiskClass.LIFE
    if risk_words.FOOD.names(thing.names if part is None else part):
        return RiskClass.FOOD
    # The model of an ordinary plug may be "WiFi Smart Plug".
    is_network = risk_words.NETWORK.names(thing.own_names if part is None else part)
    return RiskClass.NETWORK if is_network else None


def _named_security_risk(thing: Thing, action: ServiceCall) -> RiskClass | None:
    if thing.domain in {"climate", "water_heater", "script", "scene"}:
        return None
    if not risk_words.SECURITY.names(thing.names):
        return None
    if risk_words.PRIVACY.names(thing.own_names):
        return RiskClass.SECURITY_OFF if action.starts else None
    if thing.domain in _BUTTON_DOMAINS:
        return RiskClass.SECURITY_OFF if risk_words.STOPPING.names(thing.own_names) else None
    return RiskClass.SECURITY_OFF if action.stops else None


def _named_entrance_risk(thing: Thing, action: ServiceCall) -> RiskClass | None:
    if thing.domain not in _BUTTON_DOMAINS | {
        "switch",
        "input_boolean",
        "remote",
        "number",
        "select",
    }:
        return None
    if risk_words.LOCKING.names(thing.own_names):
        return RiskClass.UNLOCK
    if action.starts and risk_words.GATE.names(thing.own_names):
        return RiskClass.OPEN
    return None


def maintenance_risk(thing: Thing, domain: str, service: str) -> RiskClass | None:
    """Return MAINTENANCE if the call restarts, resets or updates a device, or affects the system.

    None for other calls.
    """
    if is_housekeeping(domain, service):
        return RiskClass.MAINTENANCE
    if domain == "homeassistant":
        return None
    if thing.domain in _BUTTON_DOMAINS and (
        thing.device_class in {"restart", "update"} or risk_words.RESTARTING.names(thing.own_names)
    ):
        return RiskClass.MAINTENANCE
    named = _MAINTENANCE_WORDS & set(service.split("_")) and domain != "counter"
    return RiskClass.MAINTENANCE if named else None


def is_housekeeping(domain: str, service: str) -> bool:
    """Return whether a service affects the system and not a device, such as `backup.create`."""
    if domain == "homeassistant":
        return service not in _EVERYDAY_OF_HOMEASSISTANT
    return domain in _HOUSEKEEPING_DOMAINS


def is_plain_switch_off(thing: Thing, action: ServiceCall) -> bool:
    """Return whether the call only switches off an outlet or switch that is named after no door.

    A door opener may release the door when it is switched off.
    """
    return (
        thing.domain == "switch"
        and action.service == "turn_off"
        and not action.arguments
        and not risk_words.OPENING.are_whole(thing.names)
        and not (thing.device_class != OUTLET and risk_words.ENTRANCE.names(thing.names))
        and not risk_words.GATE.names(thing.names)
        and not risk_words.LOCKING.names(thing.names)
    )


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


def _is_entrance(thing: Thing) -> bool:
    if thing.device_class in ENTRANCE_COVER_CLASSES:
        return True
    if thing.device_class in _HARMLESS_COVER_CLASSES:
        return False
    return risk_words.OPENING.names(thing.names)


DOMAIN_RISKS: Final[Mapping[str, Callable[[Thing, ServiceCall], RiskClass | None]]] = {
    "lock": _lock_risk,
    "alarm_control_panel": _alarm_risk,
    "cover": _cover_risk,
    "valve": _valve_risk,
    "siren": _siren_risk,
    "climate": _climate_risk,
    "camera": _camera_risk,
    "update": _update_risk,
    # `consequences` finds the entities that these affect.
    "script": _no_risk,
    "scene": _no_risk,
    "group": _no_risk,
}


DECISIVE_CLASSES: Final[Mapping[str, frozenset[str]]] = {
    "cover": _HARMLESS_COVER_CLASSES | ENTRANCE_COVER_CLASSES,
    "button": frozenset({"identify", "restart", "update"}),
}
