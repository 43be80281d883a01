"""The small language model that runs on this machine, for as long as it is needed."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from .model_choice import ModelServer


@asynccontextmanager
async def local_server() -> AsyncGenerator[ModelServer]:
    """Fetch the model if need be, start its server, and stop it afterwards."""
    raise NotImplementedError
    yield ModelServer(base_url="", model="")
