"""Switches of routines, where Home Assistant looks for them."""

from typing import Final

from .routines.api import async_set_up_switches as async_setup_entry

__all__ = ["PARALLEL_UPDATES", "async_setup_entry"]

PARALLEL_UPDATES: Final = 0  # maximum number of parallel service calls; 0 for no limit
