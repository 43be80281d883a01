"""Decide in code whether an action on one entity needs confirmation.

1. The level that the household chose for the entity decides.
2. Without a level, the worst of these risks counts: that of the service, such as a restart; that of
   the entity's domain and device class; and that of the model's classification (`risk_levels`).
3. An entity that only a classification could decide, and that has none, needs confirmation.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from homeassistant.const import ATTR_DEVICE_CLASS, UnitOfTemperature
from homeassistant.core import HomeAssistant, State, split_entity_id
from homeassistant.helpers import entity_registry as er
from homeassistant.util.unit_conversion import TemperatureConverter

from ...const import LOOK
from ..home_types import RiskClass
from ..values import names_in
from .risk_levels import Level, integration_of, levels_of

SEVERITY: Final = tuple(RiskClass)  # all risk classes, worst first
UNKNOWN: Final = frozenset({RiskClass.UNRESOLVED, RiskClass.UNCLEAR, RiskClass.CHOSEN})
"""Risk classes of actions whose risk is not known exactly."""


_INERT_DOMAINS: Final = names_in(
    "light sensor binary_sensor weather sun zone person device_tracker media_player todo calendar "
    "tts stt conversation assist_satellite notify event image timer counter air_quality wake_word "
    "ai_task vacuum lawn_mower fan humidifier water_heater schedule"
)
"""Domains of harmless entities: an "oven light" is only a light."""

RESOLVED_DOMAINS: Final = names_in("script scene group automation")
"""Domains whose risk comes from the entities that they affect, such as members of a group."""

_SHOWING: Final = names_in("camera image")
_DECISIVE_DOMAINS: Final = names_in("lock alarm_control_panel cover valve climate camera update")
"""Domains that decide the risk of an action, see `_domain_risk`."""

_ENTRANCES: Final = names_in("garage gate door")
_DECISIVE_CLASSES: Final[Mapping[str, frozenset[str]]] = {
    "cover": _ENTRANCES | names_in("awning blind curtain damper shade shutter window"),
    "button": names_in("identify restart update"),
}
"""Domain -> device classes that decide the risk; other classes need a classification."""

_OUTLET: Final = "outlet"  # device class of a switch that only supplies power
_PLAIN_SERVICES: Final = names_in("turn_on turn_off toggle")
_SWITCHING_ON: Final = names_in("turn_on toggle press open pulse")
_SWITCHING_OFF: Final = names_in("turn_off toggle disable_motion_detection stop cancel pause")
_ENDING: Final = names_in("turn_off stop pause cancel")
_VALUES: Final = ("option", "value", "hvac_mode", "operation_mode", "preset_mode", "mode")
_NOTHING: Final = (0, "off", "idle", "standby", "stop", "stopped", "pause", "paused")
"""Values of Home Assistant that mean off or at rest."""

_CLOSING: Final = names_in(
    "close_cover stop_cover close_cover_tilt stop_cover_tilt close_valve stop_valve"
)
_POSITIONS: Final = {
    "set_cover_position": "position",
    "set_cover_tilt_position": "tilt_position",
    "set_valve_position": "position",
}
_ARMING_FULLY: Final = names_in("alarm_arm_away alarm_arm_vacation alarm_trigger")
_ARMING_PARTLY: Final = names_in("alarm_arm_home alarm_arm_night")
_ARMED_FULLY: Final = names_in("armed_away armed_vacation")

_HIDING: Final = names_in("off disable privacy delete")
"""Words in the names of services that stop a camera from recording, or delete recordings."""

_HOTTEST_ROOM: Final = 60.0  # degrees Celsius; a higher maximum means an oven or sauna
_SYSTEM_DOMAINS: Final = names_in(
    "hassio backup recorder system_log logger frontend cloud persistent_states zha zwave_js mqtt "
    "matter ota"
)
"""Domains with services that affect the system, not a device of the home."""

_MAINTENANCE_WORDS: Final = names_in(
    "install restart reboot reset firmware factory purge reload ota"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Use:
    """A service call on one entity, with the properties of the entity that determine its risk."""

    domain: str  # domain of the entity
    service: str
    arguments: Mapping[str, Any]
    device_class: str | None = None
    state: State | None = None
    is_hot: bool = False  # whether it can be set to a higher temperature than that of a room

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
    def opens(self) -> bool:
        """Whether the call may open a cover or valve; True for unknown services."""
        if (name := _POSITIONS.get(self.service)) is None:
            return self.service not in _CLOSING
        position = self.arguments.get(name)
        return not (isinstance(position, int | float) and position == 0)

    @property
    def _value(self) -> object:
        """The value that the call sets, texts in lower case; None without a value."""
        value = next((self.arguments[name] for name in _VALUES if name in self.arguments), None)
        return value.casefold() if isinstance(value, str) else value


def worst_of(risks: Iterable[RiskClass | None]) -> RiskClass | None:
    """Return the worst of these risk classes; None if all are None."""
    return min(filter(None, risks), key=SEVERITY.index, default=None)


def risk_of(
    hass: HomeAssistant,
    entity_id: str,
    domain: str,
    service: str,
    arguments: Mapping[str, Any],
    choice: Level | None,
) -> RiskClass | None:
    """Return the risk of an action on an entity; None if it needs no confirmation.

    `domain` is the domain of the service. `choice` is the level that the household chose for the
    entity, if any.
    """
    if choice is Level.NEVER:
        return RiskClass.NEVER
    is_system = _is_of_system(domain, service)
    if choice is Level.FREE:
        return RiskClass.MAINTENANCE if is_system else None
    if (domain, service) == LOOK:
        return RiskClass.LOOK
    own: RiskClass | None = None
    if split_entity_id(entity_id)[0] not in _INERT_DOMAINS:
        use = _use_of(hass, entity_id, service, arguments)
        own = worst_of((_domain_risk(use), _classified_risk(hass, entity_id, use)))
    if choice is Level.ASK and own in {None, RiskClass.UNCLEAR}:
        own = worst_risk(hass, entity_id, choice)
    words = set() if domain in {"homeassistant", "counter"} else set(service.split("_"))
    if is_system or words & _MAINTENANCE_WORDS:
        return worst_of((RiskClass.MAINTENANCE, own))
    return own


def risk_of_any(domain: str, service: str, arguments: Mapping[str, Any]) -> RiskClass | None:
    """Return the risk of a service for an entity of its domain that is not known.

    None if it depends on the entity. A cover may be the door of a garage.
    """
    unknown = _Use(domain=domain, service=service, arguments=arguments, device_class="garage")
    return _domain_risk(unknown)


def worst_risk(hass: HomeAssistant, entity_id: str, choice: Level | None) -> RiskClass | None:
    """Return the worst known risk of an entity's actions, or None; `choice`: the household's."""
    if choice is Level.NEVER:
        return RiskClass.NEVER
    if choice is Level.FREE:
        return None
    use = _use_of(hass, entity_id, "", {})
    services = ("turn_on", "turn_off", "unlock", "open_cover")
    risks = [_domain_risk(replace(use, service=service)) for service in services]
    domain = split_entity_id(entity_id)[0]
    if domain in _SHOWING and hass.services.has_service(*LOOK):
        risks.append(RiskClass.LOOK)
    if _is_of_system(domain, "press"):
        risks.append(RiskClass.MAINTENANCE)
    if needs_verdict(hass, entity_id) and (verdict := levels_of(hass).verdict(entity_id)):
        risks.append(verdict.risk)
    worst = worst_of(risks)
    return RiskClass.CHOSEN if worst is None and choice is Level.ASK else worst


def verdict_risk(hass: HomeAssistant, entity_id: str) -> RiskClass | None:
    """Return the risk in a classification: None if harmless, UNCLEAR if there is none yet."""
    verdict = levels_of(hass).verdict(entity_id)
    return RiskClass.UNCLEAR if verdict is None else verdict.risk


def needs_verdict(hass: HomeAssistant, entity_id: str) -> bool:
    """Return whether the model must classify the entity, as kind and members do not decide."""
    domain = split_entity_id(entity_id)[0]
    if domain in _INERT_DOMAINS or domain in RESOLVED_DOMAINS:
        return False
    if (classes := _DECISIVE_CLASSES.get(domain)) is not None:
        return _device_class(hass, entity_id) not in classes
    # The risk of a group comes from its members.
    return domain not in _DECISIVE_DOMAINS and integration_of(hass, entity_id) != "group"


def service_for_state(domain: str, state: str, attributes: Mapping[str, Any]) -> str:
    """Return the service that sets an entity to a state; if that is unclear, the riskier one."""
    match domain:
        case "lock":
            return "lock" if state in {"locked", "locking"} else "unlock"
        case "alarm_control_panel":
            armed = state.startswith("armed_")
            return f"alarm_arm_{state.removeprefix('armed_')}" if armed else "disarm"
        case "cover" | "valve":
            position = attributes.get("current_position", attributes.get("position"))
            shut = state in {"closed", "closing"} and position in {None, 0}
            return f"{'close' if shut else 'open'}_{domain}"
    on = state not in {"off", "idle", "unavailable", "unknown", "0", "0.0", "stopped"}
    return "turn_on" if on else "turn_off"


def _is_of_system(domain: str, service: str) -> bool:
    """Return whether a service affects the system and not a device, such as `backup.create`."""
    if domain == "homeassistant":
        return service not in _PLAIN_SERVICES and service != "update_entity"
    return domain in _SYSTEM_DOMAINS


def _use_of(
    hass: HomeAssistant, entity_id: str, service: str, arguments: Mapping[str, Any]
) -> _Use:
    state = hass.states.get(entity_id)
    most = state.attributes.get("max_temp") if state is not None else None
    is_hot = (
        isinstance(most, int | float)
        and TemperatureConverter.convert(
            most, hass.config.units.temperature_unit, UnitOfTemperature.CELSIUS
        )
        > _HOTTEST_ROOM
    )
    return _Use(
        domain=split_entity_id(entity_id)[0],
        service=service,
        arguments=arguments,
        device_class=_device_class(hass, entity_id),
        state=state,
        is_hot=is_hot,
    )


def _device_class(hass: HomeAssistant, entity_id: str) -> str | None:
    state, entry = hass.states.get(entity_id), er.async_get(hass).async_get(entity_id)
    device_class = state.attributes.get(ATTR_DEVICE_CLASS) if state is not None else None
    if device_class is None and entry is not None:
        return entry.device_class or entry.original_device_class
    return device_class


def _domain_risk(use: _Use) -> RiskClass | None:
    """Return the risk of an action, from the domain and device class of its entity.

    Every service of locks and alarm panels that is not known to be harmless counts as risky.
    `consequences` finds the entities that scripts, scenes and groups affect.
    """
    service = use.service
    match use.domain:
        case "lock":
            risk, is_risky = RiskClass.UNLOCK, service != "lock"
        case "alarm_control_panel":
            is_full = use.state is not None and use.state.state in _ARMED_FULLY
            arms = service in _ARMING_FULLY or (service in _ARMING_PARTLY and not is_full)
            risk, is_risky = RiskClass.DISARM, not arms
        case "cover":
            risk, is_risky = RiskClass.OPEN, use.device_class in _ENTRANCES and use.opens
        case "valve":
            risk, is_risky = RiskClass.OPEN, use.opens
        case "siren":
            risk, is_risky = RiskClass.SECURITY_OFF, use.stops
        case "camera":
            hides = not _HIDING.isdisjoint(service.split("_"))
            risk, is_risky = RiskClass.SECURITY_OFF, use.stops or hides
        case "update":
            risk, is_risky = RiskClass.MAINTENANCE, service not in {"skip", "clear_skipped"}
        case "button":
            risk, is_risky = RiskClass.MAINTENANCE, use.device_class in {"restart", "update"}
        case "climate":
            risk, is_risky = RiskClass.HEAT, use.is_hot and use.starts
        case _:
            return None
    return risk if is_risky else None


def _classified_risk(hass: HomeAssistant, entity_id: str, use: _Use) -> RiskClass | None:
    """Return the risk of an action, from the model's classification of the entity."""
    if not needs_verdict(hass, entity_id):
        return None
    risk = verdict_risk(hass, entity_id)
    if use.domain == "remote" and (use.service not in _PLAIN_SERVICES or use.arguments):
        # The command is in the arguments: one remote may dim a lamp and open a garage.
        return worst_of((risk, RiskClass.UNRESOLVED))
    match risk:
        case RiskClass.HEAT:
            is_safe = not use.starts
        case RiskClass.OPEN | RiskClass.UNCLEAR:
            # Switching off a relay may open a door.
            is_safe = use.domain in {"cover", "valve"} and not use.opens
        case RiskClass.FOOD:
            is_safe = not use.stops
        case RiskClass.NETWORK:
            # Other switches may pause the network when they are on.
            is_safe = use.device_class == _OUTLET and not use.stops
        case _:
            is_safe = False
    return None if is_safe else risk


