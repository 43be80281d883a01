"""Fixtures with a fake model server on loopback."""

from collections.abc import AsyncGenerator

import pytest

from benchmark.fake_model_server import FakeModelServer


@pytest.fixture
async def model_server(socket_enabled: None) -> AsyncGenerator[FakeModelServer]:
    """A server with one scripted model, `test-model`; `model_server.say(...)` scripts it."""
    async with FakeModelServer() as server:
        yield server
