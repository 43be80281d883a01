"""Data types of the SmartThings cloud: devices, events, capability definitions, errors.

The types contain no objects of Home Assistant or pysmartthings. In names, "raw" marks data of the
cloud.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

MAIN = "main"
"""Id of the component that every SmartThings device has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawComponent:
    """A component of a SmartThings device, such as `main` or `freezer`."""

    id: str
    label: str
    capabilities: tuple[str, ...]
    """Ids of all capabilities, including disabled ones."""

    category: str | None = None
    """Category, e.g. `Television`; the user's choice takes precedence over the manufacturer's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawDevice:
    """A device in the SmartThings cloud."""

    id: str
    """SmartThings device id (a UUID)."""

    label: str
    components: tuple[RawComponent, ...]
    entry_id: str
    """Id of the `smartthings` config entry that has the device."""

    def component(self, component_id: str) -> RawComponent | None:
        """Return the component with this id, or None."""
        return next((each for each in self.components if each.id == component_id), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class RawEvent:
    """An attribute value that a SmartThings device reported; it may equal the previous value."""

    device_id: str
    component_id: str
    capability: str
    attribute: str
    value: object


@dataclass(frozen=True, slots=True, kw_only=True)
class RawValue:
    """The last reported value of a SmartThings attribute."""

    value: object
    unit: str = ""


type Attributes = Mapping[str, RawValue]
"""Attribute name -> value, for one capability of one SmartThings component."""

type EventListener = Callable[[RawEvent], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeDefinition:
    """The definition of one attribute of a SmartThings capability."""

    name: str
    schema: Mapping[str, object] = field(default_factory=dict)
    """JSON Schema (draft 4) of the value."""

    units: tuple[str, ...] = ()
    setter: str | None = None
    """Command that sets the attribute; its first argument is the new value."""

    enum_commands: Mapping[str, object] = field(default_factory=dict)
    """Command without arguments -> value that it sets, e.g. `{"turnOn": "on"}`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentDefinition:
    """The definition of a command argument; the cloud expects arguments by position."""

    name: str
    optional: bool = False
    schema: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandDefinition:
    """The definition of one command of a SmartThings capability."""

    name: str
    arguments: tuple[ArgumentDefinition, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """The definition of a SmartThings capability, from `GET /v1/capabilities/{id}/{version}`."""

    id: str
    attributes: tuple[AttributeDefinition, ...] = ()
    commands: tuple[CommandDefinition, ...] = ()
    is_complete: bool = True
    """False if only the names of the attributes and commands are known."""

    def attribute(self, name: str) -> AttributeDefinition | None:
        """Return the definition of the attribute with this exact name, or None."""
        return next((each for each in self.attributes if each.name == name), None)

    def command(self, name: str) -> CommandDefinition | None:
        """Return the definition of the command with this exact name, or None."""
        return next((each for each in self.commands if each.name == name), None)


class CloudErrorKind(StrEnum):
    """The reason why a request to the SmartThings cloud failed."""

    SIGN_IN = "sign_in"
    """401: the cloud rejects the access token."""
    PLAN = "plan"
    """402: the plan of the SmartThings account does not include the request."""
    DEVICE_STATE = "device_state"
    """409: the device cannot execute the command in its present state, for example while off."""
    REFUSED = "refused"
    """Any other 4xx: the request is invalid, or the account may not use the device."""
    RATE_LIMIT = "rate_limit"
    SERVER = "server"
    """5xx: an error in the cloud; the command may have been executed."""
    CONNECTION = "connection"
    """No connection; nothing was sent."""
    UNANSWERED = "unanswered"
    """No readable response in time; the request may have arrived."""


class CloudError(Exception):
    """Raised when a request to the SmartThings cloud fails.

    Its message is for logs and the language model.
    """

    def __init__(
        self,
        kind: CloudErrorKind,
        message: str,
        *,
        status: int | None = None,
        retry_after: float | None = None,
    ) -> None:
        """Store the details of the response; `retry_after` is the waiting time in seconds."""
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.status = status
        self.retry_after = retry_after

    @property
    def may_have_been_done(self) -> bool:
        """Whether the cloud may have executed the command in spite of the error."""
        return self.kind in {CloudErrorKind.UNANSWERED, CloudErrorKind.SERVER}
