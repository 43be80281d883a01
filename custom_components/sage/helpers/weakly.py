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

    The function returns the result of the method; once the object is deleted, it only returns None.
    If the method is a coroutine function, the returned function is one, too; otherwise it is a
    callback.
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
