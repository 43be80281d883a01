"""What a command does to a device: from the definitions where they tell, else from a table."""

from typing import TYPE_CHECKING, Any, NamedTuple

from .definitions import definitions

if TYPE_CHECKING:
    from .device import SimulatedDevice


class Setting(NamedTuple):
    """An attribute that gets a value."""

    component: str
    capability: str
    attribute: str
    value: object


def effects(
    device: SimulatedDevice, component: str, capability: str, command: str, arguments: list[Any]
) -> list[Setting]:
    """Return what a command sets."""
    attributes = definitions()[capability]["attributes"]
    settings = []
    for name, definition in attributes.items():
        if definition.get("setter") == command and arguments:
            settings.append(Setting(component, capability, name, arguments[0]))
        settings += [
            Setting(component, capability, name, each["value"])
            for each in definition["enumCommands"]
            if each["command"] == command
        ]
    return settings
