"""Rooms as data, and photos of the devices in them.

A photo is a view of the part of the room around a device, as somebody takes it while setting up
the device. The same room, device and seed give the same photo.
"""

import io
import random
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from PIL import Image, ImageDraw

from .shapes import COLOURS, DEVICES, FURNITURE, Colour, Kind, Part

PHOTO_SIZE: Final = (320, 240)
_OVERSAMPLING: Final = 2
_JPEG_QUALITY: Final = 85


@dataclass(frozen=True, slots=True)
class Thing:
    """Furniture in a room."""

    kind: str
    """One of `FURNITURE`."""
    x: float
    """Metres along the wall to its centre."""
    colour: Colour | None = None
    """None: that of its kind."""


@dataclass(frozen=True, slots=True)
class Device:
    """A device in a room."""

    id: str
    kind: str
    """light, TV, fan, speaker, blind or plug."""
    form: str
    """One of `DEVICES`."""
    x: float
    base: float | None = None
    """Metres from the floor to its lower edge; None: as its form hangs or stands alone."""
    colour: str = "white"
    """One of `COLOURS`."""
    caption: str = ""
    """As the household wrote it."""


@dataclass(frozen=True, slots=True)
class Room:
    """One wall of a room, with its furniture in the order of drawing."""

    name: str
    things: tuple[Thing, ...]
    devices: tuple[Device, ...]
    wall: Colour = (226, 218, 204)
    floor: Colour = (172, 138, 104)


@dataclass(frozen=True, slots=True)
class View:
    """The camera and the light of one photo."""

    left: float
    """Metres along the wall at the left edge of the photo."""
    low: float
    """Height of the lower edge; the floor meets the wall at 0."""
    width: float
    keystone: tuple[float, ...]
    """How far the four corners move inwards, as parts of the size: x and y in turn."""
    light: tuple[float, float, float]
    """Factors of red, green and blue."""
    shadow: float
    """How much darker one side is; negative: the left one."""
    noise: float

    @property
    def height(self) -> float:
        return self.width * PHOTO_SIZE[1] / PHOTO_SIZE[0]

    def shown(self, kind: Kind, x: float) -> float:
        """Return the part of the width of a thing that the photo shows."""
        left, right = x - kind.width / 2, x + kind.width / 2
        return max(0.0, min(right, self.left + self.width) - max(left, self.left)) / kind.width


def view_of(device: Device, seed: int) -> View:
    """Return where somebody stands for the photo of `device`."""
    chance = random.Random(f"view {device.id} {seed}")
    kind = DEVICES[device.form]
    middle = _base(device) + kind.height / 2
    width = chance.uniform(2.9, 3.5)
    height = width * PHOTO_SIZE[1] / PHOTO_SIZE[0]
    brightness = chance.uniform(0.75, 1.1)
    warmth = chance.uniform(-0.1, 0.1)
    return View(
        left=device.x + chance.uniform(-0.35, 0.35) - width / 2,
        low=0.3 * middle + 0.7 * 0.95 + chance.uniform(-0.12, 0.12) - height / 2,
        width=width,
        keystone=tuple(chance.uniform(0, 0.06) for _ in range(8)),
        light=(brightness * (1 + warmth), brightness, brightness * (1 - warmth)),
        shadow=chance.uniform(-0.3, 0.3),
        noise=chance.uniform(2, 7),
    )


def photo(room: Room, device: Device, seed: int, size: tuple[int, int] = PHOTO_SIZE) -> Image.Image:
    """Return a photo of `device` and its surroundings."""
    view = view_of(device, seed)
    chance = random.Random(f"colours {room.name} {device.id} {seed}")
    canvas = _Canvas(view, chance, (size[0] * _OVERSAMPLING, size[1] * _OVERSAMPLING))
    canvas.background(room)
    for thing in room.things:
        kind = FURNITURE[thing.kind]
        canvas.draw(kind, thing.x, kind.base, thing.colour or kind.colour, spread=22)
    for each in room.devices:
        canvas.draw(DEVICES[each.form], each.x, _base(each), COLOURS[each.colour], spread=8)
    return _exposed(_tilted(canvas.image, view).resize(size, Image.Resampling.BOX), view, seed)


