"""Find objects that only a full garbage collection frees, which Home Assistant rarely runs."""

import gc
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from homeassistant.core import HomeAssistant

_OF_SAGE = "custom_components.sage"


@asynccontextmanager
async def garbage_of(hass: HomeAssistant) -> AsyncGenerator[list[str]]:
    """Run without the garbage collector; the list gets the classes that needed it."""
    gc.collect()
    gc.disable()
    found: list[str] = []
    try:
        yield found
        await hass.async_block_till_done()
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        found += sorted({_name(each) for each in gc.garbage if _is_ours(each)})
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


def _is_ours(thing: Any) -> bool:
    return type(thing).__module__.startswith(_OF_SAGE)


def _name(thing: Any) -> str:
    return type(thing).__name__
