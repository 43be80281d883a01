"""Groups, follow-ups, and requests that are vague, impossible or of several steps."""

from typing import Final

from .case import Between, Do, Goal, Group, Kind, Read, Turn
from .case_forms import adjust, ask, case, percent, switch

_TV: Final = "media_player.living_room_tv"
_THERMOSTAT: Final = "climate.living_room_thermostat"
_FLOOR_LAMP: Final = "light.floor_lamp"
_BLINDS: Final = "cover.living_room_blinds"
_CURTAIN: Final = "cover.bedroom_curtain"
_LIGHTS: Final = Group("light")
_THREE: Final = ("light.kitchen_light", "light.bathroom_light", "light.garage_light")

_GROUPS: Final = (
    case(
        "lights-off",
        Kind.GROUP,
        Turn(
            said="turn off all the lights",
            goals=(Goal(_LIGHTS, "off"),),
            do=(Do((_LIGHTS,), "turn_off"),),
        ),
        given={"light.kitchen_light": {"is_on": True}},
    ),
    case(
        "bedroom-lights",
        Kind.GROUP,
        Turn(
            said="turn on all lights in the bedroom",
            goals=(Goal(Group("light", ("Bedroom",)), "on"),),
            do=(Do((Group("light", ("Bedroom",)),), "turn_on"),),
        ),
    ),
    case(
        "lights-but",
        Kind.GROUP,
        Turn(
            said="turn off all the lights except the garden lights",
            goals=(Goal(Group("light", but=("light.garden_lights",)), "off"),),
            do=(Do((Group("light", but=("light.garden_lights",)),), "turn_off"),),
        ),
        given={"light.kitchen_light": {"is_on": True}, "light.office_lamp": {"is_on": True}},
    ),
    case(
        "three-rooms",
        Kind.GROUP,
        Turn(
            said="turn on the kitchen light, the bathroom light and the garage light",
            goals=tuple(Goal(each, "on") for each in _THREE),
            do=(Do(_THREE, "turn_on"),),
        ),
    ),
    case(
        "tvs",
        Kind.GROUP,
        Turn(
            said="switch both TVs off",
            goals=(Goal(_TV, "off"), Goal("media_player.bedroom_tv", "off")),
            do=(Do((_TV, "media_player.bedroom_tv"), "turn_off"),),
        ),
        given={"media_player.bedroom_tv": {"state": "on"}},
    ),
    case(
        "covers-but",
        Kind.GROUP,
        Turn(
            said="close all blinds and curtains, but leave the garage door",
            goals=(Goal(Group("cover", but=("cover.garage_door",)), "closed"),),
            do=(Do((Group("cover", but=("cover.garage_door",)),), "close_cover"),),
        ),
        given={"cover.garage_door": {"position": 100}, _CURTAIN: {"position": 100}},
    ),
    case(
        "lights-on",
        Kind.GROUP,
        Turn(
            said="which lights are on?",
            says=(("floor lamp",), ("garden light",)),
            hides=("kitchen", "office", "dresser"),
            read=(Read(_LIGHTS),),
            lists="on",
        ),
    ),
    case(
        "windows-open",
        Kind.GROUP,
        Turn(
            said="which windows are open?",
            says=(("bedroom",),),
            hides=("kitchen window is open", "kitchen windows"),
            read=(Read("binary_sensor.bedroom_window"), Read("binary_sensor.kitchen_window")),
            lists="on",
        ),
    ),
)

