"""Commands and questions about one device."""

from typing import Final

from .case import Do, Goal, Kind, Read, Turn
from .case_forms import adjust, ask, case, percent, switch

_TV: Final = "media_player.living_room_tv"
_THERMOSTAT: Final = "climate.living_room_thermostat"
_FLOOR_LAMP: Final = "light.floor_lamp"
_BLINDS: Final = "cover.living_room_blinds"
_CURTAIN: Final = "cover.bedroom_curtain"
_LIST: Final = "todo.shopping_list"
_MOVIE: Final = "scene.movie_night"

_COMMANDS: Final = (
    case(
        "kitchen-light",
        Kind.COMMAND,
        switch("turn on the kitchen light", "light.kitchen_light", "turn_on", "on"),
    ),
    case(
        "bedroom-light",
        Kind.COMMAND,
        adjust(
            "set the bedroom light to 30 percent",
            "light.bedroom_light",
            "turn_on",
            {"brightness_pct": 30},
            state="on",
            brightness=percent(30),
        ),
    ),
    case(
        "tv-off",
        Kind.COMMAND,
        switch("switch off the TV in the living room", _TV, "turn_off", "off"),
    ),
    case(
        "thermostat",
        Kind.COMMAND,
        adjust(
            "set the living room thermostat to 22 degrees",
            _THERMOSTAT,
            "set_temperature",
            {"temperature": 22},
            state="heat",
            temperature=22,
        ),
    ),
    case(
        "blinds",
        Kind.COMMAND,
        adjust(
            "set the living room blinds to 40 percent",
            _BLINDS,
            "set_cover_position",
            {"position": 40},
            current_position=40,
        ),
    ),
    case(
        "garden",
        Kind.COMMAND,
        switch("turn the garden lights off", "light.garden_lights", "turn_off", "off"),
    ),
    case(
        "fan",
        Kind.COMMAND,
        switch("turn on the fan in the bedroom", "fan.bedroom_fan", "turn_on", "on"),
    ),
    case(
        "vacuum",
        Kind.COMMAND,
        switch("start the robot vacuum", "vacuum.robot_vacuum", "start", "cleaning"),
    ),
    case(
        "lock",
        Kind.COMMAND,
        switch("lock the front door", "lock.front_door", "lock", "locked"),
        given={"lock.front_door": {"is_locked": False}},
    ),
    case(
        "curtain", Kind.COMMAND, switch("open the bedroom curtain", _CURTAIN, "open_cover", "open")
    ),
    case(
        "dresser",
        Kind.COMMAND,
        switch("I need the dresser light", "light.dresser_light", "turn_on", "on"),
    ),
    case(
        "office-lamp",
        Kind.COMMAND,
        switch("turn on the lamp in the office", "light.office_lamp", "turn_on", "on"),
    ),
    case(
        "humidifier",
        Kind.COMMAND,
        adjust(
            "set the bedroom humidifier to 55 percent",
            "humidifier.bedroom_humidifier",
            "set_humidity",
            {"humidity": 55},
            humidity=55,
        ),
    ),
    case(
        "fridge",
        Kind.COMMAND,
        switch(
            "set the fridge to 3 degrees",
            "number.fridge_target_temperature",
            "set_value",
            "3",
            value=3,
        ),
    ),
    case(
        "dishwasher",
        Kind.COMMAND,
        switch(
            "put the dishwasher on the quick program",
            "select.dishwasher_program",
            "select_option",
            "quick",
            option="quick",
        ),
    ),
    case(
        "shopping-add",
        Kind.COMMAND,
        adjust(
            "add bread to the shopping list", _LIST, "add_item", {"item": "Bread"}, items=("bread",)
        ),
    ),
    case(
        "mute",
        Kind.COMMAND,
        adjust(
            "mute the living room TV",
            _TV,
            "volume_mute",
            {"is_volume_muted": True},
            state="on",
            is_volume_muted=True,
        ),
    ),
    case(
        "channel",
        Kind.COMMAND,
        adjust(
            "put channel 12 on the TV in the living room",
            _TV,
            "play_media",
            {"media": {"media_content_id": "12", "media_content_type": "channel"}},
            state="playing",
            media_channel="12",
        ),
    ),
    case(
        "guests",
        Kind.COMMAND,
        switch("turn on guest mode", "input_boolean.guest_mode", "turn_on", "on"),
    ),
    case(
        "movie-night",
        Kind.COMMAND,
        Turn(
            said="start the movie night scene",
            goals=(Goal(_FLOOR_LAMP, "on", {"brightness": 50}), Goal(_TV, "on")),
            also=(_MOVIE, "light.living_room_lamp"),
            do=(Do((_MOVIE,), "turn_on"),),
        ),
    ),
    case(
        "de-kitchen",
        Kind.COMMAND,
        switch("Schalte bitte das Licht in der Küche ein", "light.kitchen_light", "turn_on", "on"),
        language="de",
    ),
    case(
        "de-heating",
        Kind.COMMAND,
        adjust(
            "Stell die Heizung im Wohnzimmer auf 21,5 Grad",
            _THERMOSTAT,
            "set_temperature",
            {"temperature": 21.5},
            state="heat",
            temperature=21.5,
        ),
        language="de",
    ),
    case(
        "fr-tv",
        Kind.COMMAND,
        switch("éteins la télé du salon", _TV, "turn_off", "off"),
        language="fr",
    ),
    case(
        "fr-curtain",
        Kind.COMMAND,
        switch("ouvre le rideau de la chambre", _CURTAIN, "open_cover", "open"),
        language="fr",
    ),
)

