"""What the parts of the SmartThings provider ask of each other."""

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from ...people.person import Person
from ..home_types import Component, Device, Documentation
from .raw import Definition, RawComponent, RawDevice, RawEvent, RawValue

type EventListener = Callable[[RawEvent], None]
type Attributes = Mapping[str, RawValue]
"""Attribute name -> value, of one capability of one component."""


class Mirror(Protocol):
    """The devices and the values of their attributes, as the cloud last reported them."""

    @property
    def revision(self) -> int:
        """A number that grows whenever a device, component or usable capability comes or goes."""

    def devices(self) -> tuple[RawDevice, ...]:
        """Return all devices of all loaded config entries."""

    def device(self, device_id: str) -> RawDevice | None:
        """Return the device with this id in the cloud, None when it is gone."""

    def usable(self, device_id: str) -> tuple[RawComponent, ...]:
        """Return the components without disabled ones, their capabilities likewise."""

    def attributes(self, device_id: str, component_id: str, capability: str) -> Attributes:
        """Return the values of a capability; empty when nothing is known of it."""

    def is_online(self, device_id: str) -> bool:
        """Tell whether the cloud reaches the device."""

    def is_fresh(self, device_id: str) -> bool:
        """Tell whether events have kept the values up to date since they were last fetched."""

    async def async_refresh(self, device_id: str) -> None:
        """Fetch all values of a device anew: one request. Raises CloudError."""

    def listen(self, device_id: str, listener: EventListener) -> Callable[[], None]:
        """Call the listener at each report of the device; returns what ends that."""


class Definitions(Protocol):
    """Definitions of capabilities, kept for weeks."""

    def known(self, capability: str) -> Definition:
        """Return what is known without asking the cloud: at least the names."""

    async def async_get(self, entry_id: str, capabilities: Iterable[str]) -> dict[str, Definition]:
        """Return definitions, fetching those that are missing within the rate limit.

        What cannot be had now is returned as `known` has it; never raises.
        """


class Documents(Protocol):
    """Documentation of capabilities, with what the device itself lists."""

    async def async_document(
        self, device: Device, component: Component, capability: str
    ) -> Documentation:
        """Return the documentation of one capability of a raw component.

        Its commands and attributes have the bare names that the cloud has.
        """

    def definition(self, capability: str) -> Definition:
        """Return what is known without asking the cloud; complete after `async_document`."""


class Exposure(Protocol):
    """Which entities stand for raw attributes and commands, and what a person may (the gate)."""

    def may_read(
        self, person: Person, device_id: str, component_id: str, capability: str, attribute: str
    ) -> bool:
        """Tell whether the person may read this attribute now."""

    def may_command(
        self, person: Person, device_id: str, component_id: str, capability: str
    ) -> bool:
        """Tell whether the person may send commands of this capability now."""

    def shown(self, device_id: str, visible: frozenset[str]) -> Mapping[str, tuple[str, ...]]:
        """Return component id -> capabilities for a listing of what shows these entities.

        Only what a raw view adds: capabilities that no visible entity serves as well.
        """

    def allowed(self, device_id: str, visible: frozenset[str]) -> Mapping[str, tuple[str, ...]]:
        """Return component id -> all capabilities that may be read or commanded."""


class Cloud(Protocol):
    """The HTTP client for what the client library swallows."""

    async def async_command(
        self,
        entry_id: str,
        device_id: str,
        component_id: str,
        capability: str,
        command: str,
        arguments: list[object],
    ) -> str:
        """Post one command exactly once; returns `ACCEPTED`, `COMPLETED` or `FAILED`.

        Raises CloudError. Never repeats a request.
        """

    async def async_definition(self, entry_id: str, capability: str, version: int = 1) -> object:
        """Return the definition as the cloud's JSON has it. Raises CloudError."""

    async def async_texts(self, entry_id: str, capability: str, version: int = 1) -> object:
        """Return its English texts as the cloud's JSON has them. Raises CloudError."""
