"""The sandbox: evaluates condition code in worker processes of Monty, a Python interpreter.

Each evaluation has a session of its own, with limits of time, memory and calls. Monty suspends at
each call of a condition function, and continues with the result that SAGE returns.

If Monty cannot be started, every call raises SandboxError. Later calls try again after a pause.
"""

import asyncio
import importlib
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from homeassistant.core import HomeAssistant
from homeassistant.requirements import RequirementsNotFound, async_process_requirements
from homeassistant.util import dt as dt_util

from ...const import DOMAIN
from .contract import (
    LATER,
    CheckError,
    CheckOutcome,
    ConditionFunction,
    FunctionCall,
    FunctionResult,
    SandboxError,
    Value,
)
from .python_subset import validate
from .requirements import MONTY
from .session import Session, Workers

_LOGGER = logging.getLogger(__name__)

_PACKAGE: Final = "pydantic_monty"

RETRY: Final = 30.0
"""Seconds before a failed start of Monty is retried; doubled after each further failure."""

LONGEST_RETRY: Final = 600.0  # maximum number of seconds between two attempts to start Monty

type Ask = Callable[[FunctionCall], Coroutine[Any, Any, FunctionResult]]
"""Returns the result of a condition function; its exceptions pass `Sandbox.async_run`."""


class Sandbox:
    """Evaluates condition code in isolated processes; never blocks the event loop."""

    def __init__(self, hass: HomeAssistant, functions: Sequence[ConditionFunction]) -> None:
        """Monty starts when code first runs. `functions`: those that condition code may call."""
        self._hass = hass
        self.functions = {each.name: each for each in functions}
        self._workers: Workers | None = None
        self._starting: asyncio.Task[None] | None = None
        self.error: SandboxError | None = None
        """The error of the last start or run of Monty; None if it works."""

        self._failures = 0
        self._retry_at = 0.0
        self._is_closed = False
        self._listeners: list[Callable[[], None]] = []

    @property
    def is_running(self) -> bool:
        """Whether Monty has started and can run condition code."""
        return self._workers is not None

    @property
    def is_starting(self) -> bool:
        """Whether Monty is being installed, loaded or started."""
        return self._starting is not None

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call the listener when Monty starts or `error` changes; return the unsubscriber."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def async_ready(self, patience: float | None = None) -> None:
        """Start Monty, unless it already runs, and wait until it has started.

        Raises SandboxError if Monty cannot be started, or has not started after `patience` seconds
        (None: no limit). A slow start continues in the background.
        """
        may_start = not self._is_closed and self._hass.loop.time() >= self._retry_at
        if self._workers is None and self._starting is None and may_start:
            self._starting = self._hass.async_create_background_task(
                self._async_start(), "sage routines: start the sandbox", eager_start=False
            )
        if self._starting is not None:
            await asyncio.wait((self._starting,), timeout=patience)
        if not self.is_running:
            raise self._failure()

    async def async_validate(self, source: str, function: str) -> CheckError | None:
        """Return the first error of static analysis in `function`, or None. Raises SandboxError."""
        await self.async_ready()
        return await self._hass.async_add_executor_job(validate, source, function)

    async def async_run(
        self,
        source: str,
        function: str,
        *,
        ask: Ask,
        state: Mapping[str, Value] | None = None,
        at: datetime | None = None,
    ) -> CheckOutcome:
        """Evaluate condition code once; an error of the code is part of the outcome.

        - `function`: name of the entry function in `source`
        - `state`: the dict in which the code keeps data between evaluations
        - `at`: the current time for the code; None: now

        Raises SandboxError if Monty cannot run, and any exception of `ask`.
        """
        await self.async_ready()
        if (workers := self._workers) is None:
            raise self._failure()
        session = Session(self.functions, ask, at or dt_util.utcnow())
        try:
            return await workers.async_run(session, source, function, state or {})
        except SandboxError as err:
            if self._workers is workers:
                self._workers = None
                await workers.async_close()
                self._note(err)
            raise

    async def async_close(self) -> None:
        """Stop Monty; the sandbox cannot be used afterwards."""
        self._is_closed = True
        if (starting := self._starting) is not None:
            starting.cancel()
            await asyncio.wait((starting,))
        workers, self._workers = self._workers, None
        if workers is not None:
            await workers.async_close()

    async def _async_start(self) -> None:
        workers = Workers()
        try:
            await _async_install(self._hass)
            await workers.async_start()
        except BaseException as err:
            await workers.async_close()
            if isinstance(err, SandboxError):
                self._note(err)
            elif isinstance(err, Exception):
                _LOGGER.exception("Monty could not be started")
                self._note(SandboxError(f"{type(err).__name__}: {err}."))
            else:
                raise
        else:
            self._workers, self._starting = workers, None
            self._note(None)
        finally:
            self._starting = None

    def _failure(self) -> SandboxError:
        """Return a new exception each time: raising the same one would extend its traceback."""
        if self.error is None:
            return SandboxError("It is not ready yet.", LATER)
        return SandboxError(self.error.detail, self.error.fix)

    def _note(self, err: SandboxError | None) -> None:
        """Store Monty's error, None after a start; call the listeners of a new text."""
        before = self.error
        if err is None:
            self.error, self._failures = None, 0
        else:
            self.error = SandboxError(err.detail, err.fix)
            pause = min(RETRY * 2**self._failures, LONGEST_RETRY)
            self._retry_at = self._hass.loop.time() + pause
            self._failures += 1
            if str(err) == str(before):
                return
            _LOGGER.warning("Condition code cannot run: %s", err)
        for listener in tuple(self._listeners):
            listener()


async def _async_install(hass: HomeAssistant) -> None:
    try:
        await async_process_requirements(hass, DOMAIN, list(MONTY))
        await hass.async_add_import_executor_job(importlib.import_module, _PACKAGE)
    except (RequirementsNotFound, ImportError) as err:
        raise SandboxError(f"{err}.") from err
