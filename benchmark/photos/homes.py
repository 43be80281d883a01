"""The homes whose devices are looked for: none of their rooms is used for training.

`PAPER` has the places of the paper's home; its device ids are the keys of the simulated SmartThings
home `paper`, where the lights share one name. `HOUSE` has the most rooms, `FLAT` other arrangements
of some of the furniture.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from .scenes import Device, Room, Thing, jpeg, photo

VIEW_SEED: Final = 1
"""Of the photos of the homes; training has views and device names of its own."""


@dataclass(frozen=True, slots=True)
class Home:
    name: str
    rooms: tuple[Room, ...]

    def devices(self, kind: str) -> Iterator[tuple[Room, Device]]:
        """Yield the devices of a kind, with their rooms."""
        for room in self.rooms:
            for device in room.devices:
                if device.kind == kind:
                    yield room, device

    def photos(self) -> dict[str, bytes]:
        """Return the photo of each device by its id, as JPEG files."""
        return {device.id: photo_of(room, device) for room in self.rooms for device in room.devices}


def photo_of(room: Room, device: Device) -> bytes:
    """Return the photo that the household took of a device, a JPEG file."""
    return jpeg(photo(room, device, VIEW_SEED))


PAPER: Final = Home(
    "paper",
    (
        Room(
            "Bedroom",
            (Thing("bed", 0.0, (92, 112, 140)), Thing("nightstand", 1.35)),
            (
                Device(
                    *("light_bed", "light", "table lamp", 1.35, 0.6, "black"),
                    caption="black lamp on the nightstand beside the bed",
                ),
            ),
            wall=(214, 216, 214),
        ),
        Room(
            "Library",
            (Thing("fireplace", 0.0), Thing("armchair", -1.5)),
            (
                Device(
                    *("light_fireplace", "light", "floor lamp", 1.05, None, "yellow"),
                    caption="standing lamp to the right of the stone fireplace",
                ),
            ),
            wall=(206, 190, 170),
        ),
        Room(
            "Dining room",
            (Thing("dining table", 0.0), Thing("painting", 1.55)),
            (
                Device(
                    *("light_dining", "light", "pendant lamp", 0.0, None, "black"),
                    caption="black hanging lamp above the dining table",
                ),
            ),
            wall=(206, 160, 132),
        ),
        Room(
            "Living room",
            (Thing("credenza", 0.0),),
            (
                Device(
                    *("tv_credenza", "TV", "TV", 0.2, 0.85),
                    caption="big TV above the oak credenza",
                ),
                Device(
                    *("light_tv", "light", "table lamp", -0.75, 0.6, "white"),
                    caption="white lamp on the credenza next to the TV",
                ),
            ),
            wall=(232, 232, 228),
        ),
        Room(
            "Office",
            (Thing("plant", 0.95), Thing("armchair", -1.25)),
            (
                Device(
                    *("tv_frame", "TV", "TV", 0.0),
                    caption="TV on the wall beside the big potted plant",
                ),
            ),
        ),
    ),
)

HOUSE: Final = Home(
    "house",
    (
        Room(
            "Bedroom",
            (Thing("wardrobe", -2.3), Thing("bed", -0.2), Thing("nightstand", 1.2)),
            (
                Device(
                    *("house_bedroom_light", "light", "table lamp", 1.2, 0.6, "green"),
                    caption="green lamp on the nightstand next to the bed",
                ),
                Device(
                    *("house_bedroom_blind", "blind", "blind", -0.2, 1.15),
                    caption="blind over the bed in the bedroom",
                ),
                Device(
                    *("house_bedroom_fan", "fan", "fan", 2.0),
                    caption="white fan near the nightstand and the bed",
                ),
            ),
            wall=(198, 212, 226),
        ),
        Room(
            "Living room",
            (
                Thing("armchair", -1.6),
                Thing("fireplace", 0.0),
                Thing("sofa", 2.3),
                Thing("plant", 3.8),
            ),
            (
                Device(
                    *("house_living_tv", "TV", "TV", 0.0, 1.35),
                    caption="TV above the fireplace in the living room",
                ),
                Device(
                    *("house_living_light", "light", "floor lamp", 1.02, None, "black"),
                    caption="black floor lamp between the fireplace and the sofa",
                ),
                Device(
                    *("house_living_speaker", "speaker", "speaker", 4.4, None, "black"),
                    caption="black speaker on the floor beside the potted plant and the sofa",
                ),
                Device(
                    *("house_living_plug", "plug", "plug", -2.3),
                    caption="smart plug next to the armchair and the fireplace",
                ),
            ),
            wall=(230, 216, 190),
        ),
        Room(
            "Kitchen",
            (Thing("fridge", -1.7), Thing("kitchen sink", -0.5), Thing("stove", 0.6)),
            (
                Device(
                    *("house_kitchen_light", "light", "pendant lamp", 0.6, None, "black"),
                    caption="black lamp hanging over the stove in the kitchen",
                ),
                Device(
                    *("house_kitchen_blind", "blind", "blind", -0.5, 1.25),
                    caption="kitchen blind over the sink",
                ),
                Device(
                    *("house_kitchen_speaker", "speaker", "speaker", -1.7, 1.85, "red"),
                    caption="red speaker on top of the fridge",
                ),
            ),
            wall=(240, 236, 220),
            floor=(190, 190, 186),
        ),
        Room(
            "Hall",
            (
                Thing("coat rack", -1.3),
                Thing("front door", 0.0),
                Thing("shoe rack", 1.15),
                Thing("stairs", 2.8),
            ),
            (
                Device(
                    *("house_hall_light", "light", "wall lamp", 1.15, None, "yellow"),
                    caption="wall lamp above the shoe rack at the entrance",
                ),
                Device(
                    *("house_hall_plug", "plug", "plug", -0.68),
                    caption="plug between the coat rack and the front door",
                ),
            ),
            wall=(222, 226, 208),
        ),
        Room(
            "Study",
            (Thing("globe", -1.2), Thing("desk", 0.0)),
            (
                Device(
                    *("house_study_light", "light", "table lamp", -0.5, 0.74, "red"),
                    caption="red lamp on the desk with the computer",
                ),
                Device(
                    *("house_study_blind", "blind", "blind", -1.2, 1.2),
                    caption="blind behind the globe, left of the desk",
                ),
                Device(
                    *("house_study_fan", "fan", "fan", 1.1, None, "black"),
                    caption="black fan beside the desk",
                ),
            ),
            wall=(206, 214, 196),
        ),
        Room(
            "Child's room",
            (Thing("crib", -1.2), Thing("teddy bear", 0.0), Thing("wardrobe", 1.3)),
            (
                Device(
                    *("house_child_light", "light", "pendant lamp", -1.2, None, "yellow"),
                    caption="yellow lamp above the baby's crib",
                ),
                Device(
                    *("house_child_blind", "blind", "blind", 0.1, 1.1),
                    caption="blind in the child's room, above the teddy bear",
                ),
                Device(
                    *("house_child_speaker", "speaker", "speaker", 0.52, None, "blue"),
                    caption="blue speaker next to the teddy bear",
                ),
                Device(
                    *("house_child_plug", "plug", "plug", 2.1),
                    caption="plug beside the wardrobe in the child's room",
                ),
            ),
            wall=(246, 226, 214),
        ),
        Room(
            "Bathroom",
            (Thing("bathtub", -1.1), Thing("washbasin", 0.4), Thing("toilet", 1.6)),
            (
                Device(
                    *("house_bath_light", "light", "wall lamp", 0.98, 1.6, "white"),
                    caption="lamp beside the mirror over the washbasin",
                ),
                Device(
                    *("house_bath_blind", "blind", "blind", -1.1, 1.25),
                    caption="bathroom blind above the bathtub",
                ),
                Device(
                    *("house_bath_speaker", "speaker", "speaker", 1.6, 1.2, "white"),
                    caption="white speaker above the toilet",
                ),
            ),
            wall=(196, 224, 226),
            floor=(150, 164, 172),
        ),
        Room(
            "Terrace",
            (Thing("plant", -1.8), Thing("patio table", 0.0), Thing("barbecue", 2.0)),
            (
                Device(
                    *("house_terrace_light", "light", "wall lamp", 2.0, 1.6, "black"),
                    caption="outdoor lamp above the barbecue",
                ),
                Device(
                    *("house_terrace_fan", "fan", "fan", 1.2, None, "black"),
                    caption="black fan next to the parasol and the patio table",
                ),
                Device(
                    *("house_terrace_speaker", "speaker", "speaker", -1.2, None, "green"),
                    caption="green speaker on the terrace by the patio table",
                ),
            ),
            wall=(196, 140, 112),
            floor=(150, 150, 140),
        ),
        Room(
            "Garage",
            (Thing("car", -1.6), Thing("workbench", 0.95), Thing("bicycle", 2.7)),
            (
                Device(
                    *("house_garage_light", "light", "pendant lamp", -1.6),
                    caption="ceiling lamp over the car in the garage",
                ),
                Device(
                    *("house_garage_tv", "TV", "TV", 2.7, 1.15),
                    caption="TV on the garage wall above the bicycle",
                ),
                Device(
                    *("house_garage_plug", "plug", "plug", 0.02),
                    caption="plug at the workbench, for the tools",
                ),
            ),
            wall=(206, 206, 204),
            floor=(140, 140, 142),
        ),
        Room(
            "Attic",
            (Thing("boxes", -0.9), Thing("ladder", 0.3), Thing("suitcase", 1.1)),
            (
                Device(
                    *("house_attic_light", "light", "floor lamp", -1.8, None, "red"),
                    caption="red floor lamp beside the cardboard boxes in the attic",
                ),
                Device(
                    *("house_attic_tv", "TV", "TV", -0.9, 0.95),
                    caption="old TV on the cardboard boxes",
                ),
                Device(
                    *("house_attic_fan", "fan", "fan", 1.8),
                    caption="fan next to the suitcase and the ladder",
                ),
            ),
            wall=(214, 184, 140),
        ),
        Room(
            "Laundry",
            (
                Thing("washing machine", -1.1),
                Thing("laundry basket", -0.2),
                Thing("ironing board", 1.2),
            ),
            (
                Device(
                    *("house_laundry_light", "light", "pendant lamp", -0.2, None, "blue"),
                    caption="blue lamp over the laundry basket",
                ),
                Device(
                    *("house_laundry_tv", "TV", "TV", 1.2, 1.15),
                    caption="TV above the ironing board",
                ),
                Device(
                    *("house_laundry_fan", "fan", "fan", -1.8),
                    caption="white fan by the washing machine",
                ),
                Device(
                    *("house_laundry_plug", "plug", "plug", -0.63, 0.7),
                    caption="plug of the washing machine",
                ),
            ),
            wall=(220, 226, 232),
            floor=(176, 176, 178),
        ),
        Room(
            "Library",
            (
                Thing("bookshelf", -1.4),
                Thing("armchair", -0.1, (60, 120, 90)),
                Thing("credenza", 1.9),
                Thing("bookshelf", 3.5),
            ),
            (
                Device(
                    *("house_library_light", "light", "floor lamp", 0.65, None, "white"),
                    caption="white reading lamp beside the green armchair",
                ),
                Device(
                    *("house_library_blind", "blind", "blind", -0.1, 1.2),
                    caption="blind behind the armchair, next to the bookshelf",
                ),
                Device(
                    *("house_library_tv", "TV", "TV", 1.75, 0.95),
                    caption="TV above the credenza in the library",
                ),
                Device(
                    *("house_library_speaker", "speaker", "speaker", 2.6, 0.6, "yellow"),
                    caption="yellow speaker on the credenza near the bookshelf",
                ),
            ),
            wall=(198, 176, 150),
        ),
    ),
)

FLAT: Final = Home(
    "flat",
    (
        Room(
            "Bedroom",
            (
                Thing("bed", 0.0, (176, 60, 70)),
                Thing("grandfather clock", 1.5),
                Thing("suitcase", 2.7, (40, 130, 120)),
            ),
            (
                Device(
                    *("flat_bedroom_light", "light", "floor lamp", -1.35, None, "blue"),
                    caption="blue floor lamp at the head of the bed",
                ),
                Device(
                    *("flat_bedroom_blind", "blind", "blind", 0.0, 1.15),
                    caption="bedroom blind above the bed",
                ),
                Device(
                    *("flat_bedroom_tv", "TV", "TV", 2.7),
                    caption="TV next to the grandfather clock, above the suitcase",
                ),
            ),
            wall=(232, 220, 226),
        ),
        Room(
            "Living room",
            (
                Thing("plant", -1.6),
                Thing("sofa", 0.0, (70, 120, 84)),
                Thing("aquarium", 1.9),
            ),
            (
                Device(
                    *("flat_living_light", "light", "pendant lamp", 0.0, None, "white"),
                    caption="white lamp hanging above the green sofa",
                ),
                Device(
                    *("flat_living_tv", "TV", "TV", 1.9, 1.35),
                    caption="TV over the fish tank",
                ),
                Device(
                    *("flat_living_speaker", "speaker", "speaker", 2.7, None, "white"),
                    caption="white speaker to the right of the aquarium",
                ),
            ),
            wall=(216, 222, 230),
        ),
        Room(
            "Kitchen",
            (Thing("dining table", 0.0), Thing("fridge", 1.6), Thing("stove", 2.6)),
            (
                Device(
                    *("flat_kitchen_light", "light", "pendant lamp", 0.0, None, "red"),
                    caption="red lamp over the table where we eat",
                ),
                Device(
                    *("flat_kitchen_tv", "TV", "TV", 2.6, 1.3),
                    caption="kitchen TV above the stove",
                ),
                Device(
                    *("flat_kitchen_speaker", "speaker", "speaker", -1.3, None, "green"),
                    caption="green speaker next to the dining table",
                ),
            ),
            wall=(244, 238, 206),
            floor=(166, 160, 156),
        ),
        Room(
            "Hall",
            (
                Thing("bicycle", -1.7),
                Thing("front door", 0.0, (40, 100, 70)),
                Thing("coat rack", 1.3),
            ),
            (
                Device(
                    *("flat_hall_light", "light", "wall lamp", 0.75, 1.6, "black"),
                    caption="black wall lamp at the front door, near the coats",
                ),
                Device(
                    *("flat_hall_blind", "blind", "blind", -1.7, 1.1),
                    caption="blind above the bicycle",
                ),
            ),
            wall=(210, 206, 198),
        ),
        Room(
            "Bathroom",
            (Thing("toilet", -1.0), Thing("washing machine", 0.0), Thing("bathtub", 1.6)),
            (
                Device(
                    *("flat_bath_light", "light", "wall lamp", -0.1, 1.6, "white"),
                    caption="lamp on the wall over the washing machine",
                ),
                Device(
                    *("flat_bath_blind", "blind", "blind", 1.6, 1.2),
                    caption="blind above the bathtub",
                ),
                Device(
                    *("flat_bath_speaker", "speaker", "speaker", 0.0, 0.9, "blue"),
                    caption="blue speaker on the washing machine",
                ),
            ),
            wall=(224, 234, 226),
            floor=(120, 132, 140),
        ),
        Room(
            "Music room",
            (
                Thing("guitar", -0.7),
                Thing("armchair", 0.5, (120, 70, 140)),
                Thing("bookshelf", 1.8),
            ),
            (
                Device(
                    *("flat_music_light", "light", "floor lamp", -1.35, None, "red"),
                    caption="red floor lamp beside the guitar",
                ),
                Device(
                    *("flat_music_blind", "blind", "blind", -0.7, 1.2),
                    caption="blind above the guitar",
                ),
                Device(
                    *("flat_music_tv", "TV", "TV", 0.5, 1.2),
                    caption="TV above the purple armchair, next to the bookshelf",
                ),
                Device(
                    *("flat_music_speaker", "speaker", "speaker", -0.2, None, "black"),
                    caption="black speaker between the guitar and the armchair",
                ),
            ),
            wall=(226, 208, 196),
        ),
    ),
)

HOMES: Final = (PAPER, HOUSE, FLAT)
