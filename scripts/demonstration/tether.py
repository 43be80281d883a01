"""Processes that never outlive the one that started them."""

import asyncio
import ctypes
import os
import signal
import sys
from asyncio.subprocess import Process
from contextlib import suppress

PR_SET_PDEATHSIG = 1
PATIENCE = 15.0  # seconds between asking a process to end and ending it


def die_with(parent: int) -> None:
    """Have this process killed when its parent ends, however that ends (Linux; see prctl(2))."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before we asked
        sys.exit(1)


async def stop(process: Process) -> None:
    """End a process that leads its own session, and all that it started."""
    if process.returncode is None:
        _signal(process, signal.SIGTERM)
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await process.wait()
    _signal(process, signal.SIGKILL)
    await process.wait()


def _signal(process: Process, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)
