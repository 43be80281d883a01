"""An embedding server on loopback, and embedders that use it."""

from collections.abc import AsyncGenerator, Awaitable, Callable

import pytest
from homeassistant.core import HomeAssistant

from benchmark.fake_embedding_server import FakeEmbeddingServer
from custom_components.sage.model.embedding_server import ServerEmbedder
from custom_components.sage.model.language_model import RetryPolicy
from custom_components.sage.model.openai_model import async_create_client

QUICK = RetryPolicy(first_wait=0.0, request_seconds=20.0, total_seconds=20.0)

type MakeEmbedder = Callable[..., Awaitable[ServerEmbedder]]


@pytest.fixture
async def server(socket_enabled: None) -> AsyncGenerator[FakeEmbeddingServer]:
    """A server with one model, `test-embeddings`."""
    async with FakeEmbeddingServer() as running:
        yield running


@pytest.fixture
def make_embedder(hass: HomeAssistant, server: FakeEmbeddingServer) -> MakeEmbedder:
    """Return a function that connects an embedder to the server."""

    async def make(
        *,
        model: str = "test-embeddings",
        policy: RetryPolicy = QUICK,
        key: str | None = None,
        url: str | None = None,
    ) -> ServerEmbedder:
        client = await async_create_client(hass, url or server.url, key)
        return ServerEmbedder(hass, client, model, policy=policy)

    return make


@pytest.fixture
def _known_vectors() -> None:
    """Compute each vector anew."""
