"""Sirens."""

from typing import Any

from homeassistant.components.siren import SirenEntity

from .thing import DemoThing, platform_of


class DemoSiren(DemoThing, SirenEntity):
    """A siren that nobody hears."""

    async def async_turn_on(self, **kwargs: Any) -> None:
        self.become(is_on=True)

    async def async_turn_off(self, **kwargs: Any) -> None:
        self.become(is_on=False)


async_setup_entry = platform_of("siren", DemoSiren)
