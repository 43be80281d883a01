"""Callbacks that do not keep their object alive, to avoid cycles with e.g. its timer."""

import inspect
from collections.abc import Callable
from typing import Any
from weakref import WeakMethod

from homeassistant.core import callback


def weakly[**P](method: Callable[P, Any]) -> Callable[P, Any]:
    """Return a function that calls a bound method without keeping its object alive.

    The function returns None once the object is deleted. It is a coroutine function if `method` is
    one, else a Home Assistant callback.
    """
    # Only a full garbage collection frees a reference cycle, and Home Assistant rarely runs one.
    reference = WeakMethod(method)

    async def async_call(*args: P.args, **kwargs: P.kwargs) -> Any:
        alive = reference()
        return None if alive is None else await alive(*args, **kwargs)

    @callback
    def call(*args: P.args, **kwargs: P.kwargs) -> Any:
        alive = reference()
        return None if alive is None else alive(*args, **kwargs)

    return async_call if inspect.iscoroutinefunction(method) else call