def jpeg(image: Image.Image) -> bytes:
    """Return the photo as a file."""
    file = io.BytesIO()
    image.save(file, "JPEG", quality=_JPEG_QUALITY)
    return file.getvalue()


def _base(device: Device) -> float:
    return DEVICES[device.form].base if device.base is None else device.base


@dataclass(slots=True)
class _Canvas:
    view: View
    chance: random.Random
    size: tuple[int, int]
    image: Image.Image = field(init=False)
    _pen: ImageDraw.ImageDraw = field(init=False)

    def __post_init__(self) -> None:
        self.image = Image.new("RGB", self.size)
        self._pen = ImageDraw.Draw(self.image)

    def background(self, room: Room) -> None:
        horizon = min(self._point(0, 0)[1], self.size[1])
        width, height = self.size
        self._pen.rectangle((0, 0, width, height), fill=self._varied(room.wall, 14))
        floor = self._varied(room.floor, 14)
        self._pen.rectangle((0, horizon, width, height), fill=floor)
        skirting = self.size[1] // 60
        self._pen.rectangle((0, horizon - skirting, width, horizon), fill=_shaded(floor, 1.3))

    def draw(self, kind: Kind, x: float, base: float, colour: Colour, *, spread: int) -> None:
        main = self._varied(colour, spread)
        paints = (main, _shaded(main, 0.72), _shaded(main, 1.2))
        for part in kind.parts:
            paint = paints[part.paint] if isinstance(part.paint, int) else part.paint
            self._draw_part(part, kind, x - kind.width / 2, base, paint)

    def _draw_part(self, part: Part, kind: Kind, left: float, base: float, paint: Colour) -> None:
        points = [
            self._point(left + x * kind.width, base + y * kind.height)
            for x, y in zip(part.points[::2], part.points[1::2], strict=True)
        ]
        if part.form == "shape":
            self._pen.polygon(points, fill=paint)
            return
        (x0, y1), (x1, y0) = points
        if part.form == "oval":
            self._pen.ellipse((x0, y0, x1, y1), fill=paint)
        else:
            self._pen.rectangle((x0, y0, x1, y1), fill=paint)

    def _point(self, x: float, y: float) -> tuple[float, float]:
        scale = self.size[0] / self.view.width
        return (x - self.view.left) * scale, self.size[1] - (y - self.view.low) * scale

    def _varied(self, colour: Colour, spread: int) -> Colour:
        red, green, blue = (
            max(0, min(255, part + self.chance.randint(-spread, spread))) for part in colour
        )
        return red, green, blue


def _shaded(colour: Colour, factor: float) -> Colour:
    red, green, blue = (min(255, int(part * factor)) for part in colour)
    return red, green, blue


def _tilted(image: Image.Image, view: View) -> Image.Image:
    """Return the image as from a camera that is held at a slight angle."""
    width, height = image.size
    moved = view.keystone
    corners = ((0, 0), (0, 1), (1, 1), (1, 0))
    data: list[float] = []
    for number, (x, y) in enumerate(corners):
        inwards_x, inwards_y = moved[2 * number], moved[2 * number + 1]
        data += [width * abs(x - inwards_x), height * abs(y - inwards_y)]
    return image.transform(image.size, Image.Transform.QUAD, data, Image.Resampling.NEAREST)


def _exposed(image: Image.Image, view: View, seed: int) -> Image.Image:
    """Return the image with the light of the room and the noise of the camera."""
    chance = np.random.default_rng(seed)
    pixels = np.asarray(image, np.float32) * np.asarray(view.light, np.float32)
    sides = np.linspace(1 + view.shadow / 2, 1 - view.shadow / 2, image.width, dtype=np.float32)
    pixels *= sides[None, :, None]
    pixels += chance.normal(0, view.noise, pixels.shape).astype(np.float32)
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
