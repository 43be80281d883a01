"""Switches."""

from typing import Any

from homeassistant.components.switch import SwitchEntity

from .thing import DemoThing, platform_of


class DemoSwitch(DemoThing, SwitchEntity):
    """A switch."""

    async def async_turn_on(self, **kwargs: Any) -> None:
        self.become(is_on=True)

    async def async_turn_off(self, **kwargs: Any) -> None:
        self.become(is_on=False)


async_setup_entry = platform_of("switch", DemoSwitch)
