"""How a raw command is called when a person is asked about it.

The sentences of confirmations know the names of Home Assistant's actions.
"""

from collections.abc import Mapping
from typing import Final

from ...text.words import id_words
from ..home_types import PUT_BACK, RiskClass
from .commands import RawCommand

_ACTIONS: Final[Mapping[str, str]] = {"on": "turn_on", "off": "turn_off"}
_ACTIONS_OF_RISK: Final[Mapping[RiskClass, Mapping[str, str]]] = {
    RiskClass.OPEN: {"open": "open_cover"},
    RiskClass.DISARM: {"disarm": "alarm_disarm"},
    RiskClass.MAINTENANCE: {"updateFirmware": "install"},
}


def spoken_command(command: RawCommand, risk: RiskClass) -> str:
    """Return the name under which a command is asked about: `turn_on`, `set_oven_mode`."""
    if command.puts_back is not None:
        return PUT_BACK
    own = _ACTIONS_OF_RISK.get(risk, {}).get(command.command)
    return own or _ACTIONS.get(command.command) or "_".join(id_words(command.command))


def spoken_arguments(command: RawCommand) -> dict[str, object]:
    """Return the arguments with names of small words: `oven_mode`."""
    told = command.arguments if command.puts_back is None else command.puts_back
    return {"_".join(id_words(name)) or name: value for name, value in told.items()}
