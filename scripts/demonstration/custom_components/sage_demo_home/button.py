"""Buttons."""

from homeassistant.components.button import ButtonEntity

from .thing import DemoThing, platform_of


class DemoButton(DemoThing, ButtonEntity):
    """A button that nobody hears."""

    async def async_press(self) -> None:
        """Ring; nothing in the home changes by it."""


async_setup_entry = platform_of("button", DemoButton)
