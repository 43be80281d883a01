"""What every source of devices offers (DESIGN 5), and what it asks of the gate.

A provider is Home Assistant itself, or a cloud whose raw capabilities go beyond
its entities. All of them speak in the types of `model.py`.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from homeassistant.helpers import device_registry as dr

from ..people.person import Person
from .authority import Authority
from .listing import Listing
from .model import CommandRequest, Component, Device, Documentation, Outcome, Reading

type ChangeListener = Callable[[str], None]
"""Called with the id of the component that changed."""


class Visibility(Protocol):
    """What a person may see; answered by the gate."""

    @property
    def version(self) -> int:
        """A number that changes whenever somebody may see something else."""

    def visible(self, person: Person) -> frozenset[str]:
        """Return the ids of the entities that this person may read."""


class MoreComponents(Protocol):
    """What a cloud tells of devices, beside their entities."""

    @property
    def version(self) -> object:
        """Something that is equal as long as `components` answers the same."""

    def components(
        self, device: dr.AnyDeviceEntry, visible: frozenset[str]
    ) -> tuple[Component, ...]:
        """Return the raw components of a device, for a listing of these entities."""


class Provider(Protocol):
    """The five operations on a home, and no more."""

    async def async_listing(self, person: Person) -> Listing:
        """Return the devices that the person may see."""

    async def async_document(self, device: Device, component_id: str) -> Documentation:
        """Return what the component can tell and do, with its current values.

        The device must come from a listing of the person who asks.
        """

    async def async_read(
        self,
        person: Person,
        device: Device,
        component_ids: Iterable[str] | None = None,
        attributes: Iterable[str] | None = None,
    ) -> tuple[Reading, ...]:
        """Return current values; None means all. Raises HomeError."""

    async def async_execute(
        self, requests: Sequence[CommandRequest], authority: Authority
    ) -> tuple[Outcome, ...]:
        """Return what became of each command, in order; it passes the gate first."""

    def subscribe(
        self, component_ids: Iterable[str], listener: ChangeListener
    ) -> Callable[[], None]:
        """Call the listener at each change; returns what ends that."""
