"""Six cases with a scripted person who answers questions.

What the person answers decides what is right, and cannot be guessed; only in the last case is no
question needed.
"""

from typing import Final

from .case import Answerer, Component, Event, PaperCase
from .criteria import AtLeastOne, Holds, Is, Notified, Writes
from .forms import (
    BED,
    DINING,
    DISHWASHER,
    DR,
    FRAME,
    FRIDGE,
    IR,
    P,
    T,
    dialog,
    dimmed,
    doing,
    level,
    lights,
    look,
    on,
    place,
    power,
    shows,
    warm,
    warmth,
    watching,
    whole,
)
from .people import NADIA, ROHAN, VIKTOR
from .world import CONTACTS

_PHOTO: Final = Component.DISAMBIGUATION
_ASKS: Final = Component.HUMAN_INTERACTION
_COURSE: Final = place(DISHWASHER, "samsungce.dishwasherWashingCourse", "washingCourse")
_MACHINE: Final = place(DISHWASHER, "dishwasherOperatingState", "machineState")
_COOLER: Final = place(FRIDGE, "temperatureMeasurement", "temperature", "cooler")
_IS_WARM: Final = ("fridge", "refrigerator", "warm", "temperature", "degrees", "°C")

DIALOG_CASES: Final[tuple[PaperCase, ...]] = (
    dialog(
        "one-lamp-on",
        VIKTOR,
        "I would like one lamp on.",
        {DR},
        doing(_PHOTO, _ASKS),
        on(DINING),
        given=lights("off"),
        allowed=look(DINING),
        answerer=Answerer(replies=("The one over the dining table.",)),
    ),
    dialog(
        "hockey-for-guests",
        NADIA,
        "My guests want to watch hockey on the tv beside the big plant.",
        {DR, IR},
        doing(_PHOTO, _ASKS, Component.TV_SCHEDULE),
        shows(FRAME, 8),
        given={power(FRAME): "off"},
        answerer=Answerer(replies=("Detroit against Colorado, they say.",)),
    ),
    dialog(
        "course-on-request",
        ROHAN,
        "Run the dishwasher, but ask me first which course I want.",
        {IR},
        doing(_ASKS),
        Holds(_COURSE, Is(("delicate",)), whole(DISHWASHER)),
        Holds(_MACHINE, Is(("run",))),
        given={power(DISHWASHER): "on"},
        confirmations=1,
        answerer=Answerer(replies=("Delicate, there are glasses in it.",)),
    ),
    dialog(
        "time-for-adam",
        NADIA,
        "Mail Adam what time I pick him up tomorrow.",
        {IR},
        frozenset({Component.MAIL, Component.CONTACTS, _ASKS}),
        Writes(
            NADIA,
            CONTACTS[NADIA]["Adam"],
            (("7:15", "07:15", "quarter past seven", "quarter past 7", "7.15"),),
        ),
        confirmations=1,
        answerer=Answerer(replies=("At a quarter past seven in the morning.",)),
    ),
    dialog(
        "fridge-too-warm",
        VIKTOR,
        "Warn me when the fridge gets too warm.",
        {T},
        watching(_ASKS),
        events=(
            Event(sets={_COOLER: 9.5}, criteria=(Notified(VIKTOR, _IS_WARM, 0),)),
            Event(restarts=True, criteria=(Notified(VIKTOR, _IS_WARM, 0),)),
            Event(sets={_COOLER: 12}, criteria=(Notified(VIKTOR, _IS_WARM, 1),)),
            Event(sets={_COOLER: 13}, minutes=5, criteria=(Notified(VIKTOR, _IS_WARM, 0),)),
        ),
        answerer=Answerer(replies=("At more than ten degrees.",)),
    ),
    dialog(
        "snug-as-always",
        ROHAN,
        "Make the light in the bedroom the way I find it snug.",
        {P, DR, IR},
        doing(_PHOTO, Component.PERSONALIZATION),
        on(BED),
        AtLeastOne((dimmed(BED, 1, 50), warm(BED))),
        given={power(BED): "off", level(BED): 100, warmth(BED): 5000},
        allowed=look(BED),
        answerer=Answerer(replies=("I told you before how I like it.",), needed=0),
    ),
)
"""Questions beyond the needed ones are counted as superfluous."""
