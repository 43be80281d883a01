"""The condition code that was written in one run, and the devices that it reads.

They are told, so that a wrong one is noticed at once.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from ...home.home import Home
from ...home.home_types import HomeError
from ...people.person import Person


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadDevice:
    """A device as it is named to the person."""

    name: str
    area: str | None
    has_namesake: bool
    """Whether another device that the person sees has the same name."""

    @property
    def placed(self) -> str:
        """Its name and area: "Lamp (Bedroom)"."""
        return f"{self.name} ({self.area})" if self.area else self.name

    @property
    def spoken(self) -> str:
        """Its name, with the area only if another device has the same name."""
        return self.placed if self.has_namesake else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenCondition:
    """Condition code that ran without an error."""

    function: str
    words: str
    """The condition as a statement in the person's words: "the washer is done"."""

    source: str
    value: bool | None
    """Its value when it was run; None if that was unknown."""

    bindings: Mapping[str, str] = field(default_factory=dict)
    """Name in the code -> reference to the registries."""

    devices: tuple[ReadDevice, ...] = ()
    """What it reads."""


class Conditions:
    """The code that was written in a run; later code of the same name replaces earlier code."""

    def __init__(self) -> None:
        """Start with none."""
        self._written: dict[str, WrittenCondition] = {}

    def keep(self, condition: WrittenCondition) -> None:
        """Keep it under the name of its function."""
        self._written[condition.function] = condition

    def get(self, function: str) -> WrittenCondition | None:
        """Return the condition with this function."""
        return self._written.get(function)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the functions, in the order in which they were written."""
        return tuple(self._written)


async def async_devices_read(
    home: Home, person: Person, bindings: Iterable[str]
) -> tuple[ReadDevice, ...]:
    """Return the devices that condition code names, by the keys of its bindings."""
    listing = await home.async_listing(person)
    names = [each.name for each in listing.devices]
    found: dict[str, ReadDevice] = {}
    # A key that is not a plain name refers to a part of a device.
    for key in filter(str.isprintable, bindings):
        with suppress(HomeError):
            device = listing.find(key).device
            found[device.id] = ReadDevice(
                name=device.name, area=device.area, has_namesake=names.count(device.name) > 1
            )
    return tuple(found.values())
