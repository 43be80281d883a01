"""Random rooms for training, and sentences about the devices in them."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from .scenes import Device, Room, Thing, view_of
from .shapes import COLOURS, DEVICES, FURNITURE
from .vocabulary import (
    ARTICLES,
    DEVICE_NOUNS,
    DOINGS,
    FORM_NOUNS,
    FORMS,
    FURNITURE_NOUNS,
    NEAR,
    ON,
    OVER,
    PREFIXES,
    ROOM_NOUNS,
    ROOMS,
    WHO,
)

_FORMS_OF: Final = {
    "light": ("table lamp", "floor lamp", "pendant lamp", "wall lamp"),
    **{kind: (kind,) for kind in DEVICE_NOUNS if kind != "light"},
}
_PLAIN: Final = frozenset({"TV", "blind", "plug"})
"""Kinds that have one colour."""

_KIND_WEIGHTS: Final = {"light": 4, "TV": 2, "fan": 1, "speaker": 1, "blind": 1, "plug": 1}
_SMALL: Final = frozenset({"table lamp", "speaker", "plug"})
"""What stands on furniture."""

_SHOWN: Final = 0.45
"""Furniture is mentioned if the photo shows this part of its width."""

_COVERED: Final = 0.4
"""A column shows a thing that covers this part of it, or has this part of its width in it."""


@dataclass(frozen=True, slots=True)
class TrainingScene:
    """A photo to be drawn, and what may be said about it."""

    room: Room
    device: Device
    anchor: str
    """The furniture at which the device is."""
    places: tuple[str, ...]
    """Prepositions that fit the device and its anchor."""
    others: tuple[str, ...]
    """Nouns of the other things in the photo."""


def training_scene(seed: int) -> TrainingScene:
    """Return a scene that no other seed has."""
    chance = random.Random(f"training {seed}")
    theme = chance.choice(tuple(ROOMS))
    pool = list(ROOMS[theme])
    kinds = chance.sample(pool, min(len(pool), chance.randint(1, 3)))
    strange = [kind for kind in FURNITURE if kind not in kinds]
    kinds += chance.sample(strange, chance.choice((0, 1, 1, 2)))
    chance.shuffle(kinds)
    things = _row(kinds, chance)
    thing = chance.choice(things)
    device, places = _device_at(thing, chance, _weighted_kind(chance))
    devices = [device]
    if chance.random() < 0.5:
        other_kind = chance.choice([kind for kind in DEVICE_NOUNS if kind != device.kind])
        other, _ = _device_at(chance.choice(things), chance, other_kind)
        if abs(other.x - device.x) > 0.5:
            devices.append(replace(other, id=f"other {seed}"))
    device = devices[0] = replace(device, id=f"training {seed}")
    room = Room(
        theme,
        tuple(things),
        tuple(devices),
        wall=_light_colour(chance, 190, 245),
        floor=_light_colour(chance, 110, 195),
    )
    return TrainingScene(room, device, thing.kind, places, _others(room, device, thing, seed))


def in_columns(scene: TrainingScene, seed: int, columns: int) -> tuple[tuple[str, int], ...]:
    """Return the kinds of furniture and forms of devices that each column of the photo shows."""
    view = view_of(scene.device, seed)
    width = view.width / columns
    things = [
        *((each.kind, each.x, FURNITURE[each.kind].width) for each in scene.room.things),
        *((each.form, each.x, DEVICES[each.form].width) for each in scene.room.devices),
    ]
    return tuple(
        (name, column)
        for name, x, size in things
        for column, left in ((each, view.left + each * width) for each in range(columns))
        if min(x + size / 2, left + width) - max(x - size / 2, left) > _COVERED * min(size, width)
    )


def sentence(scene: TrainingScene, chance: random.Random) -> str:
    """Return something that a person may say about the device of a scene."""
    names = _words(scene, chance)
    fitting = [form for form in FORMS if all(f"{{{key}}}" not in form for key in _missing(names))]
    said = chance.choice(fitting).format(**names)
    words = said.split()
    if len(words) > 4 and chance.random() < 0.15:
        del words[chance.randrange(len(words))]
    return chance.choice(PREFIXES) + " ".join(words)


def _missing(names: dict[str, str]) -> list[str]:
    return [key for key, value in names.items() if not value]


def _words(scene: TrainingScene, chance: random.Random) -> dict[str, str]:
    device = scene.device
    nouns = DEVICE_NOUNS[device.kind] + FORM_NOUNS.get(device.form, ())
    bare = chance.choice(FURNITURE_NOUNS[scene.anchor])
    nearest = f"{chance.choice(ARTICLES)} {bare}"
    others = [chance.choice(names) for names in map(_nouns, scene.others)]
    thing = f"{chance.choice(ARTICLES)} {chance.choice(others)}" if others else ""
    return {
        "device": chance.choice(nouns),
        "bare": bare,
        "nearest": nearest,
        "place": f"{chance.choice(scene.places)} {nearest}",
        "thing": thing,
        "near": chance.choice(NEAR),
        "colour": "" if device.kind in _PLAIN else device.colour,
        "room": chance.choice(_room_nouns(scene)),
        "who": chance.choice(WHO),
        "doing": chance.choice(DOINGS.get(scene.anchor, ("",))),
    }


def _room_nouns(scene: TrainingScene) -> tuple[str, ...]:
    """Return what the room is called, nothing if its device is at furniture of another room."""
    room = scene.room.name
    return ROOM_NOUNS.get(room, (room,)) if scene.anchor in ROOMS[room] else ("",)


def _nouns(thing: str) -> tuple[str, ...]:
    return FURNITURE_NOUNS.get(thing) or DEVICE_NOUNS[thing]


def _others(room: Room, device: Device, anchor: Thing, seed: int) -> tuple[str, ...]:
    view = view_of(device, seed)
    furniture = [
        thing.kind
        for thing in room.things
        if thing is not anchor and view.shown(FURNITURE[thing.kind], thing.x) > _SHOWN
    ]
    devices = [
        each.kind for each in room.devices[1:] if view.shown(DEVICES[each.form], each.x) > _SHOWN
    ]
    return tuple(furniture + devices)


def _row(kinds: Sequence[str], chance: random.Random) -> list[Thing]:
    """Return furniture side by side, with gaps in which a device has room."""
    things = []
    edge = 0.0
    for kind in kinds:
        width = FURNITURE[kind].width
        colour = _light_colour(chance, 40, 230) if chance.random() < 0.2 else None
        things.append(Thing(kind, edge + width / 2, colour))
        edge += width + chance.uniform(0.1, 0.8)
    return things


def _weighted_kind(chance: random.Random) -> str:
    return chance.choices(tuple(_KIND_WEIGHTS), tuple(_KIND_WEIGHTS.values()))[0]


def _device_at(thing: Thing, chance: random.Random, kind: str) -> tuple[Device, tuple[str, ...]]:
    """Return a device at `thing`, without an id, and the prepositions of its place."""
    furniture = FURNITURE[thing.kind]
    form = chance.choice(_FORMS_OF[kind])
    shape = DEVICES[form]
    colour = "white" if kind in _PLAIN else chance.choice(tuple(COLOURS))
    half = furniture.width / 2
    within = thing.x + chance.uniform(-half, half) * 0.7
    beside = thing.x + chance.choice((-1, 1)) * (half + shape.width / 2 + chance.uniform(0, 0.3))
    top = furniture.base + furniture.height
    if form in _SMALL and furniture.is_surface and chance.random() < 0.75:
        return Device("", kind, form, within, furniture.height, colour), ON + NEAR[:6]
    if form in {"pendant lamp", "wall lamp", "TV", "blind"}:
        base = max(shape.base, min(top + 0.1, 1.5)) if chance.random() < 0.7 else shape.base
        if top < 1.6 and chance.random() < 0.7:
            return Device("", kind, form, within, base, colour), OVER + NEAR[:6]
        return Device("", kind, form, beside, base, colour), NEAR
    base = shape.base if form in {"fan", "floor lamp", "plug"} else 0.0
    return Device("", kind, form, beside, base, colour), NEAR


def _light_colour(chance: random.Random, low: int, high: int) -> tuple[int, int, int]:
    return chance.randint(low, high), chance.randint(low, high), chance.randint(low, high)
