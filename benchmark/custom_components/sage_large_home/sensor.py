"""Sensors."""

from .entities import LargeHomeSensor, platform_of

async_setup_entry = platform_of("sensor", LargeHomeSensor)
