"""`scripts/demo` as a process of its own."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path

from benchmark.fake_model_server import FakeModelServer

_ROOT = Path(__file__).parents[2]
_SECONDS = 280


async def start(workspace: Path, *arguments: str, server: FakeModelServer | None = None) -> Process:
    """Start a demo that writes to the workspace, with the model of the server."""
    model = {"SAGE_BASE_URL": server.url, "SAGE_MODEL": "test-model"} if server else {}
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "scripts.demonstration", *arguments),
        cwd=_ROOT,
        env=os.environ | model | {"TMPDIR": str(workspace)},
        stdout=PIPE,
    )


async def output_of(process: Process) -> str:
    async with asyncio.timeout(_SECONDS):
        output, _ = await process.communicate()
    return output.decode()


def contents(workspace: Path) -> list[str]:
    return [path.name for path in workspace.rglob("*")]
