"""Callbacks that do not keep their object alive.

An object and its timer in Home Assistant form a reference cycle if the timer calls a method of the
object. The same is true if the object passes one of its methods as a callback to an object that it
owns. Only a full garbage collection frees such cycles, and a long-running Home Assistant rarely
executes one.
"""

import inspect
from collections.abc import Callable
from typing import Any
from weakref import WeakMethod

from homeassistant.core import callback


def weakly[**P](method: Callable[P, Any]) -> Callable[P, Any]:
    """Return a function that calls a bound method without keeping its object alive.

    Once the object is deleted, the function does nothing and returns None. It is a coroutine
    function if the method is one, else a callback.
    """
    reference = WeakMethod(method)

    async def async_call(*args: P.args, **kwargs: P.kwargs) -> Any:
        alive = reference()
        return None if alive is None else await alive(*args, **kwargs)

    @callback
    def call(*args: P.args, **kwargs: P.kwargs) -> Any:
        alive = reference()
        return None if alive is None else alive(*args, **kwargs)

    return async_call if inspect.iscoroutinefunction(method) else call
