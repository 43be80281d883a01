"""What the demo home is made of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """One entity.

    `start` and `traits` are properties of Home Assistant's entity classes by their own names
    (`is_on`, `brightness`, `supported_color_modes`): `start` is the state of the home when it
    is set up, `traits` never change.
    """

    entity_id: str
    name: str | None = None
    """None: the entity is called like its appliance."""
    start: Mapping[str, Any] = field(default_factory=dict)
    traits: Mapping[str, Any] = field(default_factory=dict)
    exposed: bool | None = None
    """To voice assistants. None: as Home Assistant decides for a new entity."""
    seconds: float = 0.0
    """How long a movement takes (from end to end)."""

    @property
    def domain(self) -> str:
        return self.entity_id.partition(".")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Appliance:
    """One device, in its room."""

    name: str
    area: str
    manufacturer: str
    model: str
    things: tuple[Thing, ...]
