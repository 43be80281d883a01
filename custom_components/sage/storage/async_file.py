"""Runs calls on an open SQLite file in a thread, one at a time; recovers a damaged file."""

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Concatenate, Final, Protocol

from .database import StoreFile
from .recovery import SetAside, recover

_LOGGER: Final = logging.getLogger(__name__)


class Executor(Protocol):
    """Runs jobs in threads; implemented by `HomeAssistant`."""

    def async_add_executor_job[*Ts, T](
        self, target: Callable[[*Ts], T], *args: *Ts
    ) -> asyncio.Future[T]:
        """Start a job; return a future for its result."""


class AsyncFile[F: StoreFile]:
    """Runs calls on an open file in a thread, one after the other."""

    def __init__(
        self,
        executor: Executor,
        path: Path,
        store: type[F],
        *,
        held: bool = False,
        noted: Callable[[SetAside], None],
    ) -> None:
        """Create it without opening the file.

        `store` is the class of the file. `held`: a backup is already copying the file.
        `noted` is called in the event loop after a damaged file was set aside.
        """
        self._executor = executor
        self._path = path
        self._store = store
        self._kind = store.kind
        self._noted = noted
        self._turn = asyncio.Lock()
        self._file: F | None = None
        self._closed = False
        self._held = held

    async def async_run[**P, T](
        self, call: Callable[Concatenate[F, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Return the result of `call` with the file: `await anna.async_run(PersonMemory.add, new)`.

        A call that has started is completed even if the caller is cancelled. Raises the errors of
        `call`, and those of `kind` if the file is closed or cannot be opened.
        """
        if self._closed:
            raise self._kind.errors.closed(f"The {self._kind.subject} is closed.")
        return await self._async_mended(lambda file: call(file, *args, **kwargs))

    async def async_hold(self) -> None:
        """Write everything to the main file, and keep it unchanged until `async_release`."""
        if not self._closed:
            try:
                await self._async_mended(lambda file: file.hold())
            finally:
                self._held = True

    async def async_release(self) -> None:
        """Allow changes of the main file again, after `async_hold`."""
        self._held = False
        await self._async_in_turn(self._release)

    async def async_settle(self) -> None:
        """Wait until all started calls are done."""
        async with self._turn:
            pass

    async def async_close(self) -> None:
        """Close the file after all started calls."""
        self._closed = True
        await self._async_in_turn(self._let_go)

    async def _async_in_turn[T](self, work: Callable[[], T]) -> T:
        """Run `work` in a thread, after all earlier calls."""
        await self._turn.acquire()
        try:
            working = self._executor.async_add_executor_job(work)
        except BaseException:
            self._turn.release()
            raise
        working.add_done_callback(lambda _: self._turn.release())
        return await asyncio.shield(working)

    async def _async_mended[T](self, call: Callable[[F], T]) -> T:
        """Run a call; if the file is damaged, recover it and run the call again."""
        loop = asyncio.get_running_loop()

        def noted(aside: SetAside) -> None:
            loop.call_soon_threadsafe(self._noted, aside)

        return await self._async_in_turn(lambda: self._mended(call, noted))

    def _mended[T](self, call: Callable[[F], T], noted: Callable[[SetAside], None]) -> T:
        try:
            return call(self._opened())
        except self._kind.errors.corrupt:
            self._let_go()
            aside = recover(self._path, self._kind, datetime.now(UTC))
            _LOGGER.warning(
                "A file of SAGE is %s. Recovered: %s %s; not readable: %s of %s pages. Kept as %s",
                "missing or empty" if aside.is_missing else "damaged",
                aside.rows,
                self._kind.counted,
                aside.lost_pages,
                aside.pages,
                aside.path,
            )
            noted(aside)
            return call(self._opened())

    def _opened(self) -> F:
        if self._file is None:
            self._file = self._store.open(self._path, held=self._held)
        return self._file

    def _release(self) -> None:
        if self._file is not None:
            self._file.release()
            # A copy made by this process released the file locks when it closed the file: reopen
            # it.
            self._let_go()

    def _let_go(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
