"""The models server of this repository in a process of its own, and a model trained for it."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import aiohttp

_ROOT: Final = Path(__file__).parents[2]
_PATIENCE: Final = 300.0
"""Seconds until the model is loaded, with the import of torch."""

_BETWEEN: Final = 0.2
"""Seconds between two attempts to reach it."""


_LISTENING: Final = "Listening on "
_LOADING: Final = "model_loading"
"""Code of the error with which the server asks for patience."""


class ModelsServerError(Exception):
    """The server or the training failed; the text says why."""


def environment_python() -> Path:
    """Return the Python of the models server; makes its environment if it is missing."""
    script = _ROOT / "scripts" / "models"
    if subprocess.run([script, "--setup"], check=False).returncode:
        raise ModelsServerError("The environment of the models server could not be made.")
    return _ROOT / ".venv-models" / "bin" / "python"


def train(python: Path, folder: Path) -> None:
    """Train the model for drawn photos and write it to `folder`; takes minutes."""
    command = [str(python), "-m", "benchmark.photos.train", str(folder)]
    run = subprocess.run(command, cwd=_ROOT, stdout=sys.stderr, check=False)
    # 1 is a missed bound, which the measurement through the server shows again.
    if run.returncode not in (0, 1):
        raise ModelsServerError("The training failed.")


@asynccontextmanager
async def models_server(
    python: Path,
    weights: Path | None,
    model: str,
    *,
    path: str = "embeddings",
    first: str = "a lamp",
) -> AsyncGenerator[str]:
    """Run the server without downloads and load a model, with the input `first`; yields its URL.

    Raises ModelsServerError if the server does not start or cannot load the model.
    """
    server = await asyncio.create_subprocess_exec(
        *(str(python), "-m", "sage_models", "--offline"),
        *("--port", "0", *(("--weights", str(weights)) if weights else ())),
        env={name: value for name, value in os.environ.items() if "SAGE_MODELS" not in name},
        stderr=asyncio.subprocess.PIPE,
    )
    assert server.stderr is not None
    forwarding: asyncio.Task[None] | None = None
    try:
        url = f"{await _async_address(server.stderr)}/v1"
        forwarding = asyncio.create_task(_async_forward(server.stderr))
        async with asyncio.timeout(_PATIENCE), aiohttp.ClientSession() as session:
            body = {"model": model, "input": first}
            while not await _has_loaded(session, f"{url}/{path}", body):
                if server.returncode is not None:
                    raise ModelsServerError("The models server ended at its start.")
                await asyncio.sleep(_BETWEEN)
        yield url
    finally:
        if server.returncode is None:
            server.terminate()
        await server.wait()
        if forwarding is not None:
            await forwarding


async def _async_address(log: asyncio.StreamReader) -> str:
    """Return the address that the server logs when it listens."""
    while line := (await log.readline()).decode():
        if _LISTENING in line:
            return line.partition(_LISTENING)[2].strip()
    raise ModelsServerError("The models server ended at its start.")


async def _async_forward(log: asyncio.StreamReader) -> None:
    async for line in log:
        sys.stderr.write(line.decode())


async def _has_loaded(session: aiohttp.ClientSession, url: str, body: Mapping[str, str]) -> bool:
    """Return whether the model is loaded; the first request loads it."""
    try:
        async with session.post(url, json=body) as response:
            reply = await response.json()
    except aiohttp.ClientConnectionError:
        return False
    error = reply.get("error", {})
    if error and error.get("code") != _LOADING:
        raise ModelsServerError(error["message"])
    return not error
