"""Lights."""

from .entities import LargeHomeLight, platform_of

async_setup_entry = platform_of("light", LargeHomeLight)
