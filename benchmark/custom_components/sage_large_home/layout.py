"""What stands where: 40 rooms with 25 entities on 14 devices each."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Final

from homeassistant.util import slugify

FLOORS: Final = ("Ground floor", "First floor", "Second floor", "Annex")
_ROOMS: Final = (
    "kitchen",
    "living room",
    "dining room",
    "bedroom",
    "nursery",
    "bathroom",
    "office",
    "hall",
    "workshop",
    "library",
)
_LIGHTS: Final = (
    "Ceiling light",
    "Floor lamp",
    "Reading lamp",
    "Wall light",
    "Shelf light",
    "Window light",
)
_PLUGS: Final = ("Plug by the door", "Plug by the window", "Corner plug", "Desk plug")
_COVERS: Final = ("Blind", "Curtain")


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """One entity; `name` is None for the one that a device is named after."""

    domain: str
    device: str
    area: str
    floor: str
    name: str | None = None
    kind: str | None = None
    """Its device class."""

    unit: str | None = None
    value: float = 0.0

    @property
    def entity_id(self) -> str:
        """The id it is registered with."""
        return f"{self.domain}.{slugify(' '.join((self.area, self.device, self.name or '')))}"


def areas() -> Iterator[tuple[str, str]]:
    """Return each room with its floor."""
    for floor, room in product(FLOORS, _ROOMS):
        yield f"{floor} {room}", floor


@cache
def things() -> tuple[Thing, ...]:
    """Return all entities of the home, always the same."""
    return tuple(thing for area, floor in areas() for thing in _furniture(area, floor))


PLATFORMS: Final = ("binary_sensor", "climate", "cover", "light", "sensor", "switch")


def _furniture(area: str, floor: str) -> Iterator[Thing]:
    def thing(domain: str, device: str, name: str | None = None, **more: object) -> Thing:
        return Thing(domain=domain, device=device, area=area, floor=floor, name=name, **more)  # type: ignore[arg-type]

    for lamp in _LIGHTS:
        yield thing("light", lamp)
    for plug in _PLUGS:
        yield thing("switch", plug, kind="outlet")
        yield thing("sensor", plug, "Power", kind="power", unit="W")
        yield thing("sensor", plug, "Energy", kind="energy", unit="kWh", value=12.5)
    for cover in _COVERS:
        yield thing("cover", cover, kind=cover.lower())
    yield thing("climate", "Thermostat", value=19.5)
    yield thing("sensor", "Multisensor", "Temperature", kind="temperature", unit="°C", value=20.4)
    yield thing("sensor", "Multisensor", "Humidity", kind="humidity", unit="%", value=44.0)
    yield thing("sensor", "Multisensor", "Illuminance", kind="illuminance", unit="lx", value=120.0)
    yield thing("binary_sensor", "Multisensor", "Motion", kind="motion")
