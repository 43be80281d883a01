"""The plain data of SmartThings: devices, events, capability definitions.

Holds no objects of Home Assistant or of a client library. "Raw" is what the cloud
has, in its own words, in contrast to the entities made from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

MAIN = "main"
"""The component that every device has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawComponent:
    """A part of a device, such as `main` or `freezer`."""

    id: str
    label: str
    capabilities: tuple[str, ...]
    """Ids of the capabilities as the device list has them, disabled ones included."""

    category: str | None = None
    """What the maker or the person says it is: `Television`, `Refrigerator`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawDevice:
    """A device of the SmartThings cloud."""

    id: str
    """Id in the cloud (a UUID)."""

    label: str
    components: tuple[RawComponent, ...]
    entry_id: str
    """Config entry of Home Assistant's integration that it belongs to."""

    def component(self, component_id: str) -> RawComponent | None:
        """Return the component with this id, None if there is none."""
        return next((each for each in self.components if each.id == component_id), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class RawEvent:
    """One attribute that was reported; not every event is a change."""

    device_id: str
    component_id: str
    capability: str
    attribute: str
    value: object


@dataclass(frozen=True, slots=True, kw_only=True)
class RawValue:
    """The value of an attribute as it was last reported."""

    value: object
    unit: str | None = None


class TextOrigin(StrEnum):
    """Where a text about a capability comes from."""

    API = "api"
    GENERATED = "generated"
    """Written once by a language model from the definition."""
    IDENTIFIER = "identifier"
    """Split from the name, for want of anything better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeDefinition:
    """An attribute of a capability as its definition has it."""

    name: str
    schema: Mapping[str, object] = field(default_factory=dict)
    """JSON Schema (draft 4) of the value itself."""

    units: tuple[str, ...] = ()
    setter: str | None = None
    """Command that sets it to its first argument."""

    enum_commands: Mapping[str, object] = field(default_factory=dict)
    """Command without arguments -> the value that it leads to."""

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
    """What a capability can tell and do: `GET /v1/capabilities/{id}/{version}`."""

    id: str
    version: int = 1
    attributes: tuple[AttributeDefinition, ...] = ()
    commands: tuple[CommandDefinition, ...] = ()
    summary: str = ""
    origin: TextOrigin = TextOrigin.IDENTIFIER
    is_complete: bool = True
    """False when only names are known, because the cloud gave no definition (yet)."""

    def attribute(self, name: str) -> AttributeDefinition | None:
        """Return the attribute with this exact name."""
        return next((each for each in self.attributes if each.name == name), None)

    def command(self, name: str) -> CommandDefinition | None:
        """Return the command with this exact name."""
        return next((each for each in self.commands if each.name == name), None)


class CloudErrorKind(StrEnum):
    """Why the cloud did not do what it was asked."""

    SIGN_IN = "sign_in"
    """401: the token is not accepted."""
    PLAN = "plan"
    """402: the account's plan does not cover it."""
    FORBIDDEN = "forbidden"
    NOT_FOUND = "not_found"
    DEVICE_STATE = "device_state"
    """409: the device cannot do it now; often it is off or asleep."""
    MALFORMED = "malformed"
    """422: the cloud does not accept the request."""
    RATE_LIMIT = "rate_limit"
    SERVER = "server"
    """5xx."""
    TIMEOUT = "timeout"
    """No answer in time; whether the request arrived is not known."""
    CONNECTION = "connection"
    """No connection; nothing was sent."""
    BROKEN = "broken"
    """The connection broke, or the answer cannot be read; the request may have arrived."""
    UNEXPECTED = "unexpected"
    """Any other status."""


class CloudError(Exception):
    """An answer of the cloud that is no success; its text is for logs and models."""

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
        """Keep what the cloud said; `retry_after` in seconds."""
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
        """Whether a command may have been carried out although this was the answer."""
        return self.kind in {
            CloudErrorKind.TIMEOUT,
            CloudErrorKind.BROKEN,
            CloudErrorKind.SERVER,
        }
