"""Contacts and motion sensors."""

from homeassistant.components.binary_sensor import BinarySensorEntity

from .thing import DemoThing, platform_of


class DemoContact(DemoThing, BinarySensorEntity):
    """A binary sensor; it shows what it was told."""


async_setup_entry = platform_of("binary_sensor", DemoContact)
