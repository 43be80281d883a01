"""Routines in Home Assistant: creates and loads them, executes and repairs them."""

from .routine_setup import async_load_routines, async_make_routines
