"""Weights that are released go back to the system, whichever thread loaded them."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOADS = 12
MOST_MB = 100
"""A thread that kept the weights would keep 23 MB."""

PROGRAM = """
import os, sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from custom_components.sage.embeddings.minilm import MODEL_FILE
from custom_components.sage.embeddings.minilm import MiniLM

def use():
    MiniLM.load(MODEL_FILE).encode(["I like tea."])

def megabytes():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

threads = [ThreadPoolExecutor(1) for _ in range(int(sys.argv[1]))]
for number, thread in enumerate(threads):
    thread.submit(use).result()
    if number == 0:
        first = megabytes()
print(megabytes() - first)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs the figures of Linux")
def test_no_thread_keeps_released_weights() -> None:
    command = [sys.executable, "-c", PROGRAM, str(LOADS)]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert float(found.stdout) < MOST_MB
