"""Blinds, curtains and the garage door."""

from typing import Any

from homeassistant.components.cover import CoverEntity, CoverEntityFeature

from .model import Appliance, Thing
from .thing import platform_of
from .travel import Traveller


class DemoCover(Traveller, CoverEntity):
    """A cover; one that cannot be set to a position does not tell its position either."""

    def __init__(self, appliance: Appliance, thing: Thing) -> None:
        super().__init__(appliance, thing)
        self._position = thing.start["current_cover_position"]
        self._attr_is_closed = self.position == 0

    @property
    def current_cover_position(self) -> int | None:
        knows = CoverEntityFeature.SET_POSITION in self.supported_features
        return self.position if knows else None

    async def async_open_cover(self, **kwargs: Any) -> None:
        self.travel(100)

    async def async_close_cover(self, **kwargs: Any) -> None:
        self.travel(0)

    async def async_set_cover_position(self, **kwargs: Any) -> None:
        self.travel(kwargs["position"])

    async def async_stop_cover(self, **kwargs: Any) -> None:
        self.stop_here()


async_setup_entry = platform_of("cover", DemoCover)
