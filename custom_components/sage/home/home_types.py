"""Data types of the home, the same for all backends, without Home Assistant objects."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, Final

from ..const import LOOK
from .prompt_text import labels
from .values import without_codes, without_secrets

_MOST_SHOWN: Final = 20  # maximum number of values that `shown_values` lists


ENTITIES: Final = "homeassistant"
"""`source` of entities. Other components have the `source` of their extension (`Extension`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """A part of a device: an entity, or a component of an extension."""

    id: str  # entity id, or component id of an extension (unique only within the device)
    name: str  # name of the component; empty for a component that stands for the whole device
    capabilities: tuple[str, ...]  # the domain of an entity, or the capability ids of an extension
    kind: str | None = None
    """Device class of an entity, or category of the component; None if unknown."""

    aliases: tuple[str, ...] = ()  # aliases of the entity; `Device.aliases` contains them, too
    labels: tuple[str, ...] = ()
    """Names of the labels of the entity, also through its device and area."""

    source: str = ENTITIES
    source_id: str | None = None
    """Id of the device in its extension; None for an entity. Never shown to a model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A device in SAGE's list; entities without one, or in another area, are their own."""

    id: str  # short, readable, stable id for the model, made from the name. Never stored.
    name: str
    aliases: tuple[str, ...] = ()
    area: str | None = None
    floor: str | None = None
    components: tuple[Component, ...] = ()  # the entities of the device
    more_components: tuple[Component, ...] = ()
    """The components of extensions, with capabilities that no entity offers."""

    model: str | None = None  # manufacturer and model; None if unknown
    registry_ids: tuple[str, ...] = ()
    """Registry ids of the device and its entities, for stored references.

    An unregistered entity has its entity id here. Models never see these ids.
    """

    caption: str = ""  # captions of the device's photos on one line; empty without captions

    def spoken_name(self, part: Component) -> str:
        """Return the name of a component for speech: `Fridge` or `Fridge freezer`."""
        own, whole = part.name.casefold(), self.name.casefold()
        is_only = part.source == ENTITIES and len(self.components) == 1
        if is_only or own in {"", whole}:
            return self.name
        return part.name if whole in own else f"{self.name} {part.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A value of the home: of an entity, or of a capability of an extension."""

    name: str  # name of the attribute; the main value is `state`
    value: object = None  # the current value; None if unknown
    meaning: str | None = None
    """Translation of `value`, e.g. `Open` for the state `on` of a door.

    None if there is no translation, or if it only repeats `value`. A value of an extension that
    may be outdated has the text "may be out of date" instead.
    """

    unit: str | None = None
    is_free_text: bool = False
    """Whether the value may be text from an untrusted source, such as a media title."""

    @property
    def shown(self) -> object:
        """The meaning of the value, or the value if it has no meaning."""
        return self.value if self.meaning is None else self.meaning


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute(Fact):
    """The description of an attribute: its current value and possible values."""

    type: str  # one of number, integer, string, boolean, list, object
    minimum: float | None = None
    maximum: float | None = None
    values: tuple[str, ...] = ()  # all possible values; empty if unknown
    meanings: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Possible value -> meaning, e.g. `on` -> `Open`; empty if there are many."""

    @property
    def shown_values(self) -> str:
        """Up to 20 possible values in quotes, with meanings: `'off' (Closed), 'on' (Open)`."""
        return ", ".join(
            f"{value!r} ({self.meanings[value]})" if value in self.meanings else repr(value)
            for value in labels(self.values)[:_MOST_SHOWN]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """The type and possible values of a command's argument, or of an attribute."""

    name: str = ""  # name of the argument; empty for an attribute
    type: str = "string"
    """One of number, integer, string, boolean, list, object; object accepts any value."""

    required: bool = False
    description: str = ""
    """What the argument does; if that is unknown or `type` is not enough, format of the value."""

    unit: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    step: float | None = None
    values: tuple[str, ...] = ()
    """The only allowed values; for a list, the allowed items. Empty if any value is allowed."""

    is_reference: bool = False
    """Whether the value refers to a part of the home, such as an entity or area."""

    state_of: str | None = None
    """Attribute of the entity whose possible values are allowed; "" for its state, else None."""

    default: object = None
    """Value to send if a required argument is missing; None if the argument must be given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandDescription:
    """The description of a Home Assistant action for an entity, or of a command of an extension."""

    name: str
    description: str = ""
    arguments: tuple[Argument, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DevicePart:
    """A part of a device with values and commands: an entity, or a capability of a component."""

    device_id: str
    device_name: str
    component_id: str
    capability: str  # an entity domain (`light`) or a capability of an extension (`switchLevel`)
    source: str = ENTITIES
    area: str | None = None  # name of the device's area, to tell devices with equal names apart

    @property
    def is_entity(self) -> bool:
        """Whether the part is an entity, not a capability of an extension."""
        return self.source == ENTITIES

    def fields_of(self, kind: type[DevicePart]) -> dict[str, Any]:
        """Return the fields of one of its classes: name -> value."""
        return {each.name: getattr(self, each.name) for each in fields(kind)}

    def reading(self, attributes: Iterable[Fact], *, available: bool = True) -> Reading:
        """Return a reading of this part with these values."""
        own = self.fields_of(DevicePart)
        return Reading(**own, attributes=tuple(attributes), available=available)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading(DevicePart):
    """The values of one component at one time."""

    attributes: tuple[Fact, ...] = ()
    available: bool = True

    @property
    def values(self) -> dict[str, object]:
        """The values by the names of their attributes."""
        return {fact.name: fact.value for fact in self.attributes}

    def fact(self, name: str) -> Fact | None:
        """Return the value with this name; None if there is none."""
        return next((fact for fact in self.attributes if fact.name == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Documentation(Reading):
    """The values of one capability of a component, its possible values and its commands."""

    attributes: tuple[Attribute, ...] = ()
    commands: tuple[CommandDescription, ...] = ()
    summary: str = ""
    notes: tuple[str, ...] = ()
    """Additional sentences for the model, such as a note that remote control is off."""

    is_alone: bool = False
    """Whether only this component has commands, so that a command need not name it."""

    caption: str = ""  # captions of the device's photos, to tell devices with equal names apart


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command that the model, a routine or SAGE itself requests; not validated yet."""

    device_id: str  # id or name of a device, component or group
    name: str  # name of the command in the documentation of the device
    component_id: str | None = None
    """Id of the component; optional if only one component of the device has the command."""

    capability: str | None = None
    arguments: Mapping[str, object] = field(default_factory=dict)
    asked_for: Callable[[], Awaitable[bool]] | None = None
    """Function that returns False if untrusted text may have caused the command.

    The command then needs confirmation. None: no untrusted text can have caused it.
    """


class RiskClass(StrEnum):
    """Why an action needs confirmation, worst first; SAGE refuses an action only for `NEVER`."""

    NEVER = "never"  # the household forbids the action; SAGE refuses it without a question
    UNLOCK = "unlock"
    DISARM = "disarm"
    LIFE = "life"  # life or health of people or animals depends on the device: an oxygen supply
    OPEN = "open"  # the action opens a garage, gate, outer door or valve
    SECURITY_OFF = "security_off"  # the action switches off a security alarm, siren or camera
    HEAT = "heat"  # the action starts an oven, cooktop, heater or iron
    FOOD = "food"  # the action switches off a fridge or freezer
    NETWORK = "network"  # the action switches off the network or the home's server
    MAINTENANCE = "maintenance"  # the action installs firmware, or restarts or resets a device
    FILE = "file"  # it uses a path of no camera or image inside the media folders
    LOOK = "look"  # the action sends a picture of a camera or image to a language model
    UNRESOLVED = "unresolved"  # effects, such as those of a script, cannot be found out completely
    UNCLEAR = "unclear"  # no classification, or the model cannot tell what the entity controls
    CHOSEN = "chosen"  # the household wants to be asked about the entity
    FOREIGN = "foreign"  # the action calls a tool of another integration that is not read-only
    OUTSIDE = "outside"  # harmless, but untrusted text, such as a mail, may have caused it


class OutcomeKind(StrEnum):
    """The result of a command."""

    VERIFIED = "verified"  # the expected change was observed
    ALREADY = "already"  # the device was in the wanted state before the command
    UNDER_WAY = "under_way"  # started but not finished, such as a cover that is opening
    REACHED = "reached"  # changed, but to another value than the wanted one: 40 % instead of 50 %
    SENT = "sent"  # sent, but nothing can be observed (scenes, buttons, notifications)
    NOT_CONFIRMED = "not_confirmed"  # sent, but the expected change was not observed
    REFUSED = "refused"
    FAILED = "failed"


DONE: Final = frozenset(
    {OutcomeKind.VERIFIED, OutcomeKind.ALREADY, OutcomeKind.UNDER_WAY, OutcomeKind.SENT}
)
"""Outcomes that count as success."""


PUT_BACK: Final = "put_back"
"""Value of `Outcome.command` for a command that restores an earlier state."""


EARLIER: Final = "earlier_"  # prefix of the names of earlier values, such as `earlier_state`


REFUSED_CHANGED_SINCE: Final = "outcome_refused_changed_since"
"""Value of `Outcome.reason` for an undo that leaves what somebody has changed since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandTarget(DevicePart):
    """The entity, or capability of a component, that a command is for."""

    source_id: str | None = None  # id of the device in its extension; None for an entity

    @property
    def component_key(self) -> tuple[str, ...]:
        """A unique key of the entity or capability; extensions' component ids are not unique."""
        if self.source_id is None:
            return (self.component_id,)
        return (self.component_id, self.source_id, self.capability)

    def outcome(self, kind: OutcomeKind, detail: str = "", **more: Any) -> Outcome:
        """Return an outcome of a command for this target; `more` are other fields of `Outcome`."""
        return Outcome(kind=kind, detail=detail, **self.fields_of(CommandTarget), **more)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome(CommandTarget):
    """The result of one command on one component, with the values before and after it."""

    kind: OutcomeKind
    command: str
    arguments: Mapping[str, object] = field(default_factory=dict)
    detail: str = ""  # text for the model: the result and the next step
    reason: str | None = None
    """Translation key of the reason for a refusal or failure; None without a reason."""

    reason_placeholders: Mapping[str, str] = field(default_factory=dict)
    before: Mapping[str, object] = field(default_factory=dict)
    after: Mapping[str, object] = field(default_factory=dict)
    """Attribute name -> new value of a changed attribute; `before` has the old values."""

    restore: Mapping[str, object] = field(default_factory=dict, repr=False)
    """All values before the command, for undo; not included in `as_dict`."""

    wanted: Mapping[str, Sequence[object]] = field(default_factory=dict, repr=False)
    """Attribute -> accepted target values; not included in `as_dict`."""

    is_read: bool = False
    """Whether the command changes nothing and returns a response, such as a forecast."""

    response: str = ""
    """The response of the action as JSON, e.g. of a script; empty without a response."""

    is_free_text: bool = False
    """Whether `response` may contain text from an untrusted source, such as a calendar."""

    @property
    def is_done(self) -> bool:
        """Whether the command counts as a success."""
        return self.kind in DONE

    @property
    def has_looked(self) -> bool:
        """Whether the command looked through a camera; traces list only this kind of read."""
        return self.command == ".".join(LOOK)

    @property
    def is_left(self) -> bool:
        """Whether an undo skipped the device because its state had changed meanwhile."""
        return self.reason == REFUSED_CHANGED_SINCE

    @property
    def is_put_back(self) -> bool:
        """Whether the command restored an earlier state."""
        return self.command == PUT_BACK

    def as_dict(self) -> dict[str, object]:
        """Return the outcome as a JSON object for a stored log, without secrets."""
        return {
            "kind": self.kind.value,
            "device": self.device_id,
            "name": self.device_name,
            "component": self.component_id,
            "capability": self.capability,
            "command": self.command,
            "arguments": without_codes(self.arguments),
            "detail": self.detail or self.response,
            "reason": self.reason,
            "before": without_secrets(self.before),
            "after": without_secrets(self.after),
        }


class HomeError(Exception):
    """A request that the home cannot fulfil; the text says how to fix it, for the model."""


class NoCommandError(HomeError):
    """Raised when a device's entities, or its components of an extension, lack a command.

    The error is about one of them; another may have the command. `has_other`: the error names it.
    """

    def __init__(self, text: str, *, has_other: bool = False) -> None:
        super().__init__(text)
        self.has_other = has_other
