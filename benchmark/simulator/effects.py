"""Effects of commands on devices: from the definitions if possible, else from a table."""

import colorsys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .appliance_effects import APPLIANCE_EFFECTS
from .definitions import definitions
from .own_limits import supports
from .rule_types import DeviceView, Given, Setting
from .schema import faults

VOLUME_STEP = 1


type Effect = Callable[[Given], list[Setting]]


def effects(
    device: DeviceView, component: str, capability: str, command: str, arguments: list[Any]
) -> list[Setting]:
    """Return what a command sets, in this order; nothing if the device does not support it."""
    given = Given(device, component, capability, arguments)
    special = _TABLE.get((capability, command))
    settings = list(_defined(given, command)) if special is None else special(given)
    if not settings and special is None:
        settings = list(_by_name(given, command))
    return settings if all(supports(device, *setting) for setting in settings) else []


def _defined(given: Given, command: str) -> Iterator[Setting]:
    """Yield what the definition says: setters and commands that stand for a value."""
    for name, attribute in _attributes(given.capability).items():
        if attribute.get("setter") == command and given.arguments:
            yield from _set_if_fitting(given, name, given.arguments[0])
        for each in attribute["enumCommands"]:
            if each["command"] == command:
                under_way = _UNDER_WAY.get(each["value"])
                if under_way in _words(attribute):
                    yield from given.set(name, under_way)
                yield from given.set(name, each["value"])


def _by_name(given: Given, command: str) -> Iterator[Setting]:
    """Yield what follows from names where the definition says nothing.

    `setPictureMode` sets `pictureMode`; `activate` sets `activated`; `on` sets the attribute
    that can be `on`; `start` one that can be `running`; `resetDustFilter` resets its use.
    """
    attributes = _attributes(given.capability)
    if command.startswith("set") and given.arguments:
        name = command[3:4].lower() + command[4:]
        name = next((each for each in attributes if each.lower() == name.lower()), name)
        if name not in attributes:
            name = _only_settable(attributes)
        yield from _set_if_fitting(given, name, given.arguments[0])
    elif command in {"activate", "deactivate"} and "activated" in attributes:
        yield from given.set("activated", command == "activate")
    elif command.startswith("reset") and command.endswith("Filter"):
        name = command[5:6].lower() + command[6:]
        yield from given.set(f"{name}Usage", 0)
        yield from given.set(f"{name}Status", "normal")
    else:
        yield from _by_word(given, attributes, (command, *_LEADS_TO.get(command, ())))


def _by_word(
    given: Given, attributes: Mapping[str, Any], words: tuple[str, ...]
) -> Iterator[Setting]:
    for word in words:
        for name, attribute in attributes.items():
            if word in _words(attribute):
                yield from given.set(name, word)
                return


def _set_if_fitting(given: Given, name: str, value: Any) -> Iterator[Setting]:
    """Set an attribute if the value is of its type, or fits into its `{value, settable}`."""
    attribute = _attributes(given.capability).get(name)
    if attribute is None:
        return
    wanted = attribute["schema"]["properties"]["value"]
    inside = (
        {"value": value, "settable": (given.value(name) or {}).get("settable", [])}
        if (set(wanted.get("properties", ())) >= {"value", "settable"})
        else None
    )
    for candidate in (value, inside, *_LEADS_TO.get(str(value), ())):
        if candidate is not None and not list(faults(candidate, wanted, "")):
            yield from given.set(name, candidate)
            return


def _only_settable(attributes: Mapping[str, Any]) -> str:
    """Return the one attribute that is no list of what is supported, "" if there are more."""
    names = [name for name in attributes if not name.startswith(("supported", "available"))]
    return names[0] if len(names) == 1 else ""


def _attributes(capability: str) -> Mapping[str, Any]:
    attributes: Mapping[str, Any] = definitions()[capability]["attributes"]
    return attributes


def _words(attribute: Mapping[str, Any]) -> list[str]:
    return list(attribute["schema"]["properties"]["value"].get("enum", []))


_UNDER_WAY = {"open": "opening", "closed": "closing"}
"""What comes before a value, where the attribute knows a word for it."""

_LEADS_TO = {
    "start": ("running", "cleaning"),
    "resume": ("running", "cleaning"),
    "pause": ("paused",),
    "stop": ("stopped", "ready", "stop"),
    "cancel": ("ready",),
    "returnToHome": ("homing",),
}
"""Commands -> what they lead to, the first that an attribute knows."""


# The table: effects that follow neither from definitions nor from names.


def _set_level(given: Given) -> list[Setting]:
    level = given.arguments[0]
    if not level and given.device.has(given.component, "switch"):
        return given.set("switch", "off", "switch")
    return given.set("level", level) + given.set("switch", "on", "switch")


def _set_color(given: Given) -> list[Setting]:
    color: Mapping[str, Any] = given.arguments[0]
    hue, saturation = color.get("hue"), color.get("saturation")
    if (code := color.get("hex")) is not None:
        hue, saturation = _hue_and_saturation(code)
    settings = given.set("hue", hue) if hue is not None else []
    settings += given.set("saturation", saturation) if saturation is not None else []
    if "level" in color:
        settings += given.set("level", color["level"], "switchLevel")
    if "switch" in color:
        settings += given.set("switch", color["switch"], "switch")
    return settings


