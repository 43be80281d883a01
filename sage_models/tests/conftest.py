from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from sage_models.application import make_application
from sage_models.server_settings import Limits, ServerSettings

from .tiny_clip import write_tiny_clip


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server answered."""

    status: int
    body: Any
    headers: dict[str, str]

    @property
    def error(self) -> str:
        return str(self.body["error"]["message"])

    @property
    def vectors(self) -> list[Any]:
        return [entry["embedding"] for entry in self.body["data"]]


@dataclass(frozen=True, slots=True)
class Served:
    """A server that runs, and a client of it."""

    session: aiohttp.ClientSession
    port: int

    async def get(self, path: str, **options: Any) -> Reply:
        async with self.session.get(path, **options) as response:
            return Reply(response.status, await response.json(), dict(response.headers))

    async def embed(self, model: str, inputs: Any, **fields: Any) -> Reply:
        return await self.post({"model": model, "input": inputs, **fields})

    async def post(self, body: Any, path: str = "/v1/embeddings", **options: Any) -> Reply:
        content = {"json": body} if isinstance(body, dict | list) else {"data": body}
        async with self.session.post(path, **content, **options) as response:
            return Reply(response.status, await response.json(), dict(response.headers))


@asynccontextmanager
async def serving(application: web.Application) -> AsyncIterator[Served]:
    """Run an application on loopback."""
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    try:
        async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session:
            yield Served(session, port)
    finally:
        await runner.cleanup()


@pytest.fixture(scope="session")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of weights with the tiny CLIP."""
    folder = tmp_path_factory.mktemp("weights")
    write_tiny_clip(folder)
    return folder


@pytest.fixture(scope="session")
async def server(weights: Path) -> AsyncIterator[Served]:
    """The server with its default settings, without downloads."""
    async with serving(make_application(ServerSettings(weights=weights, offline=True))) as served:
        yield served


@pytest.fixture
async def make_server(weights: Path) -> AsyncIterator[Callable[..., Any]]:
    """Starts servers with other settings: `await make_server(key="...", limits={...})`."""
    async with AsyncExitStack() as stack:

        async def make(limits: dict[str, Any] | None = None, **settings: Any) -> Served:
            chosen = {"weights": weights, "offline": True, **settings}
            application = make_application(
                ServerSettings(limits=Limits(**(limits or {})), **chosen)
            )
            return await stack.enter_async_context(serving(application))

        yield make