@dataclass(slots=True)
class Effects:
    """All entities that an action affects, and their risks."""

    entities: set[str] = field(default_factory=set)
    """Ids of the affected entities, including members of groups and scenes."""

    risks: dict[RiskClass, set[str]] = field(default_factory=dict)
    """Risk class -> ids of the entities with this risk."""

    unresolved: list[str] = field(default_factory=list)
    """Descriptions of steps that cannot be analysed, such as one with a template."""

    unclassified: set[str] = field(default_factory=set)
    """Ids of the entities whose risk a classification can raise, and that have none."""

    @property
    def risk(self) -> RiskClass | None:
        """The worst risk class of these effects; None if there is no risk."""
        return worst_of((*self.risks, RiskClass.UNRESOLVED if self.unresolved else None))

    @property
    def undecided(self) -> frozenset[str]:
        """Ids of the entities whose missing classification decides about a question."""
        return frozenset(self.unclassified if self.risk in {None, RiskClass.UNCLEAR} else ())

    @property
    def at_risk(self) -> frozenset[str]:
        """Ids of the affected entities with the worst risk class of these effects (`risk`)."""
        return frozenset(self.risks.get(self.risk, ())) if self.risk else frozenset()

    def is_covered_by(self, agreed: Effects | None) -> bool:
        """Return whether the person has confirmed every risk: `agreed`, or None for nothing."""
        if self.risk is None:
            return True
        if agreed is None or not set(self.unresolved) <= set(agreed.unresolved):
            return False
        if RiskClass.NEVER in self.risks:
            return False
        # A confirmation of an unknown risk covers every risk of the same entity.
        unknown = set().union(*(agreed.risks.get(risk, ()) for risk in UNKNOWN))
        return all(
            (risk in agreed.risks or bool(entities))
            and entities <= agreed.risks.get(risk, set()) | unknown
            for risk, entities in self.risks.items()
        )

    def add(self, entity_id: str, risk: RiskClass | None) -> None:
        """Add an affected entity and its risk."""
        self.entities.add(entity_id)
        if risk is not None:
            self.risks.setdefault(risk, set()).add(entity_id)
