"""States that say the same thing in several places stay consistent.

Each rule is called when an attribute has got a value, and returns what follows from that. What a
device reports as `null` it does not know, so nothing is written there.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from . import cycle
from .appliance_states import APPLIANCE_RULES
from .rule_types import DeviceView, Setting

type Rule = Callable[[DeviceView, Setting], Iterator[Setting]]
type Place = tuple[str, str]
"""A capability and an attribute."""


class Pair(NamedTuple):
    """Two attributes of a component that say the same."""

    one: Place
    other: Place
    words: Mapping[object, object]
    """Values of the one -> values of the other; those not named are the same in both."""


PAIRS = (
    Pair(
        ("mediaInputSource", "inputSource"),
        ("samsungvd.mediaInputSource", "inputSource"),
        {"digitalTv": "dtv"},
    ),
    Pair(("custom.picturemode", "pictureMode"), ("samsungvd.pictureMode", "pictureMode"), {}),
    Pair(("custom.soundmode", "soundMode"), ("samsungvd.soundMode", "soundMode"), {}),
    Pair(
        ("refrigeration", "rapidCooling"),
        ("samsungce.powerCool", "activated"),
        {"on": True, "off": False},
    ),
    Pair(
        ("refrigeration", "rapidFreezing"),
        ("samsungce.powerFreeze", "activated"),
        {"on": True, "off": False},
    ),
    Pair(
        ("thermostatCoolingSetpoint", "coolingSetpoint"),
        ("samsungce.temperatureSetting", "desiredTemperature"),
        {},
    ),
    Pair(
        ("ovenOperatingState", "machineState"),
        ("samsungce.ovenOperatingState", "operatingState"),
        {},
    ),
    Pair(
        ("ovenOperatingState", "ovenJobState"), ("samsungce.ovenOperatingState", "ovenJobState"), {}
    ),
    Pair(("lock", "lock"), ("lockCodes", "lock"), {}),
)


def consequences(device: DeviceView, setting: Setting) -> list[Setting]:
    """Return what else changes now that an attribute has got a value."""
    place = (setting.capability, setting.attribute)
    wanted = [
        each
        for rule in (
            _pairs,
            *_RULES.get(place, ()),
            *APPLIANCE_RULES.get(place, ()),
            *cycle.rules(place),
        )
        for each in rule(device, setting)
    ]
    return [each for each in wanted if _is_news(device, each)]


def _is_news(device: DeviceView, setting: Setting) -> bool:
    """Return whether the device has the attribute with another value."""
    current = device.value(setting.component, setting.capability, setting.attribute)
    return current is not None and current != setting.value


def _pairs(device: DeviceView, setting: Setting) -> Iterator[Setting]:
    place = (setting.capability, setting.attribute)
    for pair in PAIRS:
        if place == pair.one:
            value = pair.words.get(setting.value, setting.value)
            yield Setting(setting.component, *pair.other, value)
        elif place == pair.other:
            back = {other: one for one, other in pair.words.items()}
            yield Setting(setting.component, *pair.one, back.get(setting.value, setting.value))


def _doors(device: DeviceView, setting: Setting) -> Iterator[Setting]:
    """Keep a device with several doors open as a whole while one of them is."""
    doors = [
        component
        for component in device.status
        if component != "main" and device.value(component, *_CONTACT) is not None
    ]
    if not doors:
        return
    if setting.component != "main":
        is_open = any(device.value(door, *_CONTACT) == "open" for door in doors)
        yield Setting("main", *_CONTACT, "open" if is_open else "closed")
    elif setting.value == "closed":
        yield from (Setting(door, *_CONTACT, "closed") for door in doors)
    elif all(device.value(door, *_CONTACT) == "closed" for door in doors):
        yield Setting(doors[0], *_CONTACT, "open")


def _measured_temperature(device: DeviceView, setting: Setting) -> Iterator[Setting]:
    """Give a fridge its set temperature at once."""
    if "Refrigerator" in device.categories:
        yield Setting(setting.component, "temperatureMeasurement", "temperature", setting.value)


def _channel_name(device: DeviceView, setting: Setting) -> Iterator[Setting]:
    """Name the channel, and show it through the television's own receiver."""
    if setting.value:
        name = device.channels.get(str(setting.value), "")
        yield Setting(setting.component, "tvChannel", "tvChannelName", name)
        yield Setting(setting.component, "mediaInputSource", "inputSource", "digitalTv")
        yield Setting(setting.component, "samsungvd.mediaInputSource", "inputSource", "dtv")


def _channel_number(device: DeviceView, setting: Setting) -> Iterator[Setting]:
    for number, name in device.channels.items():
        if name == setting.value:
            yield Setting(setting.component, "tvChannel", "tvChannel", number)


def _no_channel(device: DeviceView, setting: Setting) -> Iterator[Setting]:
    """Show no channel while something else is shown."""
    channel = device.value(setting.component, "tvChannel", "tvChannel")
    if channel and setting.value not in {"digitalTv", "dtv"}:
        yield Setting(setting.component, "tvChannel", "tvChannel", "")
        yield Setting(setting.component, "tvChannel", "tvChannelName", "")


def _shade(device: DeviceView, setting: Setting) -> Iterator[Setting]:
    level = {"open": 100, "closed": 0}.get(str(setting.value))
    if level is not None:
        yield Setting(setting.component, "windowShadeLevel", "shadeLevel", level)


def _shade_level(device: DeviceView, setting: Setting) -> Iterator[Setting]:
    words: dict[object, str] = {0: "closed", 100: "open"}
    word = words.get(setting.value, "partially open")
    yield Setting(setting.component, "windowShade", "windowShade", word)


def _door(device: DeviceView, setting: Setting) -> Iterator[Setting]:
    yield Setting(setting.component, *_CONTACT, "closed" if setting.value == "closed" else "open")


_CONTACT = ("contactSensor", "contact")

_RULES: Mapping[Place, tuple[Rule, ...]] = {
    _CONTACT: (_doors,),
    ("thermostatCoolingSetpoint", "coolingSetpoint"): (_measured_temperature,),
    ("tvChannel", "tvChannel"): (_channel_name,),
    ("tvChannel", "tvChannelName"): (_channel_number,),
    ("mediaInputSource", "inputSource"): (_no_channel,),
    ("samsungvd.mediaInputSource", "inputSource"): (_no_channel,),
    ("windowShade", "windowShade"): (_shade,),
    ("windowShadeLevel", "shadeLevel"): (_shade_level,),
    ("doorControl", "door"): (_door,),
}
