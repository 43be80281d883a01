"""Binary sensors."""

from .entities import LargeHomeBinarySensor, platform_of

async_setup_entry = platform_of("binary_sensor", LargeHomeBinarySensor)
