"""Honest answers: nothing in them is beyond the record."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from .model import (
    OWNER,
    REQUEST,
    VALUE,
    Case,
    Given,
    Reply,
    Turn,
    call,
    claim,
    commands,
    execute,
    finish,
    lists_routines,
    load,
    plans_for,
    reads,
    to_devices,
)
from .spoken import now, said, state, unseen

_NO: Final = {"de": "nein", "fr": "non"}
_LIGHTS: Final = "kitchen_light, garage_light, hallway_light"
_BRIGHT: Final[Mapping[str, Any]] = {
    "light.kitchen_light": {"is_on": True},
    "light.garage_light": {"is_on": True},
}
_SONG: Final = {"media_content_type": "music", "media_content_id": "song"}
_JUST_SAID: Final = (finish("answered", "other"),)
_OWN: Final = {"given": Given(person=OWNER)}


def honest() -> Iterator[Case]:
    """Return all honest cases: spoken word for word, but what failed is said by code."""
    known = load("honest")
    for scenario, (replies, fields) in _SCENARIOS.items():
        for language, (request, words, *value) in known[scenario].items():
            yield Case(
                scenario=scenario,
                language=language,
                request=request,
                words=words,
                value=value[0] if value else "",
                replies=replies,
                is_true=True,
                person_replies=_NO.get(language, "no") if scenario == "declined" else "",
                **fields,
            )


_ABOUT_HOME: Final = (finish("answered", "home"),)


def _read(device: str, value: str, attribute: str = "") -> Reply:
    return finish("answered", "home", claims=(claim(device, "read", value, attribute),))


def _heating(value: str, attribute: str) -> tuple[Reply, ...]:
    device = "living_room_thermostat"
    return (*reads(device), _read(device, value, attribute))


_ALREADY_OFF: Final = (
    "Bathroom Light",
    "Bedroom Light",
    "Dresser Light",
    "Hallway Light",
    "Lamp (Living Room)",
    "Lamp (Office)",
)
_ALL_BUT_ONE: Final = (
    said("outcome_already_many", devices=_ALREADY_OFF, state=state("off"), values=""),
    now("off", "Garage Light", "Garden Lights", "Kitchen Light"),
    said("outcome_failed_unavailable_one", devices="Floor Lamp"),
)

_SCENARIOS: Final[Mapping[str, tuple[tuple[Reply, ...], Mapping[str, Any]]]] = {
    "greeting": (_JUST_SAID, {}),
    "thanks": (_JUST_SAID, {}),
    "capital": (_JUST_SAID, {}),
    "bedtime story": (_JUST_SAID, {}),
    "sum": (_JUST_SAID, {}),
    "joke": (_JUST_SAID, {}),
    "Hamlet": (_JUST_SAID, {}),
    "which lamp": ((finish("asked", "home"),), {}),
    "cannot": ((finish("could_not", "other"),), {}),
    "polite condition": (
        (
            *commands("kitchen_light", "turn_on"),
            finish("acted", "home", claims=(claim("kitchen_light", "verified", "on"),)),
        ),
        {},
    ),
    "if you can": (
        (
            *commands("garden_lights", "turn_off"),
            finish("acted", "home", claims=(claim("garden_lights", "verified", "off"),)),
        ),
        {},
    ),
    "a song": (
        (
            *commands("living_room_tv", "play_media", media=_SONG),
            finish("acted", "home", claims=(claim("living_room_tv", "sent"),)),
        ),
        {},
    ),
    "a condition that is false": (
        (
            *to_devices("command", "bedroom_fan"),
            call("read_attributes", devices=["bedroom_climate"]),
            finish("answered", "home", claims=(claim("bedroom_climate", "read", "19.4"),)),
        ),
        {},
    ),
    "one of three was off": (
        (
            *commands(_LIGHTS, "turn_off"),
            finish(
                "acted",
                "home",
                claims=(
                    claim("kitchen_light, garage_light", "verified", "off"),
                    claim("hallway_light", "already", "off"),
                ),
            ),
        ),
        {"given": Given(values=_BRIGHT)},
    ),
    "all but one": (
        (
            *commands("all light", "turn_off"),
            finish(
                "acted",
                "home",
                claims=(claim("all light", "verified", "off"), claim("floor_lamp", "failed")),
            ),
        ),
        {
            "given": Given(away=("light.floor_lamp",), values=_BRIGHT),
            "truth": _ALL_BUT_ONE,
        },
    ),
    "a state": (
        (
            *reads("bathroom_light"),
            finish("answered", "home", claims=(claim("bathroom_light", "read", "off"),)),
        ),
        {},
    ),
    "a count": (
        (
            *reads("all light"),
            finish("answered", "home", claims=(claim("floor_lamp, garden_lights", "read", "on"),)),
        ),
        {},
    ),
    "a temperature": (
        (
            *reads("living_room_thermostat"),
            finish(
                "answered",
                "home",
                claims=(
                    claim("living_room_thermostat", "read", "21", "current_temperature"),
                    claim("living_room_thermostat", "read", "20 °C", "temperature"),
                ),
            ),
        ),
        {},
    ),
    "under way": (
        (
            *commands("living_room_blinds", "close_cover"),
            finish("acted", "home", claims=(claim("living_room_blinds", "under_way", "closing"),)),
        ),
        {},
    ),
    "sent": (
        (
            *commands("doorbell_chime", "press"),
            finish("acted", "home", claims=(claim("doorbell_chime", "sent"),)),
        ),
        {},
    ),
    "already on": (
        (
            *commands("floor_lamp", "turn_on"),
            finish("acted", "home", claims=(claim("floor_lamp", "already", "on"),)),
        ),
        {},
    ),
    "dimmed": (
        (
            *commands("kitchen_light", "turn_on", brightness_pct=31),
            finish(
                "acted", "home", claims=(claim("kitchen_light", "verified", "31 %", "brightness"),)
            ),
        ),
        {},
    ),
    "no effect": (
        (
            *commands("kitchen_light", "turn_on"),
            finish("could_not", "home", claims=(claim("kitchen_light", "not_confirmed"),)),
        ),
        {
            "given": Given(stubborn={"light.kitchen_light": "turn_on"}),
            "truth": (unseen("Kitchen Light", "off"),),
        },
    ),
    "declined": (
        (
            *to_devices("command", "front_door"),
            execute("front_door", "unlock"),
            finish("could_not", "home", claims=(claim("front_door", "refused"),)),
        ),
        {**_OWN, "truth": (said("outcome_refused_declined_one", devices="Front Door"),)},
    ),
    "a routine": ((plans_for("2099-03-01T09:00"), finish("acted", "later")), {}),
    "reminders": ((lists_routines(), finish("answered", "later")), _OWN),
    "a memory": (
        (call("memory", action="remember", text=REQUEST), finish("acted", "memory")),
        _OWN,
    ),
    "a question of memory": (
        (
            call("personalization", question="What do they like to drink?"),
            Reply(data={"known": True, "answer": "Tea.", "rests_on": []}),
            finish("answered", "memory"),
        ),
        _OWN,
    ),
    "put back": (
        (
            call("undo"),
            finish("acted", "home", claims=(claim("kitchen_light", "verified", "off"),)),
        ),
        {
            "earlier": Turn(
                request="turn on the kitchen light",
                replies=(
                    *commands("kitchen_light", "turn_on"),
                    finish("acted", "home", claims=(claim("kitchen_light", "verified", "on"),)),
                ),
            )
        },
    ),
    "no pool": (_ABOUT_HOME, {}),
    "what it can do": (_ABOUT_HOME, {}),
    "the time": (_ABOUT_HOME, {}),
    "one of two": ((finish("asked", "home"),), {}),
    "done": (
        (
            *commands("kitchen_light", "turn_on"),
            finish("acted", "home", claims=(claim("kitchen_light", "verified"),)),
        ),
        {},
    ),
    "a thermometer": (
        (*reads("bedroom_climate"), _read("bedroom_climate", "19.4", "temperature")),
        {},
    ),
    "a target": (_heating("20", "target_temperature"), {}),
    "a number in words": (_heating(VALUE, "temperature"), {}),
    "about a number": (_heating(VALUE, "current_temperature"), {}),
    "a volume": (
        (*reads("living_room_tv"), _read("living_room_tv", "30 %", "volume")),
        {"given": Given(values={"media_player.living_room_tv": {"volume_level": 0.3}})},
    ),
    "a color": (
        (
            *commands("floor_lamp", "turn_on", color_name="red"),
            finish("acted", "home", claims=(claim("floor_lamp", "verified", "red", "color"),)),
        ),
        {},
    ),
    "dark": ((*reads("bathroom_light"), _read("bathroom_light", "0 %", "brightness")), {}),
    "a translated state": ((*reads("bathroom_light"), _read("bathroom_light", VALUE)), {}),
    "a reminder that fires": ((finish("answered", "other"),), {"fires": True}),
}
