"""The devices that condition code reads: told, so that a wrong one is noticed at once."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from ..home.home import Home
from ..home.model import HomeError
from ..people.person import Person


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadDevice:
    """A device as one names it."""

    name: str
    area: str | None
    has_namesake: bool
    """Whether another device that the person sees has the same name."""

    @property
    def placed(self) -> str:
        """Its name with where it is: "Lamp (Bedroom)"."""
        return f"{self.name} ({self.area})" if self.area else self.name

    @property
    def spoken(self) -> str:
        """Its name, with where it is only if that is needed to tell it apart."""
        return self.placed if self.has_namesake else self.name


async def async_devices_read(
    home: Home, person: Person, bindings: Iterable[str]
) -> tuple[ReadDevice, ...]:
    """Return the devices that condition code names, by the keys of its bindings."""
    listing = await home.async_listing(person)
    names = [each.name for each in listing.devices]
    found: dict[str, ReadDevice] = {}
    # Keys that are no plain name stand for a part of a device.
    for key in filter(str.isprintable, bindings):
        with suppress(HomeError):
            device = listing.find(key).device
            found[device.id] = ReadDevice(
                name=device.name, area=device.area, has_namesake=names.count(device.name) > 1
            )
    return tuple(found.values())
