"""Data types of SmartThings: devices, events, capability definitions.

They contain no objects of Home Assistant or pysmartthings. "Raw" means the devices as the cloud has
them, in contrast to their entities.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

MAIN = "main"
"""The component that every device has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawComponent:
    """A component of a device, such as `main` or `freezer`."""

    id: str
    label: str
    capabilities: tuple[str, ...]
    """Ids of all capabilities, including disabled ones."""

    category: str | None = None
    """Category by the manufacturer or the person: `Television`, `Refrigerator`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawDevice:
    """A device in the SmartThings cloud."""

    id: str
    """SmartThings device id (a UUID)."""

    label: str
    components: tuple[RawComponent, ...]
    entry_id: str
    """Id of the config entry of Home Assistant's integration."""

    def component(self, component_id: str) -> RawComponent | None:
        """Return the component with this id; None if there is none."""
        return next((each for each in self.components if each.id == component_id), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class RawEvent:
    """A report of an attribute by its device; the value may be unchanged."""

    device_id: str
    component_id: str
    capability: str
    attribute: str
    value: object


@dataclass(frozen=True, slots=True, kw_only=True)
class RawValue:
    """The last reported value of an attribute."""

    value: object
    unit: str | None = None


class TextOrigin(StrEnum):
    """The origin of a capability's description."""

    API = "api"
    GENERATED = "generated"
    """Written by a language model from the definition."""
    IDENTIFIER = "identifier"
    """Derived from the id of the capability."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeDefinition:
    """An attribute in the definition of a capability."""

    name: str
    schema: Mapping[str, object] = field(default_factory=dict)
    """JSON Schema (draft 4) of the value."""

    units: tuple[str, ...] = ()
    setter: str | None = None
    """Command that sets the attribute to its first argument."""

    enum_commands: Mapping[str, object] = field(default_factory=dict)
    """Command without arguments -> value that it sets."""

    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentDefinition:
    """An argument of a command; the cloud takes them by position."""

    name: str
    optional: bool = False
    schema: Mapping[str, object] = field(default_factory=dict)
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandDefinition:
    """A command of a capability."""

    name: str
    arguments: tuple[ArgumentDefinition, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """The attributes and commands of a capability: `GET /v1/capabilities/{id}/{version}`."""

    id: str
    version: int = 1
    attributes: tuple[AttributeDefinition, ...] = ()
    commands: tuple[CommandDefinition, ...] = ()
    summary: str = ""
    origin: TextOrigin = TextOrigin.IDENTIFIER
    is_complete: bool = True
    """False if only names are known because the cloud sent no definition (yet)."""

    def attribute(self, name: str) -> AttributeDefinition | None:
        """Return the attribute with this exact name, else None."""
        return next((each for each in self.attributes if each.name == name), None)

    def command(self, name: str) -> CommandDefinition | None:
        """Return the command with this exact name, else None."""
        return next((each for each in self.commands if each.name == name), None)


class CloudErrorKind(StrEnum):
    """The reason why a request to the cloud failed."""

    SIGN_IN = "sign_in"
    """401: the token is not accepted."""
    PLAN = "plan"
    """402: the plan of the SmartThings account does not include the request."""
    FORBIDDEN = "forbidden"
    NOT_FOUND = "not_found"
    DEVICE_STATE = "device_state"
    """409: the device cannot execute the command now; it is often off or asleep."""
    MALFORMED = "malformed"
    """400 or 422: the cloud does not accept the request."""
    RATE_LIMIT = "rate_limit"
    SERVER = "server"
    """5xx: an error in the cloud; the request may have been carried out."""
    TIMEOUT = "timeout"
    """No response in time; the request may have arrived."""
    CONNECTION = "connection"
    """No connection; nothing was sent."""
    BROKEN = "broken"
    """The connection broke or the response is unreadable; the request may have arrived."""
    UNEXPECTED = "unexpected"
    """Any other status."""


class CloudError(Exception):
    """A failed request to the cloud; the text of the error is for logs and models."""

    def __init__(
        self,
        kind: CloudErrorKind,
        message: str,
        *,
        status: int | None = None,
        code: str | None = None,
        target: str | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        """Keep the details of the response; `retry_after` in seconds."""
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.status = status
        self.code = code
        self.target = target
        self.request_id = request_id
        self.retry_after = retry_after

    @property
    def may_have_been_done(self) -> bool:
        """Whether the command may have been carried out in spite of the error."""
        return self.kind in {
            CloudErrorKind.TIMEOUT,
            CloudErrorKind.BROKEN,
            CloudErrorKind.SERVER,
        }
