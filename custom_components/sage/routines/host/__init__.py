"""Routines in Home Assistant: creates, loads and starts the `Routines` object.

A routine whose owner may not read a device any more stops, and SAGE notifies the owner. When the
device can be read again, for example because it is exposed again, the routine continues, and SAGE
notifies the owner again.
"""

from .routine_setup import async_load_routines, async_make_routines, async_start_routines
