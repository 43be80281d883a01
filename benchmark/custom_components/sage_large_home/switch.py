"""Switches."""

from .entities import LargeHomeSwitch, platform_of

async_setup_entry = platform_of("switch", LargeHomeSwitch)
