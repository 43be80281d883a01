"""The small language model that runs on this machine, for as long as the demo needs it."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

from . import local_model
from .kept_files import KeptFiles
from .local_model import LocalModelError, cache_folder, identity, provide, serve
from .model_choice import ModelServer
from .model_front import ModelFront
from .tether import stop

KEPT = "prompts"
"""Folder in the cache with what the model has read and replied at earlier starts."""


@contextlib.asynccontextmanager
async def local_server() -> AsyncGenerator[ModelServer]:
    """Fetch the model if need be, start its server, and stop it afterwards."""
    await _fetch()
    cache = cache_folder()
    model = await asyncio.to_thread(provide, cache)
    kept = KeptFiles(cache / KEPT, await asyncio.to_thread(identity, model))
    serving = serve(model, log=cache / "llama-server.log", slots=kept.folder)
    start = asyncio.create_task(asyncio.to_thread(serving.__enter__))
    try:
        running = await asyncio.shield(start)
        front = ModelFront(running.base_url.removesuffix("/v1"), kept)
        await front.async_start()
        try:
            yield ModelServer(base_url=front.base_url, model=running.name, front=front)
        finally:
            await front.async_stop()
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
