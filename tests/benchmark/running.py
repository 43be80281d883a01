"""A benchmark that runs as people run it: as a program of its own."""

import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[2]


def run_benchmark(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `python -m benchmark.<name>` to its end; it has to print something."""
    run = subprocess.run(
        [sys.executable, "-m", f"benchmark.{name}", *arguments],
        cwd=_ROOT,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert run.stdout, run.stderr
    return run
