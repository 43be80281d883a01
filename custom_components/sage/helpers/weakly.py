"""Callbacks that do not keep their owner alive.

A part that stores a method of its owner creates a reference cycle. So does a timer of Home
Assistant, which keeps its callback even after it is cancelled. Only a full garbage collection
frees cycles, and a long-running Home Assistant rarely does one.
"""

import inspect
from collections.abc import Callable
from typing import Any
from weakref import WeakMethod

from homeassistant.core import callback


def weakly[**P](method: Callable[P, Any]) -> Callable[P, Any]:
    """Return a function that calls the bound method; it returns None once the object is gone.

    The function is a coroutine function if the method is one, else a callback.
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
