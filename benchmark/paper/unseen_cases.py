"""Ten cases of the kinds of the paper, which nobody looks at while prompts are worked on."""

from typing import Final

from .case import Component, Event, PaperCase
from .criteria import Holds, Is, Writes
from .forms import (
    BED,
    CC,
    CREDENZA,
    DINING,
    DR,
    FIREPLACE,
    FRAME,
    FRIDGE,
    IR,
    LIGHTS,
    NEAR_TV,
    D,
    P,
    T,
    colored,
    dimmed,
    doing,
    hue,
    level,
    lights,
    look,
    louder,
    number,
    off,
    on,
    place,
    power,
    saturation,
    says,
    shows,
    unseen,
    volume,
    warmth,
    watching,
    white,
)
from .people import NADIA, ROHAN, VIKTOR
from .world import CONTACTS

_PHOTO: Final = Component.DISAMBIGUATION
_TASTE: Final = Component.PERSONALIZATION
_MOTION: Final = place("motion_sensor", "motionSensor", "motion")
_WARMTH: Final = place("motion_sensor", "temperatureMeasurement", "temperature")
_ICE_MAKER: Final = place(FRIDGE, "switch", "switch", "icemaker")

UNSEEN_CASES: Final[tuple[PaperCase, ...]] = (
    unseen(
        "reading-in-bed",
        VIKTOR,
        "I want to read a chapter in bed, make the lamp there right for that.",
        {P, IR, DR},
        doing(_PHOTO, _TASTE),
        dimmed(BED, 70, 100),
        white(BED),
        given={
            **lights("off"),
            level(BED): 25,
            hue(BED): 5,
            saturation(BED): 80,
            warmth(BED): 2300,
        },
    ),
    unseen(
        "cannot-hear-them",
        NADIA,
        "I cannot make out a word of what they say on the set over the sideboard.",
        {IR, DR},
        doing(_PHOTO, Component.ATTRIBUTES),
        louder(CREDENZA),
        given={volume(CREDENZA): 6},
    ),
    unseen(
        "green-over-the-table",
        ROHAN,
        "The lamp that hangs over where we eat: make it green.",
        {DR},
        doing(_PHOTO),
        colored(DINING, 120, 30),
        given={**lights("off"), hue(DINING): 8},
    ),
    unseen(
        "lamp-for-whoever-comes",
        NADIA,
        "Each time the motion sensor notices somebody, the lamp next to the fireplace goes on.",
        {DR, T},
        watching(_PHOTO),
        off(FIREPLACE),
        given=lights("off"),
        events=(
            Event(sets={_WARMTH: 23}, minutes=5, criteria=(off(FIREPLACE),)),
            Event(sets={_MOTION: "active"}, criteria=(on(FIREPLACE),)),
            # Somebody switches it off; there is still motion, also after a restart.
            Event(sets={power(FIREPLACE): "off"}, minutes=5, criteria=(off(FIREPLACE),)),
            Event(restarts=True, minutes=2, criteria=(off(FIREPLACE),)),
            Event(sets={_MOTION: "inactive"}, criteria=(off(FIREPLACE),)),
            Event(sets={_MOTION: "active"}, criteria=(on(FIREPLACE),)),
        ),
    ),
    unseen(
        "bedtime",
        ROHAN,
        "Bedtime: leave only the lamp at my bed on, as faint as it gets, and no picture on either "
        "screen.",
        {DR, CC, IR},
        doing(_PHOTO),
        off(NEAR_TV, FIREPLACE, DINING, CREDENZA, FRAME),
        on(BED),
        dimmed(BED, 1, 10),
        given={**lights("on", *LIGHTS), level(BED): 80},
        allowed=look(BED),
    ),
    unseen(
        "supper-ideas",
        VIKTOR,
        "I need ideas for supper. Is there anything on about that? Show it on the screen next to "
        "the greenery.",
        {DR, IR},
        doing(_PHOTO, Component.TV_SCHEDULE),
        shows(FRAME, 5),
        given={power(FRAME): "off"},
    ),
    unseen(
        "cold-at-mothers",
        ROHAN,
        "How cold is it right now where my mother lives?",
        {P},
        frozenset({_TASTE, Component.WEATHER}),
        number(2, "two"),
    ),
    unseen(
        "weekend-plans",
        VIKTOR,
        "Did I plan anything for this weekend?",
        {P, IR},
        frozenset({Component.CALENDAR}),
        says("glasses", hides=("swim*", "dinner", "Oleg")),
    ),
    unseen(
        "draft-to-sister",
        NADIA,
        "Draft a mail to my sister saying that I will be there on December 12 around noon. I want "
        "to look at it before it goes out.",
        {P, CC},
        frozenset({_TASTE, Component.MAIL, Component.CONTACTS}),
        Writes(
            NADIA,
            CONTACTS[NADIA]["Laila"],
            (
                ("December 12", "Dec 12", "Dec. 12", "12 December", "12th", "12 Dec"),
                ("noon", "midday", "12:00", "12 pm"),
            ),
            is_draft=True,
        ),
        confirmations=1,
    ),
    unseen(
        "no-more-ice",
        ROHAN,
        "Switch the ice maker of the fridge off.",
        {D},
        doing(),
        Holds(_ICE_MAKER, Is(("off",))),
    ),
)
"""Their words and situations are not those of the other cases."""
