"""Raw commands to SmartThings devices, and to their entities: each kind, and what can go wrong."""

from typing import Any

from benchmark.simulator.request_log import RequestKind
from custom_components.sage.home.safety.authority import Confirmation

from .case import Case, alone, ask, case

NO = Confirmation.DECLINED
NOBODY = Confirmation.IMPOSSIBLE

TV, FRAME, FRIDGE, DISHWASHER = "samsung_8_series", "the_frame", "refrigerator", "dishwasher"
TV_KEY = "tv_credenza"
CHANNEL = ask(TV, "setTvChannel", {"tvChannel": "7"})
OPERATION = "samsungce.dishwasherOperation"
COURSE = "samsungce.dishwasherWashingCourse"
OPTIONS = "samsungce.dishwasherWashingOptions"
SETPOINT = "thermostatCoolingSetpoint"


def _freezer(degrees: object) -> Any:
    return ask(FRIDGE, "setCoolingSetpoint", {"setpoint": degrees}, component="freezer")


def _fault(fault: str, /, **how: Any) -> Any:
    return lambda world: getattr(world.cloud.faults, fault)(**how)


def _change(device: str, capability: str, attribute: str, value: object, part: str = "main") -> Any:
    return lambda world: world.cloud.change(device, part, capability, attribute, value)


def _says(status: str) -> Any:
    def happens(world: Any) -> None:
        world.cloud.result_status = status

    return happens


def _running(world: Any) -> None:
    world.cloud.change(
        "dishwasher", "main", "samsungce.dishwasherOperation", "operatingState", "running"
    )


_TELEVISIONS = (
    case("a channel", CHANNEL),
    case("a channel as a number", ask(TV, "setTvChannel", {"tvChannel": 7})),
    case("a channel by its whole name", ask(TV, "tvChannel.setTvChannel", {"tvChannel": "2"})),
    case("a channel by its name", ask(TV, "setTvChannelName", {"tvChannelName": "CBC"})),
    case("the channel that it is", ask(TV, "setTvChannel", {"tvChannel": "4"})),
    case("a channel twice in one run", CHANNEL, times=2),
    case("the next channel", ask(TV, "channelUp")),
    case("the next channel, twice in one run", ask(TV, "channelUp"), times=2),
    case("the channel before", ask(TV, "channelDown")),
    case("the next track", ask(TV, "mediaTrackControl.nextTrack")),
    case("a picture", ask(TV, "setPictureMode", {"pictureMode": "Movie"})),
    case("a picture by its definition", ask(TV, "setPictureMode", {"mode": "Movie"})),
    case("a picture that there is not", ask(TV, "setPictureMode", {"mode": "Cinema"})),
    case("a sound", ask(TV, "setSoundMode", {"mode": "Amplify"})),
    case("a recording", ask(TV, "recordStart")),
    case("an app", ask(TV, "launchApp", {"appName": "Netflix"})),
    case("a search", ask(TV, "custom.tvsearch.search", {"query": "news", "url": ""})),
    case("a key", ask(TV, "samsungvd.remoteControl.send", {"keyValue": "MUTE"})),
    case("a key that there is not", ask(TV, "send", {"keyValue": "EXPLODE"})),
    case("no channel", ask(TV, "setTvChannel")),
    case("an argument too many", ask(TV, "setTvChannel", {"tvChannel": "7", "now": True})),
    case("a command that there is not", ask(TV, "explode")),
    case("a command nearly right", ask(TV, "setChannel", {"tvChannel": "7"})),
    case("a capability that there is not", ask(TV, "setTvChannel", capability="tvTuner")),
    case("two capabilities", ask(TV, "tvChannel.channelUp", capability="mediaTrackControl")),
    case("a part that there is not", ask(TV, "channelUp", component="sub")),
    case("a television by its entity", ask(TV, "turn_off")),
    case("a television louder by its entity", ask(TV, "volume_set", {"volume_level": 0.3})),
    case("a channel on two", CHANNEL, ask(FRAME, "setTvChannel", {"tvChannel": "7"})),
    case("a channel on one that is not there", CHANNEL, ask("tv", "channelUp")),
    case("a lamp and a channel", ask("light_strip", "turn_on"), CHANNEL),
    case("the art", ask(FRAME, "setArtOn")),
    case("ambient", ask(FRAME, "setAmbientOn")),
    case("ambient content", ask(FRAME, "setAmbientContent", {"id": "fire"})),
    case("a picture of the frame", ask(FRAME, "setPictureMode", {"mode": "Eco"})),
)

