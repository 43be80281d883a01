"""The decisions of an ideal model in each case; `<light_bed>` stands for the id of a device."""

import colorsys
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..model_script import Call, Completion
from .forms import BED, CREDENZA, DINING, DISHWASHER, FIREPLACE, FRAME, FRIDGE, LIGHTS, NEAR_TV
from .people import NADIA, ROHAN
from .world import CONTACTS

type Decisions = Sequence[Completion]


def id_of(device: str) -> str:
    """Return the text that stands for the id of a device."""
    return f"<{device}>"


def do(device: str | Sequence[str], command: str, component: str = "", **arguments: Any) -> Call:
    """Return a command for one or several devices."""
    devices = [device] if isinstance(device, str) else device
    given: dict[str, Any] = {
        "devices": [id_of(each) for each in devices],
        "command": command,
        "arguments": arguments,
        "timing": "now",
        "final": False,
    }
    if component:
        given["component"] = component
    return Call(name="execute_command", arguments=given)


def call(tool: str, **arguments: Any) -> Completion:
    """Return a decision to call one tool."""
    return Completion(calls=[Call(name=tool, arguments=arguments)])


def done(*calls: Call, answer: str = "Done.") -> Decisions:
    """Return a script that executes commands and says so."""
    return (Completion(calls=list(calls)), call("finish", kind="acted", answer=answer))


def answered(text: str, *before: Completion) -> Decisions:
    """Return a script that ends with an answer."""
    return (*before, call("finish", kind="answered", answer=text, about=["other"], claims=[]))


def _ask_device(device: str, attribute: str, answer: str, capability: str) -> Decisions:
    """Return a script that reads a value and says it."""
    step = {
        "action": "read",
        "devices": [id_of(device)],
        "capabilities": [capability],
        "task": "Read it.",
        "doubt": "",
    }
    return (
        call("device_interaction", timing="now", command="read it", final=True),
        Completion(text=json.dumps({"steps": [step], "missing": []})),
        call("read_attributes", devices=[id_of(device)], attributes=[attribute]),
        call("finish", kind="answered", answer=answer, about=["home"], claims=[]),
    )


def tuned(tv: str, channel: int, *, turns_on: bool = False) -> tuple[Call, ...]:
    """Return the commands for a channel."""
    first = (do(tv, "turn_on"),) if turns_on else ()
    return (*first, do(tv, "setTvChannel", "main", tvChannel=str(channel)))


def colored(light: str, hue: int, saturation: int = 100) -> Call:
    """Return the command for a colour: hue in degrees, saturation in percent."""
    parts = colorsys.hsv_to_rgb(hue / 360, saturation / 100, 1.0)
    return do(light, "turn_on", rgb_color=[round(255 * each) for each in parts])


def guide(tv: str) -> Completion:
    """Return a search in the TV guide for something to put on this TV."""
    return call("search_tv_schedule", watch_on=[id_of(tv)])


def knows(text: str, *numbers: int) -> Completion:
    """Return the reply of the model that reads memories."""
    return Completion(text=json.dumps({"answer": text, "based_on": list(numbers)}))


def command(device: str, name: str, **arguments: Any) -> Mapping[str, Any]:
    """Return a command that a routine gives."""
    return {"devices": [id_of(device)], "command": name, "arguments": arguments}


def watched(
    condition: str,
    device: str,
    code: str,
    kind: str,
    action: str,
    commands: Sequence[Mapping[str, Any]] = (),
    repeat: str = "once",
) -> Decisions:
    """Return a script that sets up a routine; `code` is the condition as an expression."""
    step = {
        "action": "read",
        "devices": [id_of(device)],
        "capabilities": [],
        "task": "Read it.",
        "doubt": "",
    }
    source = f"def is_it_so():\n    return {code}\n"
    return (
        call("condition_code_writing", condition=condition),
        Completion(text=json.dumps({"steps": [step], "missing": []})),
        call("code_execution", function="is_it_so", code=source),
        call(
            "condition_polling",
            function="is_it_so",
            kind=kind,
            action=action,
            commands=list(commands),
            repeat=repeat,
            final=True,
        ),
    )