_QUESTIONS: Final = (
    case(
        "bedroom-temperature",
        Kind.QUESTION,
        ask("how warm is it in the bedroom?", "sensor.bedroom_temperature", "19.4"),
    ),
    case(
        "bedroom-window",
        Kind.QUESTION,
        ask("is the bedroom window open?", "binary_sensor.bedroom_window", "yes", "is open"),
    ),
    case(
        "door-locked",
        Kind.QUESTION,
        ask("is the front door locked?", "lock.front_door", "yes", "is locked"),
    ),
    case(
        "dishwasher-done",
        Kind.QUESTION,
        ask("what is the dishwasher doing?", "sensor.dishwasher_phase", "wash"),
    ),
    case(
        "outside",
        Kind.QUESTION,
        ask("how warm is it in the garden?", "sensor.garden_temperature", "11.6"),
    ),
    case(
        "target",
        Kind.QUESTION,
        ask(
            "what is the living room thermostat set to?",
            _THERMOSTAT,
            "20",
            "twenty",
            attribute="temperature",
        ),
    ),
    case(
        "garage-closed",
        Kind.QUESTION,
        ask("is the garage door closed?", "cover.garage_door", "yes", "is closed"),
    ),
    case(
        "how-bright",
        Kind.QUESTION,
        ask(
            "how bright is the floor lamp in the living room?",
            _FLOOR_LAMP,
            "60",
            attribute="brightness_pct",
        ),
    ),
    case(
        "shopping-list",
        Kind.QUESTION,
        Turn(
            said="what's on the shopping list?",
            says=(("milk",), ("coffee",)),
            read=(Read(_LIST, "items"),),
        ),
    ),
    case(
        "de-fridge",
        Kind.QUESTION,
        ask("Wie warm ist es im Kühlschrank?", "sensor.fridge_temperature", "4,2", "4.2"),
        language="de",
    ),
    case(
        "fr-humidity",
        Kind.QUESTION,
        ask("quelle est l'humidité dans le salon ?", "sensor.living_room_humidity", "46"),
        language="fr",
    ),
)

SINGLE: Final = (*_COMMANDS, *_QUESTIONS)
