"""The values that a device itself supports, among those that its capability allows.

The cloud accepts every command that its definition allows; unsupported values have no effect.
Devices report them in attributes: `supportedCourses`, `availableAcModes`,
`coolingSetpointRange`, `minimumSetpoint`.
"""

import re
from collections.abc import Iterator
from typing import Any

from .rule_types import DeviceView


def supports(
    device: DeviceView, component: str, capability: str, attribute: str, value: Any
) -> bool:
    """Return whether a device can have this value."""
    values = device.status[component].get(capability, {})
    if isinstance(value, dict) and "settable" in value:
        return not value["settable"] or value.get("value") in value["settable"]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _is_in_range(device, component, capability, attribute, value)
    choices = {
        str(choice)
        for name in values
        if _lists(name, attribute)
        for choice in _choices(device.value(component, capability, name))
    }
    return not choices or str(value) in choices


def _is_in_range(
    device: DeviceView, component: str, capability: str, attribute: str, value: float
) -> bool:
    limits = device.value(component, capability, f"{attribute}Range") or {}
    least, most = limits.get("minimum"), limits.get("maximum")
    if attribute == "coolingSetpoint":
        control = "custom.thermostatSetpointControl"
        least = device.value(component, control, "minimumSetpoint") if least is None else least
        most = device.value(component, control, "maximumSetpoint") if most is None else most
    return (least is None or value >= least) and (most is None or value <= most)


def _lists(name: str, attribute: str) -> bool:
    """Return whether an attribute lists the values of another one, according to their names."""
    found = re.fullmatch(r"(?:supported|available)(\w+?)(?:Map)?", name)
    if found is None or found[1].endswith("Commands"):
        return False
    stem = found[1].lower()
    stem = stem.removesuffix("ies") + "y" if stem.endswith("ies") else stem.removesuffix("s")
    return attribute.lower().endswith(stem)


def _choices(listed: object) -> Iterator[object]:
    for each in listed if isinstance(listed, list) else ():
        if isinstance(each, dict):
            yield from (each[key] for key in ("id", "name") if key in each)
        else:
            yield each
