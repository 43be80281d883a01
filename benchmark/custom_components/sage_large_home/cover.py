"""Covers."""

from .entities import LargeHomeCover, platform_of

async_setup_entry = platform_of("cover", LargeHomeCover)