def mail(request: str, *steps: Completion, answer: str, kind: str = "acted") -> Decisions:
    """Return a script that uses mail, contacts or calendars."""
    return (
        call("email_and_calendar", request=request, final=True),
        *steps,
        call("finish", kind=kind, answer=answer, about=["other"], claims=[]),
    )


IDEAL: Final[Mapping[str, Decisions]] = {
    "turn-on-tv": done(do(CREDENZA, "turn_on")),
    "current-channel": _ask_device(CREDENZA, "tvChannel", "Channel 42 is on.", "tvChannel"),
    "bedside-light": done(do(BED, "turn_on")),
    "dishwasher-phase": _ask_device(DISHWASHER, "state", "It is in the prewash.", "sensor"),
    "lower-volume": done(do(CREDENZA, "volume_set", volume_level=0.3)),
    "freezer-temperature": _ask_device(FRIDGE, "state", "It has -17 °C.", "sensor"),
    "is-main-tv-on": (
        *_ask_device(CREDENZA, "state", "No, it is off.", "media_player"),
        *_ask_device(CREDENZA, "state", "Yes, it is on.", "media_player"),
    ),
    "tv-for-kids": (guide(FRAME), *done(*tuned(FRAME, 3))),
    "tv-funny": (guide(FRAME), *done(*tuned(FRAME, 2))),
    "lights-for-dinner": done(do(DINING, "turn_on", brightness_pct=60)),
    "cozy-bedroom": done(do(BED, "turn_on", brightness_pct=30)),
    "darken-house": done(do(LIGHTS, "turn_off")),
    "dim-lights-off": done(do((BED, FIREPLACE), "turn_off")),
    "getting-a-call": done(do(CREDENZA, "volume_mute", is_volume_muted=True)),
    "greasy-dishes": done(do(DISHWASHER, "setWashingCourse", "main", course="heavy")),
    "tv-informative": (guide(FRAME), *done(*tuned(FRAME, 9, turns_on=True))),
    "team-colours": done(colored(NEAR_TV, 0), colored(DINING, 240), colored(FIREPLACE, 0, 0)),
    "light-for-sleeping": done(colored(BED, 0)),
    "tvs-off-fireplace-on": done(do((CREDENZA, FRAME), "turn_off"), do(FIREPLACE, "turn_on")),
    "game-nadia": (guide(CREDENZA), *done(*tuned(CREDENZA, 7, turns_on=True))),
    "game-rohan": (guide(CREDENZA), *done(*tuned(CREDENZA, 6, turns_on=True))),
    "long-day": (guide(FRAME), *done(*tuned(FRAME, 10, turns_on=True))),
    "non-essential-off": done(do(LIGHTS, "turn_off"), do((CREDENZA, FRAME), "turn_off")),
    "too-bright": done(do(DINING, "turn_on", brightness_pct=40)),
    "christmas-mood": done(colored(FIREPLACE, 120)),
    "switch-to-other-tv": done(*tuned(FRAME, 7, turns_on=True), do(CREDENZA, "turn_off")),
    "game-and-dim": (
        Completion(calls=[do(NEAR_TV, "turn_on", brightness_pct=30), *guide(CREDENZA).calls]),
        *done(*tuned(CREDENZA, 7, turns_on=True)),
    ),
    "light-like-tv": done(do(NEAR_TV, "turn_on")),
    "fireplace-to-a-third": done(do(FIREPLACE, "turn_on", brightness_pct=30)),
    "frame-channel": done(*tuned(FRAME, 5, turns_on=True)),
    "all-lights-on-question": (
        *_ask_device(BED, "state", "Yes, all four.", "light"),
        *_ask_device(NEAR_TV, "state", "No, one of them is off.", "light"),
    ),
    "fridge-open-question": (
        *_ask_device(FRIDGE, "state", "Yes, it is.", "binary_sensor"),
        *_ask_device(FRIDGE, "state", "No, it is closed.", "binary_sensor"),
    ),
    "start-dishwasher": done(do(DISHWASHER, "press", "button.dishwasher_start")),
    "fridge-to-five": done(
        do(FRIDGE, "set_value", "number.refrigerator_fridge_temperature", value=5)
    ),
    "all-lights-on": done(do(LIGHTS, "turn_on")),
    "fridge-temperature": _ask_device(FRIDGE, "state", "It is 11 °C.", "sensor"),
    "milk-reminder": watched(
        "the fridge is opened",
        FRIDGE,
        "get_state('binary_sensor.refrigerator_fridge_door') == 'on'",
        "tell",
        "Throw out the milk.",
    ),
    "light-when-dishwasher-done": watched(
        "the dishwasher is done",
        DISHWASHER,
        "get_state('sensor.dishwasher_machine_state') == 'stop'",
        "do",
        "turn on the light by the nightstand",
        [command(BED, "turn_on")],
    ),
    "volume-while-dishwasher-runs": watched(
        "the dishwasher is running",
        DISHWASHER,
        "get_state('sensor.dishwasher_machine_state') == 'run'",
        "do",
        "increase the volume of the TV by the credenza",
        [command(CREDENZA, "volume_set", volume_level=0.5)],
        "always",
    ),
    "light-when-tv-off": watched(
        "the TV turns off",
        CREDENZA,
        f"get_state('{id_of(CREDENZA)}') == 'off'",
        "do",
        "turn on the light by the bed",
        [command(BED, "turn_on")],
    ),
    "umbrella": (
        call("weather", place="Quebec City"),
        *answered("Yes, bring one: it rains in Quebec City."),
    ),
    "mother-national-geographic": (
        # What might be put on is searched first: what only outside text suggests is confirmed.
        guide(CREDENZA),
        call("email_and_calendar", request="does mother visit this week?", final=False),
        call("list_calendar_events", first="2026-11-23", last="2026-11-29"),
        call("finish", kind="answered", answer="Yes, on Saturday.", about=["other"], claims=[]),
        *done(*tuned(CREDENZA, 9, turns_on=True)),
    ),
    "what-did-i-miss": mail(
        "the two latest messages",
        call("search_email", most=2),
        answer="The water is shut off on Thursday from 9 to 11, and your dentist appointment is "
        "moved to December 3 at 14:30.",
        kind="answered",
    ),
    "mothers-address": mail(
        "the address of my mother",
        call("get_contacts", name="Mom"),
        answer=f"It is {CONTACTS[ROHAN]['Mom']}.",
        kind="answered",
    ),
    "create-event": mail(
        "create the event",
        call("create_calendar_event", title="Meeting with Viktor", start="2026-11-25T16:00"),
        answer="It is in your calendar.",
    ),
    "next-time-mother": mail(
        "the next event with my mother",
        call("list_calendar_events", first="2026-11-24", last="2026-12-24", words="Mom"),
        answer="On Saturday at 8 pm, you watch Casablanca.",
        kind="answered",
    ),
    "next-week": mail(
        "the events of next week",
        call("list_calendar_events", first="2026-11-30", last="2026-12-06"),
        answer="On Wednesday at 7 you swim, on Friday at 18 you cook dinner for Oleg.",
        kind="answered",
    ),
    "summary-to-adam": mail(
        "send the summary",
        call("search_email", most=1),
        call("get_contacts", name="Adam"),
        call(
            "send_message",
            to=[CONTACTS[NADIA]["Adam"]],
            subject="Summary: hike on Sunday",
            text="The hike on Sunday starts at 8 at the chalet on Mount Royal. Bring crampons.",
        ),
        answer="I sent Adam the summary.",
    ),
    "invite-father": mail(
        "draft the invitation",
        call("list_calendar_events", first="2026-11-30", last="2026-12-06"),
        call("get_contacts", name="Dad"),
        call(
            "create_email_draft",
            to=[CONTACTS[NADIA]["Dad"]],
            subject="Come over",
            text="Dear Dad, would you like to come over one afternoon next week?",
        ),
        answer="The draft is ready.",
    ),
    "light-like-weather": (
        call("weather"),
        *done(colored(DINING, 54)),
    ),
}
"""Id of a case -> what the model says, reply by reply."""