_FOLLOW_UPS: Final = (
    case(
        "dim-it",
        Kind.FOLLOW_UP,
        switch("turn on the bedroom light", "light.bedroom_light", "turn_on", "on"),
        adjust(
            "now dim it to 20 percent",
            "light.bedroom_light",
            "turn_on",
            {"brightness_pct": 20},
            state="on",
            brightness=percent(20),
        ),
    ),
    case(
        "degree-warmer",
        Kind.FOLLOW_UP,
        adjust(
            "set the thermostat in the living room to 21 degrees",
            _THERMOSTAT,
            "set_temperature",
            {"temperature": 21},
            state="heat",
            temperature=21,
        ),
        adjust(
            "one degree warmer, please",
            _THERMOSTAT,
            "set_temperature",
            {"temperature": 22},
            state="heat",
            temperature=22,
        ),
    ),
    case(
        "and-outside",
        Kind.FOLLOW_UP,
        ask("what is the temperature in the bedroom?", "sensor.bedroom_temperature", "19.4"),
        ask("and in the garden?", "sensor.garden_temperature", "11.6"),
    ),
    case(
        "other-one",
        Kind.FOLLOW_UP,
        switch("please turn on the light in the hallway", "light.hallway_light", "turn_on", "on"),
        switch("and the kitchen light", "light.kitchen_light", "turn_on", "on"),
    ),
    case(
        "put-back",
        Kind.FOLLOW_UP,
        switch("turn off the TV in the living room", _TV, "turn_off", "off"),
        Turn(said="put it back", goals=(Goal(_TV, "on"),), tool="undo"),
    ),
    case(
        "de-off-again",
        Kind.FOLLOW_UP,
        switch("Mach die Lampe im Büro an", "light.office_lamp", "turn_on", "on"),
        switch("und jetzt wieder aus", "light.office_lamp", "turn_off", "off"),
        language="de",
    ),
)

_VAGUE: Final = (
    case(
        "too-dark",
        Kind.VAGUE,
        switch("it's too dark in the kitchen", "light.kitchen_light", "turn_on", "on"),
    ),
    case(
        "bit-warmer",
        Kind.VAGUE,
        Turn(
            said="make it a bit warmer in the living room",
            goals=(Goal(_THERMOSTAT, "heat", {"temperature": Between(20.5, 22)}),),
            do=(Do((_THERMOSTAT,), "set_temperature", {"temperature": 21}),),
            read=(Read(_THERMOSTAT, "temperature"),),
        ),
    ),
    case(
        "too-loud",
        Kind.VAGUE,
        Turn(
            said="the TV in the living room is far too loud",
            goals=(Goal(_TV, "on", {"volume_level": Between(0.02, 0.35)}),),
            do=(Do((_TV,), "volume_set", {"volume_level": 0.3}),),
            read=(Read(_TV, "volume_level"),),
        ),
        given={_TV: {"volume_level": 0.6}},
    ),
    case(
        "which-lamp",
        Kind.VAGUE,
        Turn(
            said="turn on the lamp",
            asks=True,
            read=(Read("light.living_room_lamp"), Read("light.office_lamp")),
        ),
    ),
    case(
        "light-here",
        Kind.VAGUE,
        switch("turn on the light", "light.kitchen_light", "turn_on", "on"),
        room="Kitchen",
    ),
)

_IMPOSSIBLE: Final = (
    case("sauna", Kind.IMPOSSIBLE, Turn(said="turn on the sauna", missing="sauna")),
    case("safe", Kind.IMPOSSIBLE, Turn(said="unlock the office safe", missing="office safe")),
    case(
        "blue",
        Kind.IMPOSSIBLE,
        Turn(said="make the garage light blue", read=(Read("light.garage_light"),)),
    ),
)

_STEPS: Final = (
    case(
        "evening",
        Kind.STEPS,
        Turn(
            said="close the living room blinds, turn the living room TV off and dim the floor "
            "lamp there to 20 percent",
            goals=(
                Goal(_BLINDS, "closed"),
                Goal(_TV, "off"),
                Goal(_FLOOR_LAMP, "on", {"brightness": percent(20)}),
            ),
            do=(
                Do((_BLINDS,), "close_cover"),
                Do((_TV,), "turn_off"),
                Do((_FLOOR_LAMP,), "turn_on", {"brightness_pct": 20}),
            ),
        ),
    ),
    case(
        "if-open",
        Kind.STEPS,
        Turn(
            said="if the bedroom window is open, set the living room thermostat to 18 degrees",
            goals=(Goal(_THERMOSTAT, "heat", {"temperature": 18}),),
            do=(Do((_THERMOSTAT,), "set_temperature", {"temperature": 18}),),
            read=(Read("binary_sensor.bedroom_window"),),
        ),
    ),
    case(
        "if-not",
        Kind.STEPS,
        Turn(
            said="if the kitchen window is open turn off the coffee maker, otherwise leave it",
            read=(Read("binary_sensor.kitchen_window"),),
        ),
        given={"switch.coffee_maker": {"is_on": True}},
    ),
)

WIDER: Final = (*_GROUPS, *_FOLLOW_UPS, *_VAGUE, *_IMPOSSIBLE, *_STEPS)