_FAULTS = (
    case("a channel that nobody reports", CHANNEL, before=_fault("lose_events", device=TV_KEY)),
    case(
        "a channel that is taken and never set",
        CHANNEL,
        before=_fault("lose_events", device=TV_KEY, state_changes=False),
    ),
    case(
        "a channel that is taken and never set, twice in one run",
        CHANNEL,
        before=_fault("lose_events", device=TV_KEY, state_changes=False),
        times=2,
    ),
    case("a channel on a plan that is too small", CHANNEL, before=_fault("demand_payment")),
    case("a channel that is forbidden", CHANNEL, before=_fault("forbid")),
    case("a channel of a device that is lost", CHANNEL, before=_fault("lose")),
    case("a channel of a device asleep", CHANNEL, before=_fault("refuse_state")),
    case(
        "a channel while signed out",
        CHANNEL,
        before=_fault("refuse_token", on=RequestKind.COMMANDS),
    ),
    case("a channel when the server fails", CHANNEL, before=_fault("fail")),
    case(
        "a channel when the server fails and does it",
        CHANNEL,
        before=_fault("fail", is_carried_out=True),
    ),
    case("a channel without an answer", CHANNEL, before=_fault("hang")),
    case(
        "a channel without an answer that is set",
        CHANNEL,
        before=_fault("hang", is_carried_out=True),
    ),
    case("a channel and a broken connection", CHANNEL, before=_fault("break_connection")),
    case("a channel and garbage", CHANNEL, before=_fault("answer_garbage")),
    case("a channel that failed", CHANNEL, before=_says("FAILED")),
    case("a channel that is completed", CHANNEL, before=_says("COMPLETED")),
    case("a channel on a malformed request", CHANNEL, before=_fault("fail", status=422)),
    case(
        "a channel of a television offline",
        CHANNEL,
        before=lambda world: world.cloud.set_online(TV_KEY, online=False),
    ),
    case(
        "a television that goes offline before the undo",
        CHANNEL,
        since=lambda world: world.cloud.set_online(TV_KEY, online=False),
    ),
    case("a channel refused twice in one run", CHANNEL, before=_fault("refuse_state"), times=2),
    case(
        "two commands, the first fails",
        CHANNEL,
        ask(TV, "setPictureMode", {"mode": "Movie"}),
        before=_fault("refuse_state", times=1),
    ),
    case(
        "a channel that somebody changes, put back unless changed",
        CHANNEL,
        since=_change(TV_KEY, "tvChannel", "tvChannel", "9"),
        unless_changed=True,
    ),
    case("a channel that nobody changes, put back unless changed", CHANNEL, unless_changed=True),
    case(
        "a channel that was already put back by hand",
        CHANNEL,
        since=_change(TV_KEY, "tvChannel", "tvChannel", "4"),
    ),
)

