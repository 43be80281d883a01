"""Which commands an appliance refuses while its remote control is switched off.

Somebody has to switch it on at the machine, for reasons of safety. Lamps, sounds
and displays of the same machine are not concerned.
"""

from typing import Final

from ...text.words import id_words
from .parts import Mirror
from .raw import MAIN

CAPABILITY: Final = "remoteControlStatus"
ATTRIBUTE: Final = "remoteControlEnabled"

_RUNNING: Final = frozenset(
    {
        "operation",
        "operating",
        "course",
        "cycle",
        "options",
        "delay",
        "oven",
        "microwave",
        "cooktop",
    }
)
"""Words of capabilities that set the machine going or choose what it does."""

_HARMLESS: Final = frozenset({"lamp", "light", "lighting", "sound", "display", "volume", "alarm"})


def is_switched_off(mirror: Mirror, device_id: str, component_id: str) -> bool:
    """Tell whether the device itself says that remote control is switched off."""
    for component in dict.fromkeys((component_id, MAIN)):
        told = mirror.attributes(device_id, component, CAPABILITY).get(ATTRIBUTE)
        if told is not None and told.value is not None:
            return str(told.value).casefold() == "false"
    return False


def is_needed_for(capability: str) -> bool:
    """Tell whether commands of a capability need remote control."""
    words = set(id_words(capability))
    return bool(words & _RUNNING) and not words & _HARMLESS
