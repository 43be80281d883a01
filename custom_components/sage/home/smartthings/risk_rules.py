"""Risk of SmartThings commands.

It depends on the capability, the command and the category of the device.

Commands of locks, alarms, doors and ovens need confirmation unless they are known to be harmless,
and so do those of plugs and relays, whose category does not show what they switch.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from ...text.words import id_words
from ..home_types import RiskClass
from ..safety.risk import worst_of
from .raw import MAIN
from .withheld import is_never_offered

_LOCK_CAPABILITIES: Final = frozenset({"lock", "lockOnly", "lockCodes"})
_DOOR_CAPABILITIES: Final = frozenset({"doorControl", "garageDoorControl"})
_LOCKING: Final = frozenset({"lock", "close"})
_HARMLESS_LOCKS: Final = frozenset({"kids", "child", "water", "panel", "button", "key", "screen"})

_LOCKS: Final = frozenset({"smartlock"})
_DOORS: Final = frozenset({"garagedoor", "door", "gate"})
_VALVES: Final = frozenset({"watervalve", "gasvalve"})
_ALARMS: Final = frozenset({"securitypanel"})
_SIRENS: Final = frozenset({"siren"})
_GUARDS: Final = frozenset(
    {
        "camera",
        "doorbell",
        "visionsensor",
        "smokedetector",
        "leaksensor",
        "motionsensor",
        "contactsensor",
        "multifunctionalsensor",
        "presencesensor",
    }
)
_HEATERS: Final = frozenset(
    {"oven", "range", "cooktop", "stove", "microwave", "heatedmattresspad", "airfryer", "heater"}
)
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

_SHADES: Final = frozenset({"blind", "shade", "window", "vent"})
_INERT: Final = frozenset(
    {
        "television",
        "settop",
        "projector",
        "hometheater",
        "networkaudio",
        "speaker",
        "receiver",
        "blurayplayer",
        "refrigerator",
        "cuberefrigerator",
        "kimchirefrigerator",
        "winecellar",
        "dishwasher",
        "washer",
        "dryer",
        "clothingcaremachine",
        "shoescaremachine",
        "robotcleaner",
        "stickvacuumcleaner",
    }
)
"""Categories of devices without a way into the home."""

_VAGUE: Final = frozenset({None, "switch", "smartplug", "remotecontroller", "light"})
"""Categories that do not show what the device switches; a lamp also has a lamp capability."""

_LAMP_CAPABILITIES: Final = frozenset({"switchLevel", "colorControl", "colorTemperature"})

_ENDING: Final = frozenset({"off", "stop", "pause", "cancel", "end", "close", "abort"})
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


@dataclass(frozen=True, slots=True, kw_only=True)
class RawThing:
    """The properties of a SmartThings component that determine the risk of its commands."""

    categories: frozenset[str] = frozenset()
    """Categories of this component and of the component `main`, in lower case."""

    category: str | None = None
    """Category of this component, or else of the component `main`; None if unknown."""

    capabilities: frozenset[str] = frozenset()
    """Ids of this component's capabilities."""

    part: str = MAIN
    """Id of this component."""

    armed: str | None = None
    """Current state of the security system; None if unknown or if there is no such system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawAction:
    """A SmartThings command; `arguments` maps argument names to values."""

    capability: str
    command: str
    arguments: Mapping[str, object]

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
            return value.casefold() in _ENDING | {"closed", "paused", "stopped", "idle", "none"}
        return isinstance(value, int | float) and value == 0


def risk_of(thing: RawThing, action: RawAction) -> RiskClass | None:
    """Return the risk of a SmartThings command; None if it needs no confirmation.

    The entities of the device are not considered.
    """
    if is_never_offered(action.capability):
        return RiskClass.UNRESOLVED
    if _is_maintenance(action):
        return RiskClass.MAINTENANCE
    return worst_of(rule(thing, action) for rule in _RULES)


def _is_maintenance(action: RawAction) -> bool:
    return bool(action.words & _WIPING) and not action.words & _HARMLESS_UPKEEP


def _lock(thing: RawThing, action: RawAction) -> RiskClass | None:
    works_a_lock = "lock" in id_words(action.capability) and not action.is_about_a_child_lock
    is_lock = bool(thing.categories & _LOCKS or thing.capabilities & _LOCK_CAPABILITIES)
    if not (works_a_lock or is_lock) or action.command in _LOCKING:
        return None
    return RiskClass.UNLOCK


def _alarm(thing: RawThing, action: RawAction) -> RiskClass | None:
    if action.capability != "securitySystem" and not thing.categories & _ALARMS:
        return None
    if action.command == "armAway":
        return None
    if action.command == "armStay" and thing.armed not in {None, _FULLY_ARMED}:
        return None
    return RiskClass.DISARM


def _door(thing: RawThing, action: RawAction) -> RiskClass | None:
    is_door = thing.categories & _DOORS or thing.capabilities & _DOOR_CAPABILITIES
    if action.capability in _DOOR_CAPABILITIES:
        is_door = _DOORS
    if thing.categories & _HEATERS or thing.category in _INERT:
        # The door of an appliance, such as a microwave, is not an entrance.
        return None
    if not is_door or action.command in _LOCKING or action.words & {"lamp", "light", "lighting"}:
        return None
    return None if action.ends and "off" not in action.command_words else RiskClass.OPEN


def _valve(thing: RawThing, action: RawAction) -> RiskClass | None:
    if action.capability != "valve" and not thing.categories & _VALVES:
        return None
    return None if action.ends else RiskClass.OPEN


def _siren(thing: RawThing, action: RawAction) -> RiskClass | None:
    if action.capability == "alarm":
        return None if action.command in _SOUNDING else RiskClass.SECURITY_OFF
    if not thing.categories & _SIRENS or action.command in _SOUNDING:
        return None
    return RiskClass.SECURITY_OFF


def _guard(thing: RawThing, action: RawAction) -> RiskClass | None:
    guards = thing.categories & _GUARDS or action.capability == "videoCamera"
    return RiskClass.SECURITY_OFF if guards and action.silences else None


def _heat(thing: RawThing, action: RawAction) -> RiskClass | None:
    words = frozenset(id_words(action.capability))
    heats = words & _HEATING_WORDS or thing.categories & _HEATERS
    if not heats or action.ends:
        return None
    harmless = words & _HARMLESS_PARTS or set(id_words(thing.part)) & {
        "lamp",
        "light",
        "hood",
    }
    return None if harmless else RiskClass.HEAT


def _vague(thing: RawThing, action: RawAction) -> RiskClass | None:
    """Return UNCLEAR if the category does not show what the command switches or opens."""
    is_lamp = thing.category == "light" and thing.capabilities & _LAMP_CAPABILITIES
    if thing.category not in _VAGUE or is_lamp or action.is_about_a_child_lock:
        return None
    return RiskClass.UNCLEAR


_RULES: Final[tuple[Callable[[RawThing, RawAction], RiskClass | None], ...]] = (
    _lock,
    _alarm,
    _door,
    _valve,
    _siren,
    _guard,
    _heat,
    _vague,
)
