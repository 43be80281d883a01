"""Sensors."""

from homeassistant.components.sensor import SensorEntity

from .thing import DemoThing, platform_of


class DemoSensor(DemoThing, SensorEntity):
    """A sensor; it shows what it was told."""


async_setup_entry = platform_of("sensor", DemoSensor)
