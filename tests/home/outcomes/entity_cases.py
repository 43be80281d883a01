"""Commands to entities: each domain and kind, groups, wrong arguments, all that can happen."""

from typing import Any

from custom_components.sage.home.safety.authority import Confirmation

from .case import Case, alone, ask, case

NO = Confirmation.DECLINED
NOBODY = Confirmation.IMPOSSIBLE


def _set(entity_id: str, **values: Any) -> Any:
    return lambda world: world[entity_id].set(**values)


def _gone(entity_id: str) -> Any:
    return _set(entity_id, available=False)


_LIGHTS = (
    alone("Lamp", "turn_on"),
    alone("Lamp", "turn_off"),
    alone("Lamp", "turn_on", {"brightness_pct": 20}),
    alone("Lamp", "turn_on", {"brightness_pct": "45"}),
    alone("Lamp", "turn_on", {"brightness_pct": 0}),
    alone("Lamp", "turn_on", {"brightness_step_pct": -10}),
    alone("Lamp", "turn_on", {"color_temp_kelvin": 5000}),
    alone("Lamp", "turn_on", {"color_temp_kelvin": 5000, "brightness_pct": 80}),
    alone("Lamp", "turn_on", {"transition": 2}),
    alone("Lamp", "turn_on", {"brightness_pct": 140}),
    alone("Lamp", "turn_on", {"brightness_pct": "bright"}),
    alone("Lamp", "turn_on", {"colour": "red"}),
    alone("Lamp", "turn_on", {"entity_id": "light.desk"}),
    alone("Lamp", "explode"),
    alone("Lamp", "switch.turn_on"),
    alone("lamp", "light.turn_on"),
    alone("light.lamp", "turn_on"),
    alone("Lampq", "turn_on"),
    alone("Hidden Lamp", "turn_on"),
    alone("light.hidden_lamp", "turn_on"),
    alone("Dead Lamp", "turn_on"),
    alone("Ghost Lamp", "turn_on"),
    case(
        "a lamp that is on and dimmed",
        ask("Lamp", "turn_on", {"brightness_pct": 10}),
        before=_set("light.lamp", is_on=True, brightness=180),
    ),
    case("a lamp twice in one run", ask("Lamp", "turn_on"), times=2),
    case("a dead lamp twice in one run", ask("Dead Lamp", "turn_on"), times=2),
    case("a lamp on, then off", ask("Lamp", "turn_on"), ask("Lamp", "turn_off")),
    case(
        "a lamp dimmed in two steps",
        ask("Lamp", "turn_on", {"brightness_pct": 70}),
        ask("Lamp", "turn_on", {"brightness_pct": 30}),
    ),
    case(
        "a lamp that is unavailable",
        ask("Lamp", "turn_on"),
        before=_gone("light.lamp"),
    ),
    case(
        "a lamp that goes away before the undo",
        ask("Lamp", "turn_on"),
        since=_gone("light.lamp"),
    ),
    case(
        "a lamp that somebody switches off before the undo",
        ask("Lamp", "turn_on"),
        since=_set("light.lamp", is_on=False),
    ),
    case(
        "a lamp that somebody dims, put back unless changed",
        ask("Lamp", "turn_on"),
        since=_set("light.lamp", brightness=40),
        unless_changed=True,
    ),
    case(
        "a lamp that nobody touches, put back unless changed",
        ask("Lamp", "turn_on", {"brightness_pct": 50}),
        unless_changed=True,
    ),
)

_GROUPS = (
    case("all light", ask("all light", "turn_on")),
    case("all light except one", ask("all light except dead_lamp", "turn_on")),
    case("all light except all", ask("all light except all light", "turn_on")),
    case("all cover", ask("all cover", "open_cover")),
    case("all lock", ask("all lock", "lock")),
    case("all lock, unlocked", ask("all lock", "unlock")),
    case("all lock, unlocked, declined", ask("all lock", "unlock"), answer=NO),
    case("all that is not there", ask("all sauna", "turn_on")),
    case("a group of Home Assistant", ask("Both Lamps", "turn_on")),
    case("two devices", ask("Lamp", "turn_on"), ask("Desk", "turn_on")),
    case("one of two is wrong", ask("Lamp", "turn_on"), ask("Desk", "explode")),
    case("a free one and a risky one", ask("Lamp", "turn_on"), ask("Front Door", "unlock")),
    case(
        "a free one and a risky one, declined",
        ask("Lamp", "turn_on"),
        ask("Front Door", "unlock"),
        answer=NO,
    ),
    case("two risky ones", ask("Garage", "open_cover"), ask("Front Door", "unlock")),
)

_PARTS = (
    alone("Panel", "turn_on"),
    case("a part by its component", ask("Panel", "turn_on", component="switch.outlet")),
    case("a part by its domain", ask("Panel", "turn_on", capability="light")),
    case("two parts of a domain", ask("Panel", "turn_on", capability="switch")),
    case("a part of another device", ask("Panel", "turn_on", component="light.lamp")),
    case("a part that is not there", ask("Panel", "turn_on", component="light.none")),
    alone("Ceiling", "turn_on"),
)

