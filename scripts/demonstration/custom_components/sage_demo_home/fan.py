"""Fans."""

from typing import Any

from homeassistant.components.fan import FanEntity

from .thing import DemoThing, platform_of


class DemoFan(DemoThing, FanEntity):
    """A fan; it is on when its speed is not 0."""

    async def async_turn_on(
        self, percentage: int | None = None, preset_mode: str | None = None, **kwargs: Any
    ) -> None:
        self.become(percentage=percentage or self.percentage or 50)

    async def async_turn_off(self, **kwargs: Any) -> None:
        self.become(percentage=0)

    async def async_set_percentage(self, percentage: int) -> None:
        self.become(percentage=percentage)

    async def async_oscillate(self, oscillating: bool) -> None:
        self.become(oscillating=oscillating)


async_setup_entry = platform_of("fan", DemoFan)
