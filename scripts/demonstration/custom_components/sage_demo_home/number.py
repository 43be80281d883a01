"""Numbers."""

from homeassistant.components.number import NumberEntity

from .thing import DemoThing, platform_of


class DemoNumber(DemoThing, NumberEntity):
    """A number that can be set."""

    async def async_set_native_value(self, value: float) -> None:
        self.become(native_value=value)


async_setup_entry = platform_of("number", DemoNumber)
