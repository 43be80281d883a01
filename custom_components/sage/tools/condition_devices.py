"""The devices that condition code reads; named to the person, who notices a wrong one."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from ..home.home import Home
from ..home.model import HomeError
from ..people.person import Person


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
