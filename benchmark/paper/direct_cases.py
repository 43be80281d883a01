"""The paper's direct commands."""

from typing import Final

from .case import PaperCase
from .criteria import Holds, Is
from .forms import (
    DISHWASHER,
    FRAME,
    LIGHTS,
    NEAR_TV,
    D,
    asks_again,
    case,
    doing,
    lights,
    no,
    number,
    on,
    place,
    power,
    reading,
    says_is,
    shows,
    whole,
    yes,
)
from .people import NADIA, ROHAN, VIKTOR

_COOLER: Final = place("fridge", "temperatureMeasurement", "temperature", "cooler")
_COOLER_SETPOINT: Final = place("fridge", "thermostatCoolingSetpoint", "coolingSetpoint", "cooler")
_FRIDGE_DOOR: Final = place("fridge", "contactSensor", "contact", "cooler")
_COURSE: Final = place(DISHWASHER, "samsungce.dishwasherWashingCourse", "washingCourse")
_MACHINE: Final = place(DISHWASHER, "dishwasherOperatingState", "machineState")
_ALL: Final = (
    *("all on", "lights are all on", *(f"every light {each}" for each in says_is("on"))),
    *(
        f"all {which} are {how}on"
        for which in ("lights", "the lights", "of the lights", "four", "four lights", "4 lights")
        for how in ("", "currently ", "switched ", "turned ", "now ")
    ),
)
_NOT_ALL: Final = ("not all", "not every", "one is off", "light is off", "lamp is off", "are off")
_OPEN: Final = (*says_is("open"), "stands open", "is standing open")
_CLOSED: Final = (*says_is("closed", "shut", "not open"), "isn't open", "does not stand open")
_IS_OPEN: Final = yes(*_OPEN, denials=_CLOSED)
_IS_CLOSED: Final = no(*_CLOSED, denials=_OPEN)

DIRECT_CASES: Final[tuple[PaperCase, ...]] = (
    case(
        "frame-channel",
        VIKTOR,
        "Switch the Frame TV on, on channel 5",
        {D},
        doing(),
        shows(FRAME, 5),
        given={power(FRAME): "off"},
    ),
    case(
        "all-lights-on-question",
        NADIA,
        "Is every light switched on?",
        {D},
        reading(),
        yes(*_ALL, denials=_NOT_ALL),
        given=lights("on"),
        events=(
            asks_again(
                {power(NEAR_TV): "off"}, "Is every light switched on?", no(*_NOT_ALL, denials=_ALL)
            ),
        ),
    ),
    case(
        "fridge-open-question",
        NADIA,
        "Does the door of the fridge stand open?",
        {D},
        reading(),
        _IS_OPEN,
        given={_FRIDGE_DOOR: "open"},
        events=(
            asks_again(
                {_FRIDGE_DOOR: "closed"}, "Does the door of the fridge stand open?", _IS_CLOSED
            ),
        ),
    ),
    case(
        "start-dishwasher",
        ROHAN,
        "Get the dishwasher going",
        {D},
        doing(),
        Holds(_MACHINE, Is(("run",)), whole(DISHWASHER)),
        Holds(_COURSE, Is(("normal",))),
        given={power(DISHWASHER): "on"},
        confirmations=1,
    ),
    case(
        "fridge-to-five",
        ROHAN,
        "Set the inside of the fridge to 5 degrees Celsius",
        {D},
        doing(),
        Holds(_COOLER, Is((5, 5.0))),
        given={_COOLER_SETPOINT: 2},
        allowed=frozenset(
            {
                _COOLER_SETPOINT,
                place("fridge", "samsungce.temperatureSetting", "desiredTemperature", "cooler"),
            }
        ),
    ),
    case(
        "all-lights-on",
        ROHAN,
        "Switch on every light in the house.",
        {D},
        doing(),
        on(*LIGHTS),
        given=lights("off"),
    ),
    case(
        "fridge-temperature",
        ROHAN,
        "How cold is it inside the fridge?",
        {D},
        reading(),
        number(11, "eleven"),
        given={_COOLER: 11},
    ),
)
"""Commands without a challenge."""
