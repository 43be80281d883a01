"""A person's memory, and processes that wrote to it and were killed."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.memory.bare import ROOT


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory" / "anna.db"


def written_and_killed(path: Path, count: int, *more: str) -> None:
    """Let a process add this number of memories and kill it."""
    process = subprocess.run(
        [
            *(sys.executable, "-m", "tests.memory.bare", "tests.storage.killed_writer"),
            *(str(path), str(count), *more),
        ],
        cwd=ROOT,
        check=False,
    )
    assert process.returncode == -signal.SIGKILL
