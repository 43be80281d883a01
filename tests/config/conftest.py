"""A server of embeddings, as the options ask for one."""

from collections.abc import AsyncGenerator

import pytest

from benchmark.fake_embedding_server import FakeEmbeddingServer


@pytest.fixture
async def server(socket_enabled: None) -> AsyncGenerator[FakeEmbeddingServer]:
    async with FakeEmbeddingServer() as running:
        yield running
