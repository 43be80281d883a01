"""Interface of backends for capabilities of devices that no entity offers."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from homeassistant.helpers import device_registry as dr

from ..people import Person
from .commands.pipeline import Backend, ValidatedCommand
from .home_types import Command, Component, Device, Documentation, Reading
from .prompt_text import is_free_text

MAIN: Final = "main"  # id of the component that stands for the whole device

type Subject = tuple[Device, Component, str]
"""A device, one of its components, and the id of a capability of this component."""

type ChangeListener = Callable[[str, object, object], None]
"""Gets the key of a changed attribute, and its value before and after the change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreAttribute:
    """An attribute of a capability that no entity offers, for condition code."""

    key: str  # opaque; it begins with `<source of the extension>:`. Routines store it.
    component: str
    capability: str
    name: str
    value: object  # the current value, of JSON types or an aware datetime; None if unknown
    is_certain: bool  # whether the device is online and its values are up to date

    @property
    def spellings(self) -> tuple[str, str, str, str]:
        """The names that condition code may use for the attribute, longest first."""
        short = self.capability.rpartition(".")[2]
        full = f"{self.capability}.{self.name}"
        return f"{self.component}.{full}", full, f"{short}.{self.name}", self.name

    def is_free_text(self, value: object) -> bool:
        """Return whether a value of the attribute may be text from an untrusted source."""
        return is_free_text(self.capability, self.name, value)


class Extension(Protocol):
    """A backend for capabilities of devices that no entity offers.

    `Home.add` registers it. Its components stand in `Device.more_components`. Each method
    with a person returns only what this person may read or command.
    """

    source: str
    """Unique key of the extension: `source` of its components, documentation and commands."""

    title: str  # name of the system in texts for the model
    commands: Backend  # the steps of the command pipeline

    def setup(self) -> None:
        """Start to follow the devices."""

    def close(self) -> None:
        """Stop to follow the devices."""

    # ------------------------------------------------------------- listing

    @property
    def version(self) -> object:
        """A value that changes whenever `components` may return a new result."""

    def components(
        self, device: dr.AnyDeviceEntry, visible: frozenset[str]
    ) -> tuple[Component, ...]:
        """Return a device's components that add something to its `visible` entities (ids)."""

    # ------------------------------------------------------------- documentation and values

    def named(
        self, person: Person, device: Device, capabilities: Collection[str]
    ) -> tuple[Subject, ...]:
        """Return the capabilities of the device that are named; domains of entities are skipped."""

    def overview(self, device: Device) -> tuple[Documentation, ...]:
        """Return one documentation for each component, with only its capability ids."""

    async def async_document(
        self, person: Person, subjects: Sequence[Subject]
    ) -> tuple[Documentation, ...]:
        """Return one documentation for each of `subjects` (from `named`), in the same order.

        Raises HomeError if the device no longer has the component or capability.
        """

    async def async_read(
        self,
        person: Person,
        device: Device,
        capabilities: Collection[str] | None,
        attributes: Sequence[str] | None,
    ) -> tuple[Reading, ...]:
        """Return the values of the named capabilities and attributes; None names nothing."""

    # ------------------------------------------------------------- commands

    def names_part(self, person: Person, device: Device, request: Command) -> bool:
        """Return whether a request names a component or capability of the extension."""

    async def async_prepare(
        self, person: Person, device: Device, request: Command
    ) -> ValidatedCommand:
        """Return the validated command. Raises HomeError, and NoCommandError if none has it."""

    # ------------------------------------------------------------- condition code

    async def async_attributes(self, person: Person, device: Device) -> tuple[MoreAttribute, ...]:
        """Return all attributes of the device, also those that entities show."""

    async def async_attribute(self, person: Person, key: str) -> MoreAttribute | None:
        """Return the attribute with this key; None if it is withheld or its device was removed."""

    def is_current(self, device: Device) -> bool:
        """Return whether the values of the device are up to date."""

    def watch(self, keys: Collection[str], listener: ChangeListener) -> Callable[[], None]:
        """Call `listener` when an attribute with one of the keys changes; return the end of it."""