_KITCHEN = (
    case("a colder freezer", _freezer(-20)),
    case("a freezer as a text", _freezer("-21")),
    case("a freezer out of range", _freezer(5)),
    case("a freezer in words", _freezer("cold")),
    case("two parts with one command", ask(FRIDGE, "setCoolingSetpoint", {"setpoint": 3})),
    case(
        "a part before the command",
        ask(FRIDGE, "cooler.thermostatCoolingSetpoint.setCoolingSetpoint", {"setpoint": 4}),
    ),
    case("a freezer by steps", ask(FRIDGE, "lowerSetpoint", component="freezer")),
    case("rapid cooling", ask(FRIDGE, "setRapidCooling", {"rapidCooling": "on"})),
    case("defrost", ask(FRIDGE, "setDefrost", {"defrost": "on"})),
    case("a new water filter", ask(FRIDGE, "resetWaterFilter")),
    case("a mode", ask(FRIDGE, "setFridgeMode", {"fridgeMode": "CV_FDR_WINE"})),
    case("a mode that there is not", ask(FRIDGE, "setFridgeMode", {"fridgeMode": "BEER"})),
    case(
        "a fridge by its entity",
        ask(FRIDGE, "turn_on", component="switch.kitchen_refrigerator_power_cool"),
    ),
    case(
        "a number of a fridge",
        ask(
            FRIDGE,
            "set_value",
            {"value": 3},
            component="number.kitchen_refrigerator_fridge_temperature",
        ),
    ),
    case("a course", ask(DISHWASHER, "setWashingCourse", {"course": "heavy"})),
    case("a course that there is not", ask(DISHWASHER, "setWashingCourse", {"course": "pots"})),
    case("a course that starts", ask(DISHWASHER, "startWashingCourse", {"course": "express"})),
    case(
        "a course with options",
        ask(
            DISHWASHER,
            "startWashingCourseWithOptions",
            {"course": "express", "options": {"sanitize": True}},
        ),
    ),
    case("hot", ask(DISHWASHER, "setHighTempWash", {"highTempWash": True})),
    case("hot as a text", ask(DISHWASHER, "setHighTempWash", {"highTempWash": "yes"})),
    case("options", ask(DISHWASHER, "setOptions", {"options": {"speedBooster": True}})),
    case("a zone", ask(DISHWASHER, "setSelectedZone", {"selectedZone": "lower"})),
    case("a start", ask(DISHWASHER, f"{OPERATION}.start")),
    case("a start later", ask(DISHWASHER, "startLater", {"delay": 60})),
    case(
        "a delay",
        ask(DISHWASHER, "setDishwasherDelayStartTime", {"dishwasherDelayStartTime": "02:00:00"}),
    ),
    case("a pause", ask(DISHWASHER, f"{OPERATION}.pause"), before=_running),
    case("a cancel", ask(DISHWASHER, f"{OPERATION}.cancel"), before=_running),
    case("a state", ask(DISHWASHER, "setMachineState", {"state": "run"})),
    case("a button", ask(DISHWASHER, "press", component="button.kitchen_dishwasher_start")),
    case(
        "a start without remote control",
        ask(DISHWASHER, f"{OPERATION}.start"),
        before=lambda world: world.cloud.set_remote_control("dishwasher", enabled=False),
    ),
    case(
        "a button without remote control",
        ask(DISHWASHER, "press", component="button.kitchen_dishwasher_start"),
        before=lambda world: world.cloud.set_remote_control("dishwasher", enabled=False),
    ),
    case(
        "a plug that is never wanted",
        ask("outlet", "turn_on"),
        before=lambda world: world.choose(switch__kitchen_outlet="never"),
    ),
    case("a plug", ask("outlet", "turn_on")),
    case("a scene of the cloud", ask("film_night", "turn_on")),
    case("a strip", ask("light_strip", "turn_on", {"brightness_pct": 40})),
    case("a strip in red", ask("light_strip", "turn_on", {"color_name": "red"})),
    case("all light", ask("all light", "turn_on")),
    case("all light except one", ask("all light except light_strip", "turn_off")),
    case(
        "a television that the household never wants",
        CHANNEL,
        before=lambda world: world.choose(media_player__living_room_samsung_8_series="never"),
    ),
    case(
        "a television to be asked about",
        CHANNEL,
        before=lambda world: world.choose(media_player__living_room_samsung_8_series="ask"),
    ),
    case(
        "a television to be asked about, declined",
        CHANNEL,
        before=lambda world: world.choose(media_player__living_room_samsung_8_series="ask"),
        answer=NO,
    ),
    case(
        "a television to be asked about, nobody there",
        CHANNEL,
        before=lambda world: world.choose(media_player__living_room_samsung_8_series="ask"),
        answer=NOBODY,
    ),
    case(
        "two televisions, one to be asked about while the other is",
        CHANNEL,
        ask(FRAME, "setTvChannel", {"tvChannel": "7"}),
        before=lambda world: world.choose(media_player__office_the_frame="ask"),
        meanwhile=lambda world: world.choose(
            media_player__office_the_frame="ask",
            media_player__living_room_samsung_8_series="ask",
        ),
    ),
    case(
        "a television to be asked about when it is put back, declined",
        CHANNEL,
        since=lambda world: world.choose(media_player__living_room_samsung_8_series="ask"),
        undo_answer=NO,
    ),
    case(
        "a television never wanted when it is put back",
        CHANNEL,
        since=lambda world: world.choose(media_player__living_room_samsung_8_series="never"),
    ),
    case("a guest and a television only to read", CHANNEL, is_guest=True),
    case("a guest and a strip", ask("light_strip", "turn_on"), is_guest=True),
    case("a guest and a fridge", _freezer(-20), is_guest=True),
)

PAPER_CASES: tuple[Case, ...] = (*_TELEVISIONS, *_FAULTS, *_KITCHEN)

WASHER, DRYER, OVEN, VACUUM = "washer", "dryer", "oven", "robot_vacuum"

