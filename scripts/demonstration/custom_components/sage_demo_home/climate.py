"""Thermostats."""

from typing import Any

from homeassistant.components.climate import ClimateEntity, HVACAction, HVACMode

from .thing import DemoThing, platform_of


class DemoClimate(DemoThing, ClimateEntity):
    """A thermostat; the temperature of the room does not follow."""

    @property
    def hvac_action(self) -> HVACAction:
        if self.hvac_mode == HVACMode.OFF:
            return HVACAction.OFF
        cold = (self.target_temperature or 0) > (self.current_temperature or 0)
        return HVACAction.HEATING if cold else HVACAction.IDLE

    async def async_set_temperature(self, **kwargs: Any) -> None:
        if (mode := kwargs.get("hvac_mode")) is not None:
            self.become(hvac_mode=mode)
        if (temperature := kwargs.get("temperature")) is not None:
            self.become(target_temperature=temperature)

    async def async_set_hvac_mode(self, hvac_mode: HVACMode) -> None:
        self.become(hvac_mode=hvac_mode)

    async def async_set_preset_mode(self, preset_mode: str) -> None:
        self.become(preset_mode=preset_mode)

    async def async_turn_on(self) -> None:
        self.become(hvac_mode=HVACMode.HEAT)

    async def async_turn_off(self) -> None:
        self.become(hvac_mode=HVACMode.OFF)


async_setup_entry = platform_of("climate", DemoClimate)
