"""The sandbox for the Python code of conditions.

The code runs in worker processes of Monty, an interpreter for a subset of Python.

- `Sandbox` installs and starts Monty.
- `MontyEngine` (monty.py) runs batches of checks; a check is one evaluation of condition code.
- `MontySession` (monty_session.py) passes code and inputs to `prelude.py` in the worker process.
- `outcomes.py` validates the results.

If Monty cannot be started, every call raises SandboxError. Later calls try again after a pause.
"""

import asyncio
import importlib
import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from homeassistant.core import HomeAssistant, callback
from homeassistant.requirements import RequirementsNotFound, async_process_requirements

from ...const import DOMAIN
from .contract import validate
from .monty import MontyEngine
from .requirements import MONTY
from .sandbox_types import (
    Check,
    CheckError,
    CheckOutcome,
    ConditionFunction,
    SandboxCause,
    SandboxError,
)

_LOGGER = logging.getLogger(__name__)

_PACKAGE: Final = "pydantic_monty"

RETRY: Final = 30.0
"""Seconds before a failed start of Monty is retried; doubled after each further failure."""

LONGEST_RETRY: Final = 600.0
"""Maximum number of seconds between two attempts to start Monty."""


class Sandbox:
    """Runs the Python code of conditions in isolated processes; never blocks the event loop."""

    def __init__(self, hass: HomeAssistant, functions: Sequence[ConditionFunction]) -> None:
        """Store the settings; the interpreter Monty starts when code first runs.

        `functions`: the functions that condition code may call.
        """
        self._hass = hass
        self._functions = tuple(functions)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sage-sandbox")
        self._engine: MontyEngine | None = None
        self._starting: asyncio.Task[None] | None = None
        self._error: SandboxError | None = None
        self._failures = 0
        self._retry_at = 0.0
        self._is_closed = False
        self._listeners: list[Callable[[], None]] = []

    @property
    def is_running(self) -> bool:
        """Whether the interpreter Monty has started and can run condition code."""
        return self._engine is not None

    @property
    def is_starting(self) -> bool:
        """Whether the interpreter Monty is being installed, loaded or started."""
        return self._starting is not None

    @property
    def error(self) -> SandboxError | None:
        """The error of the last start or run of the interpreter Monty; None if it works."""
        return self._error

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call the listener when the interpreter Monty has started, and when `error` changes.

        Returns the unsubscribe function.
        """
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def async_ready(self, patience: float | None = None) -> None:
        """Start the interpreter Monty, unless it already runs, and wait until it has started.

        Raises SandboxError if Monty cannot be started, or has not started after `patience` seconds
        (None: no limit). A slow start continues in the background.
        """
        if self._engine is None and self._starting is None and self._may_start():
            self._starting = self._hass.async_create_background_task(
                self._async_start(), "sage routines: start the sandbox", eager_start=False
            )
            self._starting.add_done_callback(self._started)
        if self._starting is not None:
            await asyncio.wait((self._starting,), timeout=patience)
        if self._engine is None:
            raise self._failure()

    async def async_validate(self, source: str, function: str) -> CheckError | None:
        """Return the first error that static analysis finds in condition code, or None.

        `function` is the name of the entry function. Raises SandboxError if Monty cannot be
        started.
        """
        await self.async_ready()
        return await self._hass.async_add_executor_job(validate, source, function)

    async def async_run(self, checks: Sequence[Check]) -> Mapping[str, CheckOutcome]:
        """Run checks (evaluations of condition code); return a dict: check id -> outcome.

        An error of the code is part of the outcome. Raises SandboxError only if the interpreter
        Monty cannot run.
        """
        if not checks:
            return {}
        await self.async_ready()
        if (engine := self._engine) is None:
            raise self._failure()
        try:
            return await self._hass.loop.run_in_executor(self._thread, engine.run, tuple(checks))
        except SandboxError as err:
            if self._engine is engine:
                self._engine = None
                await self._async_end(engine)
                self._note(err)
            raise

    async def async_close(self) -> None:
        """Stop the interpreter Monty and its thread; the sandbox cannot be used afterwards."""
        if self._is_closed:
            return
        self._is_closed = True
        if (starting := self._starting) is not None:
            starting.cancel()
            await asyncio.wait((starting,))
        engine, self._engine = self._engine, None
        if engine is not None:
            await self._async_end(engine)
        await self._hass.loop.run_in_executor(None, self._thread.shutdown)

    def _may_start(self) -> bool:
        return not self._is_closed and self._hass.loop.time() >= self._retry_at

    async def _async_start(self) -> None:
        """Install, load and start the interpreter Monty; on failure, set `error`."""
        config = self._hass.config
        engine = MontyEngine(self._functions, lambda: config.time_zone)
        try:
            await _async_install(self._hass)
            await self._hass.loop.run_in_executor(self._thread, engine.start)
        except SandboxError as err:
            await self._async_end(engine)
            self._note(err)
        except Exception as err:
            _LOGGER.exception("Monty could not be started")
            await self._async_end(engine)
            self._note(SandboxError(f"{type(err).__name__}: {err}."))
        except BaseException:
            await self._async_end(engine)
            raise
        else:
            self._engine = engine
            self._note(None)

    @callback
    def _started(self, _: asyncio.Task[None]) -> None:
        self._starting = None

    async def _async_end(self, engine: MontyEngine) -> None:
        await self._hass.loop.run_in_executor(self._thread, engine.close)

    def _failure(self) -> SandboxError:
        """Return a new exception with the reason why the interpreter Monty does not run.

        Raising the same exception object repeatedly would extend its traceback each time.
        """
        if self._error is None:
            return SandboxError("It is not ready yet.", SandboxCause.STARTING)
        return SandboxError(self._error.detail, self._error.cause)

    def _note(self, err: SandboxError | None) -> None:
        """Store the error of the interpreter Monty, or None after a successful start.

        Then call the listeners, except for a repeated error with the same text.
        """
        before = self._error
        if err is None:
            self._error, self._failures = None, 0
        else:
            self._error = SandboxError(err.detail, err.cause)
            pause = min(RETRY * 2**self._failures, LONGEST_RETRY)
            self._retry_at = self._hass.loop.time() + pause
            self._failures += 1
            if str(err) == str(before):
                return
            _LOGGER.warning("Condition code cannot run: %s", err)
        for listener in tuple(self._listeners):
            listener()


async def _async_install(hass: HomeAssistant) -> None:
    """Install and import the packages of the interpreter Monty. Raises SandboxError."""
    try:
        await async_process_requirements(hass, DOMAIN, list(MONTY))
        await hass.async_add_import_executor_job(importlib.import_module, _PACKAGE)
    except RequirementsNotFound as err:
        raise SandboxError(str(err), SandboxCause.NOT_INSTALLED) from err
    except ModuleNotFoundError as err:
        raise SandboxError(f"{err}.", SandboxCause.NOT_INSTALLED) from err
    except ImportError as err:
        raise SandboxError(f"{err}.", SandboxCause.NOT_LOADABLE) from err
