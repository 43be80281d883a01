"""Which components and capabilities of a device are in use (DESIGN 5).

A device of the cloud lists whatever its kind may have, and tells in two attributes
what of it this one does not have. The rule, and what is kept in spite of it, is the
one of Home Assistant's own integration, so that both show the same device.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Final

from .parts import Attributes
from .raw import MAIN, RawComponent, RawValue

DISABLED_COMPONENTS: Final = "custom.disabledComponents"
DISABLED_CAPABILITIES: Final = "custom.disabledCapabilities"

type Values = Mapping[str, Mapping[str, Attributes]]
"""Component id -> capability -> attribute -> value."""

_KEPT_COMPONENT: Final = "lamp"
_NOTHING: Final = RawValue(value=None)


def _has(attribute: str) -> Callable[[Attributes], bool]:
    return lambda attributes: attributes.get(attribute, _NOTHING).value is not None


_KEPT_IF: Final[Mapping[str, Callable[[Attributes], bool]]] = {
    "dryerOperatingState": _has("supportedMachineStates"),
    "washerOperatingState": _has("supportedMachineStates"),
    "demandResponseLoadControl": lambda _: True,
    "samsungce.airConditionerLighting": _has("lighting"),
    "samsungce.airConditionerBeep": _has("beep"),
}
"""Capabilities that are in use although they are told to be disabled."""

DECIDING: Final = frozenset({DISABLED_COMPONENTS, DISABLED_CAPABILITIES, *_KEPT_IF})
"""Capabilities whose values decide what is in use."""


def in_use(components: Collection[RawComponent], values: Values) -> tuple[RawComponent, ...]:
    """Return the components that the device has, with the capabilities that they have."""
    main = values.get(MAIN, {}).get(DISABLED_COMPONENTS, {})
    disabled = frozenset(map(_written_out, _names(main, "disabledComponents"))) - {_KEPT_COMPONENT}
    return tuple(
        _without_disabled(component, values.get(component.id, {}))
        for component in components
        if component.id not in disabled
    )


def only(component: RawComponent, capabilities: Collection[str]) -> RawComponent:
    """Return the component with no other capabilities than these."""
    return RawComponent(
        id=component.id,
        label=component.label,
        capabilities=tuple(each for each in component.capabilities if each in capabilities),
        category=component.category,
    )


def _without_disabled(component: RawComponent, values: Mapping[str, Attributes]) -> RawComponent:
    names = _names(values.get(DISABLED_CAPABILITIES, {}), "disabledCapabilities")
    disabled = {
        name for name in names if name not in _KEPT_IF or not _KEPT_IF[name](values.get(name, {}))
    }
    return only(component, frozenset(component.capabilities) - disabled) if disabled else component


def _names(attributes: Attributes, attribute: str) -> tuple[str, ...]:
    value = attributes.get(attribute, _NOTHING).value
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def _written_out(component_id: str) -> str:
    """Return the id as components have it: burners are listed as `burner-6` for `burner-06`."""
    name, dash, number = component_id.rpartition("-")
    if dash and "burner" in name and number.isdecimal():
        return f"{name}-{int(number):02}"
    return component_id
