"""The paper's cases with events, and with mail, calendars, contacts and the weather."""

from datetime import timedelta
from typing import Any, Final

from .case import Component, Event, PaperCase, Place
from .criteria import Notified, Schedules, Writes
from .forms import (
    BED,
    CC,
    CREDENZA,
    DINING,
    DISHWASHER,
    DR,
    FRAME,
    IR,
    P,
    T,
    case,
    channel,
    colored,
    doing,
    lights,
    louder,
    off,
    on,
    place,
    power,
    says,
    says_all,
    shows,
    volume,
    watching,
    yes,
)
from .people import NADIA, ROHAN, VIKTOR
from .world import CONTACTS, NOW, QUEBEC_CITY

_PHOTO: Final = Component.DISAMBIGUATION
_TASTE: Final = Component.PERSONALIZATION
_MAIL: Final = frozenset({Component.MAIL})
_CALENDAR: Final = frozenset({Component.CALENDAR})
_MACHINE: Final = place(DISHWASHER, "dishwasherOperatingState", "machineState")
_JOB: Final = place(DISHWASHER, "dishwasherOperatingState", "dishwasherJobState")
_RUNS: Final[dict[Place, Any]] = {power(DISHWASHER): "on", _MACHINE: "run", _JOB: "wash"}
_IS_DONE: Final[dict[Place, Any]] = {_JOB: "finish", _MACHINE: "stop"}
_COOLER: Final = place("fridge", "temperatureMeasurement", "temperature", "cooler")
_FRIDGE_DOOR: Final = place("fridge", "contactSensor", "contact", "cooler")


def _other_addresses(address: str) -> tuple[str, ...]:
    """Return all other addresses of all contacts."""
    return tuple(each for book in CONTACTS.values() for each in book.values() if each != address)


_PERSISTENT: Final = (
    case(
        "milk-reminder",
        ROHAN,
        "Remind me to throw out the milk when the i open the fridge",
        {T},
        watching(),
        events=(
            # A restart, and then a change of something else.
            Event(restarts=True, sets={_COOLER: 5}, criteria=(Notified(ROHAN, ("milk",), 0),)),
            Event(sets={_FRIDGE_DOOR: "open"}, criteria=(Notified(ROHAN, ("milk",), 1),)),
            Event(minutes=5, criteria=(Notified(ROHAN, ("milk",), 0),)),
            Event(sets={_FRIDGE_DOOR: "closed"}, criteria=(Notified(ROHAN, ("milk",), 0),)),
        ),
    ),
    case(
        "light-when-dishwasher-done",
        ROHAN,
        "Turn on light by the nightstand when the dishwasher is done",
        {DR, T},
        watching(_PHOTO),
        off(BED),
        given={**_RUNS, power(BED): "off"},
        events=(
            Event(restarts=True, sets={_JOB: "rinse"}, criteria=(off(BED),)),
            Event(sets=_IS_DONE, criteria=(on(BED),)),
            # Somebody switches it off; it is still done.
            Event(sets={power(BED): "off"}, minutes=5, criteria=(off(BED),)),
        ),
    ),
    case(
        "volume-while-dishwasher-runs",
        ROHAN,
        "Increase the volume of the tv by the credenza whenever the dishwasher is running",
        {DR, T},
        watching(_PHOTO),
        given={volume(CREDENZA): 30, power(DISHWASHER): "on"},
        events=(
            Event(sets={power(DISHWASHER): "off"}),
            Event(sets=_RUNS, criteria=(louder(CREDENZA),)),
            Event(minutes=5),
            Event(restarts=True, minutes=2),
            Event(sets=_IS_DONE, allowed=frozenset({volume(CREDENZA)})),
            Event(sets={volume(CREDENZA): 30} | _RUNS, criteria=(louder(CREDENZA),)),
        ),
    ),
    case(
        "light-when-tv-off",
        NADIA,
        "When the tv turns off turn on the light by the bed",
        {DR, T},
        watching(_PHOTO),
        off(BED),
        given={**lights("off"), power(CREDENZA): "on", power(FRAME): "off"},
        events=(
            Event(sets={channel(CREDENZA): "5"}, minutes=5, criteria=(off(BED),)),
            Event(restarts=True, criteria=(off(BED),)),
            Event(sets={power(CREDENZA): "off"}, criteria=(on(BED),)),
            Event(sets={power(BED): "off"}, minutes=5, criteria=(off(BED),)),
        ),
    ),
)