_SWITCHES = (
    alone("TV Plug", "turn_on"),
    alone("TV Plug", "turn_off"),
    alone("TV Plug", "toggle"),
    alone("Blind Plug", "turn_on"),
    alone("Broken Plug", "turn_on"),
    alone("Oven", "turn_on"),
    case("an oven, declined", ask("Oven", "turn_on"), answer=NO),
    case("an oven, nobody to ask", ask("Oven", "turn_on"), answer=NOBODY),
    case(
        "an oven off, put back, declined",
        ask("Oven", "turn_off"),
        before=_set("switch.oven", is_on=True),
        undo_answer=NO,
    ),
    case(
        "an oven off, put back",
        ask("Oven", "turn_off"),
        before=_set("switch.oven", is_on=True),
    ),
    case(
        "an oven off, put back, nobody to ask",
        ask("Oven", "turn_off"),
        before=_set("switch.oven", is_on=True),
        undo_answer=NOBODY,
    ),
    case(
        "an oven that is gone when the yes comes",
        ask("Oven", "turn_on"),
        meanwhile=_gone("switch.oven"),
    ),
    case(
        "a plug that the household never wants",
        ask("TV Plug", "turn_on"),
        before=lambda world: world.choose(switch__tv_plug="never"),
    ),
    case(
        "a plug that the household wants to be asked about",
        ask("TV Plug", "turn_on"),
        before=lambda world: world.choose(switch__tv_plug="ask"),
    ),
    case(
        "an oven that the household does not want to be asked about",
        ask("Oven", "turn_on"),
        before=lambda world: world.choose(switch__oven="free"),
    ),
    case(
        "a plug that becomes one to ask about while another is asked about",
        ask("TV Plug", "turn_on"),
        ask("Oven", "turn_on"),
        meanwhile=lambda world: world.choose(switch__tv_plug="ask"),
    ),
    case(
        "a plug that is never wanted when it is to be put back",
        ask("TV Plug", "turn_on"),
        since=lambda world: world.choose(switch__tv_plug="never"),
    ),
)

_COVERS = (
    alone("Shade", "open_cover"),
    alone("Shade", "close_cover"),
    alone("Shade", "set_cover_position", {"position": 40}),
    alone("Shade", "stop_cover"),
    alone("Blind", "open_cover"),
    alone("Blind", "set_cover_position", {"position": 40}),
    alone("Blind", "set_cover_position", {"position": 400}),
    alone("Blind", "set_cover_position"),
    alone("Blind", "close_cover"),
    alone("Louvre", "open_cover_tilt"),
    alone("Louvre", "set_cover_tilt_position", {"tilt_position": 60}),
    alone("Garage", "open_cover"),
    alone("Garage", "close_cover"),
    case("a garage, declined", ask("Garage", "open_cover"), answer=NO),
    case("a garage, nobody to ask", ask("Garage", "open_cover"), answer=NOBODY),
    case(
        "a shade that is on its way when it is put back",
        ask("Shade", "open_cover"),
        since=_set("cover.shade", current_cover_position=50),
        unless_changed=True,
    ),
    alone("Water", "open_valve"),
    alone("Water", "close_valve"),
)

_SAFETY = (
    alone("Front Door", "unlock"),
    alone("Front Door", "lock"),
    alone("Front Door", "open"),
    case("a door, declined", ask("Front Door", "unlock"), answer=NO),
    case("a door, nobody to ask", ask("Front Door", "unlock"), answer=NOBODY),
    case(
        "a door locked, put back",
        ask("Front Door", "lock"),
        before=_set("lock.front_door", is_locked=False),
    ),
    case(
        "a door locked, put back, declined",
        ask("Front Door", "lock"),
        before=_set("lock.front_door", is_locked=False),
        undo_answer=NO,
    ),
    alone("Safe", "unlock", {"code": "1234"}),
    alone("Safe", "unlock", {"code": "9999"}),
    alone("Safe", "unlock"),
    alone("Cellar", "unlock"),
    alone("Attic", "unlock"),
    alone("Alarm", "alarm_disarm"),
    alone("Alarm", "alarm_disarm", {"code": "1234"}),
    alone("Alarm", "alarm_arm_home"),
    alone("Alarm", "alarm_arm_away"),
    alone("Siren", "turn_off"),
    alone("Siren", "turn_on"),
    alone("Restart", "press"),
    alone("Firmware", "install"),
    case("firmware, declined", ask("Firmware", "install"), answer=NO),
)

_CLIMATE = (
    alone("Heating", "set_temperature", {"temperature": 23}),
    alone("Heating", "set_temperature", {"temperature": "21.5"}),
    alone("Heating", "set_temperature", {"temperature": 60}),
    alone("Heating", "set_temperature"),
    alone("Heating", "set_hvac_mode", {"hvac_mode": "off"}),
    alone("Heating", "set_hvac_mode", {"hvac_mode": "cool"}),
    alone("Heating", "turn_off"),
    alone("Fan", "set_percentage", {"percentage": 50}),
    alone("Fan", "turn_off"),
    alone("Fan", "increase_speed"),
    alone("Humidifier", "turn_on"),
    alone("Humidifier", "set_humidity", {"humidity": 60}),
    alone("Humidifier", "set_mode", {"mode": "sleep"}),
    alone("Humidifier", "set_mode", {"mode": "loud"}),
    alone("Boiler", "set_temperature", {"temperature": 55}),
    alone("Boiler", "set_operation_mode", {"operation_mode": "performance"}),
)

