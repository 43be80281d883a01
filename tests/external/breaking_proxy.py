"""A TCP proxy that ends a connection after a number of bytes."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Self

from benchmark.mail_servers import HOST


class BreakingProxy:
    """Passes bytes in both directions; counts and limits them."""

    def __init__(self, target: int) -> None:
        """Connect to the port `target`; no limit."""
        self._target = target
        self._server: asyncio.Server | None = None
        self._served: set[asyncio.Task[None]] = set()
        self.limit: int | None = None  # bytes of both directions after which the connection ends
        self.drops: list[bytes] = []
        """What the next connections get before they end, without a connection to the target."""

        self.passed = 0
        self.broke: Callable[[], None] = lambda: None
        """Called when the limit is reached, before the connection ends."""

    @property
    def port(self) -> int:
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    @property
    def is_connected(self) -> bool:
        return bool(self._served)

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._async_serve, HOST, 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        await asyncio.gather(*self._served, return_exceptions=True)

    def start(self, limit: int | None) -> None:
        self.passed, self.limit = 0, limit

    def close(self) -> None:
        assert self._server is not None
        self._server.close_clients()

    async def _async_serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._served.add(task)
        task.add_done_callback(self._served.discard)
        if self.drops:
            writer.write(self.drops.pop(0))
            writer.close()
            return
        try:
            other_reader, other_writer = await asyncio.open_connection(HOST, self._target)
        except OSError:
            writer.close()
            return
        pipes = [
            asyncio.ensure_future(self._async_pipe(reader, other_writer)),
            asyncio.ensure_future(self._async_pipe(other_reader, writer)),
        ]
        await asyncio.wait(pipes, return_when=asyncio.FIRST_COMPLETED)
        for each in (writer, other_writer):
            each.close()
        await asyncio.gather(*pipes, return_exceptions=True)

    async def _async_pipe(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                is_last = self.limit is not None and self.passed + len(data) >= self.limit
                if is_last:
                    assert self.limit is not None
                    data = data[: max(0, self.limit - self.passed)]
                self.passed += len(data)
                writer.write(data)
                await writer.drain()
                if is_last:
                    self.broke()
                    return
