"""Valves."""

from homeassistant.components.valve import ValveEntity

from .thing import DemoThing, platform_of


class DemoValve(DemoThing, ValveEntity):
    """A valve that takes a moment."""

    async def async_open_valve(self) -> None:
        self.become(is_opening=True, is_closing=False)
        self.later(self.thing.seconds, lambda: self.become(is_opening=False, is_closed=False))

    async def async_close_valve(self) -> None:
        self.become(is_closing=True, is_opening=False)
        self.later(self.thing.seconds, lambda: self.become(is_closing=False, is_closed=True))


async_setup_entry = platform_of("valve", DemoValve)
