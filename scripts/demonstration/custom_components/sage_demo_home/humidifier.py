"""Humidifiers."""

from typing import Any

from homeassistant.components.humidifier import HumidifierEntity

from .thing import DemoThing, platform_of


class DemoHumidifier(DemoThing, HumidifierEntity):
    """A humidifier."""

    async def async_turn_on(self, **kwargs: Any) -> None:
        self.become(is_on=True)

    async def async_turn_off(self, **kwargs: Any) -> None:
        self.become(is_on=False)

    async def async_set_humidity(self, humidity: int) -> None:
        self.become(target_humidity=humidity)

    async def async_set_mode(self, mode: str) -> None:
        self.become(mode=mode)


async_setup_entry = platform_of("humidifier", DemoHumidifier)
