"""Interfaces between the parts of the SmartThings backend."""

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from ...people.person import Person
from .raw import Definition, RawComponent, RawDevice, RawEvent, RawValue

type EventListener = Callable[[RawEvent], None]
type Attributes = Mapping[str, RawValue]
"""Attribute name -> value, for one capability of one component."""


class Mirror(Protocol):
    """The devices and their values as the cloud last reported them."""

    @property
    def revision(self) -> int:
        """A number that grows when devices, components or enabled capabilities change."""

    def devices(self) -> tuple[RawDevice, ...]:
        """Return all devices of all loaded config entries."""

    def device(self, device_id: str) -> RawDevice | None:
        """Return the device with this SmartThings id; None if it is gone."""

    def usable(self, device_id: str) -> tuple[RawComponent, ...]:
        """Return the device's enabled components with their enabled capabilities."""

    def attributes(self, device_id: str, component_id: str, capability: str) -> Attributes:
        """Return the values of a capability; empty if unknown."""

    def is_online(self, device_id: str) -> bool:
        """Return whether the cloud reports the device as online."""

    def is_fresh(self, device_id: str) -> bool:
        """Return whether the values were fetched and events have kept them up to date since."""

    async def async_refresh(self, device_id: str) -> None:
        """Fetch all values of a device with one request. Raises CloudError."""

    def listen(self, device_id: str, listener: EventListener) -> Callable[[], None]:
        """Call the listener for each report of the device; return a function that stops it."""


class Definitions(Protocol):
    """Definitions of capabilities, cached for weeks."""

    def known(self, capability: str) -> Definition:
        """Return the cached definition; without one, a definition with names only.

        Sends no request.
        """

    async def async_get(self, entry_id: str, capabilities: Iterable[str]) -> dict[str, Definition]:
        """Return definitions; fetch missing ones within the rate limit.

        For a definition that cannot be fetched in time, the result of `known` is returned. Never
        raises.
        """


class Exposure(Protocol):
    """Decides which raw attributes and commands a person may use."""

    def may_read(
        self, person: Person, device_id: str, component_id: str, capability: str, attribute: str
    ) -> bool:
        """Return whether the person may read this attribute now."""

    def may_command(
        self, person: Person, device_id: str, component_id: str, capability: str
    ) -> bool:
        """Return whether the person may send commands of this capability now."""

    def shown(self, device_id: str, visible: frozenset[str]) -> Mapping[str, tuple[str, ...]]:
        """Return component id -> capabilities to list, for these visible entities.

        Capabilities that visible entities cover completely are left out.
        """

    def allowed(self, device_id: str, visible: frozenset[str]) -> Mapping[str, tuple[str, ...]]:
        """Return component id -> all capabilities that may be read or commanded."""
