"""Effects of commands of appliances and locks that definitions and names do not show."""

import json
from collections.abc import Callable, Mapping

from .rule_types import Given, Setting

type Effect = Callable[[Given], list[Setting]]


def _always(attribute: str, value: object) -> Effect:
    """Set an attribute to the same value each time."""
    return lambda given: given.set(attribute, value)


def _first_argument(attribute: str, capability: str | None = None) -> Effect:
    """Set an attribute, perhaps of another capability, to the first argument."""
    return lambda given: given.set(attribute, given.arguments[0], capability)


def _arguments(*attributes: str) -> Effect:
    """Set attributes to the arguments in this order, as far as there are any."""

    def effect(given: Given) -> list[Setting]:
        return [
            setting
            for attribute, value in zip(attributes, given.arguments, strict=False)
            for setting in given.set(attribute, value)
        ]

    return effect


def _volume_level_by(step: int) -> Effect:
    def effect(given: Given) -> list[Setting]:
        limits = given.value("volumeLevelRange") or {"minimum": 0, "maximum": 100}
        level = (given.value("volumeLevel") or 0) + step * limits.get("step", 1)
        return given.set("volumeLevel", min(limits["maximum"], max(limits["minimum"], level)))

    return effect


def _next_source(given: Given) -> list[Setting]:
    sources = given.value("supportedInputSources") or []
    if not sources:
        return []
    current = given.value("inputSource")
    index = sources.index(current) + 1 if current in sources else 0
    return given.set("inputSource", sources[index % len(sources)])


def _set_code(given: Given) -> list[Setting]:
    slot, _, name = given.arguments
    return _codes(given, {**_names(given), str(slot): name}, f"{slot} set")


def _delete_code(given: Given) -> list[Setting]:
    slot = given.arguments[0]
    names = _names(given)
    if names.pop(str(slot), None) is None:
        return []
    return _codes(given, names, f"{slot} deleted")


def _name_code(given: Given) -> list[Setting]:
    slot, name = given.arguments
    if str(slot) not in _names(given):
        return []
    return _codes(given, {**_names(given), str(slot): name}, f"{slot} renamed")


def _names(given: Given) -> dict[str, str]:
    names: dict[str, str] = json.loads(given.value("lockCodes") or "{}")
    return names


def _codes(given: Given, names: Mapping[str, str], word: str) -> list[Setting]:
    text = json.dumps(names, separators=(",", ":"), ensure_ascii=False)
    return given.set("lockCodes", text) + given.set("codeChanged", word)


APPLIANCE_EFFECTS: Mapping[tuple[str, str], Effect] = {
    ("custom.autoCleaningMode", "start"): _first_argument("operatingState"),
    ("custom.autoCleaningMode", "stop"): _always("operatingState", "ready"),
    ("custom.doNotDisturbMode", "doNotDisturbOff"): _always("doNotDisturb", "off"),
    ("custom.doNotDisturbMode", "doNotDisturbOn"): _always("doNotDisturb", "on"),
    ("custom.doNotDisturbMode", "setDoNotDisturbMode"): _arguments(
        "startTime", "endTime", "doNotDisturb"
    ),
    ("custom.periodicSensing", "periodicSensingOff"): _always("periodicSensing", "off"),
    ("custom.periodicSensing", "periodicSensingOn"): _always("periodicSensing", "on"),
    ("custom.periodicSensing", "setPeriodicSensing"): _arguments(
        "periodicSensing", "periodicSensingInterval"
    ),
    ("energyMeter", "resetEnergyMeter"): _always("energy", 0),
    ("lockCodes", "deleteCode"): _delete_code,
    ("lockCodes", "nameSlot"): _name_code,
    ("lockCodes", "setCode"): _set_code,
    ("samsungce.audioVolumeLevel", "volumeDown"): _volume_level_by(-1),
    ("samsungce.audioVolumeLevel", "volumeUp"): _volume_level_by(1),
    ("samsungce.detergentOrder", "disableAlarm"): _always("alarmEnabled", False),
    ("samsungce.detergentOrder", "enableAlarm"): _always("alarmEnabled", True),
    ("samsungce.dryerDelayEnd", "setDelayTime"): _first_argument("remainingTime"),
    ("samsungce.dryerOperatingState", "setDelayEnd"): _first_argument(
        "remainingTime", "samsungce.dryerDelayEnd"
    ),
    ("samsungce.robotCleanerCleaningMode", "disableRepeatMode"): _always(
        "repeatModeEnabled", False
    ),
    ("samsungce.robotCleanerCleaningMode", "enableRepeatMode"): _always("repeatModeEnabled", True),
    ("samsungce.selfCheck", "cancelSelfCheck"): _always("status", "ready"),
    ("samsungce.selfCheck", "startSelfCheck"): _always("status", "running"),
    ("samsungce.washerDelayEnd", "setDelayTime"): _first_argument("remainingTime"),
    ("samsungce.washerOperatingState", "setDelayEnd"): _first_argument(
        "remainingTime", "samsungce.washerDelayEnd"
    ),
    ("samsungvd.audioInputSource", "setNextInputSource"): _next_source,
    ("samsungvd.soundFrom", "setSoundFrom"): _arguments("mode", "detailName"),
}
