"""The models server of this repository in a process of its own, and a model trained for it."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import aiohttp

from ..loopback import free_port

_ROOT: Final = Path(__file__).parents[2]
_PATIENCE: Final = 120.0
"""Seconds until the server answers: it imports little before the first request."""

_BETWEEN: Final = 0.2
"""Seconds between two attempts to reach it."""


class ModelsServerError(Exception):
    """The server or the training failed; the text says why."""


def environment_python() -> Path:
    """Return the Python of the models server; makes its environment if it is missing."""
    script = _ROOT / "scripts" / "models"
    if subprocess.run([script, "--setup"], check=False).returncode:  # noqa: S603
        raise ModelsServerError("The environment of the models server could not be made.")
    return _ROOT / ".venv-models" / "bin" / "python"


def train(python: Path, folder: Path) -> None:
    """Train the model for drawn photos and write it to `folder`; takes minutes."""
    command = [str(python), "-m", "benchmark.photos.train", str(folder)]
    run = subprocess.run(command, cwd=_ROOT, stdout=sys.stderr, check=False)  # noqa: S603
    # 1 is a missed bound, which the measurement through the server shows again.
    if run.returncode not in (0, 1):
        raise ModelsServerError("The training failed.")


@asynccontextmanager
async def models_server(python: Path, weights: Path) -> AsyncGenerator[str]:
    """Run the server with a folder of weights, without downloads; yields its base URL."""
    url = f"http://127.0.0.1:{(port := free_port())}"
    server = await asyncio.create_subprocess_exec(
        *(str(python), "-m", "sage_models", "--offline", "--log-level", "warning"),
        *("--port", str(port), "--weights", str(weights)),
        env={name: value for name, value in os.environ.items() if "SAGE_MODELS" not in name},
    )
    try:
        async with asyncio.timeout(_PATIENCE), aiohttp.ClientSession() as session:
            while not await _is_up(session, url):
                if server.returncode is not None:
                    raise ModelsServerError("The models server ended at its start.")
                await asyncio.sleep(_BETWEEN)
        yield f"{url}/v1"
    except TimeoutError:
        raise ModelsServerError(f"The models server did not start in {_PATIENCE:.0f} s.") from None
    finally:
        if server.returncode is None:
            server.terminate()
        await server.wait()


async def _is_up(session: aiohttp.ClientSession, url: str) -> bool:
    try:
        async with session.get(f"{url}/health") as response:
            return response.ok
    except aiohttp.ClientConnectionError:
        return False
