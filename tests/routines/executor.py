"""Threads for what stands in files, without Home Assistant."""

import asyncio
from collections.abc import Callable
from typing import Final


class Executor:
    """Does for `AsyncFile` what Home Assistant does."""

    data: Final[dict[str, object]] = {}

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    def async_add_executor_job[*Ts, T](
        self, target: Callable[[*Ts], T], *args: *Ts
    ) -> asyncio.Future[T]:
        return self.loop.run_in_executor(None, target, *args)
