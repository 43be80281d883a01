"""Thermostats."""

from .entities import LargeHomeClimate, platform_of

async_setup_entry = platform_of("climate", LargeHomeClimate)
