"""An engine in a thread of its own, as routines use it: the event loop never waits for it."""

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from .contract import validate
from .model import Check, CheckError, CheckOutcome


class Engine(Protocol):
    """Runs checks; belongs to one thread and may block it."""

    def start(self) -> None:
        """Start what it needs and see it work. Raises SandboxError."""

    def run(self, checks: Sequence[Check]) -> Mapping[str, CheckOutcome]:
        """Return an outcome for each check, by id. Raises SandboxError."""

    def close(self) -> None:
        """End what was started; may be called more than once."""


class ThreadedSandbox:
    """A sandbox (`model.Sandbox`) on an engine."""

    def __init__(self, name: str, engine: Engine) -> None:
        """Hold the engine; `async_start` starts it."""
        self._name = name
        self._engine = engine
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sage-sandbox")

    @property
    def name(self) -> str:
        """Which engine it is, for diagnostics."""
        return self._name

    def validate(self, source: str, function: str) -> CheckError | None:
        """Return what is wrong with a source before it is run, None if nothing is seen."""
        return validate(source, function)

    async def async_start(self) -> None:
        """Start the engine. Raises SandboxError; nothing is left behind then."""
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._thread, self._engine.start)
        except BaseException:
            await self.async_close()
            raise

    async def async_run(self, checks: Sequence[Check]) -> Mapping[str, CheckOutcome]:
        """Return an outcome for each check, by id. Raises SandboxError."""
        if not checks:
            return {}
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._engine.run, tuple(checks))

    async def async_close(self) -> None:
        """End the workers and the thread; nothing runs afterwards."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, self._engine.close)
        await loop.run_in_executor(None, self._thread.shutdown)
