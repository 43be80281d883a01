"""The process of the fallback, seen from Home Assistant: requests and replies by lines of JSON."""

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

from .model import SandboxError

LONGEST_REPLY: Final = 2_000_000
"""Bytes of a line."""

_BOOT: Final = """\
import importlib.util, sys
folder, packages = sys.argv[1:]
sys.path.append(packages)
spec = importlib.util.spec_from_file_location(
    "sage_sandbox", folder + "/__init__.py", submodule_search_locations=[folder]
)
sys.modules["sage_sandbox"] = importlib.util.module_from_spec(spec)
from sage_sandbox.restricted_worker import main
main()
"""
"""The worker's modules as a package of its own, so that Home Assistant is not imported."""


class WorkerError(Exception):
    """The process is gone; `is_late`: it was killed because it did not answer."""

    def __init__(self, *, is_late: bool) -> None:
        """Keep why."""
        super().__init__("late" if is_late else "gone")
        self.is_late = is_late


class WorkerProcess:
    """The process, by lines of JSON."""

    def __init__(self) -> None:
        """Start it; nothing is waited for. Raises SandboxError."""
        import RestrictedPython  # noqa: PLC0415  (only there once it is installed)

        folder = Path(__file__).parent
        packages = Path(RestrictedPython.__file__).parent.parent
        try:
            self._process = subprocess.Popen(  # noqa: S603
                (sys.executable, "-I", "-B", "-c", _BOOT, str(folder), str(packages)),
                env={},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                cwd="/",
            )
        except OSError as error:
            raise SandboxError(f"The process of the sandbox does not start: {error}") from error
        self._buffer = b""
        self._send_ready = select.poll()
        self._read_ready = select.poll()
        if self._process.stdin and self._process.stdout:
            os.set_blocking(self._process.stdin.fileno(), False)
            self._send_ready.register(self._process.stdin, select.POLLOUT)
            self._read_ready.register(self._process.stdout, select.POLLIN)

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    @property
    def is_gone(self) -> bool:
        """Whether it has ended."""
        return self._process.poll() is not None

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Send a request and return the reply. Raises WorkerError; it is dead then."""
        try:
            self._send(json.dumps(request).encode() + b"\n", time.monotonic() + seconds)
            reply = json.loads(self._read_line(time.monotonic() + seconds))
        except (OSError, ValueError) as error:
            self.kill()
            raise WorkerError(is_late=False) from error
        except WorkerError:
            self.kill()
            raise
        if not isinstance(reply, dict):
            self.kill()
            raise WorkerError(is_late=False)
        return reply

    def _send(self, line: bytes, deadline: float) -> None:
        pipe = self._process.stdin
        if pipe is None:
            raise WorkerError(is_late=False)
        while line:
            _wait(self._send_ready, deadline)
            line = line[os.write(pipe.fileno(), line) :]

    def _read_line(self, deadline: float) -> bytes:
        pipe = self._process.stdout
        while b"\n" not in self._buffer:
            if pipe is None or len(self._buffer) > LONGEST_REPLY:
                raise WorkerError(is_late=False)
            _wait(self._read_ready, deadline)
            read = os.read(pipe.fileno(), 65_536)
            if not read:
                raise WorkerError(is_late=False)
            self._buffer += read
        line, self._buffer = self._buffer.split(b"\n", 1)
        return line

    def kill(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()


def _wait(pipe: select.poll, deadline: float) -> None:
    """Wait until a pipe is ready. Raises WorkerError."""
    if not pipe.poll(max(deadline - time.monotonic(), 0) * 1000):
        raise WorkerError(is_late=True)
