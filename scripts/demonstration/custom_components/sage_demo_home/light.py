"""Lights."""

from typing import Any

from homeassistant.components.light import ColorMode, LightEntity

from .thing import DemoThing, platform_of

MODE_OF = {"color_temp_kelvin": ColorMode.COLOR_TEMP, "hs_color": ColorMode.HS}


class DemoLight(DemoThing, LightEntity):
    """A light that remembers brightness and colour while it is off."""

    async def async_turn_on(self, **kwargs: Any) -> None:
        known = {
            name: value
            for name, value in kwargs.items()
            if name in {"brightness", "color_temp_kelvin", "hs_color", "effect"}
        }
        for name, mode in MODE_OF.items():
            if name in known:
                known["color_mode"] = mode
        self.become(is_on=True, **known)

    async def async_turn_off(self, **kwargs: Any) -> None:
        self.become(is_on=False)


async_setup_entry = platform_of("light", DemoLight)
