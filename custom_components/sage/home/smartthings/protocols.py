"""Interfaces between the modules of the SmartThings backend.

In names, "raw" marks devices and values of the SmartThings cloud.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from ...people.person import Person
from .raw import Definition, RawComponent, RawDevice, RawEvent, RawValue

type EventListener = Callable[[RawEvent], None]
type Attributes = Mapping[str, RawValue]
"""Attribute name -> value, for one capability of one SmartThings component."""


class Mirror(Protocol):
    """A local copy of all SmartThings devices and their last reported values."""

    @property
    def revision(self) -> int:
        """A counter that grows when devices, components or enabled capabilities change."""

    def devices(self) -> tuple[RawDevice, ...]:
        """Return the devices of all loaded `smartthings` config entries."""

    def device(self, device_id: str) -> RawDevice | None:
        """Return the device with this SmartThings id, or None if it is unknown."""

    def usable(self, device_id: str) -> tuple[RawComponent, ...]:
        """Return the device's enabled components with their enabled capabilities.

        Empty if the device is unknown.
        """

    def attributes(self, device_id: str, component_id: str, capability: str) -> Attributes:
        """Return the last reported values of a capability; empty if unknown."""

    def is_online(self, device_id: str) -> bool:
        """Return whether the cloud reports the device as online; False if unknown."""

    def is_fresh(self, device_id: str) -> bool:
        """Return whether the device's values are up to date.

        False before the first fetch, and after an interruption of the event stream.
        """

    async def async_refresh(self, device_id: str) -> None:
        """Fetch all values of a device with one request to the cloud. Raises CloudError."""

    def listen(self, device_id: str, listener: EventListener) -> Callable[[], None]:
        """Call the listener for each report of the device; return a function that removes it."""


class Definitions(Protocol):
    """A cache of capability definitions from the SmartThings cloud."""

    def known(self, capability: str) -> Definition:
        """Return the cached definition of a capability, without a request.

        If there is none, return an incomplete definition: the known names of attributes and
        commands, without their types and arguments.
        """

    async def async_get(self, entry_id: str, capabilities: Iterable[str]) -> dict[str, Definition]:
        """Return the definitions as a dict: capability id -> definition. Never raises.

        Fetches missing definitions. If one does not arrive in time, the dict has an incomplete
        definition for it, without types and arguments.
        """


class Exposure(Protocol):
    """Decides which SmartThings attributes and commands a person may use; see `RawExposure`."""

    def may_read(
        self, person: Person, device_id: str, component_id: str, capability: str, attribute: str
    ) -> bool:
        """Return whether the person may currently read this attribute."""

    def may_command(
        self, person: Person, device_id: str, component_id: str, capability: str
    ) -> bool:
        """Return whether the person may currently send commands of this capability."""
