"""States that say the same thing in several capabilities stay consistent."""

from typing import TYPE_CHECKING

from .effects import Setting

if TYPE_CHECKING:
    from .device import SimulatedDevice


def consequences(device: SimulatedDevice, setting: Setting, before: object) -> list[Setting]:
    """Return what else changes now that an attribute has got a value."""
    return []
