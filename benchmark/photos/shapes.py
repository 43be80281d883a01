"""The furniture and the devices of the photos, as flat shapes.

Each kind differs from the others in shape and colour. Training runs in the environment of the
models server, so the modules that it imports also run on Python 3.11.
"""

from dataclasses import dataclass
from typing import Final

Colour = tuple[int, int, int]
Points = tuple[float, ...]
"""x and y in turn, in units of the kind's width and height, from its lower left corner."""


@dataclass(frozen=True, slots=True)
class Part:
    """One primitive of a shape. `paint` is a colour, or the place of one in the kind's colours."""

    form: str
    points: Points
    paint: int | Colour
    """0: the main colour of the thing; 1: its darker shade; 2: its lighter shade."""


def box(left: float, low: float, right: float, high: float, paint: int | Colour) -> Part:
    return Part("box", (left, low, right, high), paint)


def oval(left: float, low: float, right: float, high: float, paint: int | Colour) -> Part:
    return Part("oval", (left, low, right, high), paint)


def shape(paint: int | Colour, *points: float) -> Part:
    return Part("shape", points, paint)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of furniture or device."""

    width: float
    """Metres."""
    height: float
    colour: Colour
    parts: tuple[Part, ...]
    base: float = 0.0
    """Metres from the floor to its lower edge where it stands or hangs alone."""
    is_surface: bool = False
    """Small devices can stand on it."""


MAIN, DARK, LIGHT = 0, 1, 2
WHITE: Final = (242, 240, 234)
BLACK: Final = (32, 32, 36)
GREY: Final = (140, 142, 146)
STEEL: Final = (190, 196, 202)
WOOD: Final = (140, 92, 52)
OAK: Final = (206, 168, 112)
GLASS: Final = (176, 214, 236)
LEAF: Final = (48, 138, 58)
FLAME: Final = (255, 132, 24)
YELLOW: Final = (250, 206, 60)
RED: Final = (204, 48, 42)
BLUE: Final = (44, 92, 190)
PINK: Final = (240, 150, 180)
SKIN: Final = (176, 116, 62)

_LEGS = (box(0.04, 0, 0.09, 0.8, DARK), box(0.91, 0, 0.96, 0.8, DARK))


def _row(count: int, low: float, high: float, *paints: int | Colour) -> tuple[Part, ...]:
    """Return boxes side by side: books, keys, boards."""
    step = 0.92 / count
    return tuple(
        box(0.04 + number * step, low, 0.04 + (number + 0.85) * step, high, paint)
        for number, paint in ((each, paints[each % len(paints)]) for each in range(count))
    )


FURNITURE: Final[dict[str, Kind]] = {
    "bed": Kind(
        2.0,
        1.0,
        (58, 92, 168),
        (
            box(0, 0, 0.05, 1, WOOD),
            box(0.95, 0, 1, 0.62, WOOD),
            box(0.03, 0.18, 0.97, 0.36, WOOD),
            box(0.05, 0.36, 0.95, 0.5, WHITE),
            box(0.3, 0.34, 0.95, 0.62, MAIN),
            box(0.3, 0.5, 0.4, 0.62, LIGHT),
            oval(0.06, 0.48, 0.28, 0.74, WHITE),
        ),
    ),
    "nightstand": Kind(
        0.55,
        0.6,
        WOOD,
        (
            box(0, 0.12, 1, 1, MAIN),
            box(0.06, 0, 0.16, 0.12, DARK),
            box(0.84, 0, 0.94, 0.12, DARK),
            box(0.1, 0.58, 0.9, 0.86, LIGHT),
            box(0.1, 0.22, 0.9, 0.5, LIGHT),
            oval(0.44, 0.68, 0.56, 0.78, BLACK),
            oval(0.44, 0.32, 0.56, 0.42, BLACK),
        ),
        is_surface=True,
    ),
    "wardrobe": Kind(
        1.1,
        2.0,
        (112, 120, 140),
        (
            box(0, 0.03, 1, 1, MAIN),
            box(0.03, 0.06, 0.48, 0.96, LIGHT),
            box(0.52, 0.06, 0.97, 0.96, LIGHT),
            box(0.42, 0.42, 0.45, 0.6, BLACK),
            box(0.55, 0.42, 0.58, 0.6, BLACK),
        ),
    ),
    "fireplace": Kind(
        1.4,
        1.2,
        (150, 146, 140),
        (
            box(0, 0, 1, 0.92, MAIN),
            box(-0.05, 0.9, 1.05, 1, WOOD),
            box(0.06, 0.7, 0.3, 0.84, LIGHT),
            box(0.4, 0.72, 0.62, 0.84, DARK),
            box(0.7, 0.7, 0.95, 0.84, LIGHT),
            box(0.03, 0.35, 0.16, 0.55, DARK),
            box(0.84, 0.3, 0.97, 0.5, DARK),
            box(0.22, 0, 0.78, 0.64, BLACK),
            shape(
                FLAME, 0.3, 0.06, 0.36, 0.34, 0.44, 0.2, 0.5, 0.5, 0.57, 0.22, 0.65, 0.36, 0.7, 0.06
            ),
            shape(YELLOW, 0.4, 0.06, 0.45, 0.2, 0.5, 0.3, 0.55, 0.2, 0.6, 0.06),
        ),
    ),
    "dining table": Kind(
        2.0,
        0.95,
        WOOD,
        (
            box(0.1, 0, 0.14, 1, DARK),
            box(0.1, 0.45, 0.26, 0.52, DARK),
            box(0.23, 0, 0.26, 0.5, DARK),
            box(0.86, 0, 0.9, 1, DARK),
            box(0.74, 0.45, 0.9, 0.52, DARK),
            box(0.74, 0, 0.77, 0.5, DARK),
            box(0.05, 0.72, 0.95, 0.8, MAIN),
            box(0.3, 0, 0.34, 0.72, MAIN),
            box(0.66, 0, 0.7, 0.72, MAIN),
            oval(0.28, 0.79, 0.42, 0.84, WHITE),
            oval(0.58, 0.79, 0.72, 0.84, WHITE),
        ),
    ),
    "credenza": Kind(
        2.0,
        0.6,
        OAK,
        (
            box(0, 0.2, 1, 1, MAIN),
            box(0.05, 0, 0.08, 0.2, DARK),
            box(0.92, 0, 0.95, 0.2, DARK),
            box(0.02, 0.28, 0.25, 0.92, LIGHT),
            box(0.265, 0.28, 0.495, 0.92, LIGHT),
            box(0.51, 0.28, 0.74, 0.92, LIGHT),
            box(0.755, 0.28, 0.98, 0.92, LIGHT),
        ),
        is_surface=True,
    ),
    "plant": Kind(
        0.75,
        1.35,
        (190, 96, 54),
        (
            shape(MAIN, 0.3, 0.28, 0.36, 0, 0.64, 0, 0.7, 0.28),
            box(0.27, 0.24, 0.73, 0.31, DARK),
            shape(LEAF, 0.48, 0.3, 0.05, 0.55, 0, 0.75, 0.25, 0.65),
            shape(LEAF, 0.52, 0.3, 0.95, 0.55, 1, 0.75, 0.75, 0.65),
            shape((34, 112, 48), 0.48, 0.3, 0.2, 0.8, 0.25, 0.98, 0.45, 0.7),
            shape((34, 112, 48), 0.52, 0.3, 0.8, 0.8, 0.75, 0.98, 0.55, 0.7),
            shape(LEAF, 0.45, 0.3, 0.42, 0.85, 0.5, 1, 0.58, 0.85, 0.55, 0.3),
        ),
    ),
    "sofa": Kind(
        2.0,
        0.85,
        (150, 52, 62),
        (
            box(0.1, 0.3, 0.9, 1, MAIN),
            box(0, 0.1, 0.14, 0.68, DARK),
            box(0.86, 0.1, 1, 0.68, DARK),
            box(0.12, 0.12, 0.5, 0.48, LIGHT),
            box(0.51, 0.12, 0.88, 0.48, LIGHT),
            box(0.05, 0, 0.09, 0.1, BLACK),
            box(0.91, 0, 0.95, 0.1, BLACK),
        ),
    ),
    "armchair": Kind(
        0.9,
        1.0,
        (204, 150, 44),
        (
            oval(0.15, 0.4, 0.85, 1, MAIN),
            box(0.15, 0.15, 0.85, 0.7, MAIN),
            oval(0, 0.2, 0.26, 0.62, DARK),
            oval(0.74, 0.2, 1, 0.62, DARK),
            box(0.2, 0.2, 0.8, 0.44, LIGHT),
            box(0.15, 0, 0.2, 0.2, BLACK),
            box(0.8, 0, 0.85, 0.2, BLACK),
        ),
    ),
    "bookshelf": Kind(
        1.0,
        1.95,
        (98, 62, 38),
        (
            box(0, 0, 1, 1, MAIN),
            *_row(8, 0.05, 0.21, RED, BLUE, YELLOW, LEAF),
            *_row(9, 0.29, 0.45, BLUE, WHITE, RED),
            *_row(7, 0.53, 0.68, LEAF, YELLOW, RED, WHITE),
            *_row(8, 0.77, 0.94, RED, BLUE, WHITE, YELLOW),
        ),
    ),
    "desk": Kind(
        1.4,
        1.2,
        (224, 224, 226),
        (
            box(0, 0.56, 1, 0.62, MAIN),
            box(0.04, 0, 0.08, 0.56, GREY),
            box(0.68, 0, 0.96, 0.56, MAIN),
            box(0.7, 0.3, 0.94, 0.5, GREY),
            box(0.7, 0.06, 0.94, 0.26, GREY),
            box(0.3, 0.7, 0.72, 1, BLACK),
            box(0.32, 0.73, 0.7, 0.97, (70, 150, 220)),
            box(0.49, 0.62, 0.53, 0.7, BLACK),
            box(0.32, 0.62, 0.66, 0.645, BLACK),
        ),
    ),
    "stove": Kind(
        0.75,
        0.95,
        (70, 72, 78),
        (
            box(0, 0, 1, 0.92, MAIN),
            box(0.1, 0.12, 0.9, 0.62, BLACK),
            box(0.16, 0.2, 0.84, 0.54, (220, 120, 40)),
            box(0.14, 0.66, 0.86, 0.7, STEEL),
            *(oval(x, 0.77, x + 0.1, 0.86, STEEL) for x in (0.12, 0.34, 0.56, 0.78)),
            box(0, 0.92, 1, 0.96, BLACK),
            box(0.56, 0.96, 0.86, 1.14, RED),
            box(0.86, 1.06, 1.02, 1.1, BLACK),
        ),
    ),
    "fridge": Kind(
        0.75,
        1.85,
        STEEL,
        (
            box(0, 0, 1, 1, MAIN),
            box(0, 0.64, 1, 0.655, BLACK),
            box(0.08, 0.7, 0.13, 0.9, BLACK),
            box(0.08, 0.36, 0.13, 0.6, BLACK),
            box(0.55, 0.76, 0.72, 0.86, YELLOW),
            box(0.6, 0.44, 0.82, 0.56, PINK),
        ),
    ),
    "washing machine": Kind(
        0.65,
        0.9,
        (236, 238, 240),
        (
            box(0, 0, 1, 1, MAIN),
            box(0.02, 0.84, 0.98, 0.98, GREY),
            oval(0.72, 0.86, 0.88, 0.97, BLACK),
            oval(0.16, 0.12, 0.84, 0.76, GREY),
            oval(0.24, 0.2, 0.76, 0.68, (40, 70, 110)),
            oval(0.34, 0.24, 0.66, 0.46, GLASS),
        ),
        is_surface=True,
    ),
    "bathtub": Kind(
        1.7,
        0.75,
        (246, 246, 246),
        (
            shape(MAIN, 0, 0.8, 0.06, 0.16, 0.94, 0.16, 1, 0.8),
            oval(0.02, 0.66, 0.98, 0.92, (90, 190, 220)),
            box(0, 0.76, 1, 0.84, WHITE),
            box(0.9, 0.8, 0.93, 1.15, STEEL),
            box(0.8, 1.08, 0.93, 1.15, STEEL),
            oval(0.08, 0, 0.16, 0.2, YELLOW),
            oval(0.84, 0, 0.92, 0.2, YELLOW),
        ),
    ),
    "washbasin": Kind(
        0.8,
        1.9,
        (238, 240, 242),
        (
            oval(0.1, 0.56, 0.9, 1, (196, 160, 90)),
            oval(0.15, 0.59, 0.85, 0.97, GLASS),
            shape(MAIN, 0.02, 0.46, 0.2, 0.3, 0.8, 0.3, 0.98, 0.46),
            box(0.4, 0, 0.6, 0.3, MAIN),
            box(0.47, 0.46, 0.53, 0.54, STEEL),
        ),
    ),
    "toilet": Kind(
        0.55,
        0.9,
        (244, 244, 240),
        (
            box(0.0, 0.42, 0.34, 1, MAIN),
            oval(0.1, 0.3, 1, 0.56, (120, 80, 50)),
            shape(MAIN, 0.14, 0.42, 0.98, 0.42, 0.7, 0.14, 0.7, 0, 0.3, 0, 0.3, 0.14),
        ),
    ),
    "coat rack": Kind(
        0.9,
        1.9,
        (110, 68, 40),
        (
            box(0.47, 0, 0.53, 1, MAIN),
            box(0.25, 0, 0.75, 0.04, MAIN),
            box(0.1, 0.88, 0.9, 0.91, MAIN),
            shape((196, 40, 60), 0.06, 0.88, 0.3, 0.88, 0.38, 0.36, 0.0, 0.36),
            shape((40, 96, 110), 0.68, 0.88, 0.92, 0.88, 1.0, 0.4, 0.62, 0.4),
        ),
    ),
    "front door": Kind(
        1.0,
        2.05,
        (150, 36, 30),
        (
            box(0, 0, 1, 1, WHITE),
            box(0.07, 0, 0.93, 0.96, MAIN),
            box(0.2, 0.66, 0.8, 0.88, GLASS),
            box(0.2, 0.38, 0.8, 0.58, DARK),
            box(0.2, 0.08, 0.8, 0.3, DARK),
            oval(0.78, 0.44, 0.88, 0.5, YELLOW),
        ),
    ),
    "shoe rack": Kind(
        0.9,
        0.5,
        (176, 130, 84),
        (
            box(0, 0, 0.05, 1, MAIN),
            box(0.95, 0, 1, 1, MAIN),
            box(0, 0.45, 1, 0.52, MAIN),
            box(0, 0.05, 1, 0.12, MAIN),
            box(0, 0.93, 1, 1, MAIN),
            *(oval(x, 0.52, x + 0.18, 0.72, RED) for x in (0.08, 0.28)),
            *(oval(x, 0.52, x + 0.18, 0.72, BLACK) for x in (0.52, 0.74)),
            *(oval(x, 0.12, x + 0.18, 0.34, BLUE) for x in (0.1, 0.3)),
            *(oval(x, 0.12, x + 0.18, 0.34, WHITE) for x in (0.54, 0.74)),
        ),
        is_surface=True,
    ),
    "teddy bear": Kind(
        0.6,
        0.75,
        SKIN,
        (
            oval(0.16, 0.8, 0.38, 1, DARK),
            oval(0.62, 0.8, 0.84, 1, DARK),
            oval(0.2, 0, 0.8, 0.62, MAIN),
            oval(0.22, 0.48, 0.78, 0.96, MAIN),
            oval(0.34, 0.1, 0.66, 0.46, LIGHT),
            oval(0, 0, 0.34, 0.2, DARK),
            oval(0.66, 0, 1, 0.2, DARK),
            oval(0.42, 0.58, 0.58, 0.7, BLACK),
        ),
    ),
    "crib": Kind(
        1.2,
        0.95,
        (112, 190, 160),
        (
            box(0.04, 0.35, 0.96, 0.5, PINK),
            *_row(11, 0.25, 0.95, MAIN),
            box(0, 0.9, 1, 1, MAIN),
            box(0, 0.22, 1, 0.3, MAIN),
            box(0, 0, 0.06, 1, MAIN),
            box(0.94, 0, 1, 1, MAIN),
        ),
    ),
    "car": Kind(
        2.6,
        1.25,
        (30, 110, 200),
        (
            shape(MAIN, 0, 0.2, 0, 0.52, 0.2, 0.6, 0.34, 1, 0.72, 1, 0.86, 0.6, 1, 0.5, 1, 0.2),
            shape(GLASS, 0.26, 0.62, 0.37, 0.92, 0.52, 0.92, 0.52, 0.62),
            shape(GLASS, 0.55, 0.62, 0.55, 0.92, 0.69, 0.92, 0.8, 0.62),
            oval(0.12, 0, 0.32, 0.42, BLACK),
            oval(0.7, 0, 0.9, 0.42, BLACK),
            oval(0.17, 0.1, 0.27, 0.32, STEEL),
            oval(0.75, 0.1, 0.85, 0.32, STEEL),
        ),
    ),
    "workbench": Kind(
        1.5,
        1.7,
        (166, 116, 60),
        (
            box(0.05, 0.6, 0.95, 1, (120, 128, 110)),
            box(0.14, 0.68, 0.18, 0.9, RED),
            box(0.1, 0.88, 0.22, 0.94, STEEL),
            shape(STEEL, 0.32, 0.74, 0.58, 0.86, 0.58, 0.74),
            box(0.26, 0.73, 0.34, 0.82, FLAME),
            box(0.7, 0.66, 0.73, 0.92, STEEL),
            box(0.8, 0.66, 0.83, 0.92, YELLOW),
            box(0, 0.46, 1, 0.54, MAIN),
            box(0.04, 0, 0.12, 0.46, DARK),
            box(0.88, 0, 0.96, 0.46, DARK),
            box(0.12, 0.14, 0.88, 0.2, DARK),
            box(0.6, 0.54, 0.72, 0.62, BLUE),
        ),
    ),
    "bicycle": Kind(
        1.6,
        1.0,
        (20, 150, 130),
        (
            oval(0, 0, 0.4, 0.62, BLACK),
            oval(0.04, 0.06, 0.36, 0.56, (214, 214, 214)),
            oval(0.6, 0, 1, 0.62, BLACK),
            oval(0.64, 0.06, 0.96, 0.56, (214, 214, 214)),
            shape(MAIN, 0.18, 0.3, 0.34, 0.78, 0.38, 0.78, 0.22, 0.3),
            shape(MAIN, 0.34, 0.74, 0.72, 0.78, 0.72, 0.7, 0.36, 0.66),
            shape(MAIN, 0.44, 0.28, 0.72, 0.76, 0.76, 0.72, 0.5, 0.26),
            shape(MAIN, 0.7, 0.94, 0.82, 0.3, 0.78, 0.3, 0.66, 0.94),
            box(0.24, 0.78, 0.44, 0.86, BLACK),
            box(0.62, 0.92, 0.8, 0.98, BLACK),
        ),
    ),
    "ladder": Kind(
        0.6,
        2.2,
        (214, 196, 60),
        (
            box(0, 0, 0.1, 1, MAIN),
            box(0.9, 0, 1, 1, MAIN),
            *(box(0, y, 1, y + 0.03, DARK) for y in (0.1, 0.24, 0.38, 0.52, 0.66, 0.8, 0.94)),
        ),
    ),
    "boxes": Kind(
        1.0,
        0.95,
        (196, 152, 98),
        (
            box(0, 0, 0.54, 0.5, MAIN),
            box(0.56, 0, 1, 0.42, DARK),
            box(0.14, 0.52, 0.64, 0.96, MAIN),
            box(0.22, 0, 0.3, 0.5, LIGHT),
            box(0.35, 0.52, 0.42, 0.96, LIGHT),
            box(0.74, 0, 0.81, 0.42, LIGHT),
        ),
        is_surface=True,
    ),
    "suitcase": Kind(
        0.65,
        0.85,
        (150, 40, 130),
        (
            box(0.36, 0.7, 0.42, 1, BLACK),
            box(0.58, 0.7, 0.64, 1, BLACK),
            box(0.36, 0.95, 0.64, 1, BLACK),
            box(0, 0.06, 1, 0.8, MAIN),
            box(0.2, 0.06, 0.26, 0.8, DARK),
            box(0.74, 0.06, 0.8, 0.8, DARK),
            oval(0.08, 0, 0.2, 0.1, BLACK),
            oval(0.8, 0, 0.92, 0.1, BLACK),
        ),
    ),
    "ironing board": Kind(
        1.4,
        0.95,
        (120, 200, 190),
        (
            shape(GREY, 0.2, 0, 0.26, 0, 0.8, 0.8, 0.74, 0.8),
            shape(GREY, 0.74, 0, 0.8, 0, 0.26, 0.8, 0.2, 0.8),
            shape(MAIN, 0, 0.85, 0.12, 0.78, 1, 0.78, 1, 0.88, 0.12, 0.9),
            shape(RED, 0.62, 0.89, 0.62, 0.98, 0.8, 1.08, 0.86, 0.89),
        ),
    ),
    "laundry basket": Kind(
        0.6,
        0.6,
        (222, 190, 140),
        (
            oval(0.05, 0.55, 0.5, 1, PINK),
            oval(0.4, 0.55, 0.95, 1.05, (90, 140, 220)),
            shape(MAIN, 0, 0.78, 0.1, 0, 0.9, 0, 1, 0.78),
            *(box(0.08, y, 0.92, y + 0.05, DARK) for y in (0.15, 0.35, 0.55)),
        ),
    ),
    "piano": Kind(
        1.5,
        1.2,
        (28, 24, 26),
        (
            box(0, 0, 0.06, 1, MAIN),
            box(0.94, 0, 1, 1, MAIN),
            box(0, 0.6, 1, 1, MAIN),
            box(0, 0.08, 1, 0.5, DARK),
            box(0.03, 0.5, 0.97, 0.6, WHITE),
            *_row(15, 0.54, 0.6, BLACK),
            box(0.36, 0.68, 0.64, 0.92, WHITE),
        ),
    ),
    "aquarium": Kind(
        1.1,
        1.25,
        (60, 60, 66),
        (
            box(0, 0, 1, 0.46, MAIN),
            box(0, 0.46, 1, 1, BLACK),
            box(0.03, 0.5, 0.97, 0.94, (30, 150, 220)),
            box(0.03, 0.5, 0.97, 0.56, (226, 200, 140)),
            box(0.14, 0.56, 0.18, 0.8, LEAF),
            box(0.8, 0.56, 0.84, 0.74, LEAF),
            oval(0.36, 0.72, 0.52, 0.82, FLAME),
            oval(0.6, 0.62, 0.74, 0.7, YELLOW),
        ),
    ),
    "painting": Kind(
        1.0,
        0.75,
        (206, 170, 60),
        (
            box(0, 0, 1, 1, MAIN),
            box(0.08, 0.1, 0.92, 0.9, (120, 180, 230)),
            shape(
                (60, 120, 70),
                0.08,
                0.1,
                0.08,
                0.4,
                0.36,
                0.66,
                0.6,
                0.36,
                0.8,
                0.54,
                0.92,
                0.4,
                0.92,
                0.1,
            ),
            oval(0.68, 0.64, 0.82, 0.82, YELLOW),
        ),
        base=1.35,
    ),
    "grandfather clock": Kind(
        0.5,
        2.0,
        (92, 48, 28),
        (
            box(0.08, 0, 0.92, 1, MAIN),
            box(0, 0, 1, 0.14, DARK),
            shape(MAIN, 0, 0.92, 0.5, 1.04, 1, 0.92),
            oval(0.16, 0.7, 0.84, 0.9, WHITE),
            box(0.48, 0.8, 0.53, 0.88, BLACK),
            box(0.48, 0.79, 0.68, 0.81, BLACK),
            box(0.26, 0.2, 0.74, 0.64, BLACK),
            box(0.48, 0.36, 0.53, 0.64, YELLOW),
            oval(0.34, 0.26, 0.66, 0.4, YELLOW),
        ),
    ),
    "globe": Kind(
        0.6,
        1.1,
        (40, 120, 190),
        (
            box(0.46, 0.1, 0.54, 0.5, WOOD),
            box(0.2, 0, 0.8, 0.1, WOOD),
            oval(0, 0.42, 1, 1, YELLOW),
            oval(0.06, 0.45, 0.94, 0.97, MAIN),
            shape(LEAF, 0.2, 0.8, 0.44, 0.9, 0.5, 0.7, 0.34, 0.56),
            shape(LEAF, 0.6, 0.72, 0.86, 0.76, 0.76, 0.54),
        ),
    ),
    "patio table": Kind(
        1.8,
        2.3,
        (226, 70, 50),
        (
            box(0.48, 0, 0.52, 0.95, GREY),
            shape(MAIN, 0, 0.74, 0.5, 1, 1, 0.74),
            shape(WHITE, 0.33, 0.74, 0.5, 1, 0.5, 0.74),
            shape(WHITE, 0.67, 0.74, 0.5, 1, 0.82, 0.74),
            box(0.15, 0.3, 0.85, 0.34, WHITE),
            box(0.22, 0, 0.25, 0.3, WHITE),
            box(0.75, 0, 0.78, 0.3, WHITE),
        ),
    ),
    "barbecue": Kind(
        0.8,
        1.05,
        (40, 40, 44),
        (
            shape(GREY, 0.2, 0, 0.26, 0, 0.5, 0.5, 0.44, 0.5),
            shape(GREY, 0.74, 0, 0.8, 0, 0.56, 0.5, 0.5, 0.5),
            oval(0.08, 0.36, 0.92, 0.96, MAIN),
            box(0.04, 0.62, 0.96, 0.68, RED),
            box(0.4, 0.94, 0.6, 1, STEEL),
        ),
    ),
    "stairs": Kind(
        1.8,
        1.9,
        (180, 140, 96),
        (
            *(
                shape(
                    (MAIN, LIGHT)[step % 2],
                    *(step / 6, 0, step / 6, (step + 1) / 6),
                    *((step + 1) / 6, (step + 1) / 6, (step + 1) / 6, 0),
                )
                for step in range(6)
            ),
            shape(BLACK, 0, 0.42, 0, 0.47, 0.8, 1.27, 0.8, 1.22),
        ),
    ),
    "guitar": Kind(
        0.5,
        1.15,
        (220, 140, 50),
        (
            oval(0.02, 0, 0.98, 0.4, MAIN),
            oval(0.14, 0.28, 0.86, 0.58, MAIN),
            oval(0.36, 0.28, 0.64, 0.42, BLACK),
            box(0.44, 0.4, 0.56, 0.92, BLACK),
            box(0.38, 0.9, 0.62, 1, WOOD),
        ),
    ),
    "kitchen sink": Kind(
        1.2,
        1.15,
        (120, 160, 120),
        (
            box(0, 0.04, 1, 0.72, MAIN),
            box(0, 0.72, 1, 0.79, GREY),
            box(0.03, 0.1, 0.48, 0.68, LIGHT),
            box(0.52, 0.1, 0.97, 0.68, LIGHT),
            box(0.6, 0.79, 0.63, 0.98, STEEL),
            box(0.48, 0.94, 0.63, 0.98, STEEL),
            oval(0.1, 0.79, 0.34, 0.94, WHITE),
            oval(0.14, 0.82, 0.38, 1.0, (90, 140, 220)),
        ),
    ),
}

DEVICES: Final[dict[str, Kind]] = {
    "table lamp": Kind(
        0.36,
        0.5,
        WHITE,
        (
            box(0.44, 0.06, 0.56, 0.5, MAIN),
            box(0.24, 0, 0.76, 0.08, MAIN),
            shape(MAIN, 0, 0.45, 0.22, 1, 0.78, 1, 1, 0.45),
            box(0.05, 0.42, 0.95, 0.48, YELLOW),
        ),
    ),
    "floor lamp": Kind(
        0.5,
        1.65,
        WHITE,
        (
            box(0.46, 0.02, 0.54, 0.8, MAIN),
            oval(0.2, 0, 0.8, 0.04, MAIN),
            shape(MAIN, 0, 0.76, 0.25, 1, 0.75, 1, 1, 0.76),
            box(0.05, 0.74, 0.95, 0.77, YELLOW),
        ),
    ),
    "pendant lamp": Kind(
        0.6,
        0.9,
        WHITE,
        (
            box(0.48, 0.34, 0.52, 1, BLACK),
            shape(MAIN, 0, 0.06, 0.14, 0.3, 0.4, 0.42, 0.6, 0.42, 0.86, 0.3, 1, 0.06),
            oval(0.3, 0, 0.7, 0.14, YELLOW),
        ),
        base=1.6,
    ),
    "wall lamp": Kind(
        0.3,
        0.4,
        WHITE,
        (
            box(0.4, 0, 0.6, 0.5, BLACK),
            shape(MAIN, 0.2, 0.4, 0, 1, 1, 1, 0.8, 0.4),
            oval(0.1, 0.94, 0.9, 1.06, YELLOW),
        ),
        base=1.55,
    ),
    "TV": Kind(
        1.15,
        0.68,
        BLACK,
        (
            box(0, 0, 1, 1, BLACK),
            box(0.025, 0.05, 0.975, 0.96, (44, 60, 96)),
            shape((74, 96, 140), 0.55, 0.05, 0.75, 0.96, 0.9, 0.96, 0.7, 0.05),
        ),
        base=1.05,
    ),
    "fan": Kind(
        0.55,
        1.25,
        WHITE,
        (
            box(0.46, 0.02, 0.54, 0.6, MAIN),
            oval(0.2, 0, 0.8, 0.05, MAIN),
            oval(0, 0.54, 1, 1, GREY),
            oval(0.06, 0.57, 0.94, 0.97, (226, 236, 240)),
            oval(0.3, 0.74, 0.52, 0.94, MAIN),
            oval(0.48, 0.7, 0.82, 0.84, MAIN),
            oval(0.28, 0.6, 0.52, 0.78, MAIN),
            oval(0.44, 0.73, 0.56, 0.81, BLACK),
        ),
    ),
    "speaker": Kind(
        0.3,
        0.46,
        BLACK,
        (
            box(0, 0, 1, 1, MAIN),
            oval(0.14, 0.08, 0.86, 0.56, GREY),
            oval(0.32, 0.2, 0.68, 0.44, BLACK),
            oval(0.3, 0.66, 0.7, 0.92, GREY),
        ),
    ),
    "blind": Kind(
        1.1,
        1.15,
        WHITE,
        (
            box(0, 0, 1, 1, WHITE),
            box(0.05, 0.04, 0.95, 0.96, GLASS),
            *(box(0.02, y / 100, 0.98, y / 100 + 0.05, MAIN) for y in range(36, 96, 8)),
            box(-0.03, 0.95, 1.03, 1.03, DARK),
            box(0.88, 0.2, 0.9, 0.95, DARK),
        ),
        base=1.0,
    ),
    "plug": Kind(
        0.22,
        0.26,
        WHITE,
        (
            box(0, 0.1, 1, 1, MAIN),
            oval(0.16, 0.24, 0.84, 0.86, DARK),
            oval(0.32, 0.48, 0.44, 0.6, BLACK),
            oval(0.56, 0.48, 0.68, 0.6, BLACK),
            box(0.7, 0.1, 0.85, 0.25, LEAF),
        ),
        base=0.25,
    ),
}

COLOURS: Final[dict[str, Colour]] = {
    "white": WHITE,
    "black": BLACK,
    "red": RED,
    "green": (54, 150, 70),
    "blue": BLUE,
    "yellow": YELLOW,
}
"""The colours of devices that people name."""