def _hue_and_saturation(code: str) -> tuple[float, float]:
    """Return both from 0 to 100 for a code such as `#ff8000`."""
    digits = code.removeprefix("#")
    red, green, blue = (int(digits[start : start + 2], 16) / 255 for start in (0, 2, 4))
    hue, saturation, _ = colorsys.rgb_to_hsv(red, green, blue)
    return round(hue * 100, 2), round(saturation * 100, 2)


def _volume_by(step: int) -> Effect:
    def effect(given: Given) -> list[Setting]:
        return given.set("volume", min(100, max(0, (given.value("volume") or 0) + step)))

    return effect


def _channel_by(step: int) -> Effect:
    def effect(given: Given) -> list[Setting]:
        numbers = sorted(given.device.channels, key=int)
        current = given.value("tvChannel")
        if not numbers:
            return []
        index = numbers.index(current) + step if current in numbers else 0
        return given.set("tvChannel", numbers[index % len(numbers)])

    return effect


def _setpoint_by(direction: int) -> Effect:
    def effect(given: Given) -> list[Setting]:
        cooling = "thermostatCoolingSetpoint"
        limits = given.value("coolingSetpointRange", cooling) or {}
        current = given.value("coolingSetpoint", cooling)
        if current is None:
            return []
        target = current + direction * limits.get("step", 1)
        return given.set("coolingSetpoint", target, cooling)

    return effect


def _launch_app(given: Given) -> list[Setting]:
    app_id, name = (*given.arguments, None, None)[:2]
    settings = given.set("tvChannel", "", "tvChannel")
    return settings + given.set("tvChannelName", name or app_id or "", "tvChannel")


def _show_art(given: Given) -> list[Setting]:
    settings = given.set("tvChannel", "", "tvChannel")
    return settings + given.set("tvChannelName", "art", "tvChannel")


def _send_key(given: Given) -> list[Setting]:
    key = given.arguments[0]
    if key == "MUTE":
        muted = given.value("mute", "audioMute") == "muted"
        return given.set("mute", "unmuted" if muted else "muted", "audioMute")
    if key in _KEYS:
        return given.set("playbackStatus", _KEYS[key], "mediaPlayback")
    return []


def _start_course(given: Given) -> list[Setting]:
    course = given.set("washingCourse", given.arguments[0])
    return course + given.set("operatingState", "running", "samsungce.dishwasherOperation")


def _set_options(given: Given) -> list[Setting]:
    return [
        setting
        for name, value in given.arguments[0].items()
        for setting in _set_if_fitting(given, name, value)
    ]


def _start_later(given: Given) -> list[Setting]:
    return given.set("timeLeftToStart", given.arguments[0])


def _set_mode_by_id_or_name(attribute: str, choices: str) -> Effect:
    """Set a mode, given by its name or its id."""

    def effect(given: Given) -> list[Setting]:
        names = {each["id"]: each["name"] for each in given.value(choices) or []}
        return given.set(attribute, names.get(given.arguments[0], given.arguments[0]))

    return effect


def _preset_position(given: Given) -> list[Setting]:
    position = given.value("position")
    return given.set("shadeLevel", 50 if position is None else position, "windowShadeLevel")


_KEYS = {
    "PLAY": "playing",
    "PAUSE": "paused",
    "STOP": "stopped",
    "REWIND": "rewinding",
    "FF": "fast forwarding",
}

_set_picture_mode = _set_mode_by_id_or_name("pictureMode", "supportedPictureModesMap")
_set_sound_mode = _set_mode_by_id_or_name("soundMode", "supportedSoundModesMap")

_TABLE: Mapping[tuple[str, str], Effect] = {
    **APPLIANCE_EFFECTS,
    ("audioVolume", "volumeDown"): _volume_by(-VOLUME_STEP),
    ("audioVolume", "volumeUp"): _volume_by(VOLUME_STEP),
    ("colorControl", "setColor"): _set_color,
    ("custom.launchapp", "launchApp"): _launch_app,
    ("custom.picturemode", "setPictureMode"): _set_picture_mode,
    ("custom.soundmode", "setSoundMode"): _set_sound_mode,
    ("custom.thermostatSetpointControl", "lowerSetpoint"): _setpoint_by(-1),
    ("custom.thermostatSetpointControl", "raiseSetpoint"): _setpoint_by(1),
    ("samsungce.dishwasherOperation", "startLater"): _start_later,
    ("samsungce.dishwasherWashingCourse", "startWashingCourse"): _start_course,
    ("samsungce.dishwasherWashingCourse", "startWashingCourseWithOptions"): _start_course,
    ("samsungce.dishwasherWashingOptions", "setOptions"): _set_options,
    ("samsungvd.ambient", "setAmbientOn"): _show_art,
    ("samsungvd.art", "setArtOn"): _show_art,
    ("samsungvd.pictureMode", "setPictureMode"): _set_picture_mode,
    ("samsungvd.remoteControl", "send"): _send_key,
    ("samsungvd.soundMode", "setSoundMode"): _set_sound_mode,
    ("switchLevel", "setLevel"): _set_level,
    ("tvChannel", "channelDown"): _channel_by(-1),
    ("tvChannel", "channelUp"): _channel_by(1),
    ("windowShadePreset", "presetPosition"): _preset_position,
}
