"""Data types of the SmartThings cloud; "raw" marks its data."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple

from ..home_types import Argument, CommandDescription, Component
from .withheld import lists_options

SMARTTHINGS: Final = "smartthings"  # domain of the integration, and `source` of the components


class AttributePlace(NamedTuple):
    """The address of a SmartThings attribute: device, component, capability, name."""

    device_id: str  # smartThings device id
    component: str
    capability: str
    attribute: str

    @property
    def key(self) -> str:
        """The key of the attribute for condition code."""
        return f"{SMARTTHINGS}:{'/'.join(self)}"

    @classmethod
    def of(cls, key: str) -> AttributePlace:
        """Return the place with this key."""
        return cls(*key.removeprefix(f"{SMARTTHINGS}:").split("/"))


@dataclass(frozen=True, slots=True, kw_only=True)
class RawValue:
    """The last reported value of a SmartThings attribute."""

    value: object
    unit: str = ""


type Attributes = Mapping[str, RawValue]
"""Attribute name -> value, for one capability of one SmartThings component."""

type Values = dict[str, dict[str, dict[str, RawValue]]]
"""Component id -> capability -> attribute -> value."""

type ReportListener = Callable[[AttributePlace, object], None]
"""Gets each reported value; it may equal the previous value."""


@dataclass(slots=True, eq=False, kw_only=True)
class RawDevice:
    """A device in the SmartThings cloud, with its last reported values."""

    id: str  # smartThings device id (a UUID)
    components: tuple[Component, ...]
    """The enabled components, with their enabled capabilities, and their categories as `kind`."""

    entry_id: str  # id of the `smartthings` config entry that has the device
    online: bool = True
    values: Values = field(default_factory=dict)
    is_fetched: bool = False
    """Whether the values were fetched since they were last marked as outdated."""

    doubts: int = 0  # how often the values were marked as outdated
    fetching: asyncio.Lock = field(default_factory=asyncio.Lock)
    reports: list[tuple[AttributePlace, object]] = field(default_factory=list)
    """Reports that arrived during the current fetch."""

    error: CloudError | None = None
    """The error of the last fetch; no further fetch before `not_before` (monotonic time)."""

    not_before: float = 0.0

    def component(self, component_id: str) -> Component | None:
        """Return the component with this id, or None."""
        return next((each for each in self.components if each.id == component_id), None)

    def distrust(self) -> None:
        """Mark the values as outdated, so that they are fetched at their next use."""
        self.is_fetched = False
        self.doubts += 1

    def take(self, place: AttributePlace, value: object) -> None:
        """Store a reported value."""
        if self.fetching.locked():
            # It is newer than the values that are being fetched.
            self.reports.append((place, value))
        attributes = self.values.setdefault(place.component, {}).setdefault(place.capability, {})
        before = attributes.get(place.attribute)
        attributes[place.attribute] = RawValue(value=value, unit=before.unit if before else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeDefinition:
    """The definition of one attribute of a SmartThings capability."""

    name: str
    shape: Argument = field(default_factory=lambda: Argument(type=""))
    """The possible values; its type is empty if the schema has none."""

    setter: str | None = None
    """Command that sets the attribute; its first argument is the new value."""

    enum_commands: Mapping[str, object] = field(default_factory=dict)
    """Command without arguments -> value that it sets, e.g. `{"turnOn": "on"}`."""

    @property
    def lists_choices(self) -> bool:
        """Whether the values are lists of options, each of which the definition names."""
        return self.shape.type == "list" and bool(self.shape.values) and lists_options(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """The definition of a SmartThings capability, from `GET /v1/capabilities/{id}/{version}`."""

    id: str
    attributes: tuple[AttributeDefinition, ...] = ()
    commands: tuple[CommandDescription, ...] = ()  # the cloud expects their arguments by position
    is_complete: bool = True  # False if only the names of the attributes and commands are known

    def attribute(self, name: str) -> AttributeDefinition | None:
        """Return the definition of the attribute with this exact name, or None."""
        return next((each for each in self.attributes if each.name == name), None)

    def command(self, name: str) -> CommandDescription | None:
        """Return the definition of the command with this exact name, or None."""
        return next((each for each in self.commands if each.name == name), None)


class CloudErrorKind(StrEnum):
    """The reason why a request to the SmartThings cloud failed."""

    SIGN_IN = "sign_in"  # 401: the cloud rejects the access token
    PLAN = "plan"  # 402: the plan of the SmartThings account does not include the request
    DEVICE_STATE = "device_state"  # 409: the device cannot execute it in its state, e.g. off
    REFUSED = "refused"  # other 4xx: it is invalid, or the account may not use the device
    RATE_LIMIT = "rate_limit"
    SERVER = "server"  # 5xx: an error in the cloud; the command may have been executed
    CONNECTION = "connection"  # no connection; nothing was sent
    UNANSWERED = "unanswered"  # no readable response in time; the request may have arrived


class CloudError(Exception):
    """Raised when a request to the cloud fails; its message is for logs and the model."""

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
