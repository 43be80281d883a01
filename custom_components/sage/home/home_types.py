"""The plain data of the home: devices, documentation, commands, outcomes.

These types are shared by all providers (DESIGN 5). They hold no Home Assistant
objects, so that pure logic can be tested without a running system.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from .values import HIDDEN, is_secret, without_secrets

_MOST_SHOWN: Final = 20
"""Most values of an attribute in one line."""


class Source(StrEnum):
    """Where a component comes from; its provider serves it."""

    HOME_ASSISTANT = "homeassistant"
    SMARTTHINGS = "smartthings"


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """A part of a device that has capabilities of its own.

    For Home Assistant a component is an entity and its id the entity id, for
    SmartThings it is a component of the device, such as `main` or `freezer`.
    """

    id: str
    """Unique in the home for an entity, within its device for a raw component."""

    name: str
    """Empty for a raw component that is the device as a whole."""

    capabilities: tuple[str, ...]
    """Ids of the capabilities; for Home Assistant the domain of the entity."""

    kind: str | None = None
    """What sort of thing it is, such as a device class; None when not told."""

    aliases: tuple[str, ...] = ()
    """Other names that people gave this part; they are aliases of the device, too."""

    source: Source = Source.HOME_ASSISTANT
    raw_device_id: str | None = None
    """The device in the cloud, for components that are no entities; never shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A thing in the home that a person would point at."""

    id: str
    """Short, readable, stable; shown to models. Never stored."""

    name: str
    aliases: tuple[str, ...] = ()
    area: str | None = None
    floor: str | None = None
    components: tuple[Component, ...] = ()
    """The entities that belong to it."""

    raw_components: tuple[Component, ...] = ()
    """What a cloud tells of it beside, with the capabilities that its entities do not serve."""

    model: str | None = None
    """Manufacturer and model, when known."""

    registry_ids: tuple[str, ...] = ()
    """Registry ids of the device and its entities, for stored references; never shown.

    An entity that has none is referred to by its entity id.
    """

    caption: str = ""
    """What its photos show; empty without photos."""

    def spoken_name(self, part: Component) -> str:
        """Return what to call a part of it when speaking: `Fridge` or `Fridge freezer`."""
        own, whole = part.name.casefold(), self.name.casefold()
        is_only = part.source is Source.HOME_ASSISTANT and len(self.components) == 1
        if is_only or own in {"", whole}:
            return self.name
        return part.name if whole in own else f"{self.name} {part.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """A value that can be read, and what it may be."""

    name: str
    type: str
    """One of number, integer, string, boolean, list, object."""

    description: str = ""
    unit: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    values: tuple[str, ...] = ()
    """All possible values, when they are known."""

    value: object = None
    """The current value."""

    meaning: str | None = None
    """What the current value means, when that says more: `open` for `on` of a door."""

    is_free_text: bool = False
    """Others may have written the value: it is fenced in prompts (DESIGN 10)."""

    @property
    def meanings(self) -> dict[str, str]:
        """Value -> meaning, from a description such as `on = Open, off = Closed`."""
        found: dict[str, str] = {}
        for part in self.description.rpartition("; ")[2].split(", "):
            value, equals, label = part.partition(" = ")
            if equals and value in self.values:
                found[value] = label
        return found

    @property
    def shown_values(self) -> str:
        """Its possible values as code, with their meanings: `'off' (Closed), 'on' (Open)`."""
        meanings = self.meanings
        return ", ".join(
            f"{value!r} ({meanings[value]})" if value in meanings else repr(value)
            for value in self.values[:_MOST_SHOWN]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """An argument of a command."""

    name: str
    type: str
    """One of number, integer, string, boolean, list, object."""

    required: bool = False
    description: str = ""
    unit: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    step: float | None = None
    values: tuple[str, ...] = ()
    """The only values allowed; empty for no such list."""

    is_reference: bool = False
    """The value names entities, devices, areas or media: the gate resolves it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """Something a capability can do."""

    name: str
    description: str = ""
    arguments: tuple[Argument, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Documentation:
    """The documentation of one capability of one component, with current values."""

    device_id: str
    device_name: str
    component_id: str
    capability: str
    summary: str = ""
    attributes: tuple[Attribute, ...] = ()
    commands: tuple[Command, ...] = ()
    available: bool = True
    area: str | None = None
    """Where the device is; tells devices of the same name apart."""

    source: Source = Source.HOME_ASSISTANT
    notes: tuple[str, ...] = ()
    """What a model must know beside, such as that remote control is switched off."""

    is_alone: bool = False
    """No other component of the device takes commands: a command need not name this one."""

    caption: str = ""
    """What photos of the device show; tells devices of the same name apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The values of a component at one moment."""

    device_id: str
    device_name: str
    component_id: str
    values: Mapping[str, object]
    """Attribute name -> value; the main value is called `state`."""

    available: bool = True
    area: str | None = None
    units: Mapping[str, str] = field(default_factory=dict)
    """Attribute name -> unit, where there is one."""

    meanings: Mapping[str, str] = field(default_factory=dict)
    """Attribute name -> what the value means, where that says more than the value."""

    capability: str | None = None
    """Set where the values are those of one raw capability."""

    free_text: frozenset[str] = frozenset()
    """Names of the values that others may have written: they are fenced in prompts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRequest:
    """A command as a model asks for it: nothing in it is trusted yet."""

    device_id: str
    command: str
    component_id: str | None = None
    """May be left out when only one component of the device has the command."""

    capability: str | None = None
    arguments: Mapping[str, object] = field(default_factory=dict)


class RiskClass(StrEnum):
    """Why an action needs the person's confirmation (DESIGN 5, the gate)."""

    NEVER = "never"
    """The household wants it never done: it is refused, and nobody is asked."""
    UNLOCK = "unlock"
    DISARM = "disarm"
    OPEN = "open"
    """Open a garage, gate, outer door or valve."""
    SECURITY_OFF = "security_off"
    """Switch off a security alarm, siren or camera."""
    HEAT = "heat"
    """Start an oven, cooktop, heater or iron."""
    MAINTENANCE = "maintenance"
    """Install firmware, restart or reset a device."""
    UNRESOLVED = "unresolved"
    """What a script or scene does could not be found out."""
    FILE = "file"
    """Use a file outside the media folders, where it may be served without login."""
    FOREIGN = "foreign"
    """A tool of another integration that changes something."""


class OutcomeKind(StrEnum):
    """What became of a command (DESIGN 5, evidence)."""

    VERIFIED = "verified"
    ALREADY = "already"
    UNDER_WAY = "under_way"
    SENT = "sent"
    """Sent, but nothing can be observed (scenes, buttons, notifications)."""
    NOT_CONFIRMED = "not_confirmed"
    REFUSED = "refused"
    FAILED = "failed"


def without_codes(arguments: Mapping[str, object]) -> dict[str, object]:
    """Return arguments as they may be shown: codes of locks and alarms are left out."""
    return {
        name: HIDDEN if is_secret(name) else without_secrets(value)
        for name, value in arguments.items()
    }


PUT_BACK: Final = "put_back"
"""The name of the command in the outcomes of an undo."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The record of one command on one component."""

    kind: OutcomeKind
    device_id: str
    device_name: str
    component_id: str
    capability: str
    command: str
    arguments: Mapping[str, object] = field(default_factory=dict)
    detail: str = ""
    """For the model: what happened, and what would be right."""

    reason: str | None = None
    """Translation key of the reason for a refusal or failure, for the person."""

    reason_placeholders: Mapping[str, str] = field(default_factory=dict)
    before: Mapping[str, object] = field(default_factory=dict)
    after: Mapping[str, object] = field(default_factory=dict)
    """The values that changed, before and after; the main value is `state`."""

    restore: Mapping[str, object] = field(default_factory=dict, repr=False)
    """All values before, for putting them back; in no trace."""

    wanted: Mapping[str, Sequence[object]] = field(default_factory=dict, repr=False)
    """Values that the command was to bring, each by one of several; in no trace.

    Where none of them is there yet, `after` is on its way to it. With none named, `after`
    is on its way to where nobody knows.
    """

    is_read: bool = False
    """The command only answers, as a forecast does: nothing was to be changed."""

    is_free_text: bool = False
    """Others may have written the answer in `detail`: it is fenced in prompts."""

    source: Source = Source.HOME_ASSISTANT
    raw_device_id: str | None = None
    """The device in the cloud, where the command went to it raw; in no trace."""

    area: str | None = None
    """Where the device is; tells devices of the same name apart."""

    def as_dict(self) -> dict[str, object]:
        """Return it as JSON has it, for traces."""
        return {
            "kind": self.kind.value,
            "device": self.device_id,
            "name": self.device_name,
            "component": self.component_id,
            "capability": self.capability,
            "command": self.command,
            "arguments": without_codes(self.arguments),
            "detail": self.detail,
            "reason": self.reason,
            "before": without_secrets(self.before),
            "after": without_secrets(self.after),
        }


class HomeError(Exception):
    """A request that the home cannot serve; the text names the mend.

    Raised for unknown ids, commands and arguments. Its text is shown to the
    model as an observation.
    """


class NoCommandError(HomeError):
    """Nothing that was asked has the command; another view of the device may have it."""