_MEDIA = (
    alone("Radio", "media_pause"),
    alone("Radio", "media_play"),
    alone("Radio", "volume_set", {"volume_level": 0.2}),
    alone("Radio", "volume_up"),
    alone("Radio", "select_source", {"source": "TV"}),
    alone("Radio", "select_source", {"source": "CD"}),
    alone(
        "Radio",
        "play_media",
        {"media": {"media_content_id": "http://radio.test/1", "media_content_type": "music"}},
    ),
    alone("Radio", "join", {"group_members": ["media_player.kitchen_radio"]}),
    alone("Radio", "join", {"group_members": ["light.hidden_lamp"]}),
    alone("Remote", "send_command", {"command": ["mute"]}),
    alone("Remote", "turn_on"),
)

_OTHERS = (
    alone("Chime", "press"),
    alone("Oven Program", "select_option", {"option": "Grill"}),
    alone("Oven Program", "select_option", {"option": "grill"}),
    alone("Oven Program", "select_option", {"option": "Steam"}),
    alone("Level", "set_value", {"value": 12}),
    alone("Level", "set_value", {"value": 900}),
    alone("Cloud Scene", "turn_on"),
    alone("Movie", "turn_on"),
    alone("Welcome", "turn_on"),
    case("a scene that unlocks, declined", ask("Welcome", "turn_on"), answer=NO),
    alone("Tidy", "turn_on"),
    alone("Let In", "turn_on"),
    case("a script that unlocks, declined", ask("Let In", "turn_on"), answer=NO),
    alone("Dim", "turn_on", {"variables": {"level": 30}}),
    alone("Dim", "turn_on"),
    alone("Dusk", "trigger"),
    alone("Dusk", "turn_off"),
    alone("Robot", "start"),
    alone("Robot", "return_to_base"),
    alone("Robot", "set_fan_speed", {"fan_speed": "turbo"}),
    alone("Robot", "locate"),
    case(
        "a robot that comes home",
        ask("Robot", "return_to_base"),
        before=lambda world: world["vacuum.robot"].set(activity="cleaning"),
    ),
    alone("Mower", "start_mowing"),
    alone("Mower", "dock"),
    alone("Label", "set_value", {"value": "world"}),
    alone("Label", "set_value", {"value": "much too long for this label"}),
    alone("Holiday", "set_value", {"date": "2026-12-24"}),
    alone("Wake Up", "set_value", {"time": "06:45:00"}),
    alone("Messenger", "send_message", {"message": "Dinner"}),
    alone("Weather", "get_forecasts", {"type": "daily"}),
    alone("Shopping", "add_item", {"item": "Bread"}),
    alone("Shopping", "add_item", {"item": "Milk"}),
    alone("Shopping", "remove_item", {"item": ["Milk"]}),
    alone("Shopping", "update_item", {"item": "Milk", "status": "completed"}),
    alone("Shopping", "remove_item", {"item": ["Gold"]}),
    alone("Shopping", "get_items"),
    alone(
        "Calendar",
        "create_event",
        {
            "summary": "Dentist",
            "start_date_time": "2030-01-02 10:00:00",
            "end_date_time": "2030-01-02 11:00:00",
        },
    ),
    alone("Guest Mode", "turn_on"),
    alone("Guest Mode", "turn_off"),
    alone("Target", "set_value", {"value": 7}),
    alone("Target", "increment"),
    alone("Mode", "select_option", {"option": "Night"}),
    alone("Mode", "select_next"),
    alone("Note", "set_value", {"value": "bye"}),
    alone("Bell", "press"),
    alone("Alarm Time", "set_datetime", {"time": "06:45:00"}),
    alone("Visits", "increment"),
    alone("Visits", "reset"),
    alone("Eggs", "start"),
    alone("Eggs", "cancel"),
)

_GUEST = (
    case("a guest and a lamp", ask("Lamp", "turn_on"), is_guest=True),
    case("a guest and a lamp only to read", ask("Desk", "turn_on"), is_guest=True),
    case("a guest and a lamp out of sight", ask("Ceiling", "turn_on"), is_guest=True),
    case("a guest and an oven", ask("Oven", "turn_on"), is_guest=True),
    case(
        "a guest and an oven, nobody to ask", ask("Oven", "turn_on"), is_guest=True, answer=NOBODY
    ),
    case("a guest and a script", ask("Tidy", "turn_on"), is_guest=True),
    case("a guest and all light", ask("all light", "turn_on"), is_guest=True),
)

CASES: tuple[Case, ...] = (
    *_LIGHTS,
    *_GROUPS,
    *_PARTS,
    *_SWITCHES,
    *_COVERS,
    *_SAFETY,
    *_CLIMATE,
    *_MEDIA,
    *_OTHERS,
    *_GUEST,
)
