"""The robot vacuum."""

from typing import Any

from homeassistant.components.vacuum import StateVacuumEntity, VacuumActivity

from .thing import DemoThing, platform_of


class DemoVacuum(DemoThing, StateVacuumEntity):
    """A vacuum that needs a while to come home."""

    async def async_start(self) -> None:
        self.cancel()
        self.become(activity=VacuumActivity.CLEANING)

    async def async_pause(self) -> None:
        self.cancel()
        self.become(activity=VacuumActivity.PAUSED)

    async def async_stop(self, **kwargs: Any) -> None:
        self.cancel()
        self.become(activity=VacuumActivity.IDLE)

    async def async_return_to_base(self, **kwargs: Any) -> None:
        self.become(activity=VacuumActivity.RETURNING)
        self.later(self.thing.seconds, lambda: self.become(activity=VacuumActivity.DOCKED))

    async def async_set_fan_speed(self, fan_speed: str, **kwargs: Any) -> None:
        self.become(fan_speed=fan_speed)

    async def async_locate(self, **kwargs: Any) -> None:
        """Beep; nobody hears it."""


async_setup_entry = platform_of("vacuum", DemoVacuum)
