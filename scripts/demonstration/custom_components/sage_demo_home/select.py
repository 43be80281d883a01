"""Choices."""

from homeassistant.components.select import SelectEntity

from .thing import DemoThing, platform_of


class DemoSelect(DemoThing, SelectEntity):
    """A choice, such as the program of the dishwasher."""

    async def async_select_option(self, option: str) -> None:
        self.become(current_option=option)


async_setup_entry = platform_of("select", DemoSelect)
