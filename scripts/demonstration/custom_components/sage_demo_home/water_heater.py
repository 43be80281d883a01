"""The boiler."""

from typing import Any

from homeassistant.components.water_heater import WaterHeaterEntity

from .thing import DemoThing, platform_of


class DemoBoiler(DemoThing, WaterHeaterEntity):
    """A water heater; the temperature of the water does not follow."""

    async def async_set_temperature(self, **kwargs: Any) -> None:
        self.become(target_temperature=kwargs["temperature"])

    async def async_set_operation_mode(self, operation_mode: str) -> None:
        self.become(current_operation=operation_mode)

    async def async_turn_on(self, **kwargs: Any) -> None:
        self.become(current_operation="eco")

    async def async_turn_off(self, **kwargs: Any) -> None:
        self.become(current_operation="off")


async_setup_entry = platform_of("water_heater", DemoBoiler)
