"""Routines in Home Assistant: creates, loads and starts them, executes and repairs them."""

from .routine_setup import async_load_routines, async_make_routines, async_start_routines
