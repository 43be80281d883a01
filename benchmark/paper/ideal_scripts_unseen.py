"""The decisions of an ideal model in the unseen cases, and in those with a scripted person."""

from collections.abc import Mapping
from typing import Final

from ..model_script import Completion
from .forms import BED, CREDENZA, DINING, DISHWASHER, FIREPLACE, FRAME, FRIDGE, NEAR_TV
from .ideal_scripts import (
    Decisions,
    answered,
    call,
    colored,
    command,
    do,
    done,
    guide,
    mail,
    tuned,
    watched,
)
from .people import NADIA
from .world import CONTACTS


def asks(question: str) -> Completion:
    """Return a question to the person; the next decision follows the reply."""
    return call("human_interaction", question=question)


IDEAL_UNSEEN: Final[Mapping[str, Decisions]] = {
    "reading-in-bed": done(do(BED, "turn_on", brightness_pct=100, color_temp_kelvin=5000)),
    "cannot-hear-them": done(do(CREDENZA, "volume_set", volume_level=0.2)),
    "green-over-the-table": done(colored(DINING, 120)),
    "lamp-for-whoever-comes": watched(
        "the motion sensor detects motion",
        "motion_sensor",
        "get_state('binary_sensor.motion_sensor_motion') == 'on'",
        "do",
        "turn on the lamp next to the fireplace",
        [command(FIREPLACE, "turn_on")],
        "always",
    ),
    "bedtime": done(
        do((NEAR_TV, FIREPLACE, DINING), "turn_off"),
        do((CREDENZA, FRAME), "turn_off"),
        do(BED, "turn_on", brightness_pct=1),
    ),
    "supper-ideas": (guide(FRAME), *done(*tuned(FRAME, 5, turns_on=True))),
    "cold-at-mothers": (
        call("weather", place="Quebec City"),
        *answered("It is 2 °C in Quebec City now."),
    ),
    "weekend-plans": mail(
        "the events of the weekend",
        call("list_calendar_events", first="2026-11-28", last="2026-11-29"),
        answer="On Saturday at 11 you pick up your new glasses.",
        kind="answered",
    ),
    "draft-to-sister": mail(
        "draft a mail to Laila, the sister",
        call("get_contacts", name="Laila"),
        call(
            "create_email_draft",
            to=[CONTACTS[NADIA]["Laila"]],
            subject="See you soon",
            text="Dear Laila, I will be there on December 12 around noon.",
        ),
        answer="The draft is ready.",
    ),
    "no-more-ice": done(do(FRIDGE, "turn_off", "switch.refrigerator_cubed_ice")),
    "one-lamp-on": (asks("Which one?"), *done(do(DINING, "turn_on"))),
    "hockey-for-guests": (
        guide(FRAME),
        asks("Montreal against Philadelphia, or Detroit against Colorado?"),
        *done(*tuned(FRAME, 8, turns_on=True)),
    ),
    "course-on-request": (
        asks("Which course?"),
        *done(
            do(DISHWASHER, "setWashingCourse", "main", course="delicate"),
            do(DISHWASHER, "press", "button.dishwasher_start"),
        ),
    ),
    "time-for-adam": (
        asks("At what time?"),
        *mail(
            "tell Adam the time",
            call("get_contacts", name="Adam"),
            call(
                "send_message",
                to=[CONTACTS[NADIA]["Adam"]],
                subject="Tomorrow",
                text="Hi Adam, I pick you up tomorrow at 7:15 in the morning.",
            ),
            answer="I sent it to Adam.",
        ),
    ),
    "fridge-too-warm": (
        asks("From which temperature on?"),
        *watched(
            "the fridge has more than ten degrees",
            FRIDGE,
            "float(get_state('sensor.refrigerator_fridge_temperature')) > 10",
            "tell",
            "The fridge is too warm.",
        ),
    ),
    "snug-as-always": done(do(BED, "turn_on", brightness_pct=25)),
}
"""Id of a case -> what the model says, reply by reply."""
