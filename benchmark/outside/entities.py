"""The entities of a home: real ones of their platforms, whose state lives in memory.

Each is at once as a command wants it. The data gives no brightness, volume, position of covers or
target temperature: those are ours.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from .appliances import OutsideClimate, OutsideFan, OutsideMower, OutsidePlayer, OutsideVacuum
from .case import OutsideEntity
from .fixtures import (
    OutsideBinarySensor,
    OutsideCover,
    OutsideLight,
    OutsideLock,
    OutsideSwitch,
    OutsideValve,
)
from .information import OutsideList, OutsideSatellite, OutsideSensor, OutsideWeather
from .thing import OutsideThing

SATELLITE: Final = OutsideEntity(
    entity_id="assist_satellite.home", name="Home Satellite", area=None, state="idle"
)

_KINDS: Final[Mapping[str, Callable[[OutsideEntity, int], OutsideThing]]] = {
    "assist_satellite": OutsideSatellite,
    "binary_sensor": OutsideBinarySensor,
    "climate": OutsideClimate,
    "cover": OutsideCover,
    "fan": OutsideFan,
    "lawn_mower": OutsideMower,
    "light": OutsideLight,
    "lock": OutsideLock,
    "media_player": OutsidePlayer,
    "sensor": OutsideSensor,
    "switch": OutsideSwitch,
    "todo": OutsideList,
    "vacuum": OutsideVacuum,
    "valve": OutsideValve,
    "weather": OutsideWeather,
}


def build(
    entities: Iterable[OutsideEntity], features: Mapping[str, int]
) -> dict[str, OutsideThing]:
    """Return the entities by id; `features` (bits by entity id) are added to those of the data."""
    known = [*entities, SATELLITE]
    things = {
        each.entity_id: _KINDS[each.domain](each, features.get(each.entity_id, 0)) for each in known
    }
    for thing in things.values():
        # A thermostat measures what the temperature sensor of its area is named to measure.
        sensor = things.get(f"sensor.{thing.data.area}_temperature")
        if isinstance(thing, OutsideClimate) and isinstance(sensor, OutsideSensor):
            value = sensor.native_value
            if isinstance(value, float | int):
                thing.room_temperature = float(value)
                thing.start()
    return things
