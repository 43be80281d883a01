"""Nothing that the demo starts outlives it."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process

import pytest

from scripts.demonstration import tether

STUBBORN = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print("up", flush=True)
time.sleep(600)
"""
PARENT = """
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", sys.argv[1]])
time.sleep(600)
"""
CHILD = """
import os, time
from scripts.demonstration.tether import die_with
die_with(os.getppid())
print("up", flush=True)
time.sleep(600)
"""


async def start(*arguments: str) -> Process:
    """Start Python with its output in our hands: it ends when the last writer has ended."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", *arguments, stdout=PIPE, start_new_session=True
    )
    assert process.stdout
    assert await process.stdout.readline() == b"up\n"
    return process


async def last_words(process: Process) -> bytes:
    assert process.stdout
    async with asyncio.timeout(120):
        return await process.stdout.read()


async def test_a_process_that_does_not_listen_is_ended_with_all_it_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tether, "PATIENCE", 0.1)
    process = await start(STUBBORN)
    await tether.stop(process)
    assert process.returncode == -signal.SIGKILL
    assert await last_words(process) == b""


async def test_a_process_that_ended_already_is_no_trouble() -> None:
    process = await start("print('up')")
    await process.wait()
    await tether.stop(process)
    assert process.returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="prctl is Linux's")
async def test_a_child_dies_when_its_parent_is_killed() -> None:
    process = await start(PARENT, CHILD)
    os.kill(process.pid, signal.SIGKILL)
    await process.wait()
    assert await last_words(process) == b""
