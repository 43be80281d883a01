"""Makes the sandbox when the first routine with code needs it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from time import monotonic
from typing import Final

from homeassistant.core import HomeAssistant

from .sandbox.model import Check, CheckError, CheckOutcome, LentFunction, Sandbox, SandboxError

type MakeSandbox = Callable[[HomeAssistant, Sequence[LentFunction]], Awaitable[Sandbox]]

RETRY: Final = 30.0
"""Seconds until the next attempt after a failure."""


class SandboxOnDemand:
    """Makes the sandbox when it is needed, and again after it has failed."""

    def __init__(
        self,
        hass: HomeAssistant,
        make: MakeSandbox,
        functions: Callable[[], Sequence[LentFunction]],
    ) -> None:
        """`functions` returns what condition code may call."""
        self._hass = hass
        self._make = make
        self._functions = functions
        self._sandbox: Sandbox | None = None
        self._turn = asyncio.Lock()
        self._error: SandboxError | None = None
        self._failed_at = 0.0

    @property
    def sandbox(self) -> Sandbox | None:
        """The sandbox; None until it is needed."""
        return self._sandbox

    async def async_run(self, checks: Sequence[Check]) -> Mapping[str, CheckOutcome]:
        """Run checks. Raises SandboxError; then the next call makes a new sandbox."""
        sandbox = await self._async_sandbox()
        try:
            return await sandbox.async_run(checks)
        except SandboxError as err:
            self._note(err)
            await self.async_close()
            raise

    async def async_validate(self, source: str, function: str) -> CheckError | None:
        """Return the error of a source, None for a valid one. Raises SandboxError."""
        sandbox = await self._async_sandbox()
        return await self._hass.async_add_executor_job(sandbox.validate, source, function)

    async def async_close(self) -> None:
        """Close the sandbox; it is made again when it is needed."""
        async with self._turn:
            sandbox, self._sandbox = self._sandbox, None
            if sandbox is not None:
                await sandbox.async_close()

    async def _async_sandbox(self) -> Sandbox:
        async with self._turn:
            if self._sandbox is None:
                if self._error is not None and monotonic() - self._failed_at < RETRY:
                    raise self._error
                try:
                    self._sandbox = await self._make(self._hass, self._functions())
                except SandboxError as err:
                    self._note(err)
                    raise
                self._error = None
            return self._sandbox

    def _note(self, err: SandboxError) -> None:
        self._error, self._failed_at = err, monotonic()