_OUTSIDE: Final = (
    case(
        "umbrella",
        ROHAN,
        "I am going to visit my mom. should i bring an umbrella?",
        {P},
        frozenset({_TASTE, Component.WEATHER}),
        yes(
            *("you should bring", "you should take", "take an umbrella", "take one", "it rains"),
            *(
                "it is raining",
                "it's raining",
                "it will rain",
                "rain is expected",
                "recommend",
                "bring one",
                "please bring",
            ),
            denials=(
                *("no need", "not need", "don't need", "not necessary", "not rain*", "no rain"),
                *("not bring", "don't bring"),
            ),
        ),
        rains=frozenset({QUEBEC_CITY}),
    ),
    case(
        "mother-national-geographic",
        NADIA,
        "If my mother is scheduled to visit this week, turn on national geographic on the tv by "
        "the credenza",
        {DR, P, CC},
        doing(_PHOTO, Component.CALENDAR, Component.TV_SCHEDULE),
        shows(CREDENZA, 9),
        given={power(CREDENZA): "off"},
    ),
    case(
        "what-did-i-miss",
        ROHAN,
        "What did i miss?",
        {DR, P, CC, IR},
        _MAIL | {_TASTE},
        says_all(
            ("dentist*", "appointment*"),
            ("December 3", "Dec 3", "3 December", "Dec. 3", "3 Dec", "3rd of December"),
            "water",
            ("Thursday", "November 26", "26 November"),
            hides=("tubes", "court"),
        ),
        rubric=(
            "Does the answer summarise exactly the two latest messages: the water is shut off on "
            "Thursday from 9 to 11, and the dentist appointment is moved to December 3 at 14:30?"
        ),
    ),
    case(
        "mothers-address",
        ROHAN,
        "What is my mother's email address?",
        {DR, P, CC, IR},
        frozenset({Component.CONTACTS}),
        says(CONTACTS[ROHAN]["Mom"], hides=_other_addresses(CONTACTS[ROHAN]["Mom"])),
    ),
    case(
        "create-event",
        NADIA,
        "Create a new event in my calendar - meeting with Viktor tomorrow at 4pm",
        {P},
        _CALENDAR,
        Schedules(NADIA, NOW + timedelta(days=1) - timedelta(hours=2), ("viktor",)),
        confirmations=1,
    ),
    case(
        "next-time-mother",
        NADIA,
        "When am I next scheduled to see my mother?",
        {P, IR},
        _CALENDAR,
        says(
            *("Saturday", "November 28", "28 November", "Nov 28", "Nov. 28", "2026-11-28"),
            hides=("Sunday", "Monday", "Wednesday", "Thursday", "Friday"),
        ),
    ),
    case(
        "next-week",
        VIKTOR,
        "What does next week look like?",
        {P, IR},
        _CALENDAR,
        says_all("swim*", ("dinner", "cook*", "Oleg"), hides=("glasses",)),
        rubric=(
            "Does the answer summarise exactly the two events of next week, swimming on Wednesday "
            "at 7 and cooking dinner for Oleg on Friday at 18?"
        ),
    ),
    case(
        "summary-to-adam",
        NADIA,
        "Summarise the last email I received. Send the summary to Adam via email.",
        {P, CC},
        _MAIL | {Component.CONTACTS},
        Writes(
            NADIA,
            CONTACTS[NADIA]["Adam"],
            (
                ("hike*", "hiking"),
                ("Sunday",),
                ("8", "8:00", "08:00", "eight"),
                ("Mount Royal", "chalet"),
            ),
        ),
        confirmations=1,
        rubric="Is the message a summary of: the hike on Sunday starts at 8 at the chalet on "
        "Mount Royal, bring crampons?",
    ),
    case(
        "invite-father",
        NADIA,
        "If my father is not scheduled to visit next week, compose an email draft inviting him "
        "to come over one afternoon during that week.",
        {P, CC},
        _MAIL | {Component.CALENDAR, Component.CONTACTS},
        Writes(
            NADIA,
            CONTACTS[NADIA]["Dad"],
            (
                ("afternoon*", "pm", "p.m."),
                (
                    "week",
                    "Monday",
                    "Tuesday",
                    "Wednesday",
                    "Thursday",
                    "Friday",
                    "Saturday",
                    "Sunday",
                ),
            ),
            is_draft=True,
        ),
        confirmations=1,
    ),
    case(
        "light-like-weather",
        VIKTOR,
        "Match the lamp over the dining table to the way I like it in this weather",
        {DR, IR, P},
        doing(_PHOTO, _TASTE, Component.WEATHER),
        colored(DINING, 54, 14),
        given=lights("off"),
    ),
)

WIDER_CASES: Final[tuple[PaperCase, ...]] = (*_PERSISTENT, *_OUTSIDE)
"""All cases of these kinds."""
