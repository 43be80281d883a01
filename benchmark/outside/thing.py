"""What all entities of the homes have in common."""

from collections.abc import Mapping
from typing import Any

from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.helpers.entity import Entity

from .case import OutsideEntity


class OutsideThing(Entity):
    """An entity of the data."""

    _attr_should_poll = False

    def __init__(self, data: OutsideEntity, features: int) -> None:
        """Take what the data says; `features` are added to those that the data gives."""
        self.data = data
        self.features = data.attributes.get("supported_features", 0) | features
        self.entity_id = data.entity_id
        self._attr_unique_id = data.entity_id
        self._attr_name = data.name
        self._attr_device_class = data.attributes.get("device_class")
        self._attr_available = data.state != STATE_UNAVAILABLE
        self.start()

    def become(self, **values: Any) -> None:
        """Take these properties and show them."""
        self._take(values)
        self.async_write_ha_state()

    def restart(self, state: str | None = None) -> None:
        """Put the entity into a state; without one, into that of the data."""
        self.become(**self._start(self.data.state if state is None else state))

    def start(self) -> None:
        """Take the state of the data, without showing it."""
        self._take(self._start(self.data.state))

    def _start(self, state: str) -> Mapping[str, Any]:
        """Return the properties of the entity in a state."""
        return {}

    def _take(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            setattr(self, f"_attr_{name}", value)


class OutsideSwitched(OutsideThing):
    """An entity that is on or off."""

    def _start(self, state: str) -> Mapping[str, Any]:
        return {"is_on": {"on": True, "off": False}.get(state)}

    async def async_turn_on(self, **kwargs: Any) -> None:
        self.become(is_on=True)

    async def async_turn_off(self, **kwargs: Any) -> None:
        self.become(is_on=False)
