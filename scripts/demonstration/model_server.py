"""The small language model that runs on this machine, for as long as the demo needs it."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

from . import local_model
from .local_model import LocalModelError, cache_folder, provide, serve
from .model_choice import ModelServer
from .tether import stop


@contextlib.asynccontextmanager
async def local_server() -> AsyncGenerator[ModelServer]:
    """Fetch the model if need be, start its server, and stop it afterwards."""
    await _fetch()
    cache = cache_folder()
    model = await asyncio.to_thread(provide, cache)
    serving = serve(model, log=cache / "llama-server.log")
    start = asyncio.create_task(asyncio.to_thread(serving.__enter__))
    try:
        running = await asyncio.shield(start)
        yield ModelServer(base_url=running.base_url, model=running.name)
    finally:
        # A start that was interrupted has to end before it can be undone.
        with contextlib.suppress(LocalModelError):
            await start
        await asyncio.to_thread(serving.__exit__, None, None, None)


async def _fetch() -> None:
    """Fetch in a process of its own, which can be stopped in the middle; a thread cannot."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(Path(local_model.__file__)), "--fetch", start_new_session=True
    )
    try:
        if await process.wait() != 0:
            raise LocalModelError("Without a model there is nothing to show; see above.")
    finally:
        await stop(process)
