"""Sixty descriptions of devices, and some that fit no device. All are held out from training.

Held out are the sentences (training has template-made ones), the rooms with their arrangement
and colours (training has random rooms) and the views. Their nouns are known from training, as a
model trained on a few thousand scenes knows no other words; some of the other words are not.
"""

from dataclasses import dataclass
from typing import Final

from .homes import FLAT, HOUSE, PAPER, Home
from .scenes import Device, Room


@dataclass(frozen=True, slots=True)
class Description:
    """What somebody says about a device of a home."""

    text: str
    home: Home
    kind: str
    """The kind of device that is looked for."""
    device_id: str | None
    """None: no device of the home fits."""

    def candidates(self) -> tuple[tuple[Room, Device], ...]:
        """Return the devices of the home that are of the kind."""
        return tuple(self.home.devices(self.kind))


_FITTING: Final[tuple[tuple[Home, str, tuple[tuple[str, str], ...]], ...]] = (
    (
        PAPER,
        "light",
        (
            ("light_bed", "the lamp next to where I sleep"),
            ("light_bed", "the bedside light, the one on the little table with drawers"),
            ("light_fireplace", "the tall lamp standing beside the burning fire"),
            ("light_fireplace", "light over by the chimney where we get warm"),
            ("light_dining", "the lamp hanging above our dinner plates and chairs"),
            ("light_dining", "the light over the table we eat at"),
            ("light_tv", "small white lamp left of the television, on the long cabinet"),
            ("light_tv", "the lamp on the sideboard that has the TV over it"),
        ),
    ),
    (
        HOUSE,
        "light",
        (
            ("house_bedroom_light", "the green one by my pillow at night"),
            ("house_living_light", "that black standing lamp, between the fire and the couch"),
            ("house_kitchen_light", "the light above the pans when I am cooking"),
            ("house_hall_light", "light on the wall where all the shoes are"),
            ("house_study_light", "the red lamp next to my computer monitor"),
            ("house_child_light", "the lamp hanging over the baby's cot"),
            ("house_bath_light", "light beside the round mirror where we shave"),
            ("house_terrace_light", "the lamp outside, up on the wall over the grill"),
            ("house_garage_light", "the one hanging over the parked car"),
            ("house_attic_light", "tall red lamp next to the pile of cartons"),
            ("house_laundry_light", "the blue light above the dirty clothes"),
            ("house_library_light", "the lamp I read by, at the easy chair near the books"),
        ),
    ),
    (
        HOUSE,
        "TV",
        (
            ("house_living_tv", "the screen up above the flames of the hearth"),
            ("house_garage_tv", "television on the wall over the bike"),
            ("house_attic_tv", "the telly standing on those moving boxes"),
            ("house_laundry_tv", "the TV I watch while I iron shirts"),
            ("house_library_tv", "the TV by the sideboard, close to the books"),
        ),
    ),
    (
        HOUSE,
        "fan",
        (
            ("house_bedroom_fan", "ventilator beside the night table, near where we sleep"),
            ("house_study_fan", "the fan that blows at my desk and computer"),
            ("house_terrace_fan", "the fan outside between the parasol and the grill"),
            ("house_attic_fan", "fan standing with the luggage and the ladder"),
            ("house_laundry_fan", "the ventilator that stands left of the washer"),
        ),
    ),
    (
        HOUSE,
        "speaker",
        (
            ("house_living_speaker", "the loudspeaker down by the green houseplant and the couch"),
            ("house_kitchen_speaker", "music speaker up on the refrigerator"),
            ("house_child_speaker", "the blue speaker where the toy bear sits"),
            ("house_bath_speaker", "the speaker hanging over the loo"),
            ("house_terrace_speaker", "speaker outside, near the garden table with the umbrella"),
            ("house_library_speaker", "yellow loudspeaker on the low cabinet by the bookcase"),
        ),
    ),
    (
        HOUSE,
        "blind",
        (
            ("house_bedroom_blind", "shade of the window above the bed"),
            ("house_kitchen_blind", "the blind where I wash the dirty dishes"),
            ("house_study_blind", "blind at the window with the world globe in front"),
            ("house_child_blind", "the nursery blinds, above where the teddy sits"),
            ("house_bath_blind", "window blind over the tub"),
            ("house_library_blind", "the shade behind the easy chair, beside a shelf of books"),
        ),
    ),
    (
        HOUSE,
        "plug",
        (
            ("house_living_plug", "the socket on the left side of the armchair"),
            ("house_hall_plug", "outlet between the jackets and the entry door"),
            ("house_child_plug", "the smart plug at the closet with the clothes"),
            ("house_garage_plug", "plug by the bench with hammer and saw"),
            ("house_laundry_plug", "socket that the washer is plugged into"),
        ),
    ),
    (
        FLAT,
        "light",
        (
            ("flat_bedroom_light", "blue standing lamp at the end of the bed"),
            ("flat_living_light", "the white lamp hanging over the couch"),
            ("flat_kitchen_light", "red hanging lamp above where we have dinner together"),
            ("flat_hall_light", "light right next to the door when you come in"),
            ("flat_bath_light", "wall light up over the washer"),
            ("flat_music_light", "the red lamp that stands by my guitar"),
        ),
    ),
    (
        FLAT,
        "TV",
        (
            ("flat_bedroom_tv", "television by the old pendulum clock"),
            ("flat_living_tv", "the screen that is above the goldfish"),
            ("flat_kitchen_tv", "TV over the hob and the oven"),
            ("flat_music_tv", "the telly over the chair, between the guitar and the books"),
        ),
    ),
    (
        FLAT,
        "speaker",
        (
            ("flat_living_speaker", "the speaker standing beside the fish tank on the floor"),
            ("flat_bath_speaker", "speaker that sits on the washing machine by the toilet"),
            ("flat_music_speaker", "black loudspeaker between the easy chair and my guitar"),
        ),
    ),
)

DESCRIPTIONS: Final = tuple(
    Description(text, home, kind, device_id)
    for home, kind, said in _FITTING
    for device_id, text in said
)

NONE_FIT: Final = (
    Description("the lamp on the piano", PAPER, "light", None),
    Description("the light by the aquarium", PAPER, "light", None),
    Description("the lamp at the front door", PAPER, "light", None),
    Description("the skylight in the bathroom", HOUSE, "light", None),
    Description("the lamp beside the grandfather clock", HOUSE, "light", None),
    Description("light next to the guitar", HOUSE, "light", None),
    Description("the lamp over the pool table", HOUSE, "light", None),
    Description("the TV at the foot of the bed", HOUSE, "TV", None),
    Description("the television beside the bathtub", HOUSE, "TV", None),
    Description("the fan in the kitchen by the stove", HOUSE, "fan", None),
    Description("the speaker next to the car", HOUSE, "speaker", None),
    Description("the blind over the front door", HOUSE, "blind", None),
    Description("the plug behind the aquarium", HOUSE, "plug", None),
    Description("the lamp above the barbecue", FLAT, "light", None),
    Description("the TV over the fireplace", FLAT, "TV", None),
)