LARGE_CASES: tuple[Case, ...] = (
    alone("left_bedside_lamp", "turn_on", {"brightness_pct": 30}),
    alone("left_bedside_lamp", "turn_on", {"color_name": "blue"}),
    alone("coffee_machine", "turn_on"),
    case("coffee, declined", ask("coffee_machine", "turn_on"), answer=NO),
    alone("garage_door", "open_cover"),
    case("a garage, declined", ask("garage_door", "open_cover"), answer=NO),
    case("a garage, nobody to ask", ask("garage_door", "open_cover"), answer=NOBODY),
    alone("front_door_lock", "unlock"),
    alone("front_door_lock", "lock"),
    case("a lock, declined", ask("front_door_lock", "unlock"), answer=NO),
    alone("water_main_valve", "close_valve"),
    alone("living_room_thermostat", "set_temperature", {"temperature": 22}),
    alone("living_room_ac", "set_temperature", {"temperature": 23}),
    alone("living_room_ac", "audioVolume.setVolume", {"volume": 50}),
    alone("living_room_ac", "volumeUp"),
    alone("living_room_ac", "setAutoCleaningMode", {"mode": "on"}),
    alone("living_room_ac", "setAcTropicalNightModeLevel", {"hours": 3}),
    alone("living_room_ac", "resetDustFilter"),
    alone("bedroom_shade", "open_cover"),
    alone("bedroom_shade", "presetPosition"),
    alone("bedroom_shade", "setPresetPosition", {"position": 40}),
    alone(VACUUM, "start"),
    alone(VACUUM, "setCleaningMode", {"cleaningMode": "spot"}),
    alone(VACUUM, "enableRepeatMode"),
    alone(VACUUM, "setSoundMode", {"soundMode": "beep"}),
    alone(VACUUM, "setRobotCleanerMovement", {"mode": "homing"}),
    alone(VACUUM, "setVolumeLevel", {"volumeLevel": 1}),
    alone(VACUUM, "volumeDown"),
    alone(VACUUM, "addReservation", {"newReservation": {"hour": 9}}),
    alone(VACUUM, "deleteReservation", {"id": "1"}),
    alone(WASHER, "samsungce.washerOperatingState.start"),
    alone(WASHER, "samsungce.washerOperatingState.pause"),
    alone(WASHER, "setWasherCycle", {"washerCycle": "Table_02_Course_1B"}),
    alone(WASHER, "setCycleType", {"cycleType": "washingOnly"}),
    alone(WASHER, "setAmount", {"amount": "less"}),
    alone(WASHER, "setDensity", {"density": "high"}),
    alone(WASHER, "setDelayTime", {"delayTime": 120}),
    alone(WASHER, "setMode", {"mode": "eco"}),
    alone(DRYER, "samsungce.dryerOperatingState.start"),
    alone(DRYER, "setDryerDryLevel", {"dryLevel": "damp"}),
    alone(DRYER, "setDryingTemperature", {"temperature": "low"}),
    alone(DRYER, "setDryingTime", {"dryingTime": "30"}),
    alone(DRYER, "linkDryerCycle", {"cycle": "Table_00_Course_01"}),
    alone(OVEN, "setOvenMode", {"mode": "Bake"}),
    alone(OVEN, "ovenMode.setOvenMode", {"mode": "Bake"}),
    alone(OVEN, "setOvenSetpoint", {"setpoint": 180}),
    alone(OVEN, "ovenOperatingState.start", {"mode": "Bake", "time": 600, "setpoint": 180}),
    case(
        "an oven, declined",
        ask(OVEN, "ovenOperatingState.start", {"mode": "Bake"}),
        answer=NO,
    ),
    alone(OVEN, "samsungce.ovenOperatingState.start"),
    alone(OVEN, "samsungce.ovenOperatingState.stop"),
    alone(OVEN, "setOperationTime", {"operationTime": "00:30:00"}),
    alone("microwave", "setPowerLevel", {"power": "50%"}),
    alone("microwave", "switch.on"),
    alone("air_purifier", "turn_on"),
    alone("air_purifier", "samsungce.airPurifierLighting.off"),
    alone("air_purifier", "resetHepaFilter"),
    alone("soundbar", "playTrack", {"uri": "http://radio.test/1"}),
    alone("soundbar", "setSoundFrom", {"mode": 1}),
    alone("soundbar", "volume_set", {"volume_level": 0.2}),
    alone("bedroom_tv", "setTvChannel", {"tvChannel": "5"}),
    alone("driveway_camera", "turn_off"),
    alone("bathroom_radiator", "set_temperature", {"temperature": 19}),
    alone("refrigerator", "setRapidFreezing", {"rapidFreezing": "on"}),
    case("all light in a room", ask("all light in Living Room", "turn_on")),
    case("a guest", ask("coffee_machine", "turn_on"), is_guest=True),
    case("a guest and a washer", ask(WASHER, "setAmount", {"amount": "less"}), is_guest=True),
)
